import * as vscode from 'vscode';
import type { Connection } from '../../connections/connection.ts';
import { kindChoices } from '../../editor/nodes/pickObjects.ts';
import { isTreeNode, type ListName, type TreeNode } from '../../editor/nodes/treeNode.ts';
import type { CommandServices } from '../../editor/commands/services.ts';
import { isWritable, pickObject } from '../../editor/pickers/objectPicks.ts';
import { serverOf } from '../../editor/pickers/pickServer.ts';
import { showQuickPick } from '../../editor/quickInput.ts';

/** What to create, and where. */
export interface NewObjectLocation {
  connection: Connection;
  /** Document kind. */
  kind: string;
  /** Id of its parent: a folder, application or registered server. */
  parent?: string;
}

const kindOfList: Record<ListName, string> = { users: 'user', groups: 'group', dataTags: 'tag', policies: 'policy' };

/**
 * Determines what to create and where: from the node the command was called on, otherwise by asking.
 * @param wanted document kind, if it is known.
 */
export async function newObjectLocation(
  services: CommandServices,
  argument: unknown,
  wanted?: string,
): Promise<NewObjectLocation | undefined> {
  const connection = await serverOf(argument, services, vscode.l10n.t('Select a server for the new object'));
  if (!connection) return undefined;
  if (isTreeNode(argument) && argument.kind === 'list') return { connection, kind: kindOfList[argument.list] };
  const parent = isTreeNode(argument) ? parentOf(argument) : undefined;
  const offered = kindChoices(connection).filter(({ object }) =>
    wanted === undefined ? parent === undefined || parent.kinds.includes(object) : object === wanted,
  );
  const chosen =
    offered.length === 1
      ? offered[0]
      : await showQuickPick(offered, {
          title: vscode.l10n.t('New object on {0}', connection.name),
          placeHolder: vscode.l10n.t('Select the type of object'),
        });
  if (!chosen) return undefined;
  const { object, places } = chosen;
  if (parent?.kinds.includes(object)) return { connection, kind: object, parent: parent.id };
  if (places === undefined) return { connection, kind: object };
  const title = vscode.l10n.t('New {0}', chosen.label);
  const place = await pickObject(connection, places, {
    title,
    placeholder: vscode.l10n.t('Select the location of the new object'),
    fits: isWritable,
  });
  return place && { connection, kind: object, parent: place.id };
}

/** Kinds of objects in a folder; as in its menu, dashboards on the local server only. */
function libraryKinds({ connection }: TreeNode): readonly string[] {
  return ['folder', 'report', ...(connection.kind === 'local' ? ['dashboard'] : [])];
}

/** A node as the parent of new objects. */
function parentOf(node: TreeNode): { id: string; kinds: readonly string[] } | undefined {
  switch (node.kind) {
    case 'folder':
    case 'libraryRoot':
      return node.folderId === '' ? undefined : { id: node.folderId, kinds: libraryKinds(node) };
    case 'application':
      return { id: node.applicationId, kinds: ['server'] };
    case 'registeredServer':
      return { id: node.database.serverId, kinds: ['reporttype'] };
    default:
      return undefined;
  }
}
