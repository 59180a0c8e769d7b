import * as vscode from 'vscode';
import { isClientError } from '../client/clientError.ts';
import { displayText, iconSafeText } from '../connections/displayText.ts';
import { editableView } from '../objects/editableView.ts';
import { isJsonObject, parseExact, type JsonObject } from '../objects/json.ts';
import { findKind } from '../objects/kinds.ts';
import type { ObjectKind } from '../objects/objectKind.ts';
import type { ObjectServer } from '../objects/objectServer.ts';
import {
  saveObject,
  type ConflictOutcome,
  type Resolution,
  type SavedOutcome,
  type SaveOutcome,
} from '../objects/saveObject.ts';
import type { BaseStore } from './baseStore.ts';
import type { AskAboutConflict } from './conflictQuestion.ts';
import { documentText, readDocument } from './documentText.ts';
import { documentTarget } from './documentUri.ts';
import type { ExplicitSaves } from './explicitSaves.ts';

/** What {@link DocumentFileSystem} works with. */
export interface DocumentFileSystemOptions {
  /** The server of a connection. @throws {Error} when there is no such connection. */
  server(connectionId: string): Promise<ObjectServer>;
  saves: ExplicitSaves;
  bases: BaseStore;
  askAboutConflict: AskAboutConflict;
  /** Asks for a password that a save must carry; undefined when the user gives up. */
  askSecret(field: string, server: string): Promise<string | undefined>;
}

/** How long the line about a save stays. */
const announcedMs = 8_000;

/** A document as the editor knows it. */
interface OpenDocument {
  /** View that edits start from: what the editor showed last without unsaved changes. */
  base: JsonObject;
  /** Latest text read from the server, and its view: the base as soon as the editor shows it. */
  served: { readonly text: string; readonly view: JsonObject };
  /** When its content last changed, as far as we saw; moves only when the content does. */
  mtime: number;
  /** Bytes of the content that the editor was given or gave. */
  size: number;
  /** What the next read gives in place of the server's state: just read, or still to be shown after a save. */
  ready?: string;
}

/**
 * Objects of servers as files. Reading reads the object afresh; saving joins the edit with the server's state and succeeds
 * only when the server holds it. While a document has unsaved changes, what they started from stays as it is.
 */
export class DocumentFileSystem implements vscode.FileSystemProvider, vscode.Disposable {
  readonly #options: DocumentFileSystemOptions;
  readonly #documents = new Map<string, OpenDocument>();
  readonly #resolutions = new Map<string, Resolution>();
  readonly #changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly #subscriptions: vscode.Disposable;
  readonly onDidChangeFile = this.#changed.event;

  constructor(options: DocumentFileSystemOptions) {
    this.#options = options;
    this.#subscriptions = vscode.Disposable.from(
      this.#changed,
      vscode.workspace.onDidOpenTextDocument((document) => this.#follow(document)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.#follow(document)),
      vscode.workspace.onDidSaveTextDocument(({ uri }) => this.#showReadBack(uri)),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        this.#documents.delete(uri.toString());
        void options.bases.drop(uri);
      }),
    );
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const document = this.#known(uri) ?? (await this.#load(uri));
    return { type: vscode.FileType.File, ctime: 0, mtime: document.mtime, size: document.size };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    const known = this.#known(uri);
    const ready = known?.ready;
    if (known && ready !== undefined) {
      known.ready = undefined;
      return Buffer.from(ready);
    }
    // What unsaved changes started from is all that there is until they are saved or given up.
    if (known && (isDirty(uri) || this.#options.bases.get(uri))) return Buffer.from(known.served.text);
    const document = await this.#load(uri);
    document.ready = undefined;
    // Whoever reads past the editor may have found something newer than it shows.
    if (known && known.mtime !== document.mtime) this.#fireChanged(uri);
    return Buffer.from(document.served.text);
  }

  /** @throws {vscode.FileSystemError} unless the server holds the edit afterwards; the document then stays unsaved. */
  async writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    const document = this.#known(uri);
    if (!this.#options.saves.take(uri)) {
      throw refusal(vscode.l10n.t('Only an explicit save is sent to the server; auto-save is not.'));
    }
    if (!document) throw refusal(vscode.l10n.t('The document is not open.'));
    const { kind, server, id } = await this.#resolve(uri);
    const text = new TextDecoder().decode(content);
    const mine = parsed(text, kind);
    const resolution = this.#resolutions.get(uri.toString());
    this.#resolutions.delete(uri.toString());
    let outcome: SaveOutcome;
    try {
      const askSecret = (field: string) => this.#options.askSecret(field, server.name);
      outcome = await saveObject(server, { kind, id, base: document.base, mine, resolution, askSecret });
    } catch (error) {
      throw refusal(reasonOf(error));
    }
    this.#settle(uri, document, { text, mine }, outcome, server);
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  readDirectory(): [string, vscode.FileType][] {
    return [];
  }

  createDirectory(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  delete(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  rename(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  /** Turns what came of a save into success, or into an error that leaves the document unsaved. */
  #settle(
    uri: vscode.Uri,
    document: OpenDocument,
    { text, mine }: { text: string; mine: JsonObject },
    outcome: SaveOutcome,
    server: ObjectServer,
  ): void {
    switch (outcome.kind) {
      case 'saved': {
        const readBack = documentText(outcome.view);
        document.base = mine;
        document.served = { text: readBack, view: outcome.view };
        document.mtime = after(document.mtime);
        document.size = Buffer.byteLength(text);
        document.ready = readBack === text ? undefined : readBack;
        announce(server.name, outcome);
        return;
      }
      case 'conflict':
        void this.#decide(uri, outcome);
        throw refusal(
          vscode.l10n.t('Changed on {0} meanwhile: {1}', server.name, outcome.conflicts.map((c) => c.path).join(', ')),
        );
      case 'readOnly':
        throw refusal(
          vscode.l10n.t('{0} keeps these itself, undo the change: {1}', server.name, outcome.paths.join(', ')),
        );
      case 'cancelled':
        throw refusal(vscode.l10n.t('The save needs the password. Nothing was sent.'));
      case 'unknown':
        throw refusal(
          vscode.l10n.t(
            'Whether {0} took the change is unknown ({1}). It was not sent again; save once more when the server answers.',
            server.name,
            reasonOf(outcome.cause),
          ),
        );
    }
  }

  /** Asks about a conflict and, once decided, saves again. The decision holds for the state that was shown. */
  async #decide(uri: vscode.Uri, conflict: ConflictOutcome): Promise<void> {
    try {
      const choose = await this.#options.askAboutConflict(uri, conflict);
      if (!choose) return;
      const resolution = { serverState: conflict.serverState, choose };
      this.#resolutions.set(uri.toString(), resolution);
      const document = await vscode.workspace.openTextDocument(uri);
      await document.save();
      // A save asked for while the refused one is still ending is that same save: it never came here.
      if (this.#resolutions.get(uri.toString()) === resolution) await document.save();
    } catch (error) {
      void vscode.window.showErrorMessage(reasonOf(error));
    } finally {
      this.#resolutions.delete(uri.toString());
    }
  }

  /** A document of this window, or one with unsaved changes that an earlier window left. */
  #known(uri: vscode.Uri): OpenDocument | undefined {
    const key = uri.toString();
    const open = this.#documents.get(key);
    if (open) return open;
    const kept = this.#options.bases.get(uri);
    const base = kept && parseExact(kept.text);
    if (!kept || !isJsonObject(base)) return undefined;
    const served = { text: kept.text, view: base };
    const document = { base, served, mtime: kept.mtime, size: kept.size };
    this.#documents.set(key, document);
    return document;
  }

  /** Reads the object afresh, for the editor to show. */
  async #load(uri: vscode.Uri): Promise<OpenDocument> {
    const { kind, server, id } = await this.#resolve(uri);
    let view: JsonObject;
    try {
      view = editableView(await kind.read(server, id), kind.shape);
    } catch (error) {
      throw refusal(reasonOf(error));
    }
    const before = this.#documents.get(uri.toString());
    // The user began to type while the server answered: what the changes started from stays.
    if (before && isDirty(uri)) return before;
    const text = documentText(view);
    const mtime = before?.served.text === text ? before.mtime : after(before?.mtime ?? 0);
    const size = Buffer.byteLength(text);
    const document = { base: before?.base ?? view, served: { text, view }, mtime, size, ready: text };
    this.#documents.set(uri.toString(), document);
    return document;
  }

  async #resolve(uri: vscode.Uri): Promise<{ kind: ObjectKind; server: ObjectServer; id: string }> {
    const target = documentTarget(uri);
    const kind = target && findKind(target.kind);
    if (!kind) throw vscode.FileSystemError.FileNotFound(uri);
    return { kind, server: await this.#options.server(target.connectionId), id: target.id };
  }

  /** Makes what the editor shows the base of the next edit, and keeps the base while there are unsaved changes. */
  #follow(shown: vscode.TextDocument): void {
    const { uri } = shown;
    const document = this.#documents.get(uri.toString());
    if (!document) return;
    // Only text that came from the server counts: the editor reports a first keystroke before it calls itself unsaved.
    if (shown.getText() === document.served.text) document.base = document.served.view;
    const { mtime, size, base } = document;
    const { bases } = this.#options;
    if (!shown.isDirty) void bases.drop(uri);
    else if (!bases.get(uri)) void bases.keep(uri, { text: documentText(base), mtime, size });
  }

  /** After a save, lets the editor read what the server made of it. */
  #showReadBack(uri: vscode.Uri): void {
    const document = this.#documents.get(uri.toString());
    if (!document) return;
    void this.#options.bases.drop(uri);
    if (document.ready === undefined) return;
    document.mtime = after(document.mtime);
    document.size = Buffer.byteLength(document.ready);
    this.#fireChanged(uri);
  }

  #fireChanged(uri: vscode.Uri): void {
    this.#changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
  }
}

function parsed(text: string, kind: ObjectKind): JsonObject {
  try {
    return readDocument(text, kind.schema);
  } catch (error) {
    throw refusal(vscode.l10n.t('Nothing was sent. {0}', reasonOf(error)));
  }
}

/** One line of success, and a warning where the server left something out. */
function announce(server: string, { merged, mergedFrom, notTaken }: SavedOutcome): void {
  const saved = vscode.l10n.t('Saved to {0}', server);
  const words = merged.length === 0 ? saved : `${saved} · ${mergeWords(merged.length, mergedFrom)}`;
  vscode.window.setStatusBarMessage(`$(check) ${iconSafeText(words)}`, announcedMs);
  if (notTaken.length === 0) return;
  void vscode.window.showWarningMessage(
    vscode.l10n.t('{0} accepted the save but did not change {1}.', server, notTaken.join(', ')),
  );
}

function mergeWords(count: number, author: string | undefined): string {
  if (author === undefined) {
    return count === 1 ? vscode.l10n.t('merged 1 change') : vscode.l10n.t('merged {0} changes', count);
  }
  const name = displayText(author);
  return count === 1
    ? vscode.l10n.t('merged 1 change by {0}', name)
    : vscode.l10n.t('merged {0} changes by {1}', count, name);
}

function isDirty(uri: vscode.Uri): boolean {
  const key = uri.toString();
  return vscode.workspace.textDocuments.some((document) => document.isDirty && document.uri.toString() === key);
}

/** A moment after `mtime`: now, unless the clock stands still. */
function after(mtime: number): number {
  return Math.max(Date.now(), mtime + 1);
}

function refusal(message: string): vscode.FileSystemError {
  return vscode.FileSystemError.Unavailable(message);
}

function reasonOf(error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  return isClientError(error) && error.remedy !== '' ? `${reason} ${error.remedy}` : reason;
}
