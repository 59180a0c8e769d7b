import * as vscode from 'vscode';
import { showWarningMessage } from '../../editor/messages.ts';
import type { StoredImport } from './importJournal.ts';
import { isClientError } from '../../client/clientError.ts';
import { displayText } from '../../editor/displayText.ts';
import { describeFailure } from '../../editor/commandError.ts';
import type { CommandServices } from '../../editor/commands/services.ts';

/**
 * Tells of imports that ended before every row had an outcome, as when the editor crashed; those at which another window works
 * are left alone.
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
    // Once is enough: the command offers it as long as it is not finished.
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

/** What {@link showInterruptedImports} works with. */
export type InterruptedServices = Pick<CommandServices, 'connections' | 'context' | 'log'>;

async function interrupted({ connections, context }: InterruptedServices): Promise<StoredImport[]> {
  const folder = vscode.Uri.joinPath(context.globalStorageUri, 'imports');
  // Most never import anything: then nothing that reads journals is loaded.
  if ((await entriesOf(folder)).length === 0) return [];
  const [{ importJournals }, { isInterrupted }] = await Promise.all([
    import('./importJournals.ts'),
    import('./importJournal.ts'),
  ]);
  const found: StoredImport[] = [];
  for (const kept of (await importJournals({ context }, '').list()).filter(isInterrupted)) {
    const { id, connectionId } = kept.header;
    const journals = importJournals({ context }, connections.get(connectionId)?.name ?? connectionId);
    try {
      // As it is once no other window works at it.
      const now = await journals.exclusively(id, () => journals.read(id));
      if (now && isInterrupted(now)) found.push(now);
    } catch (error) {
      // Another window works at it, and shows it.
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

/** With the server's id: it goes with the server. */
function toldKey({ connectionId, id }: StoredImport['header']): string {
  return `analytics.toldImport ${connectionId}/${id}`;
}
