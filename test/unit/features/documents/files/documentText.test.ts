import * as z from 'zod';
import { expect, it } from 'vitest';
import { documentText, readDocument } from '../../../../../src/features/documents/files/documentText.ts';

const schema = z.looseObject({ a: z.number().optional() });

it('reads what it wrote, every digit', () => {
  const text = documentText({ a: 1, b: { rawJSON: '9007199254740993' } });
  expect(documentText(readDocument('{"a":1.0,"b":[{"a":2},{"a":3}]}', schema))).toContain('"a": 1.0');
  expect(text).toContain('"a": 1');
});

it('refuses a key that an object has twice: one of the values would be lost', () => {
  for (const text of ['{"a":1,"a":2}', '{"b":[{"x":{"k":1,"\\u006b":2}}]}', '{"__proto__":1,"__proto__":2}']) {
    expect(() => readDocument(text, schema)).toThrow('duplicate key');
  }
  expect(readDocument('{"a":1,"b":{"a":2,":":"{\\"a\\":1,\\"a\\":2}"}}', schema)).toMatchObject({ a: 1 });
});

it('says where a text is no JSON: a comment, a comma too many, two objects, nothing at all', () => {
  for (const [text, place] of [
    ['{\n  // why\n  "a": 1\n}', 'line 2, column 3'],
    ['{\n  "a": 1,\n}', 'line 3, column 1'],
    ['{"a":1}\n{}', 'line 2, column 1'],
    ['', 'line 1, column 1'],
    ['{"a":\r\n 01}', 'line 2, column'],
  ] as const) {
    expect(() => readDocument(text, schema), text).toThrow(`Invalid JSON at ${place}`);
  }
});

it('takes for no JSON exactly what the parser takes for none', () => {
  for (const text of ['{"a":1}\r\n', ' {"a" : 1e2}', '{"a":-0.5}', '{"b":"\\ud800"}', '{"b":[]}']) {
    expect(() => readDocument(text, schema), text).not.toThrow();
  }
  for (const text of [
    '{"a":+1}',
    '{"a":.5}',
    '{"a":1.}',
    "{'a':1}",
    '{a:1}',
    '{"a":NaN}',
    '{"b":"\t"}',
    '{"b":"\\x"}',
    '{"b":[1,]}',
  ]) {
    expect(() => readDocument(text, schema), text).toThrow('Invalid JSON');
  }
});

it('says in words of its own, which are translated, why a value does not fit', () => {
  const all = z.looseObject({
    name: z.string(),
    days: z.int(),
    isActive: z.boolean(),
    groups: z.array(z.looseObject({ id: z.string() })),
    secure: z.enum(['True', 'False']),
  });
  const good = { name: 'a', days: 1, isActive: true, groups: [{ id: '1' }], secure: 'True' };
  const why = (changes: object) => () => readDocument(JSON.stringify({ ...good, ...changes }), all);
  expect(why({})).not.toThrow();
  expect(why({ name: 5 })).toThrow('name must be a string.');
  expect(why({ name: undefined })).toThrow('name is missing.');
  expect(why({ days: 'x' })).toThrow('days must be a number.');
  expect(why({ days: 1.5 })).toThrow('days must be a whole number.');
  expect(why({ isActive: 'True' })).toThrow('isActive must be true or false.');
  expect(why({ groups: {} })).toThrow('groups must be an array.');
  expect(why({ groups: ['1'] })).toThrow('groups.0 must be an object.');
  expect(why({ groups: [{ id: null }] })).toThrow('groups.0.id must be a string.');
  expect(why({ secure: true })).toThrow('secure must be one of: True, False.');
});
