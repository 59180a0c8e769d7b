import { afterEach, describe, expect, it } from 'vitest';
import { activatePolicy, assignUsers } from '../../../../src/features/security/policyAssignment.ts';
import { confirmingUnreadLists } from '../../../../src/editor/pickers/confirmRisk.ts';
import type { Json, JsonObject } from '../../../../src/objects/json.ts';
import { policyKind } from '../../../../src/objects/kinds/securityKinds.ts';
import { objectsIn } from '../../../../src/objects/objectParts.ts';
import type { ObjectServer } from '../../../../src/objects/objectServer.ts';
import { dismiss, person } from '../../../support/vscode/person.ts';

afterEach(() => person.leave());

const confirm = () => confirmingUnreadLists(policyKind, 'Shop');

/** A server that has one policy, and what was sent to it. */
function serverWith(policy: JsonObject): { server: ObjectServer; sent: JsonObject[] } {
  let saved: JsonObject = { id: '9', Name: 'Scope', isActive: true, ...policy };
  const all: JsonObject[] = [];
  const server: ObjectServer = {
    name: 'Shop',
    installation: async () => 'one',
    call: async (path, body): Promise<Json> => {
      if (path === 'Shield/GetAllShieldPolicies') return [saved];
      const sent = Object.values(body as Record<string, JsonObject>).find((part) => Array.isArray(part.Users));
      if (!sent) throw new Error(`${path} was not expected.`);
      all.push(sent);
      return (saved = sent);
    },
  };
  return { server, sent: all };
}

/** Ids of the users that a policy of users 1 and 12 is sent with. */
async function sentUsers(ids: readonly string[], isAssigned: boolean): Promise<Json[]> {
  const Users = ['1', '12'].map((ID) => ({ ID, LoginName: `user ${ID}` }));
  const { server, sent } = serverWith({ Constraints: [], Groups: [], Users });
  await assignUsers(server, '9', ids, isAssigned, confirm());
  return objectsIn(sent[0] ?? {}, 'Users').map(({ ID }) => ID ?? null);
}

it('assigns a policy to users and leaves the others restricted', async () => {
  expect(await sentUsers(['5'], true)).toEqual(['1', '12', '5']);
  expect(await sentUsers(['12'], true)).toEqual(['1', '12']);
});

it('unassigns a policy from these users and no others', async () => {
  expect(await sentUsers(['1'], false)).toEqual(['12']);
  expect(await sentUsers(['1', '12'], false)).toEqual([]);
});

describe('a policy with a list that the server does not return', () => {
  const policy = { Constraints: null, Groups: null, Users: [] };
  const lists = 'Constraints: null → []\nA save must include this list';

  it('is not sent before that is confirmed, and the command says that nothing was sent', async () => {
    const { server, sent } = serverWith(policy);
    person.answers(lists, dismiss);
    await expect(activatePolicy(server, '9', false, confirm())).rejects.toThrow(
      'The change was not confirmed. Nothing was sent.',
    );
    expect(sent).toEqual([]);
  });

  it('is asked about once, and sent with the change alone', async () => {
    const { server, sent } = serverWith(policy);
    person.answers(lists, 'Save');
    await activatePolicy(server, '9', false, confirm());
    expect(sent).toMatchObject([{ isActive: false, Constraints: [], Groups: [], Users: [] }]);
  });

  it('is asked about when the command itself fills the list', async () => {
    const { server, sent } = serverWith({ Constraints: [], Groups: [], Users: null });
    person.answers('Users: null → [{"ID":"5"}]', dismiss);
    await expect(assignUsers(server, '9', ['5'], true, confirm())).rejects.toThrow('Nothing was sent.');
    expect(sent).toEqual([]);
  });
});
