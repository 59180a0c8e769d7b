import * as vscode from 'vscode';
import { lines } from '../../../editor/nodes/tooltipLines.ts';
import type { MoreNode } from '../../../editor/nodes/treeNode.ts';

/** How the node behind the first rows of a long list looks; a click shows the next rows. */
export function moreItem(node: MoreNode): vscode.TreeItem {
  const [next, hidden] = [node.next, node.hidden].map((count) => count.toLocaleString(vscode.env.language));
  const item = new vscode.TreeItem(vscode.l10n.t('Show {0} More', next ?? ''));
  item.description = vscode.l10n.t('{0} not shown', hidden ?? '');
  item.iconPath = new vscode.ThemeIcon('unfold');
  item.tooltip = lines(
    vscode.l10n.t('{0} not shown', hidden ?? ''),
    vscode.l10n.t('Filter Sidebar and Go to Object look through all of them.'),
  );
  item.command = { command: 'analytics.tree.showMore', title: vscode.l10n.t('Show More'), arguments: [node] };
  return item;
}
