import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { endpoints } from '../../src/contract/endpoints.ts';
import { checkLargeBody, parseLargeBody } from '../../src/server/http/largeBody.ts';
import { parseBody } from '../../src/server/http/requestBody.ts';
import { propertyRuns } from '../support/run/soakSize.ts';

/* Whether a body is read at once or piece by piece makes no difference but that of time. */

const numRuns = propertyRuns(2_000, 20_000);

/** What a generator returns. */
function resultOf<T>(work: Generator<undefined, T, undefined>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

/** A value as JSON with its order of fields, or that there is none. */
function outcome(read: () => unknown): string {
  try {
    return JSON.stringify(read());
  } catch (error) {
    return `refused: ${String(error)}`;
  }
}

// JSON.parse itself has been seen to read the key `\"` as another one that is a single character.
const key = fc.oneof(
  fc.constantFrom('__proto__', '1', '0', 'a', '{', '","', '\\', 'é\u2028'),
  fc.string({ maxLength: 4 }).filter((text) => text !== '"'),
);
const leaf = fc.oneof(
  key,
  fc.integer(),
  fc.integer({ min: -9999, max: 9999 }).map((number) => number / 8),
  fc.boolean(),
  fc.constant(null),
);
const { document } = fc.letrec((tie) => ({
  document: fc.oneof(
    { maxDepth: 5 },
    leaf,
    fc.array(tie('document'), { maxLength: 6 }),
    fc.array(fc.tuple(key, tie('document')), { maxLength: 6 }).map((pairs) => new Written(pairs)),
  ),
}));

/** An object whose fields are written in this order, some of them twice. */
class Written {
  readonly pairs: readonly (readonly [string, unknown])[];

  constructor(pairs: readonly (readonly [string, unknown])[]) {
    this.pairs = pairs;
  }
}

function written(value: unknown, space: string): string {
  if (value instanceof Written) {
    const fields = value.pairs.map(([name, part]) => `${JSON.stringify(name)}${space}:${written(part, space)}`);
    return `{${space}${fields.join(`${space},`)}${space}}`;
  }
  if (Array.isArray(value)) return `[${value.map((part) => written(part, space)).join(`,${space}`)}${space}]`;
  return JSON.stringify(value);
}

const space = fc.constantFrom('', ' ', '\n\t');
const edit = fc.record({
  at: fc.nat(200),
  length: fc.nat(2),
  text: fc.constantFrom('', ',', '{', '}', '[', ']', '"', ':', '\\', ' ', '1', 'null'),
});

describe('a body that is read piece by piece', () => {
  it('is the same as one that is read at once', () => {
    const whole = fc.tuple(document, space, fc.integer({ min: 1, max: 12 }));
    fc.assert(
      fc.property(whole, ([value, blank, piece]) => {
        const bytes = Buffer.from(`${blank}${written(value, blank)}${blank}`);
        expect(outcome(() => resultOf(parseLargeBody(bytes, piece)))).toBe(outcome(() => parseBody(bytes)));
      }),
      { numRuns },
    );
  });

  it('is refused where one that is read at once is', () => {
    const broken = fc.tuple(
      document,
      space,
      fc.integer({ min: 1, max: 12 }),
      fc.array(edit, { minLength: 1, maxLength: 3 }),
    );
    let refused = 0;
    fc.assert(
      fc.property(broken, ([value, blank, piece, edits]) => {
        let text = written(value, blank);
        for (const { at, length, text: put } of edits) {
          const place = at % (text.length + 1);
          text = text.slice(0, place) + put + text.slice(place + length);
        }
        const bytes = Buffer.from(text);
        if (bytes.length === 0) return;
        const expected = outcome(() => parseBody(bytes));
        if (expected.startsWith('refused')) refused += 1;
        expect(outcome(() => resultOf(parseLargeBody(bytes, piece))).slice(0, 7)).toBe(expected.slice(0, 7));
        if (!expected.startsWith('refused'))
          expect(outcome(() => resultOf(parseLargeBody(bytes, piece)))).toBe(expected);
      }),
      { numRuns },
    );
    expect(refused).toBeGreaterThan(numRuns / 4);
  });

  it.each([
    ['a text of more than a megabyte', `{"a":"${'x'.repeat(1024 * 1024)}"}`, /a text of more than 1048576 bytes/],
    [
      'an object of more than 10,000 fields',
      `{${Array.from({ length: 10_001 }, (_, n) => `"${n}":1`).join(',')}}`,
      /10000 fields/,
    ],
    ['more than a million values', `[${'0,'.repeat(1_000_000)}0]`, /more than 1000000 values/],
    ['more than 200 levels', `${'['.repeat(201)}${']'.repeat(201)}`, /nests too deeply/],
    ['a number that would be another one', '[1,2,3,12345678901234567890]', /whole number is beyond/],
    ['the character NUL', String.raw`{"a":1,"b\u0000":2}`, /NUL character/],
    ['bytes that are no UTF-8', Buffer.from([0x22, 0xff, 0x22]), /not UTF-8/],
  ])('is refused with %s', (_, body, message) => {
    expect(() => resultOf(parseLargeBody(Buffer.from(body), 8))).toThrow(message);
  });

  it('yields again and again', () => {
    const work = parseLargeBody(Buffer.from(JSON.stringify(Array.from({ length: 400_000 }, (_, n) => n))));
    let pauses = 0;
    while (!work.next().done) pauses += 1;
    expect(pauses).toBeGreaterThan(30);
  });
});

describe('a body that is checked part by part', () => {
  const { request } = endpoints['Report/ReplacePromptCollection'];
  const value = fc.oneof(
    { weight: 30, arbitrary: fc.constant('x') },
    { weight: 1, arbitrary: fc.constantFrom(null, 1, true, [], {}) },
  );
  const row = fc.record({ Op: value, Value1: value, other: value }, { requiredKeys: [] });
  const field = fc.record(
    { Formula: value, Criteria: fc.oneof(fc.array(row), value), more: value },
    { requiredKeys: [] },
  );
  const body = fc.record({
    Reportobj: fc.record({ Report: fc.record({ FieldList: fc.array(field, { minLength: 60, maxLength: 90 }) }) }),
    Prompts: fc.array(fc.record({ PromptField: field, LowValue: value }), { minLength: 60, maxLength: 90 }),
  });

  it('is accepted, or refused for the same reason, as one that is checked at once', () => {
    const seen = { accepted: 0, refused: 0 };
    fc.assert(
      fc.property(body, (sent) => {
        const issue = resultOf(checkLargeBody(request, sent));
        const [first] = request.safeParse(sent).error?.issues ?? [];
        seen[first ? 'refused' : 'accepted'] += 1;
        expect(issue).toEqual(first && { path: first.path, message: first.message });
      }),
      { numRuns: numRuns / 20 },
    );
    expect(seen.refused).toBeGreaterThan(0);
  });

  it('is the value that the schema gives: nothing is changed or left out', () => {
    const sent = { Reportobj: { Report: { x: 1 } }, Prompts: [{ y: [2] }], z: 3 };
    expect(request.parse(sent)).toEqual(sent);
  });
});
