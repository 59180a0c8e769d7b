import * as vscode from 'vscode';
import { ThrottledChanges } from './throttledChanges.ts';
import type { ServersTree } from './serversTree.ts';
import type { TreeNode } from '../../editor/nodes/treeNode.ts';

/** The sidebar's data provider for the editor, with change events fired through {@link ThrottledChanges}. */
export function throttledTree(tree: ServersTree): vscode.TreeDataProvider<TreeNode> & vscode.Disposable {
  const told = new vscode.EventEmitter<TreeNode[] | undefined>();
  const changes = new ThrottledChanges<TreeNode>((rows) => told.fire(rows));
  const subscriptions = vscode.Disposable.from(
    tree.onDidChangeTreeData((rows) => changes.fire(rows && [rows].flat())),
    changes,
    told,
  );
  return {
    onDidChangeTreeData: told.event,
    getTreeItem: (node) => tree.getTreeItem(node),
    getChildren: (node) => tree.getChildren(node),
    getParent: (node) => tree.getParent(node),
    resolveTreeItem: (item, node) => tree.resolveTreeItem(item, node),
    dispose: () => {
      subscriptions.dispose();
    },
  };
}
