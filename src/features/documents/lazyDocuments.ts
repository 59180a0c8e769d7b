import * as vscode from 'vscode';
import type { ConnectionStore } from '../../connections/connectionStore.ts';
import { displayText } from '../../editor/displayText.ts';
import { withWaitNotice, runInBackground } from '../../editor/progress.ts';
import type { JsonObject } from '../../objects/json.ts';
import type { DocumentFileSystem } from './files/documentFileSystem.ts';
import type { Documents } from './documents.ts';
import { documentScheme, documentTarget, isNewObject } from '../../editor/documentUri.ts';
import { ExplicitSaves } from './save/explicitSaves.ts';
import { FilesOnly } from './files/filesOnly.ts';
import type { SavedDocument } from './files/openDocument.ts';

/** Dependencies of {@link LazyDocuments}. */
export interface LazyDocumentsOptions {
  connections: ConnectionStore;
  /** Stores the base of unsaved documents. */
  state: vscode.Memento;
  /** Called after an object was saved, to refresh what shows it. */
  readonly onDidSave: (saved: SavedDocument) => void;
}

/** Document kinds that depend on objects of a kind. */
const dependents: Readonly<Record<string, readonly string[]>> = {
  user: ['profile', 'group', 'policy', 'tag'],
  group: ['user', 'profile', 'policy', 'tag', 'folder'],
  report: ['dashboard'],
};

interface LoadedDocuments {
  files: DocumentFileSystem;
  documents: Documents;
}

/**
 * File system registered at activation; loads the documents feature, with the contract's schemas, when a document is
 * first opened, read or saved. Tracks explicit saves from the start.
 */
export class LazyDocuments extends FilesOnly implements vscode.FileSystemProvider, vscode.Disposable {
  readonly #options: LazyDocumentsOptions;
  readonly #saves = new ExplicitSaves();
  readonly #changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly #subscriptions: vscode.Disposable[];
  #loading: Promise<LoadedDocuments> | undefined;
  #files: DocumentFileSystem | undefined;
  readonly onDidChangeFile = this.#changed.event;

  constructor(options: LazyDocumentsOptions) {
    super();
    this.#options = options;
    this.#subscriptions = [
      this.#saves,
      this.#changed,
      vscode.workspace.registerFileSystemProvider(documentScheme, this, { isCaseSensitive: true }),
      vscode.workspace.onDidCloseTextDocument((document) => runInBackground(this.#closed(document))),
    ];
  }

  /** Loads the documents feature. */
  async documents(): Promise<Documents> {
    return (await this.#load()).documents;
  }

  /**
   * Refreshes open documents without unsaved changes after other objects changed: for example, a deleted user
   * disappears from groups, policies, tags and folders. @param kinds of the changed objects; undefined if anything may
   * have changed.
   */
  changed(connectionId: string, kinds: readonly string[] | undefined): void {
    const files = this.#files;
    if (!files) return;
    const touched = kinds && new Set(kinds.flatMap((kind) => dependents[kind] ?? []));
    for (const { uri } of vscode.workspace.textDocuments) {
      const target = uri.scheme === documentScheme ? documentTarget(uri) : undefined;
      if (target?.connectionId !== connectionId || isNewObject(target)) continue;
      if (touched && !touched.has(target.kind)) continue;
      files.catchUp(uri).catch(() => {
        // It keeps the earlier content; its next save or diff reports why the server does not return it.
      });
    }
  }

  /** Base view of an open document's edit; undefined for other documents. */
  baseOf(uri: vscode.Uri): JsonObject | undefined {
    return this.#files?.baseOf(uri);
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    return withWaitNotice(async () => (await this.#load()).files.stat(uri), aboutOf(uri));
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return withWaitNotice(async () => (await this.#load()).files.readFile(uri), aboutOf(uri));
  }

  async writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    await withWaitNotice(async () => (await this.#load()).files.writeFile(uri, content), aboutOf(uri));
  }

  dispose(): void {
    vscode.Disposable.from(...this.#subscriptions).dispose();
  }

  /** Changes restored after a reload may be discarded before anything of their document was read. */
  async #closed({ uri, isClosed }: vscode.TextDocument): Promise<void> {
    if (!isClosed || uri.scheme !== documentScheme || this.#files) return;
    (await this.#load()).files.forget(uri);
  }

  #load(): Promise<LoadedDocuments> {
    return (this.#loading ??= this.#build().catch((error: unknown) => {
      // The next use retries.
      this.#loading = undefined;
      throw error;
    }));
  }

  async #build(): Promise<LoadedDocuments> {
    const { buildDocuments } = await import('./buildDocuments.ts');
    const built = buildDocuments({ ...this.#options, saves: this.#saves });
    this.#files = built.files;
    this.#subscriptions.push(
      built,
      built.files.onDidChangeFile((changes) => this.#changed.fire(changes)),
    );
    return built;
  }
}

/** The label of a document's object, for the wait notification. */
function aboutOf(uri: vscode.Uri): string {
  return displayText(documentTarget(uri)?.name ?? uri.path);
}
