import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import * as vscode from 'vscode';
import { addMember } from '../../../../src/access/membership.ts';
import { setApplicationRole } from '../../../../src/access/applicationRoles.ts';
import type { Connection } from '../../../../src/connections/connection.ts';
import { objectOf, type TreeNode } from '../../../../src/editor/nodes/treeNode.ts';
import { verifiedServer } from '../../../../src/editor/pickers/verifiedServer.ts';
import { createApplication } from '../../../../src/features/applications/applications.ts';
import { changeRole, grantRole, revokeRole } from '../../../../src/features/security/applicationRoles.ts';
import { confirmGrant } from '../../../../src/features/security/confirmRole.ts';
import { policyKind } from '../../../../src/objects/kinds/securityKinds.ts';
import { objectServer } from '../../../../src/objects/objectServer.ts';
import { deleteObject } from '../../../../src/objects/save/deleteObject.ts';
import { changeOn, createOn, openCommandScene, rowsBelow, type CommandScene } from '../../../support/commandScene.ts';
import { startLocalServer, type LocalTestServer } from '../../../support/localServer.ts';
import { ran } from '../../../support/vscode/index.ts';
import { dismiss, person } from '../../../support/vscode/person.ts';

const application = 'Flight Operations';
const agent = { id: '6', name: 'Agent', type: '6' };
let server: LocalTestServer;
let scene: CommandScene;
let connection: Connection;
let applicationId: string;
let count = 0;
let nora: string;
let omar: string;

beforeAll(async () => {
  server = await startLocalServer(true);
  scene = await openCommandScene();
  connection = await scene.addServer('Shop', server.apiBase, server.adminPassword);
  const [row] = await rowsBelow(await scene.find(connection, 'semanticLayer'));
  applicationId = (row && objectOf(row)?.id) ?? '';
  // So that no question about rows is asked where none is tested.
  const client = await connection.client();
  for (const { id } of await client.call('Shield/GetAllShieldPolicies', {})) await drop(String(id));
});

beforeEach(async () => {
  count += 1;
  nora = await createOn(connection, 'user', `nora${count}`);
  omar = await createOn(connection, 'user', `omar${count}`);
});

afterEach(() => {
  ran.length = 0;
  person.leave();
});

afterAll(async () => {
  await scene.close();
  await server.stop();
});

const user = (name: string) => scene.row(connection, 'users', `${name}${count}`);

/** Deletes a policy. */
async function drop(id: string): Promise<void> {
  await deleteObject(objectServer(await connection.client()), policyKind, id);
}

/** Names of a user's roles, as the server has them. */
async function rolesOf(id: string): Promise<(string | null | undefined)[]> {
  const found = await (await connection.client()).call('Contact/GetContactById', { ContactId: id });
  return (found.UserApplications ?? []).map((entry) => entry.ApplicationRoleName);
}

async function give(id: string, role = agent): Promise<void> {
  await setApplicationRole(objectServer(await connection.client()), id, { id: applicationId, name: application }, role);
}

/** Free seats, as the server counts them. */
async function seatsLeft(): Promise<number> {
  const [found] = await (await connection.client()).call('App/GetApplicationList', {});
  return (found?.ModuleProfile?.LicensedQuanity ?? 0) - (found?.ModuleProfile?.ConsumedQuanity ?? 0);
}

describe('granting', () => {
  it('gives the selected user the chosen role, with the seats left shown, and asks nothing more', async () => {
    const left = await seatsLeft();
    person.answers(`Role of nora${count} in ${application} on Shop\n${left} seats left`, 'Agent');
    await grantRole(scene.services, await user('nora'));
    expect(await rolesOf(nora)).toEqual(['Agent']);
    expect(await seatsLeft()).toBe(left - 1);
  });

  it('gives it to the members of a group, who are named first', async () => {
    const group = await createOn(connection, 'group', `North ${count}`);
    for (const userId of [nora, omar]) {
      await addMember(await connection.client(), { groupId: group, userId, roleId: '2', words: userId });
    }
    const row = await scene.row(connection, 'groups', `North ${count}`);
    person.answers('Role of 2 users', 'Builder').answers('Grant 2 users the role Builder', dismiss);
    await grantRole(scene.services, row);
    expect(await rolesOf(nora)).toEqual([]);
    person.answers('Role of 2 users', 'Builder').answers(`nora${count} has no role yet\nomar${count}`, 'Grant');
    await grantRole(scene.services, row);
    expect([await rolesOf(nora), await rolesOf(omar)]).toEqual([['Builder'], ['Builder']]);
  });

  it('leaves a present role alone unless that is agreed to', async () => {
    await give(nora);
    const rows = [await user('nora'), await user('omar')];
    const question = `nora${count} currently has Agent`;
    person.answers('Role of 2 users', 'Architect').answers(question, 'Grant Only New Roles');
    await grantRole(scene.services, rows[0], rows);
    expect([await rolesOf(nora), await rolesOf(omar)]).toEqual([['Agent'], ['Architect']]);
    person.answers('Role of nora', 'Architect').answers(question, 'Change Roles');
    await grantRole(scene.services, rows[0]);
    expect(await rolesOf(nora)).toEqual(['Architect']);
  });

  it('sends nothing when all have the role already', async () => {
    await give(nora);
    person.answers('Role of nora', 'Agent');
    await grantRole(scene.services, await user('nora'));
    expect(person.texts('message').at(-1)).toContain('already have the role Agent');
  });

  it('gives nothing when the list of roles, which says what each takes, or of users is left', async () => {
    const lists = vi.spyOn(vscode.window, 'showQuickPick');
    person.answers('Role of nora', dismiss);
    await grantRole(scene.services, await user('nora'));
    const offered = (await lists.mock.calls.at(-1)?.[0]) ?? [];
    lists.mockRestore();
    expect(offered.map((item) => (typeof item === 'string' ? item : item.description))).toEqual([
      'Takes an Agent seat',
      'Takes a Builder seat',
      'Takes an Architect seat',
    ]);
    person.answers('Grant Application Role', dismiss);
    await grantRole(scene.services, await scene.find(connection, 'semanticLayer', application));
    expect(await rolesOf(nora)).toEqual([]);
  });

  it('says before who will see all rows of tables that are restricted for others', async () => {
    const Constraints = [{ TableName: 'flights', ColumnName: 'state', Operator: '=', Value: 'CA' }];
    const Users = [{ ID: omar }];
    const policy = await createOn(connection, 'policy', `Own ${count}`, { isActive: true, Constraints, Users });
    person.answers('Role of nora', 'Agent').answers(`nora${count} will see all rows of flights.`, dismiss);
    await grantRole(scene.services, await user('nora'));
    expect(await rolesOf(nora)).toEqual([]);
    person.answers('Role of omar', 'Agent');
    await grantRole(scene.services, await user('omar'));
    expect(await rolesOf(omar)).toEqual(['Agent']);
    await drop(policy);
  });

  it('asks when seats are short', async () => {
    const shown = await verifiedServer(connection);
    const holders = [nora, omar].map((id) => ({ id, name: id, roles: [], isSuperAdmin: false }));
    const grant = { connection, shown, holders, role: agent, isChange: false };
    person.answers('2 seats are needed and 1 left', dismiss);
    expect(await confirmGrant({ ...grant, application: { id: '1', name: 'Flights', left: 1 } })).toEqual([]);
    person.answers('The licence of Flights has expired', 'Grant');
    const expired = { id: '1', name: 'Flights', left: 9, refusal: 'expired' as const };
    expect(await confirmGrant({ ...grant, holders: holders.slice(1), application: expired })).toHaveLength(1);
  });

  it('reloads the permissions of the session after the account itself was given a role', async () => {
    ran.length = 0;
    const own = (await connection.client()).call('Contact/GetContactList', {});
    const id = String((await own).find(({ LoginName }) => LoginName === 'admin')?.ID);
    person.answers('Role of admin', 'Architect').mayAnswer('Grant admin', 'Change Roles');
    const offered = { connectionId: connection.id, application: { id: applicationId, name: application } };
    await grantRole(scene.services, { ...offered, users: [{ id, name: 'admin' }] });
    expect(await rolesOf(id)).toEqual(['Architect']);
    expect(ran).toContainEqual(['analytics.session.reloadPermissions', { connectionId: connection.id }]);
  });
});

describe('changing', () => {
  it('replaces the present role without another question', async () => {
    await give(nora);
    person.answers('Role of nora', 'Builder');
    await changeRole(scene.services, await user('nora'));
    expect(await rolesOf(nora)).toEqual(['Builder']);
  });

  it('changes nothing for users without a role', async () => {
    await changeRole(scene.services, await user('nora'));
    expect(person.texts('message').at(-1)).toContain('no role in any application');
    expect(await rolesOf(nora)).toEqual([]);
  });
});

describe('revoking', () => {
  async function holder(name: string): Promise<TreeNode> {
    return scene.find(connection, 'administration', 'licences', application, `${name}${count}`);
  }

  it('asks, and then releases the seat of the row under Licences', async () => {
    await give(nora);
    const left = await seatsLeft();
    const row = await holder('nora');
    person.answers(`Revoke the role Agent of nora${count}`, dismiss);
    await revokeRole(scene.services, row);
    expect(await rolesOf(nora)).toEqual(['Agent']);
    expect(person.texts('message').at(-1)).toContain(
      `\nnora${count} will no longer be able to use reports of ${application}.\n1 seat becomes free.`,
    );
    person.answers(`Revoke the role Agent of nora${count}`, 'Revoke');
    await revokeRole(scene.services, row);
    expect([await rolesOf(nora), await seatsLeft()]).toEqual([[], left + 1]);
  });

  it('says which of the users can still use the reports as super-admins', async () => {
    await changeOn(connection, 'user', nora, { isAdmin: true, isSuperAdmin: true });
    await give(nora);
    await give(omar);
    const rows = [await holder('nora'), await holder('omar')];
    person.answers(`Revoke the roles of 2 users in ${application}`, dismiss);
    await revokeRole(scene.services, rows[0], rows);
    const words = person.texts('message').at(-1);
    expect(words).toContain(`\nomar${count} will no longer be able to use reports of ${application}.\n`);
    expect(words).toContain(`\nnora${count} will still be able to use reports of ${application} as super-admin.\n`);
  });

  it('takes away several roles of one user, and the roles of several users, at once', async () => {
    const two = ['Builder', 'Agent'].map((ApplicationRoleName, index) => ({
      ...{ ApplicationID: applicationId, ApplicationName: application, ApplicationRoleName },
      ...{ ApplicationRoleID: `${index + 5}`, ApplicationRoleType: `${index + 5}`, applicationUserDataSourceID: '' },
    }));
    await changeOn(connection, 'user', nora, { UserApplications: two });
    await give(omar);
    const rows = [await holder('nora'), await holder('omar')];
    person.answers(`Revoke the roles of 2 users in ${application} on Shop?\nnora${count}: Builder, Agent`, 'Revoke');
    await revokeRole(scene.services, rows[0], rows);
    expect([await rolesOf(nora), await rolesOf(omar)]).toEqual([[], []]);
  });

  it('revokes nothing when the list of users is left', async () => {
    person.answers('Revoke Application Role', dismiss);
    await revokeRole(scene.services, await scene.find(connection, 'semanticLayer', application));
  });
});

// Last: there are two applications from here on.
it('says too of a user with a role elsewhere who will see all rows in the application', async () => {
  const client = await connection.client();
  const { id: other, name } = await createApplication(client, `Other ${count}`, '');
  await setApplicationRole(objectServer(client), nora, { id: other, name }, agent);
  const on = (TableName: string, ModuleID: string) => ({
    ...{ TableName, ModuleID, ColumnName: 'state', Operator: '=', Value: 'CA' },
  });
  const Constraints = [on('airports', ''), on('flights', applicationId), on('routes', other)];
  await createOn(connection, 'policy', `Here ${count}`, { isActive: true, Constraints, Users: [{ ID: omar }] });
  person.answers('Grant Application Role', application).answers('Role of nora', 'Agent');
  person.answers(`nora${count} will see all rows of airports and flights.`, dismiss);
  await grantRole(scene.services, await user('nora'));
  expect(await rolesOf(nora)).toEqual(['Agent']);
});
