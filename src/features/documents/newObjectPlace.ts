import * as vscode from 'vscode';
import { showQuickPick } from '../../editor/quickInput.ts';
import type { Connection } from '../../connections/connection.ts';
import { isTreeNode, type ListName, type TreeNode } from '../../editor/nodes/treeNode.ts';
import { kindChoices } from '../../editor/nodes/kindChoices.ts';
import { isWritable, pickObject } from '../../editor/pickers/objectPicks.ts';
import { serverOf } from '../../editor/pickers/pickServer.ts';
import type { CommandServices } from '../../editor/commands/services.ts';

/** What is to be created, and where. */
export interface NewObjectPlace {
  connection: Connection;
  /** Name of its kind, as documents know it. */
  kind: string;
  /** Id of the folder, application or registered server that it is to be in. */
  parent?: string;
}

const kindOfList: Record<ListName, string> = { users: 'user', groups: 'group', dataTags: 'tag', policies: 'policy' };

/** Finds out what is to be created and where: by the node that the command was called on, else by asking. */
export async function newObjectPlace(
  services: CommandServices,
  argument: unknown,
): Promise<NewObjectPlace | undefined> {
  const connection = await serverOf(argument, services, vscode.l10n.t('New object: on which server?'));
  if (!connection) return undefined;
  if (isTreeNode(argument) && argument.kind === 'list') return { connection, kind: kindOfList[argument.list] };
  const parent = isTreeNode(argument) ? parentOf(argument) : undefined;
  const offered = kindChoices(connection).filter(({ object }) => parent === undefined || parent.kinds.includes(object));
  const chosen =
    offered.length === 1
      ? offered[0]
      : await showQuickPick(offered, {
          title: vscode.l10n.t('New object on {0}', connection.name),
          placeHolder: vscode.l10n.t('What kind of object?'),
        });
  if (!chosen) return undefined;
  const { object, places } = chosen;
  if (parent) return { connection, kind: object, parent: parent.id };
  if (places === undefined) return { connection, kind: object };
  const title = vscode.l10n.t('New {0}', chosen.label);
  const place = await pickObject(connection, places, {
    title,
    placeholder: vscode.l10n.t('Where?'),
    fits: isWritable,
  });
  return place && { connection, kind: object, parent: place.id };
}

/** The place that a node stands for, in which objects can be created. */
function parentOf(node: TreeNode): { id: string; kinds: readonly string[] } | undefined {
  switch (node.kind) {
    case 'folder':
      return { id: node.folderId, kinds: ['folder', 'report'] };
    case 'libraryRoot':
      return node.folderId === '' ? undefined : { id: node.folderId, kinds: ['folder', 'report'] };
    case 'application':
      return { id: node.applicationId, kinds: ['server'] };
    case 'registeredServer':
      return { id: node.database.serverId, kinds: ['reporttype'] };
    default:
      return undefined;
  }
}
