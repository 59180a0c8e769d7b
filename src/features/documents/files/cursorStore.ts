import * as vscode from 'vscode';
import { samePlaces } from '../../../objects/language/samePlace.ts';

/** Where the cursors of an editor were, and in which text. */
interface Kept {
  readonly text: string;
  selections: readonly vscode.Selection[];
}

/**
 * Leaves cursors at the field that they are on when the editor reads a document again: the editor replaces everything from the
 * first line that differs to the last, and puts the cursors in between behind it.
 */
export class CursorStore implements vscode.Disposable {
  readonly #kept = new Map<vscode.TextEditor, Kept>();
  readonly #subscription = vscode.Disposable.from(
    // Cursors that a person moves meanwhile; those that the change itself moves are told of without a kind.
    vscode.window.onDidChangeTextEditorSelection(({ textEditor, selections, kind }) => {
      const kept = this.#kept.get(textEditor);
      if (kept && kind !== undefined) kept.selections = selections;
    }),
    vscode.window.onDidChangeVisibleTextEditors((editors) => {
      for (const editor of this.#kept.keys()) if (!editors.includes(editor)) this.#kept.delete(editor);
    }),
  );

  /** Remembers the cursors of a document, which is about to be read again. */
  keep(uri: vscode.Uri): void {
    for (const editor of editorsOf(uri)) {
      this.#kept.set(editor, { text: editor.document.getText(), selections: editor.selections });
    }
  }

  /**
   * Puts the cursors of a document back, once it has changed.
   * @param isRead whether it shows what was read; anything else is a person's edit, which moves cursors as it should.
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
