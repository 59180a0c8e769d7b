import * as vscode from 'vscode';
import { attempt } from './commandError.ts';
import { serverOf } from './pickServer.ts';
import type { CommandServices } from './services.ts';
import { signIn } from './signInServer.ts';

/** Opens the profile of the account in use; what only an administrator may change is shown and kept. */
export async function editProfile(services: CommandServices, argument?: unknown): Promise<void> {
  const connection = await serverOf(argument, services, vscode.l10n.t('Edit My Profile: on which server?'));
  if (!connection) return;
  await attempt(vscode.l10n.t('Could not open your profile on {0}', connection.name), async () => {
    await connection.client();
    if (connection.state.kind !== 'active' && !(await signIn(connection))) return;
    if (connection.state.kind !== 'active') return;
    const { userId, loginName } = connection.state.account;
    const documents = await services.documents();
    await documents.open({ connectionId: connection.id, kind: 'profile', id: userId, name: loginName });
  });
}
