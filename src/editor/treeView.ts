import * as vscode from 'vscode';
import { inertObject, inertOrNone, inertText } from './displayText.ts';
import { drawingRow } from './selectedRow.ts';

/** Creates a tree view whose rows, message, title, description and badge display text literally. */
export function createTreeView<N>(id: string, options: vscode.TreeViewOptions<N>): vscode.TreeView<N> {
  const view = vscode.window.createTreeView<N>(id, {
    ...options,
    treeDataProvider: inertRows(options.treeDataProvider),
  });
  return inertObject(view, {
    message: inertOrNone,
    title: inertOrNone,
    description: inertOrNone,
    badge: (badge) => badge && { ...badge, tooltip: inertText(badge.tooltip) },
  });
}

function inertRows<N>(provider: vscode.TreeDataProvider<N>): vscode.TreeDataProvider<N> {
  const { onDidChangeTreeData } = provider;
  return {
    ...(onDidChangeTreeData && { onDidChangeTreeData }),
    getTreeItem: (node) => {
      const item = provider.getTreeItem(node);
      return 'then' in item ? item.then(drawnItem) : drawnItem(item);
    },
    getChildren: (node) => provider.getChildren(node),
    ...(provider.getParent && { getParent: (node: N) => provider.getParent?.(node) }),
    ...(provider.resolveTreeItem && {
      resolveTreeItem: async (item: vscode.TreeItem, node: N, token: vscode.CancellationToken) => {
        const resolved = await provider.resolveTreeItem?.(item, node, token);
        return resolved && inertItem(resolved);
      },
    }),
  };
}

function drawnItem(item: vscode.TreeItem): vscode.TreeItem {
  drawingRow();
  return inertItem(item);
}

function inertItem(item: vscode.TreeItem): vscode.TreeItem {
  const { label, description, tooltip, accessibilityInformation } = item;
  if (typeof label === 'string') item.label = inertText(label);
  else if (label) item.label = { ...label, label: inertText(label.label) };
  if (typeof description === 'string') item.description = inertText(description);
  if (typeof tooltip === 'string') item.tooltip = inertText(tooltip);
  if (accessibilityInformation) {
    item.accessibilityInformation = { ...accessibilityInformation, label: inertText(accessibilityInformation.label) };
  }
  return item;
}
