import * as vscode from 'vscode';
import { displayText, asMarkdown, inertText } from './displayText.ts';

/** A diagnostic at a range of a document. */
export function diagnostic(
  range: vscode.Range,
  message: string,
  severity: vscode.DiagnosticSeverity,
): vscode.Diagnostic {
  return new vscode.Diagnostic(range, inertText(message), severity);
}

/** A code lens above a line of a document that runs a command. */
export function codeLens(range: vscode.Range, command: vscode.Command): vscode.CodeLens {
  return new vscode.CodeLens(range, { ...command, title: inertText(command.title) });
}

/** A code action for a diagnostic. */
export class InertCodeAction extends vscode.CodeAction {
  constructor(title: string, kind: vscode.CodeActionKind) {
    super(inertText(title), kind);
  }
}

/** An inlay hint in a document. */
export function inlayHint(position: vscode.Position, text: string): vscode.InlayHint {
  return new vscode.InlayHint(position, inertText(text));
}

/** A link in a document that runs a command of this extension. */
export function documentLink(range: vscode.Range, target: vscode.Uri, tooltip: string): vscode.DocumentLink {
  const link = new vscode.DocumentLink(range, target);
  // The editor inserts it into trusted Markdown, which can run commands.
  link.tooltip = asMarkdown(tooltip);
  return link;
}

/** A completion item; `detail` is shown after the label. */
export function completionItem(label: string, detail: string, kind: vscode.CompletionItemKind): vscode.CompletionItem {
  return new vscode.CompletionItem({ label: inertText(label), description: inertText(detail) }, kind);
}

/** A hover for a range of a document: the title in bold, and one paragraph per line. */
export function hover(range: vscode.Range, title: string, lines: readonly string[]): vscode.Hover {
  return new vscode.Hover(plainMarkdown(title, lines), range);
}

/** Text as Markdown that displays it literally: one paragraph per line, the first in bold. */
export function plainMarkdown(title: string, lines: readonly string[]): vscode.MarkdownString {
  const strong = title === '' ? [] : [`**${asMarkdown(displayText(title))}**`];
  return new vscode.MarkdownString([...strong, ...lines.map((line) => asMarkdown(displayText(line)))].join('\n\n'));
}
