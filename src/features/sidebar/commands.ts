import * as vscode from 'vscode';
import type { SidebarServices } from './serversTree.ts';
import { withSidebarProgress } from '../../editor/progress.ts';
import { isTreeNode, type TreeNode, objectOf } from '../../editor/nodes/treeNode.ts';
import type { CommandServices } from '../../editor/commands/services.ts';
import { createInputBox } from '../../editor/quickInput.ts';
import { setStatusBarMessage } from '../../editor/messages.ts';
import { displayText } from '../../editor/displayText.ts';
import { distinctBy, objectKey, selectedNodes } from '../../editor/nodes/selectedNodes.ts';
import { pickManyObjects, type ObjectVerb } from '../../editor/nodes/pickObjects.ts';

/** Refreshes the sidebar, whichever row has the focus. */
export async function refreshTree(services: CommandServices): Promise<void> {
  await refresh(services);
}

/** Refreshes a node of the sidebar. */
export async function refreshPlace(services: CommandServices, argument?: unknown): Promise<void> {
  await refresh(services, isTreeNode(argument) ? argument : undefined);
}

async function refresh({ tree }: CommandServices, place?: TreeNode): Promise<void> {
  await withSidebarProgress(() => tree.refresh(place));
}

/** Retries loading a node of the sidebar. */
export function retryLoading({ tree }: SidebarServices, argument?: unknown): void {
  if (isTreeNode(argument)) tree.retry(argument);
}

/** Filters the sidebar by name while the user types; Escape restores the previous filter. */
export async function filterTree({ tree, view }: SidebarServices): Promise<void> {
  const before = tree.filter;
  const box = createInputBox();
  box.title = vscode.l10n.t('Filter Sidebar');
  box.placeholder = vscode.l10n.t('Part of a name. Searches only loaded items. Leave empty to show all.');
  box.value = before;
  // Cleared while the input box shows it; updating both on every key press would delay the rows.
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
      if (shown !== '') view.message = vscode.l10n.t('Showing only loaded items whose names contain "{0}"', shown);
      resolve();
    });
    box.show();
  });
  box.dispose();
}

/** Clears the filter of the sidebar. */
export function clearFilter({ tree, view }: SidebarServices): void {
  tree.filter = '';
  view.message = undefined;
  void vscode.commands.executeCommand('setContext', 'analytics.filtered', false);
}

/** Shows the next rows of a long list and reveals the first of them. */
export async function showMore(services: SidebarServices, argument?: unknown): Promise<void> {
  await extend(services, argument, false);
}

/** Shows all rows of a long list and reveals the first that was hidden. */
export async function showAll(services: SidebarServices, argument?: unknown): Promise<void> {
  await extend(services, argument, true);
}

async function extend({ tree, view }: SidebarServices, argument: unknown, isAll: boolean): Promise<void> {
  if (!isTreeNode(argument) || argument.kind !== 'more') return;
  const first = await tree.showMore(argument, isAll);
  if (first) await view.reveal(first, { select: true, focus: true });
}

/** Copies the ids of the selected objects, one per line. */
export async function copyId(services: CommandServices, argument?: unknown, selection?: unknown): Promise<void> {
  await copy('id', services, argument, selection);
}

/** Copies the names of the selected objects, one per line. */
export async function copyName(services: CommandServices, argument?: unknown, selection?: unknown): Promise<void> {
  await copy('name', services, argument, selection);
}

async function copy(
  field: 'id' | 'name',
  services: CommandServices,
  argument: unknown,
  selection: unknown,
): Promise<void> {
  const chosen: readonly unknown[] = Array.isArray(selection)
    ? selection
    : isTreeNode(argument)
      ? [argument]
      : selectedNodes(services);
  const nodes = distinctBy(chosen.filter(isTreeNode), (node) => `${node.connection.id} ${objectKey(node)}`);
  const values = nodes.flatMap((node) => objectOf(node)?.[field] ?? []);
  const wanted = values.length > 0 ? values : await askFor(field, services);
  if (wanted.length === 0) return;
  await vscode.env.clipboard.writeText(wanted.join('\n'));
  const [only] = wanted;
  const words =
    wanted.length === 1 && only !== undefined
      ? vscode.l10n.t('Copied: {0}', displayText(only))
      : vscode.l10n.t('Copied: {0} lines', wanted.length);
  setStatusBarMessage(displayText(words), 4_000);
}

/** Asks for objects from the lists of a server and returns their ids or names. */
async function askFor(field: 'id' | 'name', services: CommandServices): Promise<string[]> {
  const verb: ObjectVerb = {
    title: field === 'id' ? vscode.l10n.t('Copy ID') : vscode.l10n.t('Copy Name'),
    capability: 'copy',
    fits: (kind) => kind.list !== undefined,
    takesSeveral: true,
  };
  const chosen = await pickManyObjects(services, verb, undefined, undefined);
  return chosen?.targets.map((target) => target[field]) ?? [];
}
