import { afterEach, expect, it } from 'vitest';
import { addMember } from '../../../src/access/membership.ts';
import { startScriptedServer } from '../../support/scriptedServer.ts';
import { testClient } from '../../support/testClient.ts';

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** A client of a server that says Success, and reads the user back with these roles in the group. */
async function clientOf(roleIds: readonly string[]) {
  const user = {
    ...{ ErrorCode: 0, ID: '7', LoginName: 'ada' },
    SecurityGroups: [{ GroupId: '3', GroupRoles: roleIds.map((RoleId) => ({ RoleId })) }],
  };
  const server = await startScriptedServer(({ path }) => {
    if (path.endsWith('login/DoLogin')) {
      return {
        ErrorCode: 0,
        LoginSession: { SessionToken: 'token', SessionTimeLeft: 20 },
        LoginUser: { ID: '1', LoginName: 'admin' },
      };
    }
    return path.endsWith('Contact/GetContactById') ? user : 'Success';
  });
  const client = testClient(`${server.url}/api`, { userName: 'admin', password: 'p' });
  cleanups.push(
    () => server.close(),
    () => client.close(),
  );
  return client;
}

const membership = { groupId: '3', userId: '7', roleId: '2', words: 'ada in North' };

it('is done when the role is the only one in the group', async () => {
  await expect(addMember(await clientOf(['2']), membership)).resolves.toBeUndefined();
});

it.each([[['1', '2']], [['2', '1']], [['1']], [[]]])(
  'is not done when the server keeps the roles %j',
  async (roles) => {
    await expect(addMember(await clientOf(roles), membership)).rejects.toMatchObject({ kind: 'refused' });
  },
);
