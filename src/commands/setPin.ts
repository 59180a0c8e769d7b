import * as vscode from 'vscode';
import { setPin as sendPin } from '../administration/userAccess.ts';
import { isClientError } from '../client/clientError.ts';
import { adminServerOf, objectServerOf } from './adminServer.ts';
import { chosenNodes } from './chosenNodes.ts';
import { askText } from './inputSteps.ts';
import { pickObject } from './objectPicks.ts';
import type { CommandServices } from './services.ts';
import { showChanged } from './showChanged.ts';

/** Gives a user another password, typed twice into password boxes. */
export async function setPin(services: CommandServices, argument?: unknown): Promise<void> {
  const title = vscode.l10n.t('Set PIN');
  const connection = await adminServerOf(argument, services, title);
  if (!connection) return;
  const [node] = chosenNodes(services, argument, undefined, 'user', 'member')?.nodes ?? [];
  const user = node
    ? { id: node.user.userId, name: node.user.loginName }
    : await pickObject(connection, 'users', { title, placeholder: vscode.l10n.t('User') });
  if (!user) return;
  const heading = vscode.l10n.t('Set PIN of {0} on {1}', user.name, connection.name);
  const pin = await askText({
    title: heading,
    step: [1, 2],
    isPassword: true,
    placeholder: vscode.l10n.t('New password'),
    accept: async (value) => (value === '' ? vscode.l10n.t('Enter a password.') : undefined),
  });
  if (typeof pin !== 'string') return;
  const again = await askText({
    title: heading,
    step: [2, 2],
    isPassword: true,
    placeholder: vscode.l10n.t('The same password again'),
    prompt: vscode.l10n.t('Sessions of {0} end with it.', user.name),
    accept: async (value) => {
      if (value !== pin) return vscode.l10n.t('The two passwords differ.');
      try {
        await sendPin(await objectServerOf(connection), user.id, pin);
        return undefined;
      } catch (error) {
        if (isClientError(error)) return `${error.message} ${error.remedy}`.trim();
        throw error;
      }
    },
  });
  if (typeof again !== 'string') return;
  await showChanged(services, connection, { kind: 'user', objects: [user] });
  vscode.window.setStatusBarMessage(vscode.l10n.t('PIN of {0} set on {1}', user.name, connection.name), 8_000);
}
