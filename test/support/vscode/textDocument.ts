import type * as vscode from 'vscode';
import { EventEmitter, Position, type Disposable, type Range, type Uri } from './basics.ts';
import { person } from './person.ts';

/** Why a document is saved. */
export const TextDocumentSaveReason = { Manual: 1, AfterDelay: 2, FocusOut: 3 } as const;
type SaveReason = (typeof TextDocumentSaveReason)[keyof typeof TextDocumentSaveReason];

/** Why a text changed, where it was neither typed nor read. */
export const TextDocumentChangeReason = { Undo: 1, Redo: 2 } as const;
type ChangeReason = (typeof TextDocumentChangeReason)[keyof typeof TextDocumentChangeReason];

/** What of a file system provider the editor uses to open and save a document. */
export type Provider = Pick<vscode.FileSystemProvider, 'stat' | 'readFile' | 'writeFile' | 'onDidChangeFile'>;

/** A part of a text and what takes its place. */
interface Replacement {
  range: Range;
  text: string;
}

export const willSave = new EventEmitter<{ document: TextDocument; reason: SaveReason }>();
export const didSave = new EventEmitter<TextDocument>();
export const didChange = new EventEmitter<{
  document: TextDocument;
  reason: ChangeReason | undefined;
  contentChanges: object[];
}>();
/** File systems by scheme. */
export const providers = new Map<string, { provider: Provider; changes: Disposable }>();

/** An open document. What is typed is unsaved until its file system accepts it. */
export class TextDocument {
  readonly languageId = 'json';
  readonly encoding = 'utf8';
  readonly uri: Uri;
  version = 1;
  isDirty = false;
  isClosed = false;
  #text: string;
  #savedText: string;
  /** Texts to go back to, and forward to after that. */
  readonly #past: string[] = [];
  readonly #future: string[] = [];
  #saving: Promise<boolean> | undefined;

  constructor(uri: Uri, text: string) {
    this.uri = uri;
    this.#text = this.#savedText = text;
  }

  getText(): string {
    return this.#text;
  }

  positionAt(offset: number): Position {
    const before = this.#text.slice(0, offset).split('\n');
    return new Position(before.length - 1, before.at(-1)?.length ?? 0);
  }

  /** Shows another text: typed, or read again. */
  show(text: string, isTyped: boolean): void {
    if (isTyped) this.#past.push(this.#text);
    else this.#savedText = text;
    this.#future.length = 0;
    this.#change(text, isTyped);
  }

  /** Makes several changes at once, each of the text before. */
  replace(changes: readonly Replacement[]): void {
    const offsetOf = ({ line, character }: Position) =>
      this.#text
        .split('\n')
        .slice(0, line)
        .reduce((sum, each) => sum + each.length + 1, character);
    const places = changes.map(({ range, text }) => ({ from: offsetOf(range.start), to: offsetOf(range.end), text }));
    const later = places.toSorted((one, other) => other.from - one.from);
    this.show(
      later.reduce((text, place) => text.slice(0, place.from) + place.text + text.slice(place.to), this.#text),
      true,
    );
  }

  /** Takes the last change back. */
  undo(): void {
    this.#travel(this.#past, this.#future, TextDocumentChangeReason.Undo);
  }

  /** Makes the last change again that was taken back. */
  redo(): void {
    this.#travel(this.#future, this.#past, TextDocumentChangeReason.Redo);
  }

  #travel(from: string[], to: string[], reason: ChangeReason): void {
    const text = from.pop();
    if (text === undefined) return;
    to.push(this.#text);
    this.#change(text, text !== this.#savedText, reason);
  }

  #change(text: string, isDirty: boolean, reason?: ChangeReason): void {
    this.#text = text;
    this.version += 1;
    const changed = (contentChanges: object[]) => didChange.fire({ document: this, reason, contentChanges });
    // The editor reports a text before it marks the document.
    changed([{ text }]);
    if (this.isDirty === isDirty) return;
    this.isDirty = isDirty;
    changed([]);
  }

  /** Saves as `Ctrl+S` does. @returns false when the file system refuses, whose reason the person reads. */
  save(reason: SaveReason = TextDocumentSaveReason.Manual): Promise<boolean> {
    // Another save while one runs is merged into it.
    this.#saving ??= this.#save(reason).finally(() => (this.#saving = undefined));
    return this.#saving;
  }

  async #save(reason: SaveReason): Promise<boolean> {
    if (!this.isDirty) return true;
    willSave.fire({ document: this, reason });
    const text = this.#text;
    try {
      await providerOf(this.uri).writeFile(real(this.uri), Buffer.from(text), { create: true, overwrite: true });
    } catch (error) {
      person.tell('message', String(error instanceof Error ? error.message : error));
      // The editor ends a refused save later than its file system.
      await new Promise((resolve) => void setImmediate(resolve));
      return false;
    }
    this.#savedText = text;
    this.isDirty = this.#text !== text;
    didSave.fire(this);
    await settled();
    return true;
  }
}

/** Our addresses do for the editor's: products only read their parts. */
function real(uri: Uri): vscode.Uri {
  return uri as unknown as vscode.Uri;
}

function providerOf({ scheme }: Uri): Provider {
  const found = providers.get(scheme);
  if (!found) throw new Error(`No file system for ${scheme}.`);
  return found.provider;
}

/** The text that a file system has for a document. */
export async function textFrom(uri: Uri): Promise<string> {
  const provider = providerOf(uri);
  await provider.stat(real(uri));
  return new TextDecoder().decode(await provider.readFile(real(uri)));
}

/** Documents that are read again, after their file system reported a change. */
export const reading = new Set<Promise<void>>();

/** Resolves when documents show what their file system reported. */
export async function settled(): Promise<void> {
  while (reading.size > 0) await Promise.all(reading);
}
