import { expect, it } from 'vitest';
import { assignUsers } from '../../../../src/features/security/policyAssignment.ts';
import type { Json, JsonObject } from '../../../../src/objects/json.ts';
import type { ObjectServer } from '../../../../src/objects/objectServer.ts';

/** Ids of the users that a policy of users 1 and 12 is sent with. */
async function sentUsers(ids: readonly string[], isAssigned: boolean): Promise<Json[]> {
  const users = ['1', '12'].map((ID) => ({ ID, LoginName: `user ${ID}` }));
  let saved: JsonObject = { id: '9', Name: 'Scope', isActive: true, Constraints: [], Groups: [], Users: users };
  const server: ObjectServer = {
    name: 'Shop',
    installation: async () => 'one',
    call: async (path, body): Promise<Json> => {
      if (path === 'Shield/GetAllShieldPolicies') return [saved];
      const sent = Object.values(body as Record<string, JsonObject>).find((part) => Array.isArray(part.Users));
      if (!sent) throw new Error(`${path} was not expected.`);
      return (saved = sent);
    },
  };
  await assignUsers(server, '9', ids, isAssigned);
  return (saved.Users as JsonObject[]).map(({ ID }) => ID ?? null);
}

it('assigns a policy to users and leaves the others restricted', async () => {
  expect(await sentUsers(['5'], true)).toEqual(['1', '12', '5']);
  expect(await sentUsers(['12'], true)).toEqual(['1', '12']);
});

it('unassigns a policy from these users and no others', async () => {
  expect(await sentUsers(['1'], false)).toEqual(['12']);
  expect(await sentUsers(['1', '12'], false)).toEqual([]);
});
