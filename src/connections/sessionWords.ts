import * as vscode from 'vscode';
import { displayText } from './displayText.ts';
import { minutesLeft } from './minutesLeft.ts';
import type { Connection } from './connection.ts';
import { signsInAlone } from './serverEntry.ts';

/**
 * Where a connection's session stands, in a few words: account and minutes left, or what is wrong.
 * @param countMinutes how the minutes until the end are told; to the minute unless given.
 */
export function sessionWords(
  { state, userName, entry }: Pick<Connection, 'state' | 'userName' | 'entry'>,
  countMinutes = minutesLeft,
): string {
  const account = displayText(userName) || vscode.l10n.t('guest');
  switch (state.kind) {
    case 'active':
      return vscode.l10n.t('{0} · {1} min', account, countMinutes(state.expiresAt, Date.now()));
    case 'signingIn':
      return vscode.l10n.t('{0} · signing in…', account);
    case 'expired':
      // Nothing to do for the user where the next call signs in by itself.
      return signsInAlone(entry)
        ? vscode.l10n.t('{0} · idle', account)
        : vscode.l10n.t('{0} · session expired', account);
    case 'takenOver':
      return vscode.l10n.t('session taken over — sign in');
    case 'refused':
      return vscode.l10n.t('sign-in refused');
    case 'signedOut':
      return vscode.l10n.t('signed out');
  }
}
