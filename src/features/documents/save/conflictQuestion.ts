import * as vscode from 'vscode';
import { showErrorMessage } from '../../../editor/messages.ts';
import { showQuickPick } from '../../../editor/quickInput.ts';
import { displayText } from '../../../editor/displayText.ts';
import type { Json } from '../../../objects/json.ts';
import type { ConflictOutcome } from '../../../objects/save/saveObject.ts';
import type { ChooseSide } from '../../../objects/merge/threeWayMerge.ts';
import { objectWords } from '../../../editor/objectWords.ts';
import type { ServerStates } from '../files/serverStates.ts';
import { inOneLine } from '../valueText.ts';

/** Asks the user about the conflicts of a document; undefined when the user decides nothing. */
export type AskAboutConflict = (
  uri: vscode.Uri,
  conflict: ConflictOutcome,
  server: string,
) => Promise<ChooseSide | undefined>;

/** Shows the server's state beside the document and asks whose changes are to stand. */
export function conflictQuestion(states: ServerStates): AskAboutConflict {
  return async (uri, { conflicts, theirs }, server) => {
    const readAt = new Date().toLocaleTimeString(vscode.env.language);
    // A state of its own for each question: the comparison shows what the answer is bound to.
    await states.compare(uri, theirs, server);
    const keepMine = vscode.l10n.t('Keep Mine');
    const keepTheirs = vscode.l10n.t('Keep Theirs');
    const perField = vscode.l10n.t('Choose per Field…');
    // Fields and entries are named as the server names them.
    const fields = displayText(conflicts.map(({ path }) => path).join(', '));
    const sideOf = (side: string | undefined): ChooseSide | undefined => {
      if (side === keepMine) return () => 'mine';
      return side === keepTheirs ? () => 'theirs' : undefined;
    };
    // The editor takes messages of the same words for one, and puts warnings behind its bell while the user still compares.
    const answer = await showErrorMessage(
      vscode.l10n.t(
        'Nothing was sent, because {0} was changed on {1} in the same fields as here: {2}. The server was read at {3}.',
        objectWords(uri),
        server,
        fields,
        readAt,
      ),
      keepMine,
      keepTheirs,
      ...(conflicts.length > 1 ? [perField] : []),
    );
    const chosen = answer === perField ? await askPerField(conflicts) : sideOf(answer);
    if (chosen) await states.close(uri);
    return chosen;
  };
}

async function askPerField(conflicts: ConflictOutcome['conflicts']): Promise<ChooseSide | undefined> {
  const fields = conflicts.map(({ path, mine, theirs }) => ({
    label: displayText(path),
    description: vscode.l10n.t('mine: {0}', shown(mine)),
    detail: vscode.l10n.t('theirs: {0}', shown(theirs)),
    path,
  }));
  const mine = await showQuickPick(fields, {
    canPickMany: true,
    ignoreFocusOut: true,
    title: vscode.l10n.t('Fields in which your change is to stand'),
    placeHolder: vscode.l10n.t('The server keeps its value in the others'),
  });
  if (!mine) return undefined;
  const chosen = new Set(mine.map(({ path }) => path));
  return ({ path }) => (chosen.has(path) ? 'mine' : 'theirs');
}

function shown(value: Json | undefined): string {
  return value === undefined ? vscode.l10n.t('removed') : inOneLine(value);
}
