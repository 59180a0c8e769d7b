import * as vscode from 'vscode';
import { setStatusBarMessage } from '../../editor/statusBar.ts';
import { setPin as sendPin } from '../../objects/userAccess.ts';
import { adminServerOf } from '../../editor/pickers/adminServer.ts';
import { askNewSecret } from '../../editor/pickers/askNewSecret.ts';
import { chosenNodes } from '../../editor/nodes/chosenNodes.ts';
import { pickObject } from '../../editor/pickers/objectPicks.ts';
import type { CommandServices } from '../../editor/commands/services.ts';
import { showChanged } from '../../editor/showChanged.ts';
import { shownServer } from '../../editor/pickers/shownServer.ts';

/** Gives a user another password, typed twice into password boxes. */
export async function setPin(services: CommandServices, argument?: unknown): Promise<void> {
  const title = vscode.l10n.t('Set PIN');
  const connection = await adminServerOf(argument, services, title);
  if (!connection) return;
  const shown = await shownServer(connection, argument);
  const [node] = chosenNodes(services, argument, undefined, 'user', 'member')?.nodes ?? [];
  const user = node
    ? { id: node.user.userId, name: node.user.loginName }
    : await pickObject(connection, 'users', { title, placeholder: vscode.l10n.t('User') });
  if (!user) return;
  const heading = vscode.l10n.t('Set PIN of {0} on {1}', user.name, connection.name);
  const isSet = await askNewSecret({
    title: heading,
    first: { placeholder: vscode.l10n.t('New PIN, the password'), whenEmpty: vscode.l10n.t('Enter a PIN.') },
    again: {
      placeholder: vscode.l10n.t('The same PIN again'),
      prompt: vscode.l10n.t('Sessions of {0} end with it.', user.name),
      whenDifferent: vscode.l10n.t('The two PINs differ.'),
    },
    send: async (pin) => sendPin(await shown.server(), user.id, pin),
  });
  if (!isSet) return;
  await showChanged(services, connection, { kind: 'user', objects: [user] });
  setStatusBarMessage(vscode.l10n.t('PIN of {0} set on {1}', user.name, connection.name), 8_000);
}
