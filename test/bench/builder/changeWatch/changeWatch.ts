import { appendFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import * as vscode from 'vscode';

/**
 * An extension beside the one that is measured: writes when the text of a report's document changed, as every extension sees
 * it, and to what. One JSON array a line: milliseconds of the machine's clock, and the lines that changed. Its command opens
 * a page that does nothing but put the same letters into the same document, so that what the editor takes by itself is known.
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
    vscode.commands.registerCommand('changeWatch.bare', openBarePage),
  );
}

const html = `<!doctype html>
<meta charset="utf-8">
<input id="bare" aria-label="Bare">
<script>
  const { postMessage } = acquireVsCodeApi();
  document.getElementById('bare').addEventListener('input', () => postMessage('x'));
</script>`;

/** Each letter typed goes behind the names that end in the letters before it. */
function openBarePage(): void {
  const { webview } = vscode.window.createWebviewPanel('bare', 'Bare page', vscode.ViewColumn.One, {
    enableScripts: true,
  });
  webview.onDidReceiveMessage(async () => {
    const document = vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === 'analytics');
    const found = document && /"DisplayFieldName": "[^"]*x"/.exec(document.getText());
    if (!document || !found) return;
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, document.positionAt(found.index + found[0].length - 1), 'x');
    await vscode.workspace.applyEdit(edit);
  });
  webview.html = html;
}
