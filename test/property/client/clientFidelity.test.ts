import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decodeReply } from '../../../src/client/http/reply/decode.ts';
import { parseExactJson, writeExactJson } from '../../../src/client/http/reply/exactJson.ts';
import { canonicalJson } from '../../../src/objects/merge/canonicalJson.ts';
import { editableView, withView } from '../../../src/objects/merge/editableView.ts';
import { isJsonObject, parseExact, type JsonObject } from '../../../src/objects/json.ts';
import { lostChanges } from '../../../src/objects/merge/lostChanges.ts';
import { threeWayMerge } from '../../../src/objects/merge/threeWayMerge.ts';
import { propertyRuns } from '../../support/run/soakSize.ts';

const runs = propertyRuns(3_000, 10_000);

/** Names of fields; JavaScript moves those that look like array indexes to the front, so they are left out. */
const key = fc.oneof(
  fc.string().filter((name) => !/^\d+$/.test(name)),
  fc.constantFrom('__proto__', 'constructor', 'toString', 'ErrorMessage', 'TagName', 'unknownField'),
);

/** JSON text in the compact form that both sides write, made as text so that no parser has a say in it. */
const { json } = fc.letrec<{ json: string }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(
      fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }).map(String),
      fc.constantFrom('9007199254740993', '-9007199254740993', '9223372036854775807', '18446744073709551615'),
      fc.integer().map(String),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value === 0 ? 0 : value)),
      fc.constantFrom('null', '""', 'true', 'false', '[]', '{}'),
      fc.string({ unit: 'binary' }).map((text) => JSON.stringify(text)),
    ),
    fc.array(tie('json'), { maxLength: 4 }).map((items) => `[${items.join(',')}]`),
    fields(tie('json')),
  ),
}));

function fields(value: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .uniqueArray(fc.tuple(key, value), { maxLength: 5, selector: ([name]) => name })
    .map((entries) => `{${entries.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`);
}

it('opens and sends any object without a difference', () => {
  let count = 0;
  let large = 0;
  const before = Object.getOwnPropertyNames(Object.prototype).join();
  const check = (text: string) => {
    count += 1;
    if (/\d{16}/.test(text)) large += 1;
    const reply = `{"Label":"0","Answer":${text}}`;
    const value = decodeReply('DataTag/NewDataTag', { status: 200, contentType: 'application/json', text: reply }, 'S');
    expect(writeExactJson({ datatag: value })).toBe(`{"datatag":${reply}}`);
  };
  fc.assert(fc.property(json, check), { numRuns: runs });
  expect(Object.getOwnPropertyNames(Object.prototype).join()).toBe(before);
  expect(large).toBeGreaterThan(runs / 20);
  console.log(`figure R8: ${count} random objects opened and sent, ${large} with long numbers, 0 differences`);
});

it('takes fields named as parts of every object through a save, as plain fields', () => {
  let count = 0;
  const before = Object.getOwnPropertyNames(Object.prototype).join();
  const read = (text: string): JsonObject => {
    const value = parseExact(`{"Label":"x","__proto__":${text},"Inner":{"__proto__":${text},"constructor":${text}}}`);
    if (!isJsonObject(value)) throw new Error('It was written as an object.');
    return value;
  };
  const check = (served: string, edited: string) => {
    const [full, mine] = [read(served), read(edited)];
    const base = editableView(full, {});
    const { view, conflicts } = threeWayMerge(base, mine, base, {});
    const sent = withView(full, view, {});
    expect(conflicts).toEqual([]);
    expect(canonicalJson(sent)).toBe(canonicalJson(mine));
    expect(lostChanges({ before: base, wanted: mine, after: read(edited) }, {})).toEqual([]);
    for (const object of [full, base, view, sent]) {
      expect(Object.getPrototypeOf(object)).toBe(Object.prototype);
      expect(Object.keys(object)).toContain('__proto__');
    }
    count += 1;
  };
  fc.assert(fc.property(json, json, check), { numRuns: runs });
  expect(Object.getOwnPropertyNames(Object.prototype).join()).toBe(before);
  console.log(`figure S7: ${count} documents with __proto__ opened, merged and saved, 0 changes of Object.prototype`);
});

it('keeps __proto__ a plain field', () => {
  fc.assert(
    fc.property(json, (text) => {
      const value = parseExactJson(`{"__proto__":${text},"id":12345678901234567890}`) as Record<string, unknown>;
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
      expect(Object.keys(value)).toEqual(['__proto__', 'id']);
      expect(value.id).toBe(12345678901234567890n);
    }),
    { numRuns: Math.min(runs, 1000) },
  );
});
