import * as vscode from 'vscode';
import { showInputBox } from '../../editor/quickInput.ts';

/**
 * Asks for another text in place of one. A box has one line: it would leave line breaks out, so that words run together, also
 * where nothing was typed.
 * @returns undefined when the user gave up, or left the text as it was offered.
 */
export async function askOtherText(before: string, options: vscode.InputBoxOptions): Promise<string | undefined> {
  const value = before.replace(/\s*[\r\n]+\s*/g, ' ');
  const prompt = vscode.l10n.t('It has several lines now; what you enter here is one.');
  const answer = await showInputBox({
    ...options,
    value,
    ...(value !== before && { prompt }),
    // A menu that closes gives the focus back, which may be after the box took it.
    ignoreFocusOut: true,
  });
  return answer === value ? undefined : answer;
}
