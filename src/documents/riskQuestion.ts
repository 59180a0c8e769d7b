import * as vscode from 'vscode';
import type { RiskyChange } from '../objects/riskyChanges.ts';
import { inOneLine } from './valueText.ts';

/** Asks whether risky changes are meant; false when the user gives up. */
export type AskAboutRisk = (changes: readonly RiskyChange[], server: string) => Promise<boolean>;

/** Shows what risky changes do, before and after, and asks whether to send them. */
export const askAboutRisk: AskAboutRisk = async (changes, server) => {
  const send = vscode.l10n.t('Save');
  const question = vscode.l10n.t('Change who gets in, or what everybody sees, on {0}?', server);
  const detail = changes
    .map(({ field, before, now, meaning }) =>
      [`${field}: ${inOneLine(before)} → ${inOneLine(now)}`, meaning].filter((line) => line !== '').join('\n'),
    )
    .join('\n\n');
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, send)) === send;
};
