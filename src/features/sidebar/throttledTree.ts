import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import { ThrottledChanges } from './throttledChanges.ts';
import type { ServersTree } from './serversTree.ts';
import type { TreeNode } from '../../editor/nodes/treeNode.ts';

/** How long the editor waits for the rows below an unfolded one before it draws that one and those beside it, in ms. */
const graceMs = 50;
/** After these times, in ms, a row that loaded is reported again if the editor has not asked for the rows below it. */
const reportedAgainMs = [1_000, 2_000, 4_000];

/**
 * The sidebar's data provider for the editor, with change events fired through {@link ThrottledChanges}.
 *
 * The editor draws the rows below a node only when the rows below the unfolded ones of them are there, too. So that
 * static rows need not wait for a far server, an unfolded row that is not loaded shows that it is loading. The editor
 * may drop an event about a row while it replaces the rows around it, so the event is repeated until the editor asks.
 */
export function throttledTree(tree: ServersTree): vscode.TreeDataProvider<TreeNode> & vscode.Disposable {
  const told = new vscode.EventEmitter<TreeNode[] | undefined>();
  const changes = new ThrottledChanges<TreeNode>((rows) => told.fire(rows));
  const subscriptions = vscode.Disposable.from(
    tree.onDidChangeTreeData((rows) => changes.fire(rows && [rows].flat())),
    changes,
    told,
  );
  const unfolded = new WeakSet<TreeNode>();
  /** Rows that the editor shows as loading. */
  const awaited = new Set<TreeNode>();
  const timers = new Set<NodeJS.Timeout>();
  const report = (node: TreeNode, [after, ...later]: readonly number[] = reportedAgainMs): void => {
    if (!awaited.has(node)) return;
    changes.fire([node]);
    if (after === undefined) return;
    const timer = setTimeout(() => {
      timers.delete(timer);
      report(node, later);
    }, after);
    timers.add(timer);
  };
  const childrenSoon = async (node: TreeNode): Promise<TreeNode[]> => {
    const loading = tree.getChildren(node);
    const loaded = await Promise.race([loading, delay(graceMs, undefined)]);
    if (loaded) return loaded;
    awaited.add(node);
    void loading.then(() => report(node));
    const id = `${node.id}/loading`;
    return [{ kind: 'notice', id, connection: node.connection, parent: node, reason: 'loading', detail: '' }];
  };
  return {
    onDidChangeTreeData: told.event,
    getTreeItem: (node) => {
      const item = tree.getTreeItem(node);
      if (item.collapsibleState === vscode.TreeItemCollapsibleState.Expanded) unfolded.add(node);
      else unfolded.delete(node);
      return item;
    },
    getChildren: (node) => {
      if (node) awaited.delete(node);
      return node && unfolded.has(node) ? childrenSoon(node) : tree.getChildren(node);
    },
    getParent: (node) => tree.getParent(node),
    resolveTreeItem: (item, node) => tree.resolveTreeItem(item, node),
    dispose: () => {
      timers.forEach(clearTimeout);
      subscriptions.dispose();
    },
  };
}
