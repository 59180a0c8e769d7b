import * as z from 'zod';
import { expect, it } from 'vitest';
import { documentText, readDocument } from '../../../src/documents/documentText.ts';

const schema = z.looseObject({ a: z.number().optional() });

it('reads what it wrote, every digit', () => {
  const text = documentText({ a: 1, b: { rawJSON: '9007199254740993' } });
  expect(documentText(readDocument('{"a":1.0,"b":[{"a":2},{"a":3}]}', schema))).toContain('"a": 1.0');
  expect(text).toContain('"a": 1');
});

it('refuses a key that an object has twice: one of the values would be lost', () => {
  for (const text of ['{"a":1,"a":2}', '{"b":[{"x":{"k":1,"\\u006b":2}}]}', '{"__proto__":1,"__proto__":2}']) {
    expect(() => readDocument(text, schema)).toThrow('the same key twice');
  }
  expect(readDocument('{"a":1,"b":{"a":2,":":"{\\"a\\":1,\\"a\\":2}"}}', schema)).toMatchObject({ a: 1 });
});
