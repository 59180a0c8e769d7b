import * as vscode from 'vscode';
import { setStatusBarMessage } from '../../editor/statusBar.ts';
import { renewOwnRights, resetPassport } from '../../objects/upkeep.ts';
import type { Connection } from '../../connections/connection.ts';
import { attempt } from '../../editor/commandError.ts';
import { serverOf } from '../../editor/pickers/pickServer.ts';
import type { CommandServices } from '../../editor/commands/services.ts';

const statusMs = 8_000;

/**
 * Lets the server read the account's groups and roles anew, so that changes apply to the session that is open, and reads whether
 * the account administers. API description, Authentication (ResetPassport).
 */
export async function reloadPermissions(services: CommandServices, argument?: unknown): Promise<void> {
  const connection = await signedInServer(argument, services, vscode.l10n.t('Reload permissions on which server?'));
  if (!connection) return;
  await attempt(vscode.l10n.t('Could not reload your permissions on {0}', connection.name), async () => {
    const client = await connection.client();
    await resetPassport(client);
    await renewOwnRights(client);
  });
  await services.tree.refresh(services.tree.serverNode(connection));
  setStatusBarMessage(vscode.l10n.t('Permissions on {0} reloaded', connection.name), statusMs);
}

/** Starts the session's time anew, without other work. API description, Authentication (RefreshSession). */
export async function extendSession(services: CommandServices, argument?: unknown): Promise<void> {
  const connection = await signedInServer(argument, services, vscode.l10n.t('Extend the session on which server?'));
  if (!connection) return;
  await attempt(vscode.l10n.t('Could not extend the session on {0}', connection.name), async () => {
    await (await connection.client()).call('Session/RefreshSession', {});
  });
  services.tree.updateCountdown();
  setStatusBarMessage(vscode.l10n.t('Session on {0} extended', connection.name), statusMs);
}

/** Opens the account's own user as a document: what an account may change of itself. */
export async function editProfile(services: CommandServices, argument?: unknown): Promise<void> {
  const connection = await signedInServer(argument, services, vscode.l10n.t('Your profile on which server?'));
  if (!connection) return;
  await attempt(vscode.l10n.t('Could not open your profile on {0}', connection.name), async () => {
    // Who is signed in is known once a session is open.
    await (await connection.client()).session.token();
    const { state } = connection;
    if (state.kind !== 'active') return;
    const { userId, loginName } = state.account;
    await (
      await services.documents()
    ).open({ connectionId: connection.id, kind: 'profile', id: userId, name: loginName });
  });
}

function signedInServer(
  argument: unknown,
  services: CommandServices,
  question: string,
): Promise<Connection | undefined> {
  const none = vscode.l10n.t('You are signed in nowhere.');
  return serverOf(argument, services, question, ({ state }) => state.kind === 'active', none);
}
