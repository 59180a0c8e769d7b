import * as vscode from 'vscode';
import { isDirty } from '../../../editor/openTabs.ts';
import type { PendingCreate } from '../../../objects/save/pendingCreate.ts';
import { editableView } from '../../../objects/merge/editableView.ts';
import { isAnswer, isGone } from '../../../objects/save/deletedObjects.ts';
import type { JsonObject } from '../../../objects/json.ts';
import type { ObjectServer } from '../../../objects/objectServer.ts';
import { isSameRisk, riskyChanges, type RiskyChange } from '../../../objects/save/riskyChanges.ts';
import { saveObject, type SaveOutcome, unknownBase } from '../../../objects/save/saveObject.ts';
import type { AskServerSecret } from '../../../editor/pickers/askSecret.ts';
import { fieldsOf, withReading, withStep } from './baseAfterUndo.ts';
import { type BaseStore, OpenDocuments } from './openDocuments.ts';
import {
  ConflictDecisions,
  type AskAboutConflict,
  type ConfirmCreateAgain,
  type ConfirmRisk,
} from '../save/saveQuestions.ts';
import { createFromDocument } from '../save/createFromDocument.ts';
import { bytesOf, textOf } from './documentBytes.ts';
import { documentText } from './documentText.ts';
import { documentTarget, documentUri, isNewObject, type DocumentTarget } from '../../../editor/documentUri.ts';
import type { ExplicitSaves } from '../save/explicitSaves.ts';
import { FilesOnly } from './filesOnly.ts';
import { CursorStore } from './cursorStore.ts';
import { after, isFresh, isOpen, type OpenDocument, type SavedDocument } from './openDocument.ts';
import { resolveDocument } from './resolveDocument.ts';
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
  saveFailureText,
} from '../save/saveWords.ts';

/** What {@link DocumentFileSystem} works with. */
export interface DocumentFileSystemOptions {
  /** The server of a connection. @throws {Error} when there is no such connection. */
  readonly server: (connectionId: string) => Promise<ObjectServer>;
  saves: ExplicitSaves;
  bases: BaseStore;
  askAboutConflict: AskAboutConflict;
  /** Asks before changes are sent that should not happen by a slip. */
  askAboutRisk: ConfirmRisk;
  /** Asks before a new object is sent once more whose first save may have arrived. */
  askToCreateAgain: ConfirmCreateAgain;
  /** Asks for a password that a save must carry. */
  readonly askSecret: AskServerSecret;
  /** Shows at the text why it was not saved. */
  problems: SaveProblems;
  /** Called when an object was saved; `isNew` when its document stood for one to be created. */
  readonly onDidSave: (saved: SavedDocument) => void;
  /** Called when the object of an earlier save was found, but what is in its document now could not be saved to it from there. */
  readonly onDidFind: (target: DocumentTarget) => void;
}

/**
 * Objects of servers as files. Reading reads the object afresh; saving joins the edit with the server's state and succeeds
 * only when the server holds it. While a document has unsaved changes, what they started from stays as it is.
 */
export class DocumentFileSystem extends FilesOnly implements vscode.FileSystemProvider, vscode.Disposable {
  readonly #options: DocumentFileSystemOptions;
  readonly #documents: OpenDocuments;
  readonly #conflicts: ConflictDecisions;
  readonly #cursors = new CursorStore();
  readonly #changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  /** Why objects could not be read that {@link withReason} is asked about, by address. */
  readonly #reasons = new Map<string, unknown>();
  /** How often objects were changed past their documents. */
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
        // An event of its own says that a text is unsaved no longer; what the one of a change says of that may be old.
        if (contentChanges.length === 0 && this.#documents.catchesUp(document)) this.#fireChanged(document.uri);
      }),
      vscode.workspace.onDidSaveTextDocument(({ uri }) => this.#showReadBack(uri)),
      vscode.workspace.onDidCloseTextDocument(({ uri, isClosed }) => {
        // A document that gets another language is reported as closed and opened; it stays as it is.
        if (isClosed) this.forget(uri);
      }),
    );
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const known = this.#documents.known(uri);
    // What the editor looked at once without opening it may have changed since: nobody tells it.
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
    // What unsaved changes started from is all that there is until they are saved or given up. What is kept for a
    // document without any was not let go of in time: the editor would have restored them before it reads.
    if (known && (isDirty(uri) || (target && isNewObject(target)))) return bytesOf(uri, known.served.text);
    const document = await this.#load(uri);
    document.ready = undefined;
    // Whoever reads past the editor may have found something newer than it shows.
    if (known && known.mtime !== document.mtime) this.#fireChanged(uri);
    return bytesOf(uri, document.served.text);
  }

  /** @throws {vscode.FileSystemError} unless the server holds the edit afterwards; the document then stays unsaved. */
  async writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    if (!this.#options.saves.take(uri)) throw notAsked(this.#options.saves.takeAutomatic(uri));
    const text = textOf(uri, content);
    try {
      const document = this.#documents.known(uri) ?? (await this.#load(uri));
      const notice = await this.#save(uri, document, text);
      this.#options.problems.clear(uri);
      const shownAt = document.created ? documentUri(document.created, uri.query) : uri;
      this.#options.problems.showNotice(shownAt, text, notice);
    } catch (error) {
      this.#options.problems.show(uri, text, error);
      offerRecovery(uri, error);
      throw error;
    }
  }

  /** Gives what the server said of the save. */
  async #save(uri: vscode.Uri, document: OpenDocument, text: string): Promise<string | undefined> {
    const { kind, server, target } = await resolveDocument(uri, this.#options.server);
    const what = couldNotSave(kind, target, server.name);
    const mine = parsed(text, kind, what);
    const { resolution, confirmed = [] } = this.#conflicts.take(uri) ?? {};
    const askSecret = this.#options.askSecret(kind, target, server.name);
    let outcome: SaveOutcome;
    let risky: readonly RiskyChange[] = [];
    try {
      if (isNewObject(target)) {
        const { askToCreateAgain, onDidFind: found } = this.#options;
        const keep = (create: PendingCreate) => this.#documents.keepCreate(uri, document, create);
        const resolved = { kind, server, target };
        return await createFromDocument(document, resolved, mine, { askSecret, askToCreateAgain, keep, found });
      }
      const base = document.base ?? unknownBase(mine, kind.shape);
      risky = riskyChanges(kind, base, mine);
      const asked = risky.filter((change) => !confirmed.some((other) => isSameRisk(change, other)));
      if (asked.length > 0 && !(await this.#options.askAboutRisk(asked, target.name, server.name))) {
        throw refusal(what, vscode.l10n.t('the change was not confirmed. Nothing was sent.'));
      }
      outcome = await saveObject(server, { kind, id: target.id, base, mine, resolution, askSecret });
    } catch (error) {
      if (error instanceof vscode.FileSystemError) throw error;
      throw refusal(what, await explainRefusal(error, { server, kind, target, mine, base: document.base }), error);
    }
    if (outcome.kind === 'conflict') void this.#conflicts.decide(uri, outcome, server.name, risky);
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

  /** View that the edit of an open document started from; undefined for other documents. */
  baseOf(uri: vscode.Uri): JsonObject | undefined {
    return this.#documents.get(uri)?.base;
  }

  /** Lets go of a document that was closed, and of what its changes started from: they were saved or given up. */
  forget(uri: vscode.Uri): void {
    this.#documents.forget(uri);
  }

  /** Lets the editor read again every open document of an object that was changed past it. */
  changedOnServer(target: DocumentTarget): void {
    this.#changes++;
    // Also those that the editor has read and is only about to open.
    for (const { uri, document } of this.#documents.of(target)) {
      // Text that was read before the change must not be shown after it.
      document.ready = undefined;
      document.mtime = after(document.mtime);
      this.#fireChanged(uri);
    }
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  /** Lets an open document without unsaved changes show what the server holds now. */
  async catchUp(uri: vscode.Uri): Promise<void> {
    const shown = this.#documents.get(uri);
    if (!shown || isDirty(uri)) return;
    try {
      if ((await this.#load(uri)).mtime !== shown.mtime) this.#fireChanged(uri);
      this.#options.problems.clear(uri);
    } catch (error) {
      // Only an answer can mean that: who cannot be reached is not waited for once more.
      if (isAnswer(error instanceof vscode.FileSystemError ? error.cause : error)) {
        const { kind, server, target } = await resolveDocument(uri, this.#options.server);
        if (await isGone(server, kind, target.id)) this.#options.problems.showGone(uri, server.name);
      }
      throw error;
    }
  }

  /** Runs what lets the editor read a document; fails with the reason itself, for which the editor's own words leave no room. */
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

  /** Reads the object afresh, for the next read of the editor to give up unsaved changes for it. */
  async readAfresh(uri: vscode.Uri): Promise<void> {
    this.#cursors.keep(uri);
    await this.#load(uri, true);
  }

  /** Reads the object afresh, for the editor to show. */
  async #load(uri: vscode.Uri, givesUpChanges = false): Promise<OpenDocument> {
    const { kind, server, target } = await resolveDocument(uri, this.#options.server);
    let view: JsonObject;
    try {
      let seen: number;
      do {
        seen = this.#changes;
        view = editableView(await kind.read(server, target.id), kind.shape);
        // Changed past the document while it was read: nobody knows which of both this is.
      } while (seen !== this.#changes);
    } catch (error) {
      if (this.#reasons.has(uri.toString())) this.#reasons.set(uri.toString(), error);
      throw refusal(couldNotOpen(kind, target, server.name), reasonOf(error), error);
    }
    const before = this.#documents.get(uri);
    // The user began to type while the server answered: what the changes started from stays.
    if (before && !givesUpChanges && isDirty(uri)) return before;
    const text = documentText(view);
    const mtime = before?.served.text === text ? before.mtime : after(before?.mtime ?? 0);
    const size = before ? before.size : Buffer.byteLength(text);
    // Text that outlived the window without what it started from: nobody can tell whose the differences are.
    const base = before ? before.base : isDirty(uri) ? undefined : view;
    const earlier = before?.mtime === mtime ? before.earlier : before && withReading(before, view);
    const shown = before?.shown;
    const served = { text, view };
    const readAt = Date.now();
    return this.#documents.remember(uri, { base, served, mtime, size, ready: text, readAt, earlier, shown });
  }

  /** After a save, lets the editor read what the server made of it. */
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
