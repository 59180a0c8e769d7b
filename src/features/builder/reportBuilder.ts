import type * as vscode from 'vscode';
import type { Connection } from '../../connections/connection.ts';
import { StoredState } from '../../connections/storedState.ts';
import { BuilderPanel } from './builderPanel.ts';
import { reportOfUri, type BuilderServices } from './builderDocument.ts';
import { UndoGroups } from './edits/editQueue.ts';
import type { BuilderSight } from './pageContract.ts';

/**
 * Opens report documents in the builder. The document stays a text document, with its undo, save and conflict handling.
 */
export class ReportBuilder implements vscode.Disposable {
  readonly #options: BuilderServices;
  /** Ids of the servers chosen for files on disk. */
  readonly #chosen: StoredState<string>;
  readonly #panels = new Set<BuilderPanel>();
  /** By document, which may be open in several builders. */
  readonly #bursts = new WeakMap<vscode.TextDocument, UndoGroups>();
  /** Builder states of new reports, for the builders of the reports saved from them. */
  readonly #sights = new Map<string, BuilderSight>();

  constructor(options: BuilderServices) {
    this.#options = options;
    const parse = (value: unknown) => (typeof value === 'string' ? value : undefined);
    this.#chosen = new StoredState(options.state, { version: 1, parse });
  }

  /** Call when a new report was saved: its builder takes over the state of the original document's builder. */
  created(uri: vscode.Uri, connectionId: string, reportId: string): void {
    const own = [...this.#panels].filter(({ document }) => document.uri.toString() === uri.toString());
    const { sight } = own.find(({ isActive }) => isActive) ?? own[0] ?? {};
    if (sight) this.#sights.set(sightKey(connectionId, reportId), sight);
  }

  /** Initializes an editor that the user opened. Called by VS Code. */
  open(document: vscode.TextDocument, webview: vscode.WebviewPanel): void {
    const report = reportOfUri(document.uri);
    const key = report && sightKey(report.connectionId, report.reportId);
    const bursts = this.#bursts.get(document) ?? new UndoGroups();
    this.#bursts.set(document, bursts);
    const panel = new BuilderPanel(document, webview, {
      ...this.#options,
      bursts,
      sight: key === undefined ? undefined : this.#sights.get(key),
      connection: () => this.#connectionOf(document.uri),
      choose: (connection) => this.#choose(document, connection),
    });
    if (key !== undefined) this.#sights.delete(key);
    this.#panels.add(panel);
    webview.onDidDispose(() => this.#panels.delete(panel));
  }

  dispose(): void {
    for (const panel of [...this.#panels]) panel.dispose();
  }

  /** A document's own server; for a file on disk, the chosen one or else the only one. */
  #connectionOf(uri: vscode.Uri): Connection | undefined {
    const { connections } = this.#options;
    const own = reportOfUri(uri);
    if (own) return connections.get(own.connectionId);
    const chosen = this.#chosen.get(stateKey(uri));
    const all = connections.list();
    return all.find(({ id }) => id === chosen) ?? (all.length === 1 ? all[0] : undefined);
  }

  /** Chooses the server of a file on disk, for all its builders. */
  async #choose(document: vscode.TextDocument, { id }: Connection): Promise<void> {
    await this.#chosen.update(stateKey(document.uri), id);
    await Promise.all([...this.#panels].filter((panel) => panel.document === document).map((panel) => panel.load()));
  }
}

function sightKey(connectionId: string, reportId: string): string {
  return JSON.stringify([connectionId, reportId]);
}

function stateKey(uri: vscode.Uri): string {
  return `analytics.builder.server ${uri.toString()}`;
}
