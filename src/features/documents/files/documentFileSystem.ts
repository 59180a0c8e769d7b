import * as vscode from 'vscode';
import { isDirty } from '../../../editor/openTabs.ts';
import type { PendingCreate } from '../../../objects/save/pendingCreate.ts';
import { editableView } from '../../../objects/merge/editableView.ts';
import { isAnswer, isGone } from '../../../objects/save/deletedObjects.ts';
import type { JsonObject } from '../../../objects/json.ts';
import type { ObjectServer } from '../../../objects/objectServer.ts';
import { saveObject, type SaveOutcome, unknownBase } from '../../../objects/save/saveObject.ts';
import type { AskServerSecret } from '../../../editor/pickers/askSecret.ts';
import { fieldsOf, withReading, withStep } from './baseAfterUndo.ts';
import { type BaseStore, OpenDocuments } from './openDocuments.ts';
import { ConflictDecisions, type AskAboutConflict, type ConfirmCreateAgain } from '../save/saveQuestions.ts';
import type { ConfirmRisk } from '../../../editor/pickers/confirmRisk.ts';
import { confirmingWrites } from '../save/confirmSave.ts';
import { createFromDocument } from '../save/createFromDocument.ts';
import { bytesOf, textOf } from './documentBytes.ts';
import { documentText } from './documentText.ts';
import { documentTarget, documentUri, isNewObject, type DocumentTarget } from '../../../editor/documentUri.ts';
import type { ExplicitSaves } from '../save/explicitSaves.ts';
import { FilesOnly } from './filesOnly.ts';
import { CursorStore } from './cursorStore.ts';
import { after, isFresh, isOpen, type OpenDocument, type SavedDocument } from './openDocument.ts';
import { resolveDocument, type ResolvedDocument } from './resolveDocument.ts';
import { type SaveProblems, explainRefusal } from '../save/saveProblems.ts';
import { offerRecovery } from '../save/saveRecovery.ts';
import {
  announce,
  couldNotOpen,
  couldNotSave,
  notAsked,
  parsed,
  reasonOf,
  refusal,
  conflictRefusal,
  SaveConflict,
  saveFailureText,
  withdrawAnnouncement,
} from '../save/saveWords.ts';

/** Dependencies of {@link DocumentFileSystem}. */
export interface DocumentFileSystemOptions {
  /** The server of a connection. @throws {Error} if there is no such connection. */
  readonly server: (connectionId: string) => Promise<ObjectServer>;
  saves: ExplicitSaves;
  bases: BaseStore;
  askAboutConflict: AskAboutConflict;
  /** Asks for confirmation before risky changes are sent. */
  askAboutRisk: ConfirmRisk;
  /** Asks before a new object is sent again if an earlier request may have arrived. */
  askToCreateAgain: ConfirmCreateAgain;
  /** Asks for a password that a save requires. */
  readonly askSecret: AskServerSecret;
  /** Shows save errors at the text. */
  problems: SaveProblems;
  /** Called after an object was saved; `isNew` if the document's object was created by it. */
  readonly onDidSave: (saved: SavedDocument) => void;
  /** Called when the object of an earlier save was found, but the document's current text could not be saved to it. */
  readonly onDidFind: (target: DocumentTarget) => void;
}

/**
 * Exposes server objects as files. Reading loads the current object; saving merges the edit with the server's state and
 * succeeds only if the server stored it. While a document has unsaved changes, their base stays the same.
 */
export class DocumentFileSystem extends FilesOnly implements vscode.FileSystemProvider, vscode.Disposable {
  readonly #options: DocumentFileSystemOptions;
  readonly #documents: OpenDocuments;
  readonly #conflicts: ConflictDecisions;
  readonly #cursors = new CursorStore();
  readonly #changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  /** Read errors requested by {@link withReason}, by URI. */
  readonly #reasons = new Map<string, unknown>();
  /** Number of times objects were changed outside their documents. */
  #changes = 0;
  readonly #subscriptions: vscode.Disposable;
  readonly onDidChangeFile = this.#changed.event;

  constructor(options: DocumentFileSystemOptions) {
    super();
    this.#options = options;
    this.#documents = new OpenDocuments(options.bases);
    this.#conflicts = new ConflictDecisions(options.askAboutConflict);
    this.#subscriptions = vscode.Disposable.from(
      this.#changed,
      this.#cursors,
      vscode.workspace.onDidOpenTextDocument((document) => this.#documents.follow(document)),
      vscode.workspace.onDidChangeTextDocument(({ document, reason, contentChanges }) => {
        this.#cursors.changed(document, this.#documents.follow(document, reason !== undefined));
        // Saving is reported by its own event; the dirty state in a change event may be outdated.
        if (contentChanges.length === 0 && this.#documents.catchesUp(document)) this.#fireChanged(document.uri);
      }),
      vscode.workspace.onDidSaveTextDocument(({ uri }) => this.#showReadBack(uri)),
      vscode.workspace.onDidCloseTextDocument(({ uri, isClosed }) => {
        // Changing a document's language closes and reopens it; its state is preserved.
        if (isClosed) this.forget(uri);
      }),
    );
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const known = this.#documents.known(uri);
    // A file that the editor read without opening it may have changed since: the editor is not notified.
    const document = known && (isFresh(known) || isOpen(uri)) ? known : await this.#load(uri);
    return { type: vscode.FileType.File, ctime: 0, mtime: document.mtime, size: document.size };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    const known = this.#documents.known(uri);
    const ready = known?.ready;
    if (known && ready !== undefined) {
      known.ready = undefined;
      if (isFresh(known)) return bytesOf(uri, ready);
    }
    const target = documentTarget(uri);
    // The base of unsaved changes is the only copy until they are saved or discarded. A base of a document without
    // unsaved changes is left over: the editor would have restored the changes before it reads.
    if (known && (isDirty(uri) || (target && isNewObject(target)))) return bytesOf(uri, known.served.text);
    const document = await this.#load(uri);
    document.ready = undefined;
    // A reader other than the editor may have loaded a newer version than the editor shows.
    if (known && known.mtime !== document.mtime) this.#fireChanged(uri);
    return bytesOf(uri, document.served.text);
  }

  /** @throws {vscode.FileSystemError} unless the server stored the edit; the document then stays unsaved. */
  async writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    if (!this.#options.saves.take(uri)) throw notAsked(this.#options.saves.takeAutomatic(uri));
    const text = textOf(uri, content);
    withdrawAnnouncement();
    try {
      const document = this.#documents.known(uri) ?? (await this.#load(uri));
      const notice = await this.#save(uri, document, text);
      this.#options.problems.clear(uri);
      const shownAt = document.created ? documentUri(document.created, uri.query) : uri;
      this.#options.problems.showNotice(shownAt, text, notice);
    } catch (error) {
      const { cause } = error instanceof vscode.FileSystemError ? error : {};
      this.#options.problems.show(uri, text, cause instanceof SaveConflict ? cause : error);
      offerRecovery(uri, error);
      throw error;
    }
  }

  /** Saves a document; returns the server's message about it. */
  async #save(uri: vscode.Uri, document: OpenDocument, text: string): Promise<string | undefined> {
    const { kind, server, target, reading } = await resolveDocument(uri, this.#options.server, readResolved);
    const what = couldNotSave(kind, target, server.name);
    const mine = parsed(text, kind, what);
    const resolution = this.#conflicts.take(uri);
    const confirm = confirmingWrites({ kind, server, target }, this.#options.askAboutRisk);
    const askSecret = this.#options.askSecret(kind, target, server.name);
    let outcome: SaveOutcome;
    try {
      if (isNewObject(target)) {
        const { askToCreateAgain, onDidFind: found } = this.#options;
        const keep = (create: PendingCreate) => this.#documents.keepCreate(uri, document, create);
        const resolved = { kind, server, target };
        const dialogue = { askSecret, confirm, askToCreateAgain, keep, found };
        return await createFromDocument(document, resolved, mine, dialogue);
      }
      const base = document.base ?? unknownBase(mine, kind.shape);
      outcome = await saveObject(server, { kind, id: target.id, base, mine, resolution, askSecret, confirm, reading });
    } catch (error) {
      if (error instanceof vscode.FileSystemError) throw error;
      throw refusal(what, await explainRefusal(error, { server, kind, target, mine, base: document.base }), error);
    }
    if (outcome.kind === 'conflict') {
      void this.#conflicts.decide(uri, outcome, server.name);
      throw conflictRefusal(what, saveFailureText(outcome, server.name));
    }
    if (outcome.kind !== 'saved') {
      throw refusal(
        what,
        saveFailureText(outcome, server.name),
        outcome.kind === 'unknown' ? outcome.cause : undefined,
      );
    }
    const readBack = documentText(outcome.view);
    const { base: started } = document;
    const merged = outcome.merged.flatMap((path) => path.split('/')[0] ?? []);
    document.earlier = started ? withStep(document, { started, joined: fieldsOf(mine, merged) }) : [];
    document.base = mine;
    document.served = { text: readBack, view: outcome.view };
    document.mtime = after(document.mtime);
    document.ready = readBack === text ? undefined : readBack;
    document.readAt = Date.now();
    document.written = text;
    announce(server.name, kind, outcome);
    return outcome.notice;
  }

  /** The base view of an open document; undefined for other documents. */
  baseOf(uri: vscode.Uri): JsonObject | undefined {
    return this.#documents.get(uri)?.base;
  }

  /** Releases a closed document and the base of its changes, which were saved or discarded. */
  forget(uri: vscode.Uri): void {
    this.#documents.forget(uri);
  }

  /** Makes the editor reload every open document of an object that was changed elsewhere. */
  changedOnServer(target: DocumentTarget): void {
    this.#changes++;
    // Includes documents that the editor has read and is about to open.
    for (const { uri, document } of this.#documents.of(target)) {
      // Text read before the change must not be shown after it.
      document.ready = undefined;
      document.mtime = after(document.mtime);
      this.#fireChanged(uri);
    }
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  /** Refreshes an open document without unsaved changes with the server's current state. */
  async catchUp(uri: vscode.Uri): Promise<void> {
    const shown = this.#documents.get(uri);
    if (!shown || isDirty(uri)) return;
    try {
      if ((await this.#load(uri)).mtime !== shown.mtime) this.#fireChanged(uri);
      this.#options.problems.clear(uri);
    } catch (error) {
      // Only a reply can tell that the object is gone: an unreachable server is not retried.
      if (isAnswer(error instanceof vscode.FileSystemError ? error.cause : error)) {
        const { kind, server, target } = await resolveDocument(uri, this.#options.server);
        if (await isGone(server, kind, target.id)) this.#options.problems.showGone(uri, server.name);
      }
      throw error;
    }
  }

  /**
   * Runs work that makes the editor read a document; fails with the original error, which the editor's own message
   * would hide.
   */
  async withReason<T>(uri: vscode.Uri, work: () => PromiseLike<T>): Promise<T> {
    const key = uri.toString();
    this.#reasons.set(key, undefined);
    try {
      return await work();
    } catch (error) {
      throw this.#reasons.get(key) ?? error;
    } finally {
      this.#reasons.delete(key);
    }
  }

  /** Reads the object of a document that is about to be opened, unless that has just been done. */
  async prepare(uri: vscode.Uri): Promise<void> {
    const known = this.#documents.known(uri);
    if (!known || !isFresh(known)) await this.#load(uri);
  }

  /** Reloads the object, so that the editor's next read replaces unsaved changes with it. */
  async readAfresh(uri: vscode.Uri): Promise<void> {
    this.#cursors.keep(uri);
    await this.#load(uri, true);
  }

  /** Loads the current object for the editor, and keeps the reason of a failure for {@link withReason}. */
  async #load(uri: vscode.Uri, givesUpChanges = false): Promise<OpenDocument> {
    try {
      return await this.#loadCurrent(uri, givesUpChanges);
    } catch (error) {
      const key = uri.toString();
      if (this.#reasons.has(key)) this.#reasons.set(key, error instanceof Error ? (error.cause ?? error) : error);
      throw error;
    }
  }

  async #loadCurrent(uri: vscode.Uri, givesUpChanges: boolean): Promise<OpenDocument> {
    let seen = this.#changes;
    const { kind, server, target, reading } = await resolveDocument(uri, this.#options.server, readResolved);
    let view: JsonObject;
    try {
      let full = await reading;
      // Changed elsewhere during the read: the result may be from before or after the change.
      while (full === undefined || seen !== this.#changes) {
        seen = this.#changes;
        full = await kind.read(server, target.id);
      }
      view = editableView(full, kind.shape);
    } catch (error) {
      throw refusal(couldNotOpen(kind, target, server.name), reasonOf(error), error);
    }
    const before = this.#documents.get(uri);
    // The user started typing while the server responded: the base of the changes stays the same.
    if (before && !givesUpChanges && isDirty(uri)) return before;
    const text = documentText(view);
    const mtime = before?.served.text === text ? before.mtime : after(before?.mtime ?? 0);
    const size = before ? before.size : Buffer.byteLength(text);
    // Text restored from an earlier window without its base: it is unknown who made the differences.
    const base = before ? before.base : isDirty(uri) ? undefined : view;
    const earlier = before?.mtime === mtime ? before.earlier : before && withReading(before, view);
    const shown = before?.shown;
    const served = { text, view };
    const readAt = Date.now();
    return this.#documents.remember(uri, { base, served, mtime, size, ready: text, readAt, earlier, shown });
  }

  /** After a save, makes the editor read the result from the server. */
  #showReadBack(uri: vscode.Uri): void {
    const document = this.#documents.get(uri);
    if (!document) return;
    this.#documents.saved(uri, document);
    const target = document.created ?? documentTarget(uri);
    if (target) this.#options.onDidSave({ uri, target, isNew: document.created !== undefined });
    if (document.ready !== undefined) this.#fireChanged(uri);
  }

  #fireChanged(uri: vscode.Uri): void {
    this.#cursors.keep(uri);
    this.#changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
  }
}

/** Reads the object of a document; undefined for one that is not created yet. */
function readResolved({ kind, server, target }: ResolvedDocument): Promise<JsonObject> | undefined {
  return isNewObject(target) ? undefined : kind.read(server, target.id);
}
