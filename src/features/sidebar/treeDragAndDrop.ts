import * as vscode from 'vscode';
import { showInformationMessage } from '../../editor/messages.ts';
import { isTreeNode, type TreeNode } from '../../editor/nodes/treeNode.ts';

const mimeType = 'application/vnd.code.tree.analytics.servers';

/**
 * Drag and drop in the sidebar: reports onto a folder (move), users onto a group (add), groups onto a folder (grant
 * access), groups and users onto a policy (assign). Runs the same commands as the menus.
 */
export const treeDragAndDrop: vscode.TreeDragAndDropController<TreeNode> = {
  dragMimeTypes: [mimeType],
  dropMimeTypes: [mimeType],
  handleDrag(source, transfer) {
    transfer.set(mimeType, new vscode.DataTransferItem(source));
  },
  async handleDrop(onto, transfer) {
    const given: unknown = transfer.get(mimeType)?.value;
    const dropped = Array.isArray(given) ? given.filter(isTreeNode) : [];
    const [first] = dropped;
    if (!onto || !first) return;
    const command = commandFor(dropped, onto);
    if (command !== undefined) {
      await vscode.commands.executeCommand(command, { dropped, onto });
      return;
    }
    void showInformationMessage(whyNot(dropped, onto));
  },
};

/** The command for a drop; undefined if it is not supported. */
export function commandFor(dropped: readonly TreeNode[], onto: TreeNode): string | undefined {
  if (dropped.length === 0 || dropped.some(({ connection }) => connection.id !== onto.connection.id)) return undefined;
  const all = (...kinds: TreeNode['kind'][]) => dropped.every(({ kind }) => kinds.includes(kind));
  if (onto.kind === 'libraryRoot') return all('report') && onto.folderId !== '' ? 'analytics.item.move' : undefined;
  if (onto.kind === 'folder') {
    if (all('report')) return 'analytics.item.move';
    return all('group') && !onto.isPersonal ? 'analytics.folder.setPermissions' : undefined;
  }
  if (onto.kind === 'group') return all('user', 'member') ? 'analytics.group.addMembers' : undefined;
  return onto.kind === 'policy' && all('group', 'user', 'member') ? 'analytics.policy.assign' : undefined;
}

function whyNot(dropped: readonly TreeNode[], onto: TreeNode): string {
  if (onto.kind === 'folder' && onto.isPersonal && dropped.every(({ kind }) => kind === 'group')) {
    return vscode.l10n.t(
      '"{0}" on {1} is a personal folder: only its owner sees it, and it cannot be opened to groups.',
      onto.name,
      onto.connection.name,
    );
  }
  return dropped.some(({ connection }) => connection.id !== onto.connection.id)
    ? vscode.l10n.t('Objects cannot be dragged from one server to another.')
    : vscode.l10n.t(
        'Drag reports onto a folder, users onto a group, groups onto a folder, or groups and users onto a policy.',
      );
}
