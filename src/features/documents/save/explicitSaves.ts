import * as vscode from 'vscode';

/**
 * Knows which write was asked for by the user. Auto-save writes half-typed text, and a file system cannot tell the two
 * apart: only the event before the save can.
 */
export class ExplicitSaves implements vscode.Disposable {
  readonly #asked = new Set<string>();
  readonly #automatic = new Set<string>();
  readonly #subscription: vscode.Disposable;

  constructor() {
    this.#subscription = vscode.workspace.onWillSaveTextDocument(({ document, reason }) => {
      const key = document.uri.toString();
      const isAsked = reason === vscode.TextDocumentSaveReason.Manual;
      (isAsked ? this.#asked : this.#automatic).add(key);
      (isAsked ? this.#automatic : this.#asked).delete(key);
    });
  }

  /**
   * Whether the write that is under way, which the user did not ask for, is one of auto-save. Of others the editor tells nothing:
   * saves without formatting, those that it makes while its window closes, and what other extensions write. Good for one write.
   */
  takeAutomatic(uri: vscode.Uri): boolean {
    return this.#automatic.delete(uri.toString());
  }

  /** Whether the user asked for the write that is under way. Good for one write. */
  take(uri: vscode.Uri): boolean {
    return this.#asked.delete(uri.toString());
  }

  dispose(): void {
    this.#subscription.dispose();
  }
}
