import * as vscode from 'vscode';

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
}

/** `analytics://<connection>/<kind>/<id>/<Readable Name>.<kind>.json` */
export function documentUri({ connectionId, kind, id, name }: DocumentTarget): vscode.Uri {
  // Characters that would end a path segment, or that no file name may hold when the document is saved elsewhere.
  const fileName = name.replace(/[\\/:*?"<>|\p{Cc}]+/gu, '-').trim() || id;
  return vscode.Uri.from({
    scheme: documentScheme,
    authority: connectionId,
    path: `/${kind}/${encodeURIComponent(id)}/${fileName}.${kind}.json`,
  });
}

/** The object that a URI names; undefined when it names none. */
export function documentTarget(uri: vscode.Uri): DocumentTarget | undefined {
  const [, kind, id, fileName, ...rest] = uri.path.split('/');
  if (!kind || !id || !fileName || rest.length > 0 || !fileName.endsWith(`.${kind}.json`)) return undefined;
  const name = fileName.slice(0, -`.${kind}.json`.length);
  return { connectionId: uri.authority, kind, id: decodeURIComponent(id), name };
}
