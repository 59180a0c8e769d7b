import * as vscode from 'vscode';
import { showInputBox } from '../../editor/quickInput.ts';
import type { Connection } from '../../connections/connection.ts';
import { displayText } from '../../editor/displayText.ts';
import { serverOf } from '../../editor/pickers/pickServer.ts';
import type { CommandServices } from '../../editor/commands/services.ts';

/** Gives a server another name in the list. */
export async function renameServer(services: CommandServices, argument?: unknown): Promise<void> {
  const connection = await serverOf(argument, services, vscode.l10n.t('Rename which server?'));
  if (!connection) return;
  const name = await showInputBox({
    title: vscode.l10n.t('Rename {0}', connection.name),
    value: connection.name,
    ignoreFocusOut: true,
    validateInput: (value) => nameProblem(displayText(value), connection, services),
  });
  if (name !== undefined) await connection.rename(displayText(name));
}

/** Two of one name could not be told apart, neither in the sidebar nor in messages. */
function nameProblem(name: string, connection: Connection, { connections }: CommandServices): string | undefined {
  if (name === '') return vscode.l10n.t('Enter a name.');
  const isFree = connections.isFree(name, connection);
  return isFree ? undefined : vscode.l10n.t('There is a server with this name: choose another one.');
}
