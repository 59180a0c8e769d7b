import * as vscode from 'vscode';
import { createInputBox } from '../../editor/quickInput.ts';
import type { SidebarServices } from './sidebarServices.ts';

/** Narrows the sidebar, while the user types, to what has a text in its name; Escape brings back what was before. */
export async function filterTree({ tree, view }: SidebarServices): Promise<void> {
  const before = tree.filter;
  const box = createInputBox();
  box.title = vscode.l10n.t('Filter the Sidebar');
  box.placeholder = vscode.l10n.t('Part of a name; among what was opened. Empty shows all.');
  box.value = before;
  // While the box says it; told of both at each key, the editor would draw the rows later.
  view.message = undefined;
  const set = (text: string) => {
    tree.filter = text;
    void vscode.commands.executeCommand('setContext', 'analytics.filtered', tree.filter !== '');
  };
  await new Promise<void>((resolve) => {
    let isAccepted = false;
    box.onDidChangeValue(set);
    box.onDidAccept(() => {
      isAccepted = true;
      box.hide();
    });
    box.onDidHide(() => {
      if (!isAccepted) set(before);
      const shown = isAccepted ? box.value.trim() : before;
      if (shown !== '') view.message = vscode.l10n.t('Only names with "{0}", among what was opened', shown);
      resolve();
    });
    box.show();
  });
  box.dispose();
}

/** Shows everything in the sidebar again. */
export function clearFilter({ tree, view }: SidebarServices): void {
  tree.filter = '';
  view.message = undefined;
  void vscode.commands.executeCommand('setContext', 'analytics.filtered', false);
}
