import * as vscode from 'vscode';

/**
 * Detects which writes the user requested. Auto-save writes unfinished text, and a file system cannot distinguish the
 * two: only the event before the save can.
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
   * Whether the current write, which the user did not request, is an auto-save. The editor reports nothing about
   * others: saves without formatting, saves while its window closes, and writes by other extensions. Valid for one
   * write.
   */
  takeAutomatic(uri: vscode.Uri): boolean {
    return this.#automatic.delete(uri.toString());
  }

  /** Whether the user requested the current write. Valid for one write. */
  take(uri: vscode.Uri): boolean {
    return this.#asked.delete(uri.toString());
  }

  dispose(): void {
    this.#subscription.dispose();
  }
}
