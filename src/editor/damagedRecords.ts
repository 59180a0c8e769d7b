import * as vscode from 'vscode';
import { showWarningMessage } from './messages.ts';

/** Warns about damaged records of changes that were sent to a server, with the way on. Does not wait for an answer. */
export function warnOfDamagedRecords(files: readonly string[]): void {
  for (const file of files) void warn(file);
}

async function warn(file: string): Promise<void> {
  const open = vscode.l10n.t('Open File');
  const message = vscode.l10n.t(
    'The record {0} is damaged: what it describes can be neither resumed nor undone. Check its objects on the server, then delete the file.',
    file,
  );
  if ((await showWarningMessage(message, open)) === open) {
    await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(file));
  }
}
