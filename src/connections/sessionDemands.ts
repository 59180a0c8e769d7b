import * as vscode from 'vscode';
import { showWarningMessage } from '../editor/messages.ts';
import type { Connection } from './connection.ts';
import type { ConnectionStore } from './connectionStore.ts';
import { unattended } from './unattended.ts';

/** Tells the user, once a sign-in, what the server wants first, and opens its pages if asked to. */
export function tellDemands(connections: ConnectionStore): vscode.Disposable {
  const told = new WeakSet<Connection>();
  return connections.onDidChangeState((connection) => {
    const { state } = connection;
    if (state.kind === 'signingIn') told.delete(connection);
    if (state.kind !== 'active' || state.account.demand === undefined || told.has(connection)) return;
    told.add(connection);
    unattended(tell(connection, state.account.demand));
  });
}

async function tell(connection: Connection, demand: 'secondFactor' | 'newPassword'): Promise<void> {
  const open = vscode.l10n.t('Open in Browser…');
  const { name, userName } = connection;
  const message =
    demand === 'secondFactor'
      ? vscode.l10n.t(
          '{0} asks {1} for a second factor, which cannot be given here. Until then it may refuse.',
          name,
          userName,
        )
      : vscode.l10n.t(
          '{0} asks {1} for a new password, which cannot be chosen here. Until then it may refuse.',
          name,
          userName,
        );
  if ((await showWarningMessage(message, open)) !== open) return;
  // Warns that the address holds the token before it opens anything.
  await vscode.commands.executeCommand('analytics.browser.open', { connectionId: connection.id });
}
