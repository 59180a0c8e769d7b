import * as vscode from 'vscode';
import { openDiff } from '../../../editor/panels.ts';
import type { JsonObject } from '../../../objects/json.ts';
import { documentText } from './documentText.ts';

/** URI scheme of read-only texts with a server's state. */
export const stateScheme = 'analytics-server-state';

/** Snapshots of server objects to compare documents with. A snapshot never changes. */
export class ServerStates implements vscode.Disposable {
  readonly #texts = new Map<string, string>();
  #count = 0;
  readonly #subscriptions: vscode.Disposable;

  constructor() {
    this.#subscriptions = vscode.Disposable.from(
      vscode.workspace.registerTextDocumentContentProvider(stateScheme, {
        provideTextDocumentContent: (uri) => this.#texts.get(uri.toString()) ?? '',
      }),
      vscode.workspace.onDidCloseTextDocument(({ uri, isClosed }) => isClosed && this.#texts.delete(uri.toString())),
    );
  }

  /** Opens a diff with the server's state on the left and the document on the right. */
  async compare(uri: vscode.Uri, view: JsonObject, server: string): Promise<void> {
    const state = uri.with({ scheme: stateScheme, fragment: String(++this.#count) });
    this.#texts.set(state.toString(), documentText(view));
    const name = uri.path.slice(uri.path.lastIndexOf('/') + 1);
    await openDiff(state, uri, vscode.l10n.t('{0}: {1} ↔ yours', name, server));
  }

  /** Closes the diffs of a document once they are no longer needed. */
  async close(uri: vscode.Uri): Promise<void> {
    const key = uri.toString();
    const tabs = vscode.window.tabGroups.all
      .flatMap((group) => group.tabs)
      .filter(
        ({ input }) =>
          input instanceof vscode.TabInputTextDiff &&
          input.original.scheme === stateScheme &&
          input.modified.toString() === key,
      );
    if (tabs.length === 0) return;
    // The document itself stays visible.
    await vscode.window.showTextDocument(uri, { preview: false });
    await vscode.window.tabGroups.close(tabs);
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }
}
