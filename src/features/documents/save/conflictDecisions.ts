import * as vscode from 'vscode';
import { showErrorMessage } from '../../../editor/messages.ts';
import type { RiskyChange } from '../../../objects/save/riskyChanges.ts';
import type { ConflictOutcome, Resolution } from '../../../objects/save/saveObject.ts';
import { amongShown } from '../../../objects/merge/threeWayMerge.ts';
import type { AskAboutConflict } from './conflictQuestion.ts';
import { reasonOf } from './saveWords.ts';

/** What a user decided about a conflict. */
export interface ConflictDecision {
  readonly resolution: Resolution;
  /** Risky changes that the user confirmed before the conflict showed. */
  readonly confirmed: readonly RiskyChange[];
}

/** What users decided about conflicts, from the question to the save that carries the answer out. */
export class ConflictDecisions {
  readonly #ask: AskAboutConflict;
  readonly #decided = new Map<string, ConflictDecision>();

  constructor(ask: AskAboutConflict) {
    this.#ask = ask;
  }

  /** The decision that a save of a document is to follow, once. */
  take(uri: vscode.Uri): ConflictDecision | undefined {
    const decision = this.#decided.get(uri.toString());
    this.#decided.delete(uri.toString());
    return decision;
  }

  /** Asks about a conflict and, once decided, saves again. The decision holds for the state that was shown. */
  async decide(
    uri: vscode.Uri,
    conflict: ConflictOutcome,
    server: string,
    confirmed: readonly RiskyChange[],
  ): Promise<void> {
    try {
      const choose = await this.#ask(uri, conflict, server);
      if (!choose) return;
      // The text may be edited while the question stands.
      const resolution = {
        serverState: conflict.serverState,
        choose: amongShown(conflict.conflicts, choose),
      };
      const decision = { resolution, confirmed };
      this.#decided.set(uri.toString(), decision);
      const document = await vscode.workspace.openTextDocument(uri);
      await document.save();
      // A save asked for while the refused one is still ending is that same save: it never came here.
      if (this.#decided.get(uri.toString()) === decision) await document.save();
    } catch (error) {
      void showErrorMessage(reasonOf(error));
    } finally {
      this.#decided.delete(uri.toString());
    }
  }
}
