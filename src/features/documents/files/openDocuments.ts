import * as vscode from 'vscode';
import * as z from 'zod';
import type { PendingCreate } from '../../../objects/save/pendingCreate.ts';
import { isJsonObject, parseExact } from '../../../objects/json.ts';
import { keptTextOf, parsePendingCreates } from './pendingCreates.ts';
import { baseAfterUndo } from './baseAfterUndo.ts';
import { documentText } from './documentText.ts';
import { documentTarget, isNewObject, type DocumentTarget } from '../../../editor/documentUri.ts';
import { after, type OpenDocument } from './openDocument.ts';

/** The documents of this window. What their unsaved changes started from is kept for the next one. */
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

  /** A document of this window, or one with unsaved changes that an earlier window left. */
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

  /** Lets go of a document that was closed, and of what its changes started from: they were saved or given up. */
  forget(uri: vscode.Uri): void {
    this.#documents.delete(uri.toString());
    this.letGo(uri);
  }

  /** Lets go of what changes started from: there are none any more. */
  letGo(uri: vscode.Uri): void {
    void this.#bases.drop(uri);
  }

  /**
   * Notes that the editor has saved a document: it lets go of what the changes started from, and is to read what was read back.
   * What was typed meanwhile starts from what was saved.
   */
  saved(uri: vscode.Uri, document: OpenDocument): void {
    this.letGo(uri);
    const key = uri.toString();
    const shown = vscode.workspace.textDocuments.find((other) => other.uri.toString() === key);
    // The editor calls it saved here, whatever was typed.
    if (shown && ![undefined, shown.getText()].includes(document.written)) this.#keep(uri, document);
    if (document.ready === undefined) return;
    document.isBehind = true;
    document.mtime = after(document.mtime);
  }

  /** Whether the editor is to read a document again: what was typed after a save, and kept it from that, was undone. */
  catchesUp(shown: vscode.TextDocument): boolean {
    const document = this.get(shown.uri);
    if (!document?.isBehind || shown.isDirty) return false;
    document.isBehind = false;
    return document.served.text !== shown.getText();
  }

  /** Documents of an object, whatever it was called when they were opened. */
  of(target: DocumentTarget): { uri: vscode.Uri; document: OpenDocument }[] {
    return [...this.#documents].flatMap(([key, document]) => {
      const uri = vscode.Uri.parse(key);
      const { connectionId, kind, id } = documentTarget(uri) ?? {};
      return connectionId === target.connectionId && kind === target.kind && id === target.id
        ? [{ uri, document }]
        : [];
    });
  }

  /** Remembers a create of unknown outcome, also for the next window: the next save looks for it first. */
  keepCreate(uri: vscode.Uri, document: OpenDocument, create: PendingCreate): void {
    const creates = (document.creates = [...(document.creates ?? []), create]);
    const { mtime, size } = document;
    void this.#bases.keep(uri, { text: keptTextOf(creates), mtime, size });
  }

  /**
   * Makes what the editor shows the base of the next edit, and keeps the base while there are unsaved changes.
   * @param isTravelled whether it shows it by undo or redo.
   * @returns whether it shows what was read from the server last.
   */
  follow(shown: vscode.TextDocument, isTravelled = false): boolean {
    const { uri } = shown;
    const document = this.get(uri);
    if (!document) return false;
    const text = shown.getText();
    if (isTravelled) document.base = baseAfterUndo(document, shown, document.shown);
    document.shown = text;
    // Only text that came from the server counts: the editor reports a first keystroke before it calls itself unsaved.
    const isServed = text === document.served.text;
    if (isServed) {
      document.base = document.served.view;
      document.isBehind = false;
    }
    if (!shown.isDirty) this.letGo(uri);
    else if (isTravelled || !this.#bases.get(uri)) this.#keep(uri, document);
    return isServed;
  }

  /** Keeps what the unsaved changes of a document start from. */
  #keep(uri: vscode.Uri, { base, mtime, size }: OpenDocument): void {
    if (base) void this.#bases.keep(uri, { text: documentText(base), mtime, size });
  }
}

const keptBase = z.object({ text: z.string(), mtime: z.number(), size: z.number() });

/** What an unsaved document started from. */
export type StoredBase = z.infer<typeof keptBase>;

/**
 * Keeps what unsaved documents started from, so that a document that survives a reload of the window is still compared
 * with it. Views hold no secrets, so neither does this.
 */
export class BaseStore {
  readonly #state: vscode.Memento;

  constructor(state: vscode.Memento) {
    this.#state = state;
  }

  /** The base of a document with unsaved changes; undefined when there are none. */
  get(uri: vscode.Uri): StoredBase | undefined {
    return keptBase.safeParse(this.#state.get(keyOf(uri))).data;
  }

  async keep(uri: vscode.Uri, base: StoredBase): Promise<void> {
    await this.#state.update(keyOf(uri), base);
  }

  async drop(uri: vscode.Uri): Promise<void> {
    if (this.#state.get(keyOf(uri)) !== undefined) await this.#state.update(keyOf(uri), undefined);
  }
}

function keyOf(uri: vscode.Uri): string {
  return `analytics.base ${uri.toString()}`;
}
