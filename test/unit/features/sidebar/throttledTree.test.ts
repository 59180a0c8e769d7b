import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import * as vscode from 'vscode';
import type { TreeNode } from '../../../../src/editor/nodes/treeNode.ts';
import type { ServersTree } from '../../../../src/features/sidebar/serversTree.ts';
import { throttledTree } from '../../../../src/features/sidebar/throttledTree.ts';
import { ScriptedConnection } from './shownTree.ts';

const connection = new ScriptedConnection('shop', 'Shop');
const node = (id: string): TreeNode => ({ kind: 'server', id, connection, parent: undefined });
const library = node('library');
const rows = [node('public')];

let answer: (rows: TreeNode[]) => void;
let state: vscode.TreeItemCollapsibleState;
let told: (TreeNode[] | TreeNode | undefined | null | void)[];

/** The provider of a tree whose rows below the library the test gives. */
function provider() {
  const { promise, resolve } = Promise.withResolvers<TreeNode[]>();
  answer = resolve;
  const tree = {
    onDidChangeTreeData: () => new vscode.Disposable(() => undefined),
    getTreeItem: () => ({ collapsibleState: state }),
    getChildren: () => promise,
  } as unknown as ServersTree;
  const made = throttledTree(tree);
  made.onDidChangeTreeData?.((nodes) => told.push(nodes));
  made.getTreeItem(library);
  return made;
}

beforeEach(() => {
  vi.useFakeTimers();
  told = [];
  state = vscode.TreeItemCollapsibleState.Expanded;
});
afterEach(() => vi.useRealTimers());

it('gives the rows of an unfolded row that come within a moment', async () => {
  const shown = provider().getChildren(library);
  await vi.advanceTimersByTimeAsync(49);
  answer(rows);
  expect(await shown).toEqual(rows);
  expect(told).toEqual([]);
});

it('shows that an unfolded row is loading, so that the rows beside it are drawn, and gives its rows later', async () => {
  const made = provider();
  const shown = made.getChildren(library);
  await vi.advanceTimersByTimeAsync(50);
  expect(await shown).toMatchObject([{ kind: 'notice', reason: 'loading', parent: library }]);
  answer(rows);
  await vi.advanceTimersByTimeAsync(0);
  expect(told).toEqual([[library]]);
  expect(await made.getChildren(library)).toEqual(rows);
});

it('reports loaded rows again while the editor does not ask for them, which may have lost the event', async () => {
  const made = provider();
  await made.getChildren(library);
  answer(rows);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(told).toEqual([[library], [library]]);
  await made.getChildren(library);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(told).toHaveLength(2);
});

it('gives up on an editor that never asks, for example because the view is hidden', async () => {
  await provider().getChildren(library);
  answer(rows);
  await vi.advanceTimersByTimeAsync(600_000);
  expect(told).toHaveLength(4);
  expect(vi.getTimerCount()).toBe(0);
});

it('lets the editor wait for the rows of a row that the user opens', async () => {
  state = vscode.TreeItemCollapsibleState.Collapsed;
  const shown = provider().getChildren(library);
  await vi.advanceTimersByTimeAsync(500);
  answer(rows);
  expect(await shown).toEqual(rows);
});
