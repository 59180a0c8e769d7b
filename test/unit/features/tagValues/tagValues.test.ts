import { expect, it } from 'vitest';
import { saveTagValues, type TagChanges } from '../../../../src/features/tagValues/tagValues.ts';
import type { Json, JsonObject } from '../../../../src/objects/json.ts';
import type { ObjectServer } from '../../../../src/objects/objectServer.ts';

const tag = {
  ID: '4',
  Label: 'State',
  DefaultValue: 'none',
  isGroup: true,
  isUser: false,
  SecurityGroups: [
    { RightID: '1', Option1: 'CA' },
    { RightID: '12', Option1: 'NY' },
  ],
  Contacts: [],
};

/** Saves changes of a tag. @returns what was sent; undefined for nothing. */
async function sent(changes: TagChanges, now: JsonObject = tag): Promise<JsonObject | undefined> {
  let saved: JsonObject | undefined;
  const server: ObjectServer = {
    name: 'Shop',
    installation: async () => 'one',
    call: async (path, body): Promise<Json> => {
      if (path === 'DataTag/GetAllDataTags') return [saved ?? now];
      if (path !== 'DataTag/SaveDataTag') throw new Error(`${path} was not expected.`);
      saved = (body as { datatag: JsonObject }).datatag;
      return saved;
    },
  };
  await saveTagValues(server, '4', changes).catch((error: unknown) => {
    if (saved !== undefined) throw new Error('It was sent all the same.', { cause: error });
    throw error;
  });
  return saved;
}

const change = (id: string, from: string | null, to: string | null) => ({ id, name: `group ${id}`, from, to });

it('sets, changes and removes values, and leaves the others', async () => {
  const groups = [change('1', 'CA', 'TX'), change('12', 'NY', null), change('7', null, 'OR')];
  expect(await sent({ groups, users: [change('5', null, 'WA')] })).toMatchObject({
    SecurityGroups: [
      { RightID: '1', Option1: 'TX' },
      { RightID: '7', Option1: 'OR' },
    ],
    Contacts: [{ RightID: '5', Option1: 'WA' }],
    DefaultValue: 'none',
    isUser: true,
  });
});

it.each([
  ['a value', { groups: [change('1', 'OR', 'TX')], users: [] }, 'group 1'],
  ['a value that is gone', { groups: [change('7', 'OR', 'TX')], users: [] }, 'group 7'],
  ['a value that came', { groups: [change('12', null, 'TX')], users: [] }, 'group 12'],
  ['one of several', { groups: [change('1', 'CA', 'TX'), change('12', 'OR', 'TX')], users: [] }, 'group 12'],
  ['the default', { groups: [], users: [], defaultValue: { from: 'all', to: 'x' } }, 'DefaultValue'],
])('sends nothing where another user changed %s meanwhile, and names it', async (_what, changes, name) => {
  await expect(sent(changes)).rejects.toThrow(`Another user changed these values on Shop: ${name}.`);
});

it('takes a value that another user set alike for saved', async () => {
  expect(await sent({ groups: [change('1', 'OR', 'CA')], users: [] })).toBeUndefined();
});
