import * as vscode from 'vscode';
import { noticeHtml } from '../../../editor/pages/pageHtml.ts';

/** Says, in a comparison's panel that the editor brings back after a reload, why it is empty and how to get it again. */
export function showLostComparison(panel: vscode.WebviewPanel): void {
  const text = vscode.l10n.t(
    'The rows that were compared were not kept when the window was closed. Run the reports again and compare the runs from the view Runs.',
  );
  panel.iconPath = new vscode.ThemeIcon('diff');
  panel.webview.html = noticeHtml(panel.title, text, vscode.env.language);
}
