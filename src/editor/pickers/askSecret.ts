import * as vscode from 'vscode';
import { showInputBox } from '../quickInput.ts';
import { displayText } from '../displayText.ts';
import type { AskSecret, ObjectKind } from '../../objects/kinds/objectKind.ts';
import type { DocumentTarget } from '../documentUri.ts';
import { kindLabel } from '../../objects/kinds/kindLabels.ts';
import { isClientError } from '../../client/clientError.ts';
import { askText, walkSteps } from './inputSteps.ts';

/** Asks for the password of an object of a server. */
export type AskServerSecret = (kind: ObjectKind, target: DocumentTarget, server: string) => AskSecret;

/** Asks for a password in a masked input box. The password is sent only to the server. */
export const askSecret: AskServerSecret = (kind, target, server) => async (field, mayBeEmpty) =>
  showInputBox({
    title: vscode.l10n.t(
      '{0} of {1} "{2}" on {3}',
      secretWord(field),
      kindLabel(kind.name),
      displayText(target.name),
      server,
    ),
    prompt: mayBeEmpty
      ? vscode.l10n.t(
          'Leave empty if there is none. It is sent to the server and never stored in a document or setting.',
        )
      : vscode.l10n.t(
          'The server never shows it, so the save must include it. It is not stored in the text or in a setting.',
        ),
    password: true,
    ignoreFocusOut: true,
    validateInput: (value) => (value === '' && !mayBeEmpty ? vscode.l10n.t('Enter the password.') : undefined),
  });

/** Display name of the secret in a field. */
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

/** Texts of the prompt for a secret that is entered twice. */
export interface NewSecretQuestion {
  title: string;
  first: { placeholder: string; prompt?: string; whenEmpty: string };
  again: { placeholder: string; prompt?: string; whenDifferent: string };
  /** Sends it to the server while the box is open, so that the server's error is shown there. */
  send: (secret: string) => Promise<void>;
}

/**
 * Asks for a new password or other secret in two masked input boxes.
 * @returns whether it was sent; false if cancelled.
 */
export async function askNewSecret({ title, first, again, send }: NewSecretQuestion): Promise<boolean> {
  let secret = '';
  const askFirst = async () => {
    const answer = await askText({
      title,
      step: [1, 2],
      isPassword: true,
      placeholder: first.placeholder,
      ...(first.prompt !== undefined && { prompt: first.prompt }),
      accept: async (value) => (value === '' ? first.whenEmpty : undefined),
    });
    if (typeof answer !== 'string') return answer;
    secret = answer;
    return true;
  };
  const askAgain = async () => {
    const answer = await askText({
      title,
      step: [2, 2],
      isPassword: true,
      placeholder: again.placeholder,
      ...(again.prompt !== undefined && { prompt: again.prompt }),
      accept: async (value) => {
        if (value !== secret) return again.whenDifferent;
        try {
          await send(secret);
          return undefined;
        } catch (error) {
          if (isClientError(error)) return `${error.message} ${error.remedy}`.trim();
          throw error;
        }
      },
    });
    return typeof answer === 'string' ? true : answer;
  };
  return walkSteps([askFirst, askAgain]);
}
