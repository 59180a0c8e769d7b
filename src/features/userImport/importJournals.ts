import * as vscode from 'vscode';
import { ImportJournalStore } from './importJournal.ts';
import { ClientError, isClientError } from '../../client/clientError.ts';
import { withFileLock } from '../../connections/fileLock.ts';
import type { CommandServices } from '../../editor/commands/services.ts';

/** How long to wait for another window that is just finishing an import, in milliseconds. */
const patienceMs = 500;

/** The import journals, shared by all windows: only one window at a time runs an import. */
export function importJournals({ context }: Pick<CommandServices, 'context'>, server: string): ImportJournalStore {
  const folder = vscode.Uri.joinPath(context.globalStorageUri, 'imports').fsPath;
  return new ImportJournalStore(folder, async (file, work) => {
    let isHeld = false;
    const held = () => {
      isHeld = true;
      return work();
    };
    try {
      return await withFileLock(file, held, { server, waitMs: patienceMs });
    } catch (error) {
      // A lock that cannot be created has a cause.
      if (isHeld || !isClientError(error, 'storage') || error.cause !== undefined) throw error;
      throw new ClientError('storage', vscode.l10n.t('Another window is working on this import.'), {
        server,
        isUnsent: true,
        remedy: vscode.l10n.t('Nothing was sent. Wait until it finishes, or stop it there.'),
      });
    }
  });
}
