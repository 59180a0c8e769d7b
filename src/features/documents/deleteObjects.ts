import * as vscode from 'vscode';
import type { DocumentTarget } from '../../editor/documentUri.ts';
import { shownKindOf } from '../../editor/nodes/shownKind.ts';
import { chosenObjects, type ObjectVerb } from '../../editor/nodes/chosenObjects.ts';
import { attempt } from '../../editor/commandError.ts';
import { confirmDeletions } from './confirmDeletion.ts';
import { eachObject } from '../../editor/eachObject.ts';
import type { DocumentServices } from './documentServices.ts';
import { shownServer } from '../../editor/pickers/shownServer.ts';

/**
 * Deletes objects, after showing what goes with them: the selected ones, or the user's choice. They are deleted on the
 * installation that showed them and on no other.
 */
export async function deleteObjects(
  services: DocumentServices,
  argument?: unknown,
  selection?: unknown,
): Promise<void> {
  const verb: ObjectVerb = {
    title: vscode.l10n.t('Delete Objects'),
    capability: 'delete',
    fits: (kind) => kind.remove !== undefined && kind.list !== undefined,
    settings: ['smtp'],
    takesSeveral: true,
  };
  const chosen = await chosenObjects(services, verb, argument, selection);
  if (!chosen) return;
  const { connection, targets, leftOut } = chosen;
  const documents = await services.documents();
  const confirmed = await attempt(
    vscode.l10n.t('Could not find out what a deletion on {0} takes along', connection.name),
    async () => confirmDeletions(await (await shownServer(connection, targets)).server(), targets, leftOut),
  );
  if (confirmed.length === 0) return;
  await eachObject(
    services,
    {
      title: vscode.l10n.t('Deleting on {0}', connection.name),
      items: confirmed,
      nameOf: ({ name }) => name,
      whatFailed: ({ name }) => vscode.l10n.t('Could not delete "{0}" on {1}', name, connection.name),
      done: (deleted) => doneWords(deleted, connection.name),
      after: async () => {
        const shown = new Set(confirmed.flatMap(({ kind }) => shownKindOf(kind) ?? []));
        for (const kind of shown) await services.tree.refreshObjects(connection, kind);
      },
    },
    (target) => documents.remove(target, target.installation),
  );
}

function doneWords(deleted: readonly DocumentTarget[], server: string): string {
  const [only] = deleted;
  return deleted.length === 1 && only
    ? vscode.l10n.t('{0} deleted on {1}', only.name, server)
    : vscode.l10n.t('{0} objects deleted on {1}', deleted.length, server);
}
