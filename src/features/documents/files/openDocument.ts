import * as vscode from 'vscode';
import type { PendingCreate } from '../../../objects/save/pendingCreate.ts';
import type { Json, JsonObject } from '../../../objects/json.ts';
import type { DocumentTarget } from '../../../editor/documentUri.ts';

/** A document whose object was saved. */
export interface SavedDocument {
  readonly uri: vscode.Uri;
  readonly target: DocumentTarget;
  /** Whether the object was created by it; `target` names the new object, `uri` the document it was written in. */
  readonly isNew: boolean;
}

/** A save, or a reading of what others had changed, that undo may lead back before. */
export interface EarlierStep {
  /** View that came before it: undo brings back what the server kept then. */
  readonly started: JsonObject;
  /** Fields that came from others, as they were in the text before: undo brings these back, which nobody means. */
  readonly joined: Readonly<Record<string, Json | undefined>>;
}

/** A document as the editor knows it. */
export interface OpenDocument {
  /**
   * View that edits start from: what the editor showed last without unsaved changes. Undefined for text that outlived a
   * window which ended before it could keep this.
   */
  base: JsonObject | undefined;
  /** What undo leads back before, the latest first. */
  earlier?: readonly EarlierStep[];
  /** Text that the editor showed last. */
  shown?: string;
  /** Latest text read from the server, and its view: the base as soon as the editor shows it. */
  served: { readonly text: string; readonly view: JsonObject };
  /** When its content last changed, as far as we saw; moves only when the content does. */
  mtime: number;
  /**
   * Bytes of the content when it was first read, for good: the editor would take another number for a change by somebody else, and
   * refuse in words of its own what was typed before it had read the content again. Who changed what, each save finds out itself.
   */
  readonly size: number;
  /** The object that this document created with its last save. */
  created?: DocumentTarget;
  /** Saves of a new object whose outcome is not known. */
  creates?: readonly PendingCreate[];
  /** What the next read gives in place of the server's state: just read, or still to be shown after a save. */
  ready?: string;
  /** Text that was saved last. */
  written?: string;
  /** Whether the editor has not read what was read back after the last save: it does not where somebody goes on typing. */
  isBehind?: boolean;
  /** When it was read from the server or saved last, in ms; undefined of what another window left, and of new objects. */
  readAt?: number;
}

/** The editor looks at a document several times in a row to open it: what was read for the first is good for this long, in ms. */
const freshMs = 1_000;

/** Whether what was read of a document may be shown as what the server has. */
export function isFresh({ readAt }: OpenDocument): boolean {
  return readAt === undefined || Date.now() - readAt < freshMs;
}

/** Whether the editor holds a document, so that it is told when that changes. */
export function isOpen(uri: vscode.Uri): boolean {
  const key = uri.toString();
  return vscode.workspace.textDocuments.some((document) => document.uri.toString() === key);
}

/** A moment after `mtime`, in ms: now, unless the clock stands still. */
export function after(mtime: number): number {
  return Math.max(Date.now(), mtime + 1);
}
