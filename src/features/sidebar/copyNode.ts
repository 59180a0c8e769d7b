import * as vscode from 'vscode';
import { setStatusBarMessage } from '../../editor/statusBar.ts';
import { displayText } from '../../editor/displayText.ts';
import { isTreeNode, objectOf } from '../../editor/nodes/treeNode.ts';
import { eachOnce, objectKey, selectedNodes } from '../../editor/nodes/chosenNodes.ts';
import { chosenObjects, type ObjectVerb } from '../../editor/nodes/chosenObjects.ts';
import type { CommandServices } from '../../editor/commands/services.ts';

/** Copies the ids of the chosen objects, one a line. */
export async function copyId(services: CommandServices, argument?: unknown, selection?: unknown): Promise<void> {
  await copy('id', services, argument, selection);
}

/** Copies the names of the chosen objects, one a line. */
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
  const nodes = eachOnce(chosen.filter(isTreeNode), (node) => `${node.connection.id} ${objectKey(node)}`);
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

/** Ids or names of objects that the user chooses from the lists of a server. */
async function askFor(field: 'id' | 'name', services: CommandServices): Promise<string[]> {
  const verb: ObjectVerb = {
    title: field === 'id' ? vscode.l10n.t('Copy ID') : vscode.l10n.t('Copy Name'),
    capability: 'copy',
    fits: (kind) => kind.list !== undefined,
    takesSeveral: true,
  };
  const chosen = await chosenObjects(services, verb, undefined, undefined);
  return chosen?.targets.map((target) => target[field]) ?? [];
}
