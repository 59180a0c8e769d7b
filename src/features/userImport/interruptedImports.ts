import * as vscode from 'vscode';
import { showWarningMessage } from '../../editor/messages.ts';
import type { StoredImport } from './importJournal.ts';
import { isClientError } from '../../client/clientError.ts';
import { warnOfDamagedRecords } from '../../editor/damagedRecords.ts';
import { displayText } from '../../editor/displayText.ts';
import { describeFailure } from '../../editor/commandError.ts';
import type { CommandServices } from '../../editor/commands/services.ts';

/**
 * Reports imports that ended before every row had an outcome, for example after a crash; skips those in use by another
 * window.
 */
export async function showInterruptedImports(services: InterruptedServices): Promise<void> {
  const { connections, context, log } = services;
  const found = await interrupted(services).catch((error: unknown) => {
    log.error(describeFailure(error));
    return [];
  });
  for (const { header } of found) {
    const connection = connections.get(header.connectionId);
    const key = toldKey(header);
    if (!connection || context.globalState.get(key) === true) continue;
    // Reported once: the command offers the import until it is finished.
    await context.globalState.update(key, true);
    const open = vscode.l10n.t('Open');
    const words = vscode.l10n.t(
      'An import of users from {0} into {1} was interrupted. Resume or undo it.',
      displayText(header.fileName),
      connection.name,
    );
    if ((await showWarningMessage(words, open)) !== open) continue;
    const argument = { connectionId: connection.id, importId: header.id };
    await vscode.commands.executeCommand('analytics.user.import', argument);
  }
}

/** Services of {@link showInterruptedImports}. */
export type InterruptedServices = Pick<CommandServices, 'connections' | 'context' | 'log'>;

async function interrupted({ connections, context }: InterruptedServices): Promise<StoredImport[]> {
  const folder = vscode.Uri.joinPath(context.globalStorageUri, 'imports');
  // Most users never import: the journal modules are not loaded then.
  if ((await entriesOf(folder)).length === 0) return [];
  const [{ importJournals }, { isInterrupted }] = await Promise.all([
    import('./importJournals.ts'),
    import('./importJournal.ts'),
  ]);
  const found: StoredImport[] = [];
  const { imports, damaged } = await importJournals({ context }, '').readAll();
  warnOfDamagedRecords(damaged);
  for (const kept of imports.filter(isInterrupted)) {
    const { id, connectionId } = kept.header;
    const journals = importJournals({ context }, connections.get(connectionId)?.name ?? connectionId);
    try {
      // Read again once no other window uses it.
      const now = await journals.exclusively(id, () => journals.read(id));
      if (now && isInterrupted(now)) found.push(now);
    } catch (error) {
      // Another window is running and showing it.
      if (!isClientError(error, 'storage')) throw error;
    }
  }
  return found;
}

async function entriesOf(folder: vscode.Uri): Promise<[string, vscode.FileType][]> {
  try {
    return await vscode.workspace.fs.readDirectory(folder);
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return [];
    throw error;
  }
}

/** Includes the server's id, so that the key is deleted with the server. */
function toldKey({ connectionId, id }: StoredImport['header']): string {
  return `analytics.toldImport ${connectionId}/${id}`;
}
