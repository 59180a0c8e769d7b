import * as vscode from 'vscode';
import type { Span } from '../../../objects/language/jsonText.ts';
import type { ObjectLink } from '../../../objects/language/hints.ts';
import { displayText } from '../../../editor/displayText.ts';

/** The range of a part of a document's text. */
export function rangeOf(document: vscode.TextDocument, { offset, length }: Span): vscode.Range {
  return new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
}

/** URI of the command that opens an object as a document. */
export function openCommand(connectionId: string, { kind, id, name }: ObjectLink): vscode.Uri {
  const target = { connectionId, kind, id, name: displayText(name) };
  return vscode.Uri.parse(`command:analytics.object.open?${encodeURIComponent(JSON.stringify([target]))}`);
}
