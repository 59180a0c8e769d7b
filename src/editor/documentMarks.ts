import * as vscode from 'vscode';
import { displayText, asMarkdown, inertText } from './displayText.ts';

/** A problem at a place of a document. */
export function diagnostic(
  range: vscode.Range,
  message: string,
  severity: vscode.DiagnosticSeverity,
): vscode.Diagnostic {
  return new vscode.Diagnostic(range, inertText(message), severity);
}

/** Words above a line of a document, which run a command. */
export function codeLens(range: vscode.Range, command: vscode.Command): vscode.CodeLens {
  return new vscode.CodeLens(range, { ...command, title: inertText(command.title) });
}

/** A change that the editor offers at a problem. */
export class InertCodeAction extends vscode.CodeAction {
  constructor(title: string, kind: vscode.CodeActionKind) {
    super(inertText(title), kind);
  }
}

/** Words between the characters of a document. */
export function inlayHint(position: vscode.Position, text: string): vscode.InlayHint {
  return new vscode.InlayHint(position, inertText(text));
}

/** A part of a document that runs a command of ours when it is clicked. */
export function documentLink(range: vscode.Range, target: vscode.Uri, tooltip: string): vscode.DocumentLink {
  const link = new vscode.DocumentLink(range, target);
  // The editor puts it into Markdown that may run commands.
  link.tooltip = asMarkdown(tooltip);
  return link;
}

/** What is offered at the cursor; `detail` stands behind it. */
export function completionItem(label: string, detail: string, kind: vscode.CompletionItemKind): vscode.CompletionItem {
  return new vscode.CompletionItem({ label: inertText(label), description: inertText(detail) }, kind);
}

/** What the mouse finds at a place of a document: a strong line, and a paragraph for each further one. */
export function hover(range: vscode.Range, title: string, lines: readonly string[]): vscode.Hover {
  return new vscode.Hover(plainMarkdown(title, lines), range);
}

/** Text as Markdown that shows it as it is: one paragraph a line, the first one strong. */
export function plainMarkdown(title: string, lines: readonly string[]): vscode.MarkdownString {
  const strong = title === '' ? [] : [`**${asMarkdown(displayText(title))}**`];
  return new vscode.MarkdownString([...strong, ...lines.map((line) => asMarkdown(displayText(line)))].join('\n\n'));
}
