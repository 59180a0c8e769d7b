import * as vscode from 'vscode';
import type { PendingCreate } from '../../../objects/save/pendingCreate.ts';
import type { Json, JsonObject } from '../../../objects/json.ts';
import type { DocumentTarget } from '../../../editor/documentUri.ts';

/** A document whose object was saved. */
export interface SavedDocument {
  readonly uri: vscode.Uri;
  readonly target: DocumentTarget;
  /** Whether the save created the object; `target` is the new object, `uri` the document it was written in. */
  readonly isNew: boolean;
}

/** A save, or a merge of changes by others, that undo may go back before. */
export interface EarlierStep {
  /** View before the step: undo restores the values that the server maintained then. */
  readonly started: JsonObject;
  /** Fields changed by others, with their earlier text values: undo restores these unintentionally. */
  readonly joined: Readonly<Record<string, Json | undefined>>;
}

/** State of a document that the editor has read. */
export interface OpenDocument {
  /**
   * Base view of the edits: what the editor last showed without unsaved changes. Undefined for text restored from a
   * window that ended before it could store the base.
   */
  base: JsonObject | undefined;
  /** Steps that undo may go back before, latest first. */
  earlier?: readonly EarlierStep[];
  /** Text last shown by the editor. */
  shown?: string;
  /** Text last read from the server, and its view: becomes the base as soon as the editor shows it. */
  served: { readonly text: string; readonly view: JsonObject };
  /** Time of the last known content change; only advances when the content changes. */
  mtime: number;
  /**
   * Size in bytes when first read; never updated: the editor would interpret a different size as an external change,
   * and reject edits typed before it reloaded the content with its own error. Each save detects conflicts itself.
   */
  readonly size: number;
  /** The object that the last save of this document created. */
  created?: DocumentTarget;
  /** Saves of a new object with an unknown outcome. */
  creates?: readonly PendingCreate[];
  /** Text for the next read in place of the server's state: just read, or to be shown after a save. */
  ready?: string;
  /** Text last saved. */
  written?: string;
  /** Whether the editor has not reloaded the result of the last save, because the user kept typing. */
  isBehind?: boolean;
  /** Time of the last read or save, in ms; undefined for state from another window and for new objects. */
  readAt?: number;
}

/** The editor stats and reads a document several times to open it: the first result is reused for this long, in ms. */
const freshMs = 1_000;

/** Whether the last read of a document is recent enough to show. */
export function isFresh({ readAt }: OpenDocument): boolean {
  return readAt === undefined || Date.now() - readAt < freshMs;
}

/** Whether the editor has the document open, and so reloads it after a change event. */
export function isOpen(uri: vscode.Uri): boolean {
  const key = uri.toString();
  return vscode.workspace.textDocuments.some((document) => document.uri.toString() === key);
}

/** A timestamp after `mtime`, in ms: now, or later if the clock did not advance. */
export function after(mtime: number): number {
  return Math.max(Date.now(), mtime + 1);
}
