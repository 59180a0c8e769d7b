import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeReply } from '../../../../../src/client/http/reply/decode.ts';
import {
  JsonLimitError,
  maxDepth,
  parseExactJson,
  writeExactJson,
} from '../../../../../src/client/http/reply/exactJson.ts';
import { parseExactJsonInSteps } from '../../../../../src/client/http/reply/replyBody.ts';

describe('exact JSON', () => {
  it('holds integers of any size, and numbers as numbers', () => {
    expect(parseExactJson('[9007199254740991,9007199254740993,-9007199254740993,1.5,1e3]')).toEqual([
      9007199254740991,
      9007199254740993n,
      -9007199254740993n,
      1.5,
      1000,
    ]);
    expect(writeExactJson({ a: 9007199254740993n, b: [1n] })).toBe('{"a":9007199254740993,"b":[1]}');
  });

  it('refuses numbers that it would change', () => {
    expect(() => parseExactJson('[1e400]')).toThrow('too large');
    expect(() => parseExactJson(`[${'9'.repeat(2000)}]`)).toThrow('1000 digits');
  });

  it.each(['[', '{"a":'])('refuses a million levels of %s', (opening) => {
    const text = opening.repeat(1_000_000);
    expect(() => parseExactJson(text)).toThrow(`more than ${maxDepth} levels`);
    const raw = { status: 200, contentType: 'application/json', text };
    expect(() => decodeReply('DataTag/NewDataTag', raw, 'S')).toThrow(
      expect.objectContaining({ kind: 'tooLarge' }) as Error,
    );
    console.log('figure R14: depth 1,000,000 refused with a clear error');
  });

  it('reads what is as deep as allowed, and brackets in text at any number', () => {
    const text = '['.repeat(maxDepth) + ']'.repeat(maxDepth);
    expect(writeExactJson(parseExactJson(text))).toBe(text);
    const brackets = JSON.stringify(['['.repeat(500) + '\\"' + '{'.repeat(500)]);
    expect(writeExactJson(parseExactJson(brackets))).toBe(brackets);
  });

  it('refuses a key that an object has twice, and takes equal keys of different objects', () => {
    const repeated = [
      '{"a":1,"a":1}',
      '[{"b":{"a":1,"c":2,"\\u0061":3}}]',
      '{"__proto__":1,"__proto__":2}',
      '{"1":1,"1":2}',
    ];
    for (const text of repeated) expect(() => parseExactJson(text)).toThrow('duplicate key');
    const fine = '{"a":{"a":[{"a":1},{"a":null}]},"b":":{\\"a\\":1","":{},"__proto__":{"a":9007199254740993}}';
    expect(writeExactJson(parseExactJson(fine))).toBe(fine);
    // Nothing tells which of the two codes is meant, so it is no success.
    for (const text of ['{"ErrorCode":9000,"ErrorCode":0,"ID":"1"}', '{"ErrorCode":0,"ErrorCode":9000,"ID":"1"}']) {
      const raw = { status: 200, contentType: 'application/json', text };
      expect(() => decodeReply('DataTag/NewDataTag', raw, 'S')).toThrow(/DataTag\/NewDataTag.*duplicate key/);
      expect(() => decodeReply('Report/GetSQL', raw, 'S')).toThrow(/duplicate key/);
    }
  });

  it('lets an identifier be a large number', () => {
    const text = '[{"RoleId":12345678901234567890,"ERROR_CODE":0}]';
    const value = decodeReply('Contact/GetRolesList', { status: 200, contentType: 'application/json', text }, 'S');
    expect(writeExactJson(value)).toBe(text);
  });
});

describe('a long list, read in steps', () => {
  function inSteps(text: string, atOnce: number): { value: unknown; rests: number } {
    const steps = parseExactJsonInSteps(text, atOnce);
    for (let rests = 0; ; rests++) {
      const step = steps.next();
      if (step.done) return { value: step.value, rests };
    }
  }

  /** What reading comes to: the value, written again, or that it is refused. */
  function outcomeOf(read: () => unknown): string {
    try {
      return writeExactJson(read());
    } catch (error) {
      if (error instanceof SyntaxError || error instanceof JsonLimitError) return 'refused';
      throw error;
    }
  }

  const list = fc.array(fc.jsonValue({ maxDepth: 3 }), { maxLength: 12 });
  /** A list as JSON, with a character taken out, put in or doubled somewhere, or as it is. */
  const damaged = fc
    .tuple(list, fc.constantFrom('', '  '), fc.nat(), fc.constantFrom(...'[]{},:"\\ 19e', 'whole', 'cut'))
    .map(([value, indent, place, change]) => {
      const text = JSON.stringify(value, undefined, indent);
      const at = place % (text.length + 1);
      if (change === 'whole') return text;
      return text.slice(0, at) + (change === 'cut' ? '' : change) + text.slice(change === 'cut' ? at + 1 : at);
    });

  it('is what it is read at once, or refused alike', () => {
    let refused = 0;
    fc.assert(
      fc.property(damaged, fc.integer({ min: 0, max: 30 }), (text, atOnce) => {
        const expected = outcomeOf(() => parseExactJson(text));
        expect(outcomeOf(() => inSteps(text, atOnce).value)).toBe(expected);
        if (expected === 'refused') refused += 1;
      }),
      { numRuns: 5_000 },
    );
    expect(refused).toBeGreaterThan(500);
  });

  it('rests between its pieces', () => {
    const text = JSON.stringify(
      Array.from({ length: 20_000 }, (_, id) => ({ id, name: `user ${id}`, big: 1e15 + id })),
    );
    const { value, rests } = inSteps(text, 100_000);
    expect(value).toEqual(parseExactJson(text));
    expect(rests).toBeGreaterThan(5);
  });

  it.each(['[1,]', '[,1]', '[1,,2]', '[1}', '[1]]', '[1', '[1] x', '[,]'])('refuses %s', (text) => {
    expect(() => inSteps(text, 0)).toThrow(SyntaxError);
  });
});
