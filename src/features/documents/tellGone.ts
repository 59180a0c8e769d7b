import * as vscode from 'vscode';
import { showWarningMessage } from '../../editor/messages.ts';
import type { DocumentTarget } from '../../editor/documentUri.ts';
import { isAnswer } from '../../objects/save/goneObjects.ts';
import { shownKindOf } from '../../editor/nodes/shownKind.ts';
import { isDrop } from '../../editor/nodes/chosenNodes.ts';
import { CommandError, logLine } from '../../editor/commandError.ts';
import { objectTargetOf } from '../../editor/nodes/objectTarget.ts';
import type { DocumentServices } from './documentServices.ts';

/** More names than this are not told. */
const namesTold = 5;

/**
 * Where a command failed because somebody deleted an object whose row it was called on: reads the row's place again, so that it
 * goes, and says so, instead of what the server said to a call that the user knows nothing of.
 * @param given what the command was called on: a row, perhaps with a selection, or a drop.
 * @returns whether that was so.
 */
export async function tellGone(
  services: DocumentServices,
  given: readonly unknown[],
  error: unknown,
): Promise<boolean> {
  if (!isAnswer(error instanceof CommandError ? error.cause : error)) return false;
  const rows = given.flat().flatMap((one) => (isDrop(one) ? [...one.dropped, one.onto] : [one]));
  const targets = rows.flatMap((row) => objectTargetOf(row) ?? []);
  const places = Map.groupBy(targets, ({ connectionId, kind }) => `${connectionId} ${kind}`);
  const gone = (await Promise.all([...places.values()].map((place) => goneOf(services, place)))).flat();
  if (gone.length === 0) return false;
  services.log.warn(logLine(error));
  await Promise.all([...places.values()].map((place) => readAgain(services, place)));
  void showWarningMessage(words(services, gone));
  return true;
}

async function goneOf(services: DocumentServices, targets: readonly DocumentTarget[]): Promise<DocumentTarget[]> {
  try {
    return await (await services.documents()).goneOf(targets);
  } catch {
    // What the command failed with says more.
    return [];
  }
}

async function readAgain({ connections, tree }: DocumentServices, [target]: readonly DocumentTarget[]): Promise<void> {
  const connection = target && connections.get(target.connectionId);
  const shown = target && shownKindOf(target.kind);
  if (connection && shown) await tree.refreshObjects(connection, shown);
}

function words({ connections }: DocumentServices, gone: readonly DocumentTarget[]): string {
  const names = [...new Set(gone.map(({ name }) => name))];
  const server = connections.get(gone[0]?.connectionId ?? '')?.name ?? '';
  return names.length === 1
    ? vscode.l10n.t(
        '"{0}" is not on {1} any more: somebody deleted it, or it is hidden from this account. The sidebar was read again.',
        names.join(),
        server,
      )
    : vscode.l10n.t(
        '{0} are not on {1} any more: somebody deleted them, or they are hidden from this account. The sidebar was read again.',
        names.length > namesTold ? `${names.slice(0, namesTold).join(', ')}…` : names.join(', '),
        server,
      );
}
