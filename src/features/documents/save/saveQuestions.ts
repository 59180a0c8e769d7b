import * as vscode from 'vscode';
import { showErrorMessage, showWarningMessage } from '../../../editor/messages.ts';
import { showQuickPick } from '../../../editor/quickInput.ts';
import { displayText } from '../../../editor/displayText.ts';
import type { Json } from '../../../objects/json.ts';
import { inOneLine } from '../../../editor/pickers/confirmRisk.ts';
import type { ConflictOutcome, Resolution } from '../../../objects/save/saveObject.ts';
import { type ChooseSide, onlyForConflicts } from '../../../objects/merge/threeWayMerge.ts';
import { objectLabel } from '../../../editor/documentUri.ts';
import type { ServerStates } from '../files/serverStates.ts';
import { reasonOf } from './saveWords.ts';
import type { EarlierTrace } from '../../../objects/save/pendingCreate.ts';

/** Asks the user to resolve the conflicts of a document; undefined if cancelled. */
export type AskAboutConflict = (
  uri: vscode.Uri,
  conflict: ConflictOutcome,
  server: string,
) => Promise<ChooseSide | undefined>;

/** Opens a diff with the server's state and asks which changes to use. */
export function conflictQuestion(states: ServerStates): AskAboutConflict {
  return async (uri, { conflicts, theirs }, server) => {
    const readAt = new Date().toLocaleTimeString(vscode.env.language);
    // A separate snapshot per question: the answer applies to the state shown in the diff.
    await states.compare(uri, theirs, server);
    const keepMine = vscode.l10n.t('Keep Mine');
    const keepTheirs = vscode.l10n.t('Keep Theirs');
    const perField = vscode.l10n.t('Choose per Field…');
    // Fields and entries have names from the server.
    const fields = displayText(conflicts.map(({ path }) => path).join(', '));
    const sideOf = (side: string | undefined): ChooseSide | undefined => {
      if (side === keepMine) return () => 'mine';
      return side === keepTheirs ? () => 'theirs' : undefined;
    };
    // The editor merges identical messages, and moves warnings to the notification center while the user still
    // compares.
    const answer = await showErrorMessage(
      vscode.l10n.t(
        'Nothing was sent, because {0} changed on {1} in the same fields: {2}. The server was read at {3}.',
        objectLabel(uri),
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
    title: vscode.l10n.t('Select the fields in which to keep your change'),
    placeHolder: vscode.l10n.t('The other fields keep the value of the server'),
  });
  if (!mine) return undefined;
  const chosen = new Set(mine.map(({ path }) => path));
  return ({ path }) => (chosen.has(path) ? 'mine' : 'theirs');
}

function shown(value: Json | undefined): string {
  return value === undefined ? vscode.l10n.t('removed') : inOneLine(value);
}

/** Stores conflict resolutions until the save that applies them. */
export class ConflictDecisions {
  readonly #ask: AskAboutConflict;
  readonly #decided = new Map<string, Resolution>();

  constructor(ask: AskAboutConflict) {
    this.#ask = ask;
  }

  /** Takes the decision for the next save of a document. */
  take(uri: vscode.Uri): Resolution | undefined {
    const decision = this.#decided.get(uri.toString());
    this.#decided.delete(uri.toString());
    return decision;
  }

  /** Asks about a conflict and, once resolved, saves again. The decision applies only to the state that was shown. */
  async decide(uri: vscode.Uri, conflict: ConflictOutcome, server: string): Promise<void> {
    try {
      const choose = await this.#ask(uri, conflict, server);
      if (!choose) return;
      // The text can be edited while the question is open.
      const decision = {
        serverState: conflict.serverState,
        choose: onlyForConflicts(conflict.conflicts, choose),
      };
      this.#decided.set(uri.toString(), decision);
      const document = await vscode.workspace.openTextDocument(uri);
      await document.save();
      // While the refused save is still ending, the editor merges this one into it, so that it never runs.
      if (this.#decided.get(uri.toString()) === decision) await document.save();
    } catch (error) {
      void showErrorMessage(reasonOf(error));
    } finally {
      this.#decided.delete(uri.toString());
    }
  }
}

/**
 * Asks whether to create an object although an earlier save may have created it; false if cancelled.
 * @param trace what was found on the server about the earlier save.
 */
export type ConfirmCreateAgain = (
  name: string,
  server: string,
  trace: Exclude<EarlierTrace['kind'], 'found'>,
) => Promise<boolean>;

/** Shows what is known about the earlier save, and asks. */
export const confirmCreateAgain: ConfirmCreateAgain = async (name, server, trace) => {
  const create = vscode.l10n.t('Create Again');
  const shown = displayText(name);
  const question = vscode.l10n.t('Create "{0}" on {1} again?', shown, server);
  const detail =
    trace === 'nothing'
      ? vscode.l10n.t(
          'The outcome of the earlier save is unknown. {0} does not show the object now. If the save still arrives, there will be two.',
          server,
        )
      : vscode.l10n.t(
          'The outcome of the earlier save is unknown. {0} shows a new object with the same name but different content, which may be the result. Check it first, because creating another object may leave two.',
          server,
        );
  return (await showWarningMessage(question, { modal: true, detail }, create)) === create;
};
