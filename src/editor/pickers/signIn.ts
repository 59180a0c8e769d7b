import * as vscode from 'vscode';
import { isClientError } from '../../client/clientError.ts';
import type { Credentials } from '../../client/session/sessionState.ts';
import type { Connection } from '../../connections/connection.ts';
import { attempt } from '../commandError.ts';
import { askText } from './inputSteps.ts';
import { runInBackground, withSidebarProgress } from '../progress.ts';

/**
 * Signs in with the connection's account, which ends that account's other session.
 * @returns false if cancelled.
 * @throws {CommandError} if the server is unreachable or refuses for a reason other than the password.
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
    typing: () => runInBackground(connection.openAhead()),
    accept: async (value, signal) => {
      const credentials = { userName: connection.entry.userName, password: value, isGuest: false };
      return tryPassword(() => connection.signIn(credentials, connection.entry.keepsPassword, signal));
    },
  });
  return typeof password === 'string';
}

/** Notice shown before a password is sent. */
export function passwordPrompt(): string {
  return vscode.l10n.t('Signing in ends any other session of this account.');
}

/** Tries to sign in while the password box is open; returns the error message to show there. */
export async function tryPassword(signIn: () => Promise<void>): Promise<string | undefined> {
  try {
    await signIn();
    return undefined;
  } catch (error) {
    if (isClientError(error)) return `${error.message} ${error.remedy}`.trim();
    throw error;
  }
}

/** Whether the server accepted the saved credentials; a rejected password is left to the user to correct. */
async function signInWith(connection: Connection, kept: Credentials, keepsPassword: boolean): Promise<boolean> {
  try {
    await withSidebarProgress(() => connection.signIn(kept, keepsPassword));
    return true;
  } catch (error) {
    if (isClientError(error, 'signInRefused') && !kept.isGuest) return false;
    throw error;
  }
}
