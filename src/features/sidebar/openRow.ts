import * as vscode from 'vscode';
import { selectedRow } from '../../editor/treeView.ts';
import type { SidebarServices } from './sidebarServices.ts';

/**
 * Does what a click on a row of the sidebar stands for. It is passed nothing, because the editor gives up what it was to pass
 * as soon as the row is drawn anew, and a click in that moment would do nothing but tell of an unknown command; a click also
 * selects its row, which stands until the editor knows the row again.
 */
export async function openRow({ view, tree }: SidebarServices): Promise<void> {
  const row = await selectedRow(view);
  const command = row && tree.commandOf(row);
  if (command) await vscode.commands.executeCommand(command.command, ...((command.arguments ?? []) as unknown[]));
}
