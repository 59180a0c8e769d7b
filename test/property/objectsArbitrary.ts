import fc from 'fast-check';
import { parseExact, type Json, type JsonObject } from '../../src/objects/json.ts';
import type { ObjectShape } from '../../src/objects/kinds/objectShape.ts';

/** A shape with every rule there is: fields hidden, kept by the server, nested, and a list of identified entries. */
export const testShape: ObjectShape = {
  hidden: ['ErrorCode', 'Revision'],
  readOnly: ['Modified'],
  fields: {
    Groups: { key: 'GroupId', shown: ['GroupId', 'GroupName', 'Value'] },
    Language: { hidden: ['phrases'] },
  },
};

/** Numbers as servers write them, beyond what JavaScript keeps. */
const numberText = fc.oneof(
  fc.integer().map(String),
  fc.bigInt({ min: 2n ** 53n, max: 2n ** 70n }).map(String),
  fc.constantFrom('1.0', '-0', '1e5', '0.10', '9007199254740993', '1E+400'),
);

/** A name that is no array index: JavaScript would sort those first. */
const name = fc
  .oneof(fc.string({ maxLength: 4 }), fc.constantFrom('__proto__', 'constructor', ''))
  .filter((text) => !/^\d+$/.test(text));

/** Text of any JSON value, with spellings that must survive. */
const anyJson = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom('null', '""', 'true', 'false'),
    fc.string({ maxLength: 5 }).map((text) => JSON.stringify(text)),
    numberText,
    fc.array(tie('value'), { maxLength: 3 }).map((values) => `[${values.join(',')}]`),
    fc.uniqueArray(fc.tuple(name, tie('value')), { maxLength: 3, selector: ([key]) => key }).map(objectText),
  ),
})).value;

function objectText(fields: readonly (readonly [string, string])[]): string {
  return `{${fields.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(',')}}`;
}

const groupText = (id: string) =>
  fc.tuple(anyJson, anyJson, anyJson).map(([GroupName, Value, Roles]) =>
    objectText([
      ['GroupId', JSON.stringify(id)],
      ['GroupName', GroupName],
      ['Value', Value],
      ['Roles', Roles],
    ]),
  );

const groupsText = fc
  .oneof(
    fc.shuffledSubarray(['1', '2', '3', '4', '5']),
    // Entries that cannot be told apart.
    fc.array(fc.constantFrom('1', '2', ''), { maxLength: 3 }),
  )
  .chain((ids) => fc.tuple(...ids.map(groupText)))
  .map((entries) => `[${entries.join(',')}]`);

/** Text of an object of {@link testShape}, its fields in any order, with unknown ones. */
export const objectJson: fc.Arbitrary<string> = fc
  .record(
    {
      ErrorCode: anyJson,
      Revision: anyJson,
      Modified: anyJson,
      Name: anyJson,
      Description: anyJson,
      Constraints: anyJson,
      Groups: fc.oneof({ weight: 5, arbitrary: groupsText }, { weight: 1, arbitrary: anyJson }),
      Language: fc.tuple(anyJson, anyJson).map(([id, phrases]) =>
        objectText([
          ['id', id],
          ['phrases', phrases],
        ]),
      ),
      unknown: anyJson,
      extra: fc.uniqueArray(fc.tuple(name, anyJson), { maxLength: 3, selector: ([key]) => key }),
    },
    { requiredKeys: [] },
  )
  .chain(({ extra = [], ...known }) => {
    const fields = new Map([...extra, ...Object.entries(known)]);
    return fc.shuffledSubarray([...fields], { minLength: fields.size });
  })
  .map(objectText);

/** Small values, so that two random edits meet often. */
const smallValue = fc.constantFrom<Json>(null, '', 'a', 'b', 1, true, parseExact('9007199254740993'));
const smallGroup = (GroupId: string): fc.Arbitrary<JsonObject> =>
  fc.record({ GroupId: fc.constant(GroupId), GroupName: smallValue, Value: smallValue });

/** A view of {@link testShape} as it may look on any of the three sides of a merge. */
export const smallView: fc.Arbitrary<JsonObject> = fc
  .record(
    {
      Modified: smallValue,
      Name: smallValue,
      Description: smallValue,
      Constraints: fc.array(smallValue, { maxLength: 2 }),
      Groups: fc.shuffledSubarray(['1', '2', '3']).chain((ids) => fc.tuple(...ids.map(smallGroup))),
      Language: fc.record({ id: smallValue, more: smallValue }, { requiredKeys: [] }),
    },
    { requiredKeys: [] },
  )
  .map((view): JsonObject => view);
