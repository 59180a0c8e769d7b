import * as vscode from 'vscode';

/**
 * Knows which write was asked for by the user. Auto-save writes half-typed text, and a file system cannot tell the two
 * apart: only the event before the save can.
 */
export class ExplicitSaves implements vscode.Disposable {
  readonly #asked = new Set<string>();
  readonly #subscription: vscode.Disposable;

  constructor() {
    this.#subscription = vscode.workspace.onWillSaveTextDocument(({ document, reason }) => {
      const key = document.uri.toString();
      if (reason === vscode.TextDocumentSaveReason.Manual) this.#asked.add(key);
      else this.#asked.delete(key);
    });
  }

  /** Whether the user asked for the write that is under way. Good for one write. */
  take(uri: vscode.Uri): boolean {
    return this.#asked.delete(uri.toString());
  }

  dispose(): void {
    this.#subscription.dispose();
  }
}
