import * as vscode from 'vscode';
import { showWarningMessage } from '../../../editor/messages.ts';
import { displayText } from '../../../editor/displayText.ts';
import type { RiskyChange } from '../../../objects/save/riskyChanges.ts';
import { inOneLine } from '../valueText.ts';

/** Asks whether risky changes of an object are meant; false when the user gives up. */
export type AskAboutRisk = (changes: readonly RiskyChange[], name: string, server: string) => Promise<boolean>;

/** Shows what risky changes do, before and after, and asks whether to send them. */
export const askAboutRisk: AskAboutRisk = async (changes, name, server) => {
  const send = vscode.l10n.t('Save');
  const question = vscode.l10n.t(
    'Save "{0}" on {1}? It changes who gets in, or what everybody sees.',
    displayText(name),
    server,
  );
  const detail = changes
    .map(({ field, before, now, meaning }) =>
      [`${field}: ${inOneLine(before)} → ${inOneLine(now)}`, meaning].filter((line) => line !== '').join('\n'),
    )
    .join('\n\n');
  return (await showWarningMessage(question, { modal: true, detail }, send)) === send;
};
