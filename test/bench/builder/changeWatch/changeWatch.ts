import { appendFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import * as vscode from 'vscode';

/**
 * An extension beside the one that is measured: writes when the text of a report's document changed, as every extension sees
 * it, and to what. One JSON array a line: milliseconds of the machine's clock, and the lines that changed.
 */
export function activate({ subscriptions }: vscode.ExtensionContext): void {
  const file = process.env.ANALYTICS_STUDIO_CHANGES;
  if (file === undefined) return;
  subscriptions.push(
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      const at = performance.timeOrigin + performance.now();
      if (document.uri.scheme !== 'analytics') return;
      const lines = contentChanges.map(({ range }) => document.lineAt(range.start.line).text);
      appendFileSync(file, `${JSON.stringify([at, ...lines])}\n`);
    }),
  );
}
