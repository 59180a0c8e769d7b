import * as vscode from 'vscode';
import { showWarningMessage } from '../../editor/messages.ts';
import { createInputBox } from '../../editor/quickInput.ts';
import { displayText } from '../../editor/displayText.ts';

/** Asks before rows are sent again that may have arrived. */
export async function askToRepeat(count: number, server: string): Promise<boolean> {
  const again = vscode.l10n.t('Send Again');
  const question =
    count === 1
      ? vscode.l10n.t('Create 1 user once more on {0}?', server)
      : vscode.l10n.t('Create {0} users once more on {1}?', count, server);
  const detail = vscode.l10n.t(
    'They were sent before and the answer was lost. The server does not show them, but one that is slow may still create them: then they are there twice, unless the server refuses a second user of the same name.',
  );
  return (await showWarningMessage(question, { modal: true, detail }, again)) === again;
}

/**
 * The password of users who have none in the file, asked for twice; undefined when the user gave up. Both times in one box:
 * between two, the page would take the focus back.
 */
export async function askInitialPassword(server: string): Promise<string | undefined> {
  const box = createInputBox();
  box.title = vscode.l10n.t('Import users into {0}', server);
  box.placeholder = vscode.l10n.t('First password');
  box.prompt = vscode.l10n.t('For users without one in the file. They have to change it when they first sign in.');
  box.password = true;
  box.ignoreFocusOut = true;
  let first = '';
  return new Promise<string | undefined>((resolve) => {
    box.onDidHide(() => resolve(undefined));
    box.onDidChangeValue(() => (box.validationMessage = undefined));
    box.onDidAccept(() => {
      if (first !== '') {
        if (box.value === first) resolve(first);
        else box.validationMessage = vscode.l10n.t('The two passwords differ.');
      } else if (box.value === '') box.validationMessage = vscode.l10n.t('Enter a password.');
      else {
        first = box.value;
        box.value = '';
        box.placeholder = vscode.l10n.t('The same password again');
        box.prompt = '';
      }
    });
    box.show();
  }).finally(() => box.dispose());
}

/** Asks before what an import created is deleted again. */
export async function askToUndo(count: number, server: string): Promise<boolean> {
  const remove = vscode.l10n.t('Delete');
  const question =
    count === 1
      ? vscode.l10n.t('Delete the user that this import created on {0}?', server)
      : vscode.l10n.t('Delete the {0} users that this import created on {1}?', count, server);
  const detail = vscode.l10n.t(
    'Their memberships go with them. Users that were there before stay. Users of unknown outcome are looked for first.',
  );
  return (await showWarningMessage(question, { modal: true, detail }, remove)) === remove;
}

/** Tells that an import stopped because its panel was closed. @returns what is to become of it, if the user says so. */
export async function tellStopped(
  fileName: string,
  server: string,
  { created, all }: { created: number; all: number },
): Promise<'open' | 'undo' | undefined> {
  const again = vscode.l10n.t('Open Again');
  const undo = vscode.l10n.t('Undo…');
  const words = vscode.l10n.t(
    'The import of {0} into {1} stopped when it was closed: {2} of {3} users are there.',
    displayText(fileName),
    server,
    created,
    all,
  );
  const answer = await showWarningMessage(words, again, ...(created > 0 ? [undo] : []));
  return answer === undefined ? undefined : answer === undo ? 'undo' : 'open';
}
