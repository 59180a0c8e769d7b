import * as vscode from 'vscode';
import type { Span } from '../../objects/language/jsonText.ts';
import type { ObjectLink } from '../../objects/language/hints.ts';
import { displayText } from '../../connections/displayText.ts';

/** The range of a part of a document's text. */
export function rangeOf(document: vscode.TextDocument, { offset, length }: Span): vscode.Range {
  return new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
}

/** Text of a server as Markdown that shows it as it is: one paragraph a line, the first one strong. */
export function plainMarkdown(title: string, lines: readonly string[]): vscode.MarkdownString {
  const words = new vscode.MarkdownString();
  if (title !== '') words.appendMarkdown('**').appendText(displayText(title)).appendMarkdown('**');
  for (const line of lines) words.appendMarkdown('\n\n').appendText(displayText(line));
  return words;
}

/** URI of the command that opens an object as a document. */
export function openCommand(connectionId: string, { kind, id, name }: ObjectLink): vscode.Uri {
  const target = { connectionId, kind, id, name: displayText(name) };
  return vscode.Uri.parse(`command:analytics.object.open?${encodeURIComponent(JSON.stringify([target]))}`);
}
