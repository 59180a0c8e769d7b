import * as vscode from 'vscode';
import { showWarningMessage } from '../../../editor/messages.ts';
import { displayText } from '../../../editor/displayText.ts';
import type { EarlierTrace } from '../../../objects/save/earlierCreate.ts';

/**
 * Asks whether to create an object although an earlier save of it may have done so; false when the user gives up.
 * @param trace what a look at the server has shown of the earlier one.
 */
export type AskToCreateAgain = (
  name: string,
  server: string,
  trace: Exclude<EarlierTrace['kind'], 'found'>,
) => Promise<boolean>;

/** Says what is known of the earlier save, and asks. */
export const askToCreateAgain: AskToCreateAgain = async (name, server, trace) => {
  const create = vscode.l10n.t('Create Once More');
  const shown = displayText(name);
  const question = vscode.l10n.t('Create "{0}" on {1} once more?', shown, server);
  const detail =
    trace === 'nothing'
      ? vscode.l10n.t(
          'Nobody knows what became of the earlier save. {0} does not show it now; should it still arrive, there will be two.',
          server,
        )
      : vscode.l10n.t(
          'Nobody knows what became of the earlier save. {0} shows a new object of that name that may be it, with another content. Look at it first: there would be two.',
          server,
        );
  return (await showWarningMessage(question, { modal: true, detail }, create)) === create;
};
