import * as vscode from 'vscode';
import { showInformationMessage } from '../messages.ts';
import { showQuickPick } from '../quickInput.ts';
import type { Connection } from '../../connections/connection.ts';
import { displayText } from '../displayText.ts';
import { sessionLabel } from '../sessionLabel.ts';
import { isTreeNode } from '../nodes/treeNode.ts';
import type { CommandServices } from '../commands/services.ts';

/**
 * The server a command applies to: the one of the given node, the only one there is, or the user's choice.
 * @param fits filters out servers that the command does not apply to.
 * @param noneFits message if there are servers, but none passes the filter.
 * @returns undefined if cancelled or if there is none.
 */
export async function serverOf(
  argument: unknown,
  { connections }: CommandServices,
  placeHolder: string,
  fits: (connection: Connection) => boolean = () => true,
  noneFits = vscode.l10n.t('No server supports this command.'),
): Promise<Connection | undefined> {
  const given = connectionIdOf(argument);
  if (given !== undefined) return connections.get(given);
  const candidates = connections.list().filter(fits);
  if (candidates.length === 0) return offerServer(connections.list(), noneFits);
  if (candidates.length === 1) return candidates[0];
  const items = candidates.map((connection) => ({
    label: displayText(connection.name),
    description: displayText(sessionLabel(connection)),
    connection,
  }));
  return (await showQuickPick(items, { placeHolder, matchOnDescription: true }))?.connection;
}

/** The connection id of a node, or of a target passed by another module. */
function connectionIdOf(argument: unknown): string | undefined {
  if (isTreeNode(argument)) return argument.connection.id;
  if (typeof argument !== 'object' || argument === null || !('connectionId' in argument)) return undefined;
  return typeof argument.connectionId === 'string' ? argument.connectionId : undefined;
}

/** Reports that no server is available for the command, and offers to add one if there is none at all. */
async function offerServer(others: readonly Connection[], noneFits: string): Promise<undefined> {
  if (others.length > 0) {
    void showInformationMessage(noneFits);
    return;
  }
  const start = vscode.l10n.t('Start Local Server');
  const add = vscode.l10n.t('Add Server…');
  const chosen = await showInformationMessage(vscode.l10n.t('No server has been added yet.'), start, add);
  if (chosen === start) await vscode.commands.executeCommand('analytics.server.startLocal');
  if (chosen === add) await vscode.commands.executeCommand('analytics.server.add');
}
