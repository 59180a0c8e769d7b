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

/** What {@link LazyDocuments} works with. */
export interface LazyDocumentsOptions {
  connections: ConnectionStore;
  /** Keeps what unsaved documents started from. */
  state: vscode.Memento;
  /** Called when an object was saved, so that what shows it can be read again. */
  readonly onDidSave: (saved: SavedDocument) => void;
}

/** Kinds of documents that show objects of a kind. */
const dependents: Readonly<Record<string, readonly string[]>> = {
  user: ['profile', 'group', 'policy', 'tag'],
  group: ['user', 'profile', 'policy', 'tag', 'folder'],
};

interface LoadedDocuments {
  files: DocumentFileSystem;
  documents: Documents;
}

/**
 * The documents room as the editor first meets it: a file system that loads the real one, with the contract's schemas,
 * when a document is first opened, read or saved. Who asked for a save is noted from the start.
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

  /** What can be done with documents. */
  async documents(): Promise<Documents> {
    return (await this.#load()).documents;
  }

  /**
   * Lets open documents without unsaved changes show what a change of other objects did to theirs: who is deleted leaves groups,
   * policies, tags and folders. @param kinds those that changed; undefined when anything may have.
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
        // It stays as it was read; its next save or comparison says why the server does not give it.
      });
    }
  }

  /** View that the edit of an open document started from; undefined for other documents. */
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

  /** Changes that outlived a reload may be given up before anything of their document was read. */
  async #closed({ uri, isClosed }: vscode.TextDocument): Promise<void> {
    if (!isClosed || uri.scheme !== documentScheme || this.#files) return;
    (await this.#load()).files.forget(uri);
  }

  #load(): Promise<LoadedDocuments> {
    return (this.#loading ??= this.#build().catch((error: unknown) => {
      // The next use tries again.
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

/** The object of a document, to say what is waited for. */
function aboutOf(uri: vscode.Uri): string {
  return displayText(documentTarget(uri)?.name ?? uri.path);
}
