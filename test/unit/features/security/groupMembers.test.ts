import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import * as vscode from 'vscode';
import type { Connection } from '../../../../src/connections/connection.ts';
import { addToGroup, removeFromGroup } from '../../../../src/features/security/groupMembers.ts';
import { rolesInGroup } from '../../../../src/access/membership.ts';
import { objectOf, type TreeNode } from '../../../../src/editor/nodes/treeNode.ts';
import { createOn, openCommandScene, rowsBelow, type CommandScene } from '../../../support/commandScene.ts';
import { startLocalServer, type LocalTestServer } from '../../../support/localServer.ts';
import { dismiss, person } from '../../../support/vscode/person.ts';

let server: LocalTestServer;
let scene: CommandScene;
let connection: Connection;
const ids = new Map<string, string>();
let groupId: string;
let groupName: string;
let count = 0;

beforeAll(async () => {
  server = await startLocalServer();
  scene = await openCommandScene();
  connection = await scene.addServer('Shop', server.apiBase, server.adminPassword);
  for (const name of ['nora', 'omar']) ids.set(name, await createOn(connection, 'user', name));
});

beforeEach(async () => {
  groupName = `Group ${(count += 1)}`;
  groupId = await createOn(connection, 'group', groupName);
});

afterEach(() => person.leave());

afterAll(async () => {
  await scene.close();
  await server.stop();
});

/** Roles in the group by user, as the server has them. */
async function members(): Promise<Record<string, readonly string[]>> {
  const held = await rolesInGroup(await connection.client(), groupId, [...ids.values()]);
  return Object.fromEntries([...ids].flatMap(([name, id]) => (held.has(id) ? [[name, held.get(id) ?? []]] : [])));
}

const user = (name: string) => scene.row(connection, 'users', name);
const group = () => scene.row(connection, 'groups', groupName);

/** Adds users with the role whose row is at `index` of the list of roles. */
async function add(names: readonly string[], index: number): Promise<void> {
  const roles = (await (await connection.client()).call('Contact/GetRolesList', {})).filter(({ RoleName }) => RoleName);
  const offered = roles.filter(({ RoleId }) => ['2', '3'].includes(String(RoleId)));
  person.answers('Role of', String(offered[index]?.RoleName));
  const dropped = await Promise.all(names.map(user));
  await addToGroup(scene.services, { dropped, onto: await group() });
}

async function memberRow(name: string): Promise<TreeNode> {
  const row = (await rowsBelow(await group())).find((node) => objectOf(node)?.name === name);
  if (!row) throw new Error(`${name} is no member.`);
  return row;
}

describe('adding', () => {
  it('puts dropped users into the group with the role that is chosen', async () => {
    await add(['nora', 'omar'], 0);
    expect(Object.keys(await members())).toEqual(['nora', 'omar']);
  });

  it('adds nobody when the list of roles is left', async () => {
    person.answers('Role of nora', dismiss);
    await addToGroup(scene.services, { dropped: [await user('nora')], onto: await group() });
    expect(await members()).toEqual({});
  });

  it('adds nobody when the list of users is left', async () => {
    person.answers('Users to add', dismiss);
    await addToGroup(scene.services, await group());
    expect(await members()).toEqual({});
  });

  it('changes the role of a member only when that is agreed to', async () => {
    await add(['nora'], 0);
    const before = await members();
    await withRole('nora has another role', dismiss, ['nora']);
    expect(await members()).toEqual(before);
    await withRole('nora has another role', 'Change Roles', ['nora']);
    expect(await members()).not.toEqual(before);
  });

  it('marks the role that a member has already', async () => {
    await add(['nora'], 0);
    const lists = vi.spyOn(vscode.window, 'showQuickPick');
    person.answers('Role of 2 users', dismiss);
    await addToGroup(scene.services, { dropped: [await user('nora'), await user('omar')], onto: await group() });
    const offered = (await lists.mock.calls.at(-1)?.[0]) ?? [];
    lists.mockRestore();
    const marked = offered.filter(
      (item) => typeof item !== 'string' && item.description?.endsWith(' · current role of 1'),
    );
    expect(marked).toMatchObject([{ id: '2' }]);
  });

  it('adds only the others when a role is not to change', async () => {
    await add(['nora'], 0);
    const before = await members();
    await withRole('nora has another role', 'Add Only New Members', ['nora', 'omar']);
    expect(await members()).toMatchObject(before);
    expect(Object.keys(await members())).toEqual(['nora', 'omar']);
  });

  it('says so when all have the role already', async () => {
    await add(['nora'], 0);
    await add(['nora'], 0);
    expect(person.texts('message').at(-1)).toContain('All of them are already in');
  });

  async function withRole(question: string, answer: string | typeof dismiss, names: readonly string[]): Promise<void> {
    const roles = await (await connection.client()).call('Contact/GetRolesList', {});
    const other = roles.filter(({ RoleId }) => ['2', '3'].includes(String(RoleId)))[1];
    person.answers('Role of', String(other?.RoleName)).answers(question, answer);
    await addToGroup(scene.services, { dropped: await Promise.all(names.map(user)), onto: await group() });
  }
});

describe('removing', () => {
  beforeEach(() => add(['nora', 'omar'], 0));

  it('takes out the selected member after asking', async () => {
    person.answers(`Remove nora from ${groupName} on Shop?`, 'Remove');
    await removeFromGroup(scene.services, await memberRow('nora'));
    expect(Object.keys(await members())).toEqual(['omar']);
  });

  it('takes nobody out when that is declined', async () => {
    const rows = [await memberRow('nora'), await memberRow('omar')];
    person.answers('Remove 2 members from their groups on Shop?\nnora in', dismiss);
    await removeFromGroup(scene.services, rows[0], rows);
    expect(Object.keys(await members())).toEqual(['nora', 'omar']);
  });

  it('takes out who is ticked in the list of members', async () => {
    person.answers('Members to remove', ['omar']).answers('Remove omar', 'Remove');
    await removeFromGroup(scene.services, await group());
    expect(Object.keys(await members())).toEqual(['nora']);
  });

  it('takes nobody out if the list is dismissed', async () => {
    person.answers('Members to remove', dismiss);
    await removeFromGroup(scene.services, await group());
    expect(Object.keys(await members())).toEqual(['nora', 'omar']);
  });
});
