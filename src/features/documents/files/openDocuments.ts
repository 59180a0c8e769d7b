import * as vscode from 'vscode';
import * as z from 'zod';
import { StoredState, type StateStore } from '../../../connections/storedState.ts';
import type { PendingCreate } from '../../../objects/save/pendingCreate.ts';
import { isJsonObject, parseExact } from '../../../objects/json.ts';
import { keptTextOf, parsePendingCreates } from './pendingCreates.ts';
import { baseAfterUndo } from './baseAfterUndo.ts';
import { documentText } from './documentText.ts';
import { documentTarget, isNewObject, type DocumentTarget } from '../../../editor/documentUri.ts';
import { after, type OpenDocument } from './openDocument.ts';

/** The documents of this window. The base of their unsaved changes is stored for the next window. */
export class OpenDocuments {
  readonly #bases: BaseStore;
  readonly #documents = new Map<string, OpenDocument>();

  constructor(bases: BaseStore) {
    this.#bases = bases;
  }

  /** A document of this window. */
  get(uri: vscode.Uri): OpenDocument | undefined {
    return this.#documents.get(uri.toString());
  }

  /** A document of this window, or one with unsaved changes from an earlier window. */
  known(uri: vscode.Uri): OpenDocument | undefined {
    const open = this.get(uri);
    if (open) return open;
    const target = documentTarget(uri);
    const kept = this.#bases.get(uri);
    if (target && isNewObject(target)) {
      const creates = kept ? parsePendingCreates(kept.text) : [];
      return this.remember(uri, { base: {}, served: { text: '', view: {} }, mtime: 1, size: 0, creates });
    }
    const base = kept && parseExact(kept.text);
    if (!kept || !isJsonObject(base)) return undefined;
    const served = { text: kept.text, view: base };
    return this.remember(uri, { base, served, mtime: kept.mtime, size: kept.size });
  }

  remember(uri: vscode.Uri, document: OpenDocument): OpenDocument {
    this.#documents.set(uri.toString(), document);
    return document;
  }

  /** Releases a closed document and the base of its changes, which were saved or discarded. */
  forget(uri: vscode.Uri): void {
    this.#documents.delete(uri.toString());
    this.letGo(uri);
  }

  /** Deletes the stored base of a document without unsaved changes. */
  letGo(uri: vscode.Uri): void {
    void this.#bases.drop(uri);
  }

  /**
   * Records that the editor saved a document: deletes the stored base, and lets the editor read the result. Edits typed
   * meanwhile are based on the saved text.
   */
  saved(uri: vscode.Uri, document: OpenDocument): void {
    this.letGo(uri);
    const key = uri.toString();
    const shown = vscode.workspace.textDocuments.find((other) => other.uri.toString() === key);
    // The editor reports it as saved, even if the user kept typing.
    if (shown && ![undefined, shown.getText()].includes(document.written)) this.#keep(uri, document);
    if (document.ready === undefined) return;
    document.isBehind = true;
    document.mtime = after(document.mtime);
  }

  /** Whether the editor should reload a document: the edits typed after a save, which had prevented it, were undone. */
  catchesUp(shown: vscode.TextDocument): boolean {
    const document = this.get(shown.uri);
    if (!document?.isBehind || shown.isDirty) return false;
    document.isBehind = false;
    return document.served.text !== shown.getText();
  }

  /** Documents of an object, whatever its name was when they were opened. */
  of(target: DocumentTarget): { uri: vscode.Uri; document: OpenDocument }[] {
    return [...this.#documents].flatMap(([key, document]) => {
      const uri = vscode.Uri.parse(key);
      const { connectionId, kind, id } = documentTarget(uri) ?? {};
      return connectionId === target.connectionId && kind === target.kind && id === target.id
        ? [{ uri, document }]
        : [];
    });
  }

  /** Stores a create of unknown outcome, also for the next window: the next save looks for it first. */
  keepCreate(uri: vscode.Uri, document: OpenDocument, create: PendingCreate): void {
    const creates = (document.creates = [...(document.creates ?? []), create]);
    const { mtime, size } = document;
    void this.#bases.keep(uri, { text: keptTextOf(creates), mtime, size });
  }

  /**
   * Makes the displayed text the base of the next edit, and stores the base while there are unsaved changes.
   * @param isTravelled whether it is displayed after undo or redo.
   * @returns whether it displays the text last read from the server.
   */
  follow(shown: vscode.TextDocument, isTravelled = false): boolean {
    const { uri } = shown;
    const document = this.get(uri);
    if (!document) return false;
    const text = shown.getText();
    if (isTravelled) document.base = baseAfterUndo(document, shown, document.shown);
    document.shown = text;
    // Only text from the server counts: the editor reports a first keystroke before it marks the document as unsaved.
    const isServed = text === document.served.text;
    if (isServed) {
      document.base = document.served.view;
      document.isBehind = false;
    }
    if (!shown.isDirty) this.letGo(uri);
    else if (isTravelled || !this.#bases.get(uri)) this.#keep(uri, document);
    return isServed;
  }

  /** Stores the base of a document's unsaved changes. */
  #keep(uri: vscode.Uri, { base, mtime, size }: OpenDocument): void {
    if (base) void this.#bases.keep(uri, { text: documentText(base), mtime, size });
  }
}

export const keptBase = z.object({ text: z.string(), mtime: z.number(), size: z.number() });

/** Stored base of an unsaved document. */
export type StoredBase = z.infer<typeof keptBase>;

/**
 * Stores the bases of unsaved documents, so that a document restored after a window reload is still compared with its
 * base. Views contain no secrets, so neither does this.
 */
export class BaseStore {
  readonly #state: StoredState<StoredBase>;

  constructor(state: StateStore) {
    this.#state = new StoredState(state, { version: 1, parse: (value) => keptBase.safeParse(value).data });
  }

  /** The base of a document with unsaved changes; undefined if there are none. */
  get(uri: vscode.Uri): StoredBase | undefined {
    return this.#state.get(keyOf(uri));
  }

  async keep(uri: vscode.Uri, base: StoredBase): Promise<void> {
    await this.#state.update(keyOf(uri), base);
  }

  async drop(uri: vscode.Uri): Promise<void> {
    await this.#state.update(keyOf(uri), undefined);
  }
}

function keyOf(uri: vscode.Uri): string {
  return `analytics.base ${uri.toString()}`;
}
