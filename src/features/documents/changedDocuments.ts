import * as vscode from 'vscode';
import { documentScheme, documentTarget, isNewObject, type DocumentTarget } from '../../editor/documentUri.ts';
import { tabsOf } from '../../editor/openTabs.ts';

/** A document that differs from its object on the server. */
export interface ChangedDocument {
  readonly uri: vscode.Uri;
  readonly target: DocumentTarget;
  /** `new`: not created yet; `notSaved`: its last save failed. */
  readonly state: 'new' | 'unsaved' | 'notSaved';
  /** Why its last save failed; otherwise empty. */
  readonly problem: string;
}

/** Documents with changes that are not on their server, as listed and decorated in the sidebar. */
export class ChangedDocuments implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<undefined>();
  /** Fires after the list has changed. */
  readonly onDidChange = this.#changed.event;
  readonly #subscriptions: vscode.Disposable;
  #list: readonly ChangedDocument[] = [];

  constructor() {
    const update = () => this.#update();
    const updateOf = ({ uri }: { uri: vscode.Uri }) => {
      if (uri.scheme === documentScheme) update();
    };
    this.#subscriptions = vscode.Disposable.from(
      this.#changed,
      vscode.workspace.onDidOpenTextDocument(updateOf),
      vscode.workspace.onDidCloseTextDocument(updateOf),
      vscode.workspace.onDidSaveTextDocument(updateOf),
      vscode.workspace.onDidChangeTextDocument(({ document }) => updateOf(document)),
      vscode.window.tabGroups.onDidChangeTabs(update),
      vscode.languages.onDidChangeDiagnostics(({ uris }) => {
        if (uris.some(({ scheme }) => scheme === documentScheme)) update();
      }),
    );
    update();
  }

  /** The changed documents, sorted by name. */
  get list(): readonly ChangedDocument[] {
    return this.#list;
  }

  /** The changed document of an object, if any. */
  find({ connectionId, kind, id }: Omit<DocumentTarget, 'name'>): ChangedDocument | undefined {
    return this.#list.find(
      ({ target }) => target.connectionId === connectionId && target.kind === kind && target.id === id,
    );
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  #update(): void {
    const list = vscode.workspace.textDocuments
      .filter(({ uri }) => uri.scheme === documentScheme)
      .flatMap((document) => describe(document) ?? [])
      .sort((a, b) => a.target.name.localeCompare(b.target.name));
    if (keyOf(list) === keyOf(this.#list)) return;
    this.#list = list;
    this.#changed.fire(undefined);
  }
}

function describe({ uri, isDirty }: vscode.TextDocument): ChangedDocument | undefined {
  const target = documentTarget(uri);
  if (!target) return undefined;
  const problem = vscode.languages.getDiagnostics(uri).find(({ code }) => code === saveProblemCode)?.message ?? '';
  // The editor caches the text of a document for a while after it was created and closed.
  if (isNewObject(target) && !isDirty && tabsOf(uri).length === 0) return undefined;
  if (isNewObject(target)) return { uri, target, state: problem === '' ? 'new' : 'notSaved', problem };
  if (!isDirty) return undefined;
  return { uri, target, state: problem === '' ? 'unsaved' : 'notSaved', problem };
}

function keyOf(list: readonly ChangedDocument[]): string {
  return list.map(({ uri, state, problem }) => `${uri.toString()} ${state} ${problem}`).join('\n');
}

/** Code of the diagnostics that explain why a document was not saved. */
export const saveProblemCode = 'save';
