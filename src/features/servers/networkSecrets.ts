import * as vscode from 'vscode';
import { showInformationMessage } from '../../editor/messages.ts';
import { showInputBox } from '../../editor/quickInput.ts';
import type { CommandServices } from '../../editor/commands/services.ts';
import { serverOf } from '../../editor/pickers/pickServer.ts';

/** Sets the user name and password of a server's proxy; they are saved in secret storage. */
export async function setProxyAccount(services: CommandServices, argument?: unknown): Promise<void> {
  const place = vscode.l10n.t('Select the server whose proxy to sign in to');
  const isRemote = ({ kind }: { kind: string }) => kind === 'remote';
  const none = vscode.l10n.t('Only the local server is configured, and it does not use a proxy.');
  const connection = await serverOf(argument, services, place, isRemote, none);
  if (!connection) return;
  const proxy = connection.entry.apiBase === '' ? undefined : services.network.proxyFor(connection.entry.apiBase);
  if (!proxy) {
    const message = vscode.l10n.t('{0} does not use a proxy.', connection.name);
    void showInformationMessage(message);
    return;
  }
  await askProxyAccount(proxy, services);
}

/** @returns whether an account was entered. */
export async function askProxyAccount(proxy: { url: string }, { network }: CommandServices): Promise<boolean> {
  const title = vscode.l10n.t('Sign In to Proxy {0}', new URL(proxy.url).host);
  const userName = await showInputBox({
    title,
    placeHolder: vscode.l10n.t('User name'),
    prompt: vscode.l10n.t('Leave empty to forget the stored account.'),
    ignoreFocusOut: true,
  });
  if (userName === undefined) return false;
  if (userName === '') {
    await network.forgetProxyAccount(proxy);
    return false;
  }
  const password = await showInputBox({
    title,
    placeHolder: vscode.l10n.t('Password of {0}', userName),
    prompt: vscode.l10n.t('The password is kept in the secret storage of VS Code.'),
    password: true,
    ignoreFocusOut: true,
  });
  if (password === undefined) return false;
  await network.keepProxyAccount(proxy, { userName, password });
  return true;
}

/** Sets the passphrase of the client certificates' keys; it is saved in secret storage. */
export async function setKeyPassphrase({ network }: CommandServices): Promise<void> {
  const passphrase = await showInputBox({
    title: vscode.l10n.t('Client Certificate Passphrase'),
    prompt: vscode.l10n.t('Kept in the secret storage of VS Code. Leave empty to forget it.'),
    password: true,
    ignoreFocusOut: true,
  });
  if (passphrase !== undefined) await network.keepPassphrase(passphrase);
}
