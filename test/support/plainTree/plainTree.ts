import * as vscode from 'vscode';
import { largeNames } from '../large/largeNames.ts';

/** A row and what lies below it. */
interface Row {
  label: string;
  below?: () => Row[];
  isOpen?: boolean;
}

/** Rows with nothing but names, there at once: what the editor itself takes to draw a tree of this shape. */
const roots: Row[] = [
  { label: 'Plain Library', below: () => [{ label: 'Plain Public', below: () => rows(500, 'folder'), isOpen: true }] },
  { label: 'Plain Users', below: () => rows(5_000, 'user') },
];

function rows(count: number, kind: 'folder' | 'user'): Row[] {
  return Array.from({ length: count }, (_, index) => ({
    label: largeNames[kind](index),
    ...(kind === 'folder' && { below: () => [] }),
  }));
}

/** Called by the editor. */
export function activate(context: vscode.ExtensionContext): void {
  const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  const changed = new vscode.EventEmitter<Row>();
  const treeDataProvider: vscode.TreeDataProvider<Row> = {
    onDidChangeTreeData: changed.event,
    getChildren: (row) => (row ? (row.below?.() ?? []) : roots),
    getTreeItem: ({ label, below, isOpen }) =>
      new vscode.TreeItem(label, below ? (isOpen ? Expanded : Collapsed) : None),
  };
  const view = vscode.window.createTreeView('plain.rows', { treeDataProvider });
  // So that it is asked for its rows again when it is opened again.
  context.subscriptions.push(
    changed,
    view,
    view.onDidCollapseElement(({ element }) => changed.fire(element)),
  );
}
