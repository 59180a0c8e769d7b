import * as vscode from 'vscode';
import { inertText } from './displayText.ts';

/** Creates a webview panel. */
export function createWebviewPanel(
  viewType: string,
  title: string,
  column: Parameters<typeof vscode.window.createWebviewPanel>[2],
  options?: Parameters<typeof vscode.window.createWebviewPanel>[3],
): vscode.WebviewPanel {
  return vscode.window.createWebviewPanel(viewType, inertText(title), column, options);
}

/** Sets the title of a panel. */
export function setPanelTitle(panel: vscode.WebviewPanel, title: string): void {
  const text = inertText(title);
  if (panel.title !== text) panel.title = text;
}

/** Opens two texts in a diff editor. */
export async function openDiff(left: vscode.Uri, right: vscode.Uri, title: string): Promise<void> {
  await vscode.commands.executeCommand('vscode.diff', left, right, inertText(title));
}

/** Asks where to save a file. */
export function showSaveDialog(options: vscode.SaveDialogOptions): Thenable<vscode.Uri | undefined> {
  return vscode.window.showSaveDialog({ ...options, ...(options.title && { title: inertText(options.title) }) });
}

/** Asks for files to open. */
export function showOpenDialog(options: vscode.OpenDialogOptions): Thenable<vscode.Uri[] | undefined> {
  return vscode.window.showOpenDialog({
    ...options,
    ...(options.title && { title: inertText(options.title) }),
    ...(options.openLabel && { openLabel: inertText(options.openLabel) }),
  });
}
