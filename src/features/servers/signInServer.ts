import * as vscode from 'vscode';
import { showWarningMessage } from '../../editor/messages.ts';
import { serverOf } from '../../editor/pickers/pickServer.ts';
import { signIn } from '../../editor/pickers/signIn.ts';
import type { CommandServices } from '../../editor/commands/services.ts';

/** Signs in to a server, with the kept password or by asking for it. */
export async function signInServer(services: CommandServices, argument?: unknown): Promise<void> {
  const place = vscode.l10n.t('Sign in to which server?');
  const none = vscode.l10n.t('You are signed in everywhere. To use another account, choose Sign In as Another User….');
  const connection = await serverOf(argument, services, place, ({ state }) => state.kind !== 'active', none);
  if (!connection) return;
  const { installationId } = connection.entry;
  if (!(await signIn(connection)) || connection.entry.installationId === installationId) return;
  void showWarningMessage(
    vscode.l10n.t(
      'Another installation answers at the address of {0} than before. The sidebar shows what is there; documents that were open belong to the one before, and are not saved to this one.',
      connection.name,
    ),
  );
}
