import * as vscode from 'vscode';
import type { ConnectionStore } from '../../../connections/connectionStore.ts';
import type { SessionState } from '../../../client/session/sessionState.ts';
import type { JsonObject } from '../../../objects/json.ts';
import { documentScheme } from '../../../editor/documentUri.ts';
import { kindNameOf } from './documentKind.ts';
import type { LanguageFeatures, ServerChange } from './languageFeatures.ts';

/** Dependencies of {@link LazyLanguage}. */
export interface LazyLanguageOptions {
  connections: ConnectionStore;
  /** Base view of a document's edit. */
  readonly baseOf: (uri: vscode.Uri) => JsonObject | undefined;
}

/** Language features for documents, loaded when the first one is opened. */
export class LazyLanguage implements vscode.Disposable {
  readonly #options: LazyLanguageOptions;
  readonly #subscriptions: vscode.Disposable[];
  /** Account of each signed-in connection. */
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

  /** Invalidates cached data after objects of a server were changed or refreshed. */
  changed(change: ServerChange): void {
    this.#features?.changed(change);
  }

  /** Loads the language features on first use. */
  features(): Promise<LanguageFeatures> {
    return (this.#loading ??= this.#load().catch((error: unknown) => {
      // The next use retries.
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
        // Loaded in advance, so the failure is ignored: the next document or command retries, and a command reports the
        // error.
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

  /** Fires for every call, so only a change of the account is handled. */
  #sessionChanged({ id, state }: { id: string; state: SessionState }): void {
    const account = accountOf(state);
    if (this.#accounts.get(id) === account) return;
    this.#accounts.set(id, account);
    this.#features?.model.clear(id);
  }
}

/** The signed-in account; empty if signed out. */
function accountOf(state: SessionState): string {
  return state.kind === 'active' ? state.account.userId : '';
}
