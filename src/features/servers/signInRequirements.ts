import * as vscode from 'vscode';
import { showWarningMessage } from '../../editor/messages.ts';
import type { Connection } from '../../connections/connection.ts';
import type { ConnectionStore } from '../../connections/connectionStore.ts';
import { runInBackground } from '../../editor/progress.ts';

/** Shows the server's requirements once per sign-in, and opens its pages on request. */
export function showSignInRequirements(connections: ConnectionStore): vscode.Disposable {
  const told = new WeakSet<Connection>();
  return connections.onDidChangeState((connection) => {
    const { state } = connection;
    if (state.kind === 'signingIn') told.delete(connection);
    if (state.kind !== 'active' || state.account.demand === undefined || told.has(connection)) return;
    told.add(connection);
    runInBackground(tell(connection, state.account.demand));
  });
}

async function tell(connection: Connection, demand: 'secondFactor' | 'newPassword'): Promise<void> {
  const change = vscode.l10n.t('Change Password…');
  const open = vscode.l10n.t('Open in Browser…');
  const { name, userName } = connection;
  const chosen =
    demand === 'secondFactor'
      ? await showWarningMessage(
          vscode.l10n.t(
            '{0} requires a second factor from {1}, which this extension does not support. Until it is provided, the server may refuse calls.',
            name,
            userName,
          ),
          open,
        )
      : await showWarningMessage(
          vscode.l10n.t(
            '{0} requires {1} to set a new password. Until then, the server may refuse calls.',
            name,
            userName,
          ),
          change,
          open,
        );
  if (chosen === undefined) return;
  // The command warns that the address contains the token before it opens anything.
  const command = chosen === change ? 'analytics.profile.changePassword' : 'analytics.browser.open';
  await vscode.commands.executeCommand(command, { connectionId: connection.id });
}
