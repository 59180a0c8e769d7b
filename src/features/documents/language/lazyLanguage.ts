import * as vscode from 'vscode';
import type { ConnectionStore } from '../../../connections/connectionStore.ts';
import type { SessionState } from '../../../client/session/sessionState.ts';
import type { JsonObject } from '../../../objects/json.ts';
import { documentScheme } from '../../../editor/documentUri.ts';
import { kindNameOf } from './documentKind.ts';
import type { LanguageFeatures, ServerChange } from './languageFeatures.ts';

/** What {@link LazyLanguage} works with. */
export interface LazyLanguageOptions {
  connections: ConnectionStore;
  /** View that the edit of a document started from. */
  readonly baseOf: (uri: vscode.Uri) => JsonObject | undefined;
}

/** Language help for documents, loaded when the first one is opened. */
export class LazyLanguage implements vscode.Disposable {
  readonly #options: LazyLanguageOptions;
  readonly #subscriptions: vscode.Disposable[];
  /** Account that each connection was signed in with, where it is. */
  readonly #accounts = new Map<string, string>();
  #loading: Promise<LanguageFeatures> | undefined;
  #features: LanguageFeatures | undefined;
  #isDisposed = false;

  constructor(options: LazyLanguageOptions) {
    this.#options = options;
    this.#subscriptions = [
      vscode.workspace.onDidOpenTextDocument((document) => this.#opened(document)),
      options.connections.onDidChangeState((connection) => this.#sessionChanged(connection)),
    ];
    for (const document of vscode.workspace.textDocuments) this.#opened(document);
  }

  /** Objects of a server changed, here or by a refresh. */
  changed(change: ServerChange): void {
    this.#features?.changed(change);
  }

  /** Loads the language help, if it is not there yet. */
  features(): Promise<LanguageFeatures> {
    return (this.#loading ??= this.#load().catch((error: unknown) => {
      // The next use tries again.
      this.#loading = undefined;
      throw error;
    }));
  }

  dispose(): void {
    this.#isDisposed = true;
    vscode.Disposable.from(...this.#subscriptions).dispose();
  }

  #opened(document: vscode.TextDocument): void {
    if (!this.#loading && kindNameOf(document) !== undefined) {
      this.features().catch(() => {
        // Help that nobody asked for yet; the next document, or a command, tries again, and a command says why it fails.
      });
    }
  }

  async #load(): Promise<LanguageFeatures> {
    const { LanguageFeatures: Features } = await import('./languageFeatures.ts');
    const { connections, baseOf } = this.#options;
    for (const { id, state } of connections.list()) this.#accounts.set(id, accountOf(state));
    const features = new Features({ connection: (id) => connections.get(id), baseOf, scheme: documentScheme });
    // The window may have closed meanwhile.
    if (this.#isDisposed) features.dispose();
    else this.#subscriptions.push(features);
    return (this.#features = features);
  }

  /** Fires at every call, so only a change of account counts. */
  #sessionChanged({ id, state }: { id: string; state: SessionState }): void {
    const account = accountOf(state);
    if (this.#accounts.get(id) === account) return;
    this.#accounts.set(id, account);
    this.#features?.model.clear(id);
  }
}

/** Who is signed in; empty for nobody. */
function accountOf(state: SessionState): string {
  return state.kind === 'active' ? state.account.userId : '';
}
