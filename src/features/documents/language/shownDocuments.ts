import * as vscode from 'vscode';

/** Documents that a tab shows: one, or the two sides of a comparison. */
export function urisOfTab({ input }: vscode.Tab): vscode.Uri[] {
  if (input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom) return [input.uri];
  return input instanceof vscode.TabInputTextDiff ? [input.original, input.modified] : [];
}

/** Whether any tab shows a document. */
export function isShown(uri: vscode.Uri): boolean {
  const key = uri.toString();
  return vscode.window.tabGroups.all.some(({ tabs }) => tabs.some((tab) => urisOfTab(tab).map(String).includes(key)));
}
