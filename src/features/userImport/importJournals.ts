import * as vscode from 'vscode';
import { ImportJournalStore } from './importJournal.ts';
import { ClientError, isClientError } from '../../client/clientError.ts';
import { withFileLock } from '../../connections/fileLock.ts';
import type { CommandServices } from '../../editor/commands/services.ts';

/** How long another window is waited for that is just done with an import, in milliseconds. */
const patienceMs = 500;

/** The journals of imports, which all windows share: only one at a time works at an import. */
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
      // A lock that cannot be made at all has a cause.
      if (isHeld || !isClientError(error, 'storage') || error.cause !== undefined) throw error;
      throw new ClientError('storage', vscode.l10n.t('Another window is working on this import.'), {
        server,
        isUnsent: true,
        remedy: vscode.l10n.t('Nothing was sent. Wait until it finishes, or stop it there.'),
      });
    }
  });
}
