import * as vscode from 'vscode';

const rows = 30;
const columns = 12;

/**
 * An extension beside the one that is measured: its command opens a page that shows a bare table, as large as the rows in view
 * of a results panel, and whose questions are answered with other cells at once. What it takes is the editor's own.
 */
export function activate({ subscriptions }: vscode.ExtensionContext): void {
  subscriptions.push(vscode.commands.registerCommand('barePage.open', openBarePage));
}

const html = `<!doctype html>
<meta charset="utf-8">
<style>
  body { margin: 0 }
  table { width: 100%; table-layout: fixed; border-collapse: collapse }
  td { height: 24px; padding: 0; overflow: hidden; white-space: nowrap }
</style>
<table id="bare">${`<tr>${'<td>x</td>'.repeat(columns)}</tr>`.repeat(rows)}</table>
<script>
  const editor = acquireVsCodeApi();
  const cells = [...document.querySelectorAll('td')].map((cell) => cell.firstChild);
  const table = document.getElementById('bare');
  const draw = (texts) => texts.forEach((text, i) => (cells[i].data = text));
  window.ask = (n) => editor.postMessage(n);
  window.draw = (n) => draw(cells.map((_, i) => 'row ' + (n * 1000 + i)));
  addEventListener('message', ({ data }) => {
    draw(JSON.parse(new TextDecoder().decode(data.bytes)));
    table.dataset.answer = data.n;
  });
</script>`;

function openBarePage(): void {
  const { webview } = vscode.window.createWebviewPanel('bare', 'Bare table', vscode.ViewColumn.One, {
    enableScripts: true,
  });
  webview.onDidReceiveMessage((n: number) => {
    const texts = Array.from({ length: rows * columns }, (_, i) => `row ${n * 1000 + i}`);
    const bytes = new TextEncoder().encode(JSON.stringify(texts)).slice();
    void webview.postMessage({ n, bytes });
  });
  webview.html = html;
}
