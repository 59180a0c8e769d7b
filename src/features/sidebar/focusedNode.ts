import * as vscode from 'vscode';
import { currentNodes } from '../../editor/nodes/selectedNodes.ts';
import type { Command, CommandServices } from '../../editor/commands/services.ts';

/** What keys of the views pass to their commands; it stands in the manifest. */
export const byKey = 'focused';
/** The editor tells of a selection within this time, in milliseconds, or not at all. */
const toldWithin = 2_000;

/**
 * What a command is called on, when it is called by a key: the row that has the focus, which the arrow keys move and the
 * editor tells nobody. Its own command that adds this row to the selection, or takes it away, gives it away; a selection of
 * several rows that the focus is among stays as it is.
 * @returns the arguments of the command; undefined when the focus could not be found out.
 */
export async function calledOn<Node>(
  view: vscode.TreeView<Node>,
  argument: unknown,
  selection?: unknown,
): Promise<[argument: unknown, selection: unknown] | undefined> {
  if (argument !== byKey) return [argument, selection];
  const before = view.selection;
  // Of two, none can be taken away without opening the other.
  if (before.length === 2) return [before[0], before];
  const after = await toggled(view);
  // Without a row at all the command asks what it is for.
  if (!after) return before.length === 0 ? [undefined, undefined] : undefined;
  const focused = after.find((node) => !before.includes(node));
  const [only] = focused ? [focused] : before;
  if (!only) return undefined;
  if (focused || before.length === 1) {
    await view.reveal(only, { select: true, focus: true });
    return [only, [only]];
  }
  await toggled(view);
  // The row with the focus says what the key means: a server is removed from the list, a member taken out of the group.
  return [before.find((node) => !after.includes(node)) ?? before[0], before];
}

/** A command that a key of a view calls on the row with the focus, and everything else as it says. */
export function onFocused<Node, Services extends CommandServices>(
  viewOf: (services: Services) => vscode.TreeView<Node>,
  command: Command<Services>,
): Command<Services> {
  return async (services, argument, selection) => {
    const called = await calledOn(viewOf(services), argument, selection);
    if (called) await command(services, ...called.map((one) => currentNodes(one, services.tree)));
  };
}

/** The selection after the row with the focus was put in or taken out. */
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
