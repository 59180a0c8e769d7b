import * as vscode from 'vscode';
import { showInputBox } from '../quickInput.ts';
import { displayText } from '../displayText.ts';
import type { AskSecret, ObjectKind } from '../../objects/kinds/objectKind.ts';
import type { DocumentTarget } from '../documentUri.ts';
import { kindWord } from '../../objects/kinds/kindWords.ts';

/** Asks for the password of an object of a server. */
export type AskServerSecret = (kind: ObjectKind, target: DocumentTarget, server: string) => AskSecret;

/** Asks for a password in a box that hides it. It goes to the server and nowhere else. */
export const askSecret: AskServerSecret = (kind, target, server) => async (field, mayBeEmpty) =>
  showInputBox({
    title: vscode.l10n.t(
      '{0} of {1} "{2}" on {3}',
      secretWord(field),
      kindWord(kind.name),
      displayText(target.name),
      server,
    ),
    prompt: mayBeEmpty
      ? vscode.l10n.t('Leave it empty if there is none. It goes to the server and into no text or setting.')
      : vscode.l10n.t('The server never shows it, so the save has to carry it. It goes into no text or setting.'),
    password: true,
    ignoreFocusOut: true,
    validateInput: (value) => (value === '' && !mayBeEmpty ? vscode.l10n.t('Enter the password.') : undefined),
  });

/** What people call the secret that a field holds. */
export function secretWord(field: string): string {
  switch (field) {
    case 'DatabasePassword':
      return vscode.l10n.t('Database password');
    case 'SMTPPassword':
      return vscode.l10n.t('Mail password');
    case 'mfa_clientsecret':
      return vscode.l10n.t('Client secret of the second factor');
    default:
      return vscode.l10n.t('Password');
  }
}
