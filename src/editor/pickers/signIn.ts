import * as vscode from 'vscode';
import { isClientError } from '../../client/clientError.ts';
import type { Credentials } from '../../client/session/sessionState.ts';
import type { Connection } from '../../connections/connection.ts';
import { attempt } from '../commandError.ts';
import { askText } from './inputSteps.ts';
import { withSidebarProgress } from '../progress.ts';

/**
 * Signs in as the connection's account, which ends that account's other session.
 * @returns false when the user gave up.
 * @throws {CommandError} when the server cannot be reached or refuses for another reason than the password.
 */
export async function signIn(connection: Connection): Promise<boolean> {
  const kept = connection.state.kind === 'refused' ? undefined : await connection.keptCredentials();
  if (kept) {
    const what = vscode.l10n.t('Could not sign in to {0}', connection.name);
    const isDone = await attempt(what, () => signInWith(connection, kept, connection.entry.keepsPassword));
    if (isDone) return true;
  }
  const password = await askText({
    title: vscode.l10n.t('Sign In to {0}', connection.name),
    placeholder: vscode.l10n.t('Password of {0}', connection.entry.userName),
    prompt: passwordPrompt(),
    isPassword: true,
    accept: async (value, signal) => {
      const credentials = { userName: connection.entry.userName, password: value, isGuest: false };
      return tryPassword(() => connection.signIn(credentials, connection.entry.keepsPassword, signal));
    },
  });
  return typeof password === 'string';
}

/** What the user must know before a password is sent. */
export function passwordPrompt(): string {
  return vscode.l10n.t('Signing in ends any other session of this account.');
}

/** Tries a sign-in while the password box is open; gives the message to show there if it failed. */
export async function tryPassword(signIn: () => Promise<void>): Promise<string | undefined> {
  try {
    await signIn();
    return undefined;
  } catch (error) {
    if (isClientError(error)) return `${error.message} ${error.remedy}`.trim();
    throw error;
  }
}

/** Whether the server took the kept credentials; a rejected password is for the user to mend. */
async function signInWith(connection: Connection, kept: Credentials, keepsPassword: boolean): Promise<boolean> {
  try {
    await withSidebarProgress(() => connection.signIn(kept, keepsPassword));
    return true;
  } catch (error) {
    if (isClientError(error, 'signInRefused') && !kept.isGuest) return false;
    throw error;
  }
}
