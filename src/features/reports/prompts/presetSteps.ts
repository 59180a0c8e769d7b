import * as vscode from 'vscode';
import { showWarningMessage } from '../../../editor/messages.ts';
import { showInputBox } from '../../../editor/quickInput.ts';
import { displayText } from '../../../editor/displayText.ts';
import type { PromptPresets, PromptValue } from '../../../contract/pages/promptForm.ts';
import type { ReportRun } from '../run/reportRun.ts';

const longestName = 80;

/** Asks for a name and keeps the values of a report's prompts under it; null when the user gives none. */
export async function savePreset(run: ReportRun, values: PromptValue[], name: string): Promise<PromptPresets | null> {
  const chosen = await showInputBox({
    title: vscode.l10n.t('Save Prompt Values'),
    prompt: vscode.l10n.t('Name for these values. A name that exists is overwritten.'),
    value: name,
    ignoreFocusOut: true,
    validateInput: (text) => {
      const length = text.trim().length;
      if (length === 0) return vscode.l10n.t('Enter a name.');
      return length > longestName ? vscode.l10n.t('At most {0} characters.', longestName) : '';
    },
  });
  if (chosen === undefined) return null;
  const isKnown = run.prompts.presets.names.includes(chosen.trim()) && chosen.trim() !== name;
  if (isKnown && !(await confirm(vscode.l10n.t('Overwrite'), overwriteQuestion(chosen.trim())))) return null;
  return { names: await run.prompts.presets.keep(chosen.trim(), values), chosen: chosen.trim() };
}

/** Forgets the values kept under a name, after asking; null when the user does not want to. */
export async function removePreset(run: ReportRun, name: string): Promise<PromptPresets | null> {
  const question = vscode.l10n.t('Delete the prompt values kept as "{0}"?', displayText(name));
  if (!(await confirm(vscode.l10n.t('Delete'), question))) return null;
  return { names: await run.prompts.presets.remove(name), chosen: '' };
}

function overwriteQuestion(name: string): string {
  return vscode.l10n.t('There are prompt values kept as "{0}" already. Overwrite them?', displayText(name));
}

async function confirm(verb: string, question: string): Promise<boolean> {
  return (await showWarningMessage(question, { modal: true }, verb)) === verb;
}
