import type * as vscode from 'vscode';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { treeDragAndDrop } from '../../../../src/features/sidebar/treeDragAndDrop.ts';
import type { FolderNode, TreeNode } from '../../../../src/editor/nodes/treeNode.ts';
import { ran } from '../../../support/vscode/index.ts';
import { person } from '../../../support/vscode/person.ts';
import { ScriptedConnection, ShownTree } from './shownTree.ts';

const trees = [
  { rootnode: { id: 1, text: 'Public', libtype: 1, children: [{ id: 3, text: 'Sales', children: [] }] } },
  { rootnode: { id: 2, text: 'Mine', libtype: 2, children: [{ id: 4, text: 'Drafts', children: [] }] } },
];

let shown: ShownTree;

beforeEach(() => {
  const [shop, bank] = [new ScriptedConnection('1', 'Shop'), new ScriptedConnection('12', 'Bank')];
  for (const server of [shop, bank]) {
    const member = { ID: '5', LoginName: 'nora' };
    server.replies.set('library/GetAllLibraryTree', () => trees);
    server.replies.set('library/GetListByFolderID', () => [{ id: 7, ReportName: 'Delays', itemtype: 2 }]);
    server.replies.set('library/SearchReports', () => [{ id: 7, ReportName: 'Delays', itemtype: 2, isFav: true }]);
    server.replies.set('Dashboard/SearchDashboardList', () => []);
    server.replies.set('Contact/GetContactList', () => [member]);
    server.replies.set('Shield/GetAllShieldPolicies', () => [{ id: 9, Name: 'Scope', isActive: true }]);
    server.replies.set('Group/GetAllSecurityGroups', () => [
      { GroupId: '6', GroupName: 'North', Membership: [member] },
    ]);
  }
  shown = new ShownTree(shop, bank);
});

afterEach(() => {
  shown.dispose();
  ran.length = 0;
  person.leave();
});

const at: Record<string, readonly string[]> = {
  'a report': ['Library', 'Public', 'Delays'],
  'a folder': ['Library', 'Public', 'Sales'],
  'a personal folder': ['Library', 'Personal', 'Drafts'],
  'the public library': ['Library', 'Public'],
  'the favourites': ['Library', 'Favourites'],
  'a user': ['Security', 'Users', 'nora'],
  'a member': ['Security', 'Groups', 'North', 'nora'],
  'a group': ['Security', 'Groups', 'North'],
  'a policy': ['Security', 'Policies', 'Scope'],
};

const row = (what: string, server = 'Shop') => shown.row(server, ...(at[what] ?? []));

/** Drags rows and drops them. @returns what the editor ran. */
async function drop(dragged: readonly TreeNode[], onto: TreeNode | undefined): Promise<unknown[][]> {
  let carried: unknown;
  const transfer = {
    set: (_type: string, item: vscode.DataTransferItem) => void (carried = item.value),
    get: () => (carried === undefined ? undefined : { value: carried }),
  } as unknown as vscode.DataTransfer;
  const token = {} as vscode.CancellationToken;
  await treeDragAndDrop.handleDrag?.([...dragged], transfer, token);
  await treeDragAndDrop.handleDrop?.(onto, transfer, token);
  return ran.filter(([command]) => String(command).startsWith('analytics.'));
}

it.each([
  ['a report', 'a folder', 'analytics.item.move'],
  ['a report', 'a personal folder', 'analytics.item.move'],
  ['a report', 'the public library', 'analytics.item.move'],
  ['a group', 'a folder', 'analytics.folder.setPermissions'],
  ['a user', 'a group', 'analytics.group.addMembers'],
  ['a member', 'a group', 'analytics.group.addMembers'],
  ['a group', 'a policy', 'analytics.policy.assign'],
  ['a user', 'a policy', 'analytics.policy.assign'],
  ['a member', 'a policy', 'analytics.policy.assign'],
])('%s dropped onto %s runs %s', async (dragged, onto, command) => {
  const [from, to] = [await row(dragged), await row(onto)];
  expect(await drop([from], to)).toEqual([[command, { dropped: [from], onto: to }]]);
  expect(person.texts()).toEqual([]);
});

it.each([
  ['a report', 'the favourites'],
  ['a report', 'a group'],
  ['a report', 'a policy'],
  ['a user', 'a folder'],
  ['a group', 'a group'],
  ['a group', 'the public library'],
  ['a policy', 'a group'],
  ['a folder', 'a folder'],
])('%s dropped onto %s does nothing and says what can be dropped', async (dragged, onto) => {
  expect(await drop([await row(dragged)], await row(onto))).toEqual([]);
  expect(person.texts('message')).toEqual([expect.stringContaining('Drag reports onto a folder')]);
});

it('a group does not open a personal folder', async () => {
  const folder = (await row('a personal folder')) as FolderNode;
  expect(folder.isPersonal).toBe(true);
  expect(await drop([await row('a group')], folder)).toEqual([]);
  expect(person.texts('message')).toEqual([expect.stringContaining('only its owner sees it')]);
});

it('rows of one server are not dropped onto another, not even among rows of that server', async () => {
  const folder = await row('a folder', 'Bank');
  expect(await drop([await row('a report')], folder)).toEqual([]);
  expect(await drop([await row('a report', 'Bank'), await row('a report')], folder)).toEqual([]);
  const words = 'Objects cannot be dragged from one server to another.';
  expect(person.texts('message')).toEqual([words, words]);
});

it('rows of which one does not fit are not dropped', async () => {
  expect(await drop([await row('a user'), await row('a group')], await row('a group'))).toEqual([]);
  expect(person.texts('message')).toHaveLength(1);
});

it('nothing is done without rows, or beside the rows', async () => {
  expect(await drop([], await row('a folder'))).toEqual([]);
  expect(await drop([await row('a report')], undefined)).toEqual([]);
  expect(person.texts()).toEqual([]);
});
