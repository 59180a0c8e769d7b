import * as vscode from 'vscode';
import { showWarningMessage } from '../../editor/messages.ts';
import { isClientError } from '../../client/clientError.ts';
import type { Connection } from '../../connections/connection.ts';
import { attempt } from '../../editor/commandError.ts';
import { serverOf } from '../../editor/pickers/pickServer.ts';
import type { CommandServices } from '../../editor/commands/services.ts';

/** Ends the session on a server; nothing signs in again until the user does. */
export async function signOutServer(services: CommandServices, argument?: unknown): Promise<void> {
  const place = vscode.l10n.t('Sign out of which server?');
  const none = vscode.l10n.t('You are signed in nowhere.');
  const connection = await serverOf(argument, services, place, ({ state }) => state.kind === 'active', none);
  if (!connection) return;
  const isTold = await attempt(vscode.l10n.t('Could not sign out of {0}', connection.name), () => signOut(connection));
  if (isTold) return;
  const message = vscode.l10n.t(
    'Signed out of {0} on this side. The server did not answer, so the session there ends when its time is over.',
    connection.name,
  );
  void showWarningMessage(message);
}

/** Whether the server could be told; on this side the session is over in any case. */
async function signOut(connection: Connection): Promise<boolean> {
  try {
    await connection.signOut();
    return true;
  } catch (error) {
    if (isClientError(error, 'unreachable') || isClientError(error, 'timeout')) return false;
    throw error;
  }
}
