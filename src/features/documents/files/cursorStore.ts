import * as vscode from 'vscode';
import { samePlaces } from '../../../objects/language/samePlace.ts';

/** Cursor positions of an editor, and the text they belong to. */
interface Kept {
  readonly text: string;
  selections: readonly vscode.Selection[];
}

/**
 * Keeps cursors at their fields when the editor reloads a document: the editor replaces everything from the first to
 * the last differing line, and moves the cursors in between to the end.
 */
export class CursorStore implements vscode.Disposable {
  readonly #kept = new Map<vscode.TextEditor, Kept>();
  readonly #subscription = vscode.Disposable.from(
    // Cursor movements by the user; those caused by the change itself have no kind.
    vscode.window.onDidChangeTextEditorSelection(({ textEditor, selections, kind }) => {
      const kept = this.#kept.get(textEditor);
      if (kept && kind !== undefined) kept.selections = selections;
    }),
    vscode.window.onDidChangeVisibleTextEditors((editors) => {
      for (const editor of this.#kept.keys()) if (!editors.includes(editor)) this.#kept.delete(editor);
    }),
  );

  /** Stores the cursors of a document that is about to be reloaded. */
  keep(uri: vscode.Uri): void {
    for (const editor of editorsOf(uri)) {
      this.#kept.set(editor, { text: editor.document.getText(), selections: editor.selections });
    }
  }

  /**
   * Restores the cursors of a document after a change.
   * @param isRead whether the document shows what was read; any other change is a user's edit, which moves cursors as
   * usual.
   */
  changed({ uri }: vscode.TextDocument, isRead: boolean): void {
    for (const editor of editorsOf(uri)) {
      const kept = this.#kept.get(editor);
      this.#kept.delete(editor);
      if (kept && isRead) putBack(editor, kept);
    }
  }

  dispose(): void {
    this.#subscription.dispose();
  }
}

function editorsOf(uri: vscode.Uri): vscode.TextEditor[] {
  const key = uri.toString();
  return vscode.window.visibleTextEditors.filter(({ document }) => document.uri.toString() === key);
}

function putBack(editor: vscode.TextEditor, { text, selections }: Kept): void {
  const now = editor.document.getText();
  if (now === text) return;
  const places = samePlaces(
    text,
    now,
    selections.flatMap(({ anchor, active }) => [anchor, active]),
  );
  const at = (index: number) => new vscode.Position(places[index]?.line ?? 0, places[index]?.character ?? 0);
  editor.selections = selections.map((_, index) => new vscode.Selection(at(2 * index), at(2 * index + 1)));
}
