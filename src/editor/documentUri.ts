import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { inertText, displayText } from './displayText.ts';
import { kindLabel } from '../objects/kinds/kindLabels.ts';

/** Scheme of the documents of administered objects. */
export const documentScheme = 'analytics';

/** The object that a document shows: on one server, for good. */
export interface DocumentTarget {
  readonly connectionId: string;
  /** Name of its kind, for example `policy`. */
  readonly kind: string;
  readonly id: string;
  /** Name that the tab shows. */
  readonly name: string;
  /** Id of the installation that showed it: nothing is done with it on another one. Undefined where nothing showed it before. */
  readonly installation?: string | undefined;
}

/** What starts the id of an object that is not created yet. */
const newPrefix = 'new-';

/**
 * `analytics://<connection>/<kind>/<id>/<Readable Name>.<kind>.json?<installation>`: the installation id is part of it, so
 * that a document is never saved to another server that took the place of its own.
 */
export function documentUri({ connectionId, kind, id, name }: DocumentTarget, installation: string): vscode.Uri {
  // The editor puts the name into messages of its own. Characters that would end a path segment, or that no file name may hold when the document is saved elsewhere.
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

/** The object that a URI names; undefined when it names none. */
export function documentTarget(uri: vscode.Uri): DocumentTarget | undefined {
  const [, kind, id, fileName, ...rest] = uri.path.split('/');
  if (!kind || !id || !fileName || rest.length > 0 || !fileName.endsWith(`.${kind}.json`)) return undefined;
  const name = fileName.slice(0, -`.${kind}.json`.length);
  return { connectionId: uri.authority, kind, id: decodeURIComponent(id), name };
}

/**
 * A document for an object to be created, each with a place of its own.
 * @param parent id of the place that the object is to be in, where its kind has one.
 */
export function newObjectTarget(connectionId: string, kind: string, name: string, parent?: string): DocumentTarget {
  const place = parent === undefined ? '' : `.${parent}`;
  return { connectionId, kind, id: `${newPrefix}${randomUUID().slice(0, 8)}${place}`, name };
}

/** Id of the place that an object to be created is to be in; undefined where none was given. */
export function parentOfNew(target: DocumentTarget): string | undefined {
  const dot = target.id.indexOf('.');
  return isNewObject(target) && dot >= 0 ? target.id.slice(dot + 1) : undefined;
}

/** Whether a document's object is still to be created. */
export function isNewObject({ id }: DocumentTarget): boolean {
  return id.startsWith(newPrefix);
}

/** A document's object as messages name it, for example `policy "Tenants"`. */
export function objectLabel(uri: vscode.Uri): string {
  const target = documentTarget(uri);
  return target ? targetLabel(target) : displayText(uri.path);
}

/** An object as messages name it, for example `group "North"`: a folder may be called the same. */
export function targetLabel({ kind, name }: Pick<DocumentTarget, 'kind' | 'name'>): string {
  return vscode.l10n.t('{0} "{1}"', kindLabel(kind), displayText(name));
}
