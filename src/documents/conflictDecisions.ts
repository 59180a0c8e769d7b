import * as vscode from 'vscode';
import type { ConflictOutcome, Resolution } from '../objects/saveObject.ts';
import { amongShown } from '../objects/threeWayMerge.ts';
import type { AskAboutConflict } from './conflictQuestion.ts';
import { reasonOf } from './saveWords.ts';

/** What users decided about conflicts, from the question to the save that carries the answer out. */
export class ConflictDecisions {
  readonly #ask: AskAboutConflict;
  readonly #decided = new Map<string, Resolution>();

  constructor(ask: AskAboutConflict) {
    this.#ask = ask;
  }

  /** The decision that a save of a document is to follow, once. */
  take(uri: vscode.Uri): Resolution | undefined {
    const resolution = this.#decided.get(uri.toString());
    this.#decided.delete(uri.toString());
    return resolution;
  }

  /** Asks about a conflict and, once decided, saves again. The decision holds for the state that was shown. */
  async decide(uri: vscode.Uri, conflict: ConflictOutcome, server: string): Promise<void> {
    try {
      const choose = await this.#ask(uri, conflict, server);
      if (!choose) return;
      // The text may be edited while the question stands.
      const resolution = {
        serverState: conflict.serverState,
        choose: amongShown(conflict.conflicts, choose),
      };
      this.#decided.set(uri.toString(), resolution);
      const document = await vscode.workspace.openTextDocument(uri);
      await document.save();
      // A save asked for while the refused one is still ending is that same save: it never came here.
      if (this.#decided.get(uri.toString()) === resolution) await document.save();
    } catch (error) {
      void vscode.window.showErrorMessage(reasonOf(error));
    } finally {
      this.#decided.delete(uri.toString());
    }
  }
}
