import * as vscode from 'vscode';

/** Tabs in which a document is open, as text or in an editor of its own. */
export function tabsOf(uri: vscode.Uri): vscode.Tab[] {
  const key = uri.toString();
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(({ input }) => {
      const isDocument = input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom;
      return isDocument && input.uri.toString() === key;
    });
}
