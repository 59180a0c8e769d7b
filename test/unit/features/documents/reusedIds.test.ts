import { afterEach, expect, it } from 'vitest';
import { confirmDeletions } from '../../../../src/features/documents/deleteObjects.ts';
import type { Json } from '../../../../src/objects/json.ts';
import type { ObjectServer } from '../../../../src/objects/objectServer.ts';
import { person } from '../../../support/vscode/person.ts';

afterEach(() => person.leave());

/** A server on which tag 4 has this label by now. */
const server = (Label: string): ObjectServer => ({
  name: 'Shop',
  installation: async () => 'one',
  call: async (path): Promise<Json> =>
    path === 'DataTag/GetAllDataTags' ? [{ ID: '4', Label, SecurityGroups: [], Contacts: [] }] : [],
});
const target = { connectionId: 'c', kind: 'tag', id: '4', name: 'State' };

it('an object whose id another one has by now is not offered for deletion', async () => {
  await expect(confirmDeletions(server('City'), [target])).rejects.toThrow('It is now named "City" on Shop.');
  expect(person.texts()).toEqual([]);
});

it('an object that is still the one that was shown is', async () => {
  person.answers('Delete', 'Delete');
  expect(await confirmDeletions(server('State'), [target])).toEqual([target]);
});
