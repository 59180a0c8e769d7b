import * as vscode from 'vscode';
import { isTreeNode } from '../../editor/nodes/treeNode.ts';
import { withNextRow, type RowView } from './nextRow.ts';
import { currentNodes } from '../../editor/nodes/selectedNodes.ts';
import type { Command, CommandServices } from '../../editor/commands/services.ts';

/** Argument that keybindings of the views pass to their commands; also used in the manifest. */
export const byKey = 'focused';
/** The editor reports a selection within this time, in milliseconds, or not at all. */
const toldWithin = 2_000;

/**
 * The arguments of a command run by a keybinding: the focused row, which moves with the arrow keys and is not exposed
 * by the API. It is determined by the editor's command that toggles the focused row in the selection; a selection of
 * several rows that includes the focused one is preserved.
 * @returns the command's arguments; undefined if the focus could not be determined.
 */
export async function calledOn<Node>(
  view: vscode.TreeView<Node>,
  argument: unknown,
  selection?: unknown,
): Promise<[argument: unknown, selection: unknown] | undefined> {
  if (argument !== byKey) return [argument, selection];
  const before = view.selection;
  // With two selected rows, deselecting one would open the other.
  if (before.length === 2) return [before[0], before];
  const after = await toggled(view);
  // Without any row the command asks for an object.
  if (!after) return before.length === 0 ? [undefined, undefined] : undefined;
  const focused = after.find((node) => !before.includes(node));
  const [only] = focused ? [focused] : before;
  if (!only) return undefined;
  if (focused || before.length === 1) {
    await view.reveal(only, { select: true, focus: true });
    return [only, [only]];
  }
  await toggled(view);
  // The focused row determines the meaning of the key: a server is removed from the list, a member from the group.
  return [before.find((node) => !after.includes(node)) ?? before[0], before];
}

/**
 * Wraps a command so that a view's keybinding runs it on the focused row; other calls pass their arguments unchanged. If
 * the command removes the row, the next one becomes active.
 */
export function onFocused<Node, Services extends CommandServices>(
  rowsOf: (services: Services) => RowView<Node>,
  command: Command<Services>,
): Command<Services> {
  return async (services, argument, selection) => {
    const rows = rowsOf(services);
    const called = await calledOn(rows.view, argument, selection);
    if (!called) return;
    const [row] = called;
    const run = () => command(services, ...called.map((one) => currentNodes(one, services.tree)));
    // Other calls on the sidebar's rows are wrapped where they are registered.
    const isOwn = argument === byKey || !isTreeNode(row);
    await (isOwn && rows.isRow(row) ? withNextRow(rows, row, run) : run());
  };
}

/** The selection after the focused row was toggled. */
async function toggled<Node>(view: vscode.TreeView<Node>): Promise<readonly Node[] | undefined> {
  let listening: vscode.Disposable | undefined;
  let timer: NodeJS.Timeout | undefined;
  const told = new Promise<readonly Node[] | undefined>((resolve) => {
    listening = view.onDidChangeSelection(({ selection }) => resolve(selection));
    timer = setTimeout(() => resolve(undefined), toldWithin);
  });
  await vscode.commands.executeCommand('list.toggleSelection');
  const after = await told;
  clearTimeout(timer);
  listening?.dispose();
  return after;
}
