import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addMember, removeMember } from '../../../../src/access/membership.ts';
import type { Connection } from '../../../../src/connections/connection.ts';
import { deleteObjects } from '../../../../src/features/documents/deleteObjects.ts';
import { confirmingWrites } from '../../../../src/features/documents/save/confirmSave.ts';
import { confirmRisk } from '../../../../src/editor/pickers/confirmRisk.ts';
import { deactivatePolicy, unassignPolicy } from '../../../../src/features/security/assignPolicy.ts';
import { addToGroup, removeFromGroup } from '../../../../src/features/security/groupMembers.ts';
import { confirmValues } from '../../../../src/features/tagValues/tagValuesPanel.ts';
import { objectOf, type TreeNode } from '../../../../src/editor/nodes/treeNode.ts';
import { findKind } from '../../../../src/objects/kinds/kinds.ts';
import { saveObject, type SaveOutcome } from '../../../../src/objects/save/saveObject.ts';
import { editableView } from '../../../../src/objects/merge/editableView.ts';
import { objectServer } from '../../../../src/objects/objectServer.ts';
import type { JsonObject } from '../../../../src/objects/json.ts';
import { createOn, openCommandScene, rowsBelow, type CommandScene } from '../../../support/commandScene.ts';
import { startLocalServer, type LocalTestServer } from '../../../support/localServer.ts';
import { dismiss, person } from '../../../support/vscode/person.ts';

/* A policy hangs on a group, whose value of a tag decides: what takes the group or the policy away shows every row. */

let server: LocalTestServer;
let scene: CommandScene;
let connection: Connection;
let count = 0;
let names: { group: string; tag: string; policy: string };
let ids: { user: string; group: string; tag: string; policy: string };

beforeAll(async () => {
  server = await startLocalServer();
  scene = await openCommandScene();
  connection = await scene.addServer('Shop', server.apiBase, server.adminPassword);
});

beforeEach(async () => {
  count += 1;
  names = { group: `North ${count}`, tag: `states${count}`, policy: `Own states ${count}` };
  const client = await connection.client();
  const user = await createOn(connection, 'user', `nora${count}`);
  const group = await createOn(connection, 'group', names.group);
  await addMember(client, { groupId: group, userId: user, roleId: '2', words: 'nora' });
  const SecurityGroups = [{ RightID: group, Option1: 'NC,SC' }];
  const tag = await createOn(connection, 'tag', names.tag, { isGroup: true, SecurityGroups });
  const Constraints = ['flights', 'airports'].map((TableName) => ({
    ...{ TableName, ColumnName: 'state', Operator: 'in', Value: `/#${names.tag}#/` },
  }));
  const fields = { isActive: true, Groups: [{ GroupId: group }], Constraints };
  ids = { user, group, tag, policy: await createOn(connection, 'policy', names.policy, fields) };
});

afterEach(() => person.leave());

afterAll(async () => {
  await scene.close();
  await server.stop();
});

const allRows = () => `nora${count} will see all rows of airports and flights.`;
const asked = () => person.texts('message').at(-1) ?? '';
const group = () => scene.row(connection, 'groups', names.group);
const policy = () => scene.row(connection, 'policies', names.policy);

async function member(): Promise<TreeNode> {
  const row = (await rowsBelow(await group())).find((node) => objectOf(node)?.name === `nora${count}`);
  if (!row) throw new Error('She is no member.');
  return row;
}

describe('says that all rows are seen afterwards', () => {
  it('when a member is removed from the group', async () => {
    person.answers(`Remove nora${count} from ${names.group}`, dismiss);
    await removeFromGroup(scene.services, await member());
    expect(asked()).toContain(allRows());
    expect(asked()).not.toContain('folders and rows');
  });

  it('when the group is deleted', async () => {
    person.answers('Delete group', dismiss);
    const row = await group();
    await deleteObjects(scene.services, row, [row]);
    expect(asked()).toContain(allRows());
  });

  it('when the policy is deleted', async () => {
    person.answers('Delete policy', dismiss);
    const row = await policy();
    await deleteObjects(scene.services, row, [row]);
    expect(asked()).toContain(allRows());
  });

  it('when the policy is deactivated', async () => {
    person.answers('Deactivate policy', dismiss);
    await deactivatePolicy(scene.services, await policy());
    expect(asked()).toContain(allRows());
  });

  it('when the policy is unassigned', async () => {
    person.answers(`Unassign "${names.policy}" on Shop`, [names.group]).answers('Unassign policy', dismiss);
    await unassignPolicy(scene.services, await policy());
    expect(asked()).toContain(allRows());
  });
});

it('says of a second policy with the same constraints that nothing else is seen without it', async () => {
  const { Constraints } = await viewOf('policy', ids.policy);
  const fields = { isActive: true, Groups: [{ GroupId: ids.group }], Constraints: Constraints ?? [] };
  await createOn(connection, 'policy', `Twin ${count}`, fields);
  person.answers('Deactivate policy', dismiss);
  await deactivatePolicy(scene.services, await policy());
  expect(asked()).toContain('No user will see other rows.');
});

it('says that no rows are seen without the tag', async () => {
  person.answers('Delete data tag', dismiss);
  const row = await scene.row(connection, 'dataTags', names.tag);
  await deleteObjects(scene.services, row, [row]);
  expect(asked()).toContain(`nora${count} will see no rows of airports and flights.`);
});

it('asks before a user gains the values of a group, and not before a user gains none', async () => {
  const id = await createOn(connection, 'user', `omar${count}`);
  const users = [{ ID: id }];
  const Constraints = [{ TableName: 'deals', ColumnName: 'state', Operator: 'in', Value: `/#${names.tag}#/` }];
  await createOn(connection, 'policy', `Of omar ${count}`, { isActive: true, Users: users, Constraints });
  person.answers('Role of', 'View').answers(`Add omar${count} to ${names.group} on Shop?`, dismiss);
  const dropped = [await scene.row(connection, 'users', `omar${count}`)];
  await addToGroup(scene.services, { dropped, onto: await group() });
  expect(asked()).toContain(`omar${count} will see more rows of deals.`);
});

describe('a changed value of the tag', () => {
  const change = (to: string | null) => ({
    groups: [{ id: ids.group, name: names.group, from: 'NC,SC', to }],
    users: [],
  });
  const confirm = async (to: string | null) => {
    const options = { connection, tag: { id: ids.tag, name: names.tag } };
    await confirmValues(options, objectServer(await connection.client()), change(to));
  };

  it('is asked about when it shows more rows, and not sent when that is declined', async () => {
    person.answers(`Save the values of ${names.tag} on Shop?`, dismiss);
    await expect(confirm('NC,SC,WA')).rejects.toThrow('The change was not confirmed. Nothing was sent.');
    expect(asked()).toContain(`nora${count} will see more rows of airports and flights.`);
    person.answers(`Save the values of ${names.tag} on Shop?`, 'Save');
    await confirm('WA');
    expect(asked()).toContain(`nora${count} may see other rows of airports and flights.`);
  });

  it('is not asked about when it shows fewer', async () => {
    await confirm('NC');
    await confirm(null);
    expect(person.texts('message')).toEqual([]);
  });
});

async function viewOf(kindName: string, id: string): Promise<JsonObject> {
  const kind = findKind(kindName);
  if (!kind) throw new Error(`There is no kind ${kindName}.`);
  return editableView(await kind.read(objectServer(await connection.client()), id), kind.shape);
}

describe('the edit of a document', () => {
  const save = async (
    kindName: 'policy' | 'tag' | 'user',
    id: string,
    name: string,
    fields: JsonObject,
  ): Promise<SaveOutcome['kind']> => {
    const kind = findKind(kindName);
    if (!kind) throw new Error(`There is no kind ${kindName}.`);
    const base = await viewOf(kindName, id);
    const target = { connectionId: connection.id, kind: kindName, id, name };
    const server = objectServer(await connection.client());
    const confirm = confirmingWrites({ kind, server, target }, confirmRisk);
    const askSecret = async () => '';
    return (await saveObject(server, { kind, id, base, mine: { ...base, ...fields }, askSecret, confirm })).kind;
  };

  it('is asked about when a policy loses a table', async () => {
    const { Constraints } = await viewOf('policy', ids.policy);
    const kept = Array.isArray(Constraints) ? Constraints.slice(0, 1) : [];
    person.answers(`Save "${names.policy}" on Shop?`, dismiss);
    expect(await save('policy', ids.policy, names.policy, { Constraints: kept })).toBe('unconfirmed');
    expect(asked()).toContain(`nora${count} will see all rows of airports.`);
  });

  it('is asked about when a default shows rows to users without a value', async () => {
    await removeMember(await connection.client(), { groupId: ids.group, userId: ids.user, words: 'nora' });
    const users = [{ ID: ids.user }];
    const Constraints = [{ TableName: 'deals', ColumnName: 'state', Operator: '=', Value: `/#${names.tag}#/` }];
    await createOn(connection, 'policy', `Direct ${count}`, { isActive: true, Users: users, Constraints });
    person.answers(`Save "${names.tag}" on Shop?`, 'Save');
    await save('tag', ids.tag, names.tag, { DefaultValue: 'WA' });
    expect(asked()).toContain(`nora${count} will see more rows of deals.`);
  });

  it('is not asked about when no user sees more rows', async () => {
    await save('policy', ids.policy, names.policy, { Description: 'Changed' });
    await save('user', ids.user, `nora${count}`, { FirstName: 'Nora' });
    await save('tag', ids.tag, names.tag, { SecurityGroups: [] });
    expect(person.texts('message')).toEqual([]);
  });
});
