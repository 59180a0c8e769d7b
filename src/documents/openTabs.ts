import * as vscode from 'vscode';

/** How often, and how long each time in ms, a document is waited for to close. */
const closing = { tries: 5, patienceMs: 1_000 };

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

/**
 * Closes the tabs of a document. The editor leaves a tab alone that it has drawn anew since it told of it, without saying
 * so: those that are there by then are closed. What the user is asked about and chooses to keep stays.
 */
export async function closeTabs(uri: vscode.Uri): Promise<void> {
  for (let tried = 0; tried < closing.tries && tabsOf(uri).length > 0; tried++) {
    if (!(await vscode.window.tabGroups.close(tabsOf(uri)))) return;
    if (tabsOf(uri).length > 0) await nextTabChange();
  }
}

async function nextTabChange(): Promise<void> {
  await new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer);
      subscription.dispose();
      resolve();
    };
    const timer = setTimeout(done, closing.patienceMs);
    const subscription = vscode.window.tabGroups.onDidChangeTabs(done);
  });
}
