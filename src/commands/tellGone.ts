import * as vscode from 'vscode';
import { isAnswer } from '../objects/goneObjects.ts';
import { findKind } from '../objects/kinds.ts';
import { shownKindOf } from '../tree/shownKind.ts';
import { isDrop } from './chosenNodes.ts';
import { CommandError, logLine } from './commandError.ts';
import { objectTargetOf } from './objectTarget.ts';
import type { CommandServices } from './services.ts';

/**
 * Where a command failed because somebody deleted the object of the row that it was called on: reads the row's place again, so
 * that it goes, and says so, instead of what the server said to a call that the user knows nothing of. Never rejects.
 * @returns whether that was so.
 */
export async function tellGone(services: CommandServices, argument: unknown, error: unknown): Promise<boolean> {
  if (!isAnswer(error instanceof CommandError ? error.cause : error)) return false;
  const { connections, tree, log } = services;
  // What is done to many is told of each.
  const rows = isDrop(argument) ? [...argument.dropped.slice(0, 1), argument.onto] : [argument];
  for (const target of rows.flatMap((row) => objectTargetOf(row) ?? [])) {
    const connection = connections.get(target.connectionId);
    if (!connection || !findKind(target.kind)) continue;
    const isGone = await services.documents().then(
      (documents) => documents.isGone(target),
      () => false,
    );
    if (!isGone) continue;
    log.warn(logLine(error));
    const shown = shownKindOf(target.kind);
    if (shown) await tree.refreshObjects(connection, shown);
    void vscode.window.showWarningMessage(
      vscode.l10n.t(
        '"{0}" is not on {1} any more: somebody deleted it, or it is hidden from this account. The sidebar was read again.',
        target.name,
        connection.name,
      ),
    );
    return true;
  }
  return false;
}
