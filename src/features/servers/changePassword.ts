import * as vscode from 'vscode';
import { changeOwnPassword } from '../../objects/userAccess.ts';
import type { Connection } from '../../connections/connection.ts';
import { setStatusBarMessage } from '../../editor/statusBar.ts';
import { askNewSecret } from '../../editor/pickers/askNewSecret.ts';
import { attempt } from '../../editor/commandError.ts';
import { serverOf } from '../../editor/pickers/pickServer.ts';
import type { CommandServices } from '../../editor/commands/services.ts';
import { shownServer } from '../../editor/pickers/shownServer.ts';

/** Gives the account that is signed in another password, typed twice, and signs in with it. */
export async function changePassword(services: CommandServices, argument?: unknown): Promise<void> {
  const none = vscode.l10n.t('You are signed in nowhere with a password.');
  const question = vscode.l10n.t('Your password on which server?');
  const connection = await serverOf(argument, services, question, hasPassword, none);
  if (connection?.state.kind !== 'active') return;
  const { userId, loginName } = connection.state.account;
  const shown = await shownServer(connection, argument);
  const isKept = (await connection.keptCredentials()) !== undefined;
  let password = '';
  const isSet = await askNewSecret({
    title: vscode.l10n.t('New password of {0} on {1}', loginName, connection.name),
    first: { placeholder: vscode.l10n.t('New password'), whenEmpty: vscode.l10n.t('Enter a password.') },
    again: {
      placeholder: vscode.l10n.t('The same password again'),
      whenDifferent: vscode.l10n.t('The two passwords differ.'),
    },
    send: async (entered) => {
      await changeOwnPassword(await shown.server(), userId, entered);
      password = entered;
    },
  });
  if (!isSet) return;
  // A session of its own: what the server asked for with the one before is settled, and a password that is kept is this one.
  const what = vscode.l10n.t('The password is changed, but {0} could not be signed in to with it', connection.name);
  await attempt(what, () => connection.signIn({ userName: connection.userName, password, isGuest: false }, isKept));
  setStatusBarMessage(vscode.l10n.t('Password of {0} on {1} changed', loginName, connection.name), 8_000);
}

function hasPassword({ state }: Connection): boolean {
  return state.kind === 'active' && !state.account.isGuest;
}
