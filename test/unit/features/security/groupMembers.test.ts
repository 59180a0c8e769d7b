import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import * as vscode from 'vscode';
import type { Connection } from '../../../../src/connections/connection.ts';
import { addToGroup, removeFromGroup } from '../../../../src/features/security/groupMembers.ts';
import { addMember, rolesInGroup } from '../../../../src/access/membership.ts';
import { objectOf, type TreeNode } from '../../../../src/editor/nodes/treeNode.ts';
import { changeOn, createOn, openCommandScene, rowsBelow, type CommandScene } from '../../../support/commandScene.ts';
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

/**
 * Adds users with the role whose row is at `index` of the list of roles.
 * @param question to agree to.
 */
async function add(names: readonly string[], index: number, question?: string): Promise<void> {
  const roles = (await (await connection.client()).call('Contact/GetRolesList', {})).filter(({ RoleName }) => RoleName);
  const offered = roles.filter(({ RoleId }) => ['2', '3'].includes(String(RoleId)));
  person.answers('Role of', String(offered[index]?.RoleName));
  if (question !== undefined) person.answers(question, 'Add');
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
    await withRole('Change the role of nora in ', dismiss, ['nora']);
    expect(await members()).toEqual(before);
    await withRole('Change the role of nora in ', 'Change Roles', ['nora']);
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
    await withRole('Change the role of nora in ', 'Add Only New Members', ['nora', 'omar']);
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
    expect(person.texts('message').join()).toContain('The same folders will be visible.');
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

describe('the folders that a group opens', () => {
  let folder: string;

  beforeEach(async () => {
    folder = `Folder of ${groupName}`;
    const roots = await (
      await connection.client()
    ).call('library/GetAllLibraryTree', { includefav: false, includePersonal: false });
    const libraryId = String(roots[0]?.rootnode?.id);
    await createOn(connection, 'folder', folder, { Permissions: [{ RightID: groupId }] }, libraryId);
  });

  it('are named before users are added, who are added only when that is agreed to', async () => {
    person.answers('Role of nora', 'View').answers(`Add nora to ${groupName} on Shop?`, dismiss);
    await addToGroup(scene.services, { dropped: [await user('nora')], onto: await group() });
    expect(person.texts('message').at(-1)).toContain(`nora will see the content of ${folder}.`);
    expect(await members()).toEqual({});
    await add(['nora', 'omar'], 0, `Add 2 users to ${groupName} on Shop?`);
    expect(person.texts('message').at(-1)).toContain(`2 users will see the content of ${folder}: nora and omar.`);
    expect(Object.keys(await members())).toEqual(['nora', 'omar']);
  });

  it('are not asked about with the role None, which opens none', async () => {
    person.answers('Role of nora', 'None');
    await addToGroup(scene.services, { dropped: [await user('nora')], onto: await group() });
    expect(Object.keys(await members())).toEqual(['nora']);
  });

  it('are named before a role changes to None, which closes them', async () => {
    await add(['nora'], 0, 'Add nora');
    person.answers('Role of nora', 'None').answers('Change the role of nora in ', dismiss);
    await addToGroup(scene.services, { dropped: [await user('nora')], onto: await group() });
    expect(person.texts('message').at(-1)).toContain(`nora will no longer see the content of ${folder}.`);
    person.answers('Role of nora', 'None').answers('Change the role of nora in ', 'Change Roles');
    await addToGroup(scene.services, { dropped: [await user('nora')], onto: await group() });
    person.answers('Role of nora', 'View').answers(`nora will see the content of ${folder}.`, 'Change Roles');
    await addToGroup(scene.services, { dropped: [await user('nora')], onto: await group() });
    expect(Object.keys(await members())).toEqual(['nora']);
  });

  it('are named before a member is removed, lost or kept', async () => {
    await add(['nora', 'omar'], 0, 'Add 2 users');
    const row = await memberRow('nora');
    person.answers(`Remove nora from ${groupName}`, dismiss);
    await removeFromGroup(scene.services, row);
    expect(person.texts('message').at(-1)).toContain(`nora will no longer see the content of ${folder}.`);
    const other = await createOn(connection, 'group', `Twin of ${groupName}`);
    const kept = await scene.find(connection, 'library', 'public', folder);
    const id = kept.kind === 'folder' ? kept.folderId : '';
    await changeOn(connection, 'folder', id, { Permissions: [groupId, other].map((RightID) => ({ RightID })) });
    const words = 'nora in the twin';
    await addMember(await connection.client(), { groupId: other, userId: ids.get('nora') ?? '', roleId: '2', words });
    person.answers(`Remove nora from ${groupName}`, dismiss);
    await removeFromGroup(scene.services, row);
    expect(person.texts('message').at(-1)).toContain(`nora will still see the content of ${folder}.`);
  });
});
