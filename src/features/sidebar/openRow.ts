import * as vscode from 'vscode';
import { revealRun } from '../reports/history/pastRuns.ts';
import type { CommandServices } from '../../editor/commands/services.ts';

/** The editor knows the row again within this time, in milliseconds, or it is gone. */
const knownWithin = 2_000;
const askAgainMs = 20;

/**
 * Does what a click on a row of the sidebar stands for. It is passed nothing, because the editor gives up what it was to pass
 * as soon as the row is drawn anew, and a click in that moment would do nothing but tell of an unknown command; a click also
 * selects its row, which stands until the editor knows the row again.
 */
export async function openRow({ view, tree }: CommandServices): Promise<void> {
  const row = await selectedRow(view);
  const command = row && tree.commandOf(row);
  if (command) await vscode.commands.executeCommand(command.command, ...((command.arguments ?? []) as unknown[]));
}

/** Shows the panel of the run that was clicked; see {@link openRow}. */
export async function openRun(services: CommandServices): Promise<void> {
  const run = await selectedRow(services.runsView);
  if (run) await revealRun(services, run);
}

/** The row that is selected, once the editor knows it. */
async function selectedRow<Row>(view: Pick<vscode.TreeView<Row>, 'selection'>): Promise<Row | undefined> {
  for (const end = Date.now() + knownWithin; ; await new Promise((resolve) => setTimeout(resolve, askAgainMs))) {
    const [row] = view.selection;
    if (row !== undefined || Date.now() > end) return row;
  }
}
