import * as vscode from 'vscode';
import { isTreeNode, objectOf } from '../tree/treeNode.ts';
import { chosenObjects, type ObjectVerb } from './chosenObjects.ts';
import type { CommandServices } from './services.ts';

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
      : services.view.selection;
  const values = chosen.flatMap((node) => (isTreeNode(node) ? (objectOf(node)?.[field] ?? []) : []));
  const wanted = values.length > 0 ? values : await askFor(field, services);
  if (wanted.length > 0) await vscode.env.clipboard.writeText(wanted.join('\n'));
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
