import * as vscode from 'vscode';
import { displayText } from '../connections/displayText.ts';
import { serverOf } from './pickServer.ts';
import type { CommandServices } from './services.ts';

/** Gives a server another name in the list. */
export async function renameServer(services: CommandServices, argument?: unknown): Promise<void> {
  const connection = await serverOf(argument, services, vscode.l10n.t('Rename which server?'));
  if (!connection) return;
  const name = await vscode.window.showInputBox({
    title: vscode.l10n.t('Rename {0}', connection.name),
    value: connection.name,
    validateInput: (value) => (displayText(value) === '' ? vscode.l10n.t('Enter a name.') : undefined),
  });
  if (name !== undefined) await connection.rename(displayText(name));
}
