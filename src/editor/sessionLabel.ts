import * as vscode from 'vscode';
import { accountSuffix } from '../connections/accountSuffix.ts';
import { displayText } from './displayText.ts';
import { minutesLeft } from '../connections/minutesLeft.ts';
import type { Connection } from '../connections/connection.ts';
import { signsInAlone } from '../connections/serverEntry.ts';

/**
 * Short session state next to a connection's name: account and minutes left, or the problem.
 * @param countMinutes formats the minutes left; exact minutes by default.
 */
export function sessionLabel(
  { state, userName, entry }: Pick<Connection, 'state' | 'userName' | 'entry'>,
  countMinutes = minutesLeft,
): string {
  const account = accountSuffix(entry.name, displayText(userName) || vscode.l10n.t('guest'));
  const ofAccount = (words: string) => (account === '' ? words : vscode.l10n.t('{0} · {1}', account, words));
  switch (state.kind) {
    case 'active':
      return ofAccount(vscode.l10n.t('{0} min', countMinutes(state.expiresAt, Date.now())));
    case 'signingIn':
      return ofAccount(vscode.l10n.t('signing in…'));
    case 'expired':
      // No action needed if the next call signs in automatically.
      return ofAccount(signsInAlone(entry) ? vscode.l10n.t('idle') : vscode.l10n.t('session expired'));
    case 'takenOver':
      return vscode.l10n.t('session taken over — sign in');
    case 'refused':
      return vscode.l10n.t('sign-in refused');
    case 'signedOut':
      return vscode.l10n.t('signed out');
  }
}
