import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { inertText, displayText } from './displayText.ts';
import { kindLabel } from '../objects/kinds/kindLabels.ts';

/** URI scheme of documents of administered objects. */
export const documentScheme = 'analytics';

/** The object that a document shows; its server never changes. */
export interface DocumentTarget {
  readonly connectionId: string;
  /** Name of its kind, for example `policy`. */
  readonly kind: string;
  readonly id: string;
  /** Name shown on the tab. */
  readonly name: string;
  /**
   * Id of the installation it was read from; operations on any other installation are refused. Undefined if it was not
   * read yet.
   */
  readonly installation?: string | undefined;
}

/** Id prefix of objects that are not created yet. */
const newPrefix = 'new-';

/**
 * `analytics://<connection>/<kind>/<id>/<Readable Name>.<kind>.json?<installation>`: the installation id is included so
 * that a document is never saved to a different server at the same address.
 */
export function documentUri({ connectionId, kind, id, name }: DocumentTarget, installation: string): vscode.Uri {
  // The editor shows the name in its own messages. Excludes characters that would end a path segment or are invalid in
  // file names, for saving the document elsewhere.
  const fileName =
    inertText(name)
      .replace(/[\\/:*?"<>|\p{Cc}]+/gu, '-')
      .trim() || id;
  return vscode.Uri.from({
    scheme: documentScheme,
    authority: connectionId,
    path: `/${kind}/${encodeURIComponent(id)}/${fileName}.${kind}.json`,
    query: installation,
  });
}

/** Parses a document URI; undefined if it identifies no object. */
export function documentTarget(uri: vscode.Uri): DocumentTarget | undefined {
  const [, kind, id, fileName, ...rest] = uri.path.split('/');
  if (!kind || !id || !fileName || rest.length > 0 || !fileName.endsWith(`.${kind}.json`)) return undefined;
  const name = fileName.slice(0, -`.${kind}.json`.length);
  return { connectionId: uri.authority, kind, id: decodeURIComponent(id), name };
}

/**
 * Creates a unique target for an object to be created.
 * @param parent id of the parent object, for kinds that have one.
 */
export function newObjectTarget(connectionId: string, kind: string, name: string, parent?: string): DocumentTarget {
  const place = parent === undefined ? '' : `.${parent}`;
  return { connectionId, kind, id: `${newPrefix}${randomUUID().slice(0, 8)}${place}`, name };
}

/** Parent id of an object to be created; undefined if none was given. */
export function parentOfNew(target: DocumentTarget): string | undefined {
  const dot = target.id.indexOf('.');
  return isNewObject(target) && dot >= 0 ? target.id.slice(dot + 1) : undefined;
}

/** Whether the document's object is not created yet. */
export function isNewObject({ id }: DocumentTarget): boolean {
  return id.startsWith(newPrefix);
}

/** Label of a document's object in messages, for example `policy "Tenants"`. */
export function objectLabel(uri: vscode.Uri): string {
  const target = documentTarget(uri);
  return target ? targetLabel(target) : displayText(uri.path);
}

/**
 * Label of an object in messages, for example `group "North"`; the kind distinguishes it from a folder with the same
 * name.
 */
export function targetLabel({ kind, name }: Pick<DocumentTarget, 'kind' | 'name'>): string {
  return vscode.l10n.t('{0} "{1}"', kindLabel(kind), displayText(name));
}

/** The object of a document. @throws {Error} if it is not created yet: the server has nothing to show. */
export function createdTarget(uri: vscode.Uri): DocumentTarget {
  const target = documentTarget(uri);
  if (!target) throw vscode.FileSystemError.FileNotFound(uri);
  if (!isNewObject(target)) return target;
  throw new Error(vscode.l10n.t('Not on the server yet: save to create it.'));
}
