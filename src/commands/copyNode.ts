import * as vscode from 'vscode';
import { isTreeNode, objectOf } from '../tree/treeNode.ts';
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
  { view }: CommandServices,
  argument: unknown,
  selection: unknown,
): Promise<void> {
  const chosen: readonly unknown[] = Array.isArray(selection)
    ? selection
    : isTreeNode(argument)
      ? [argument]
      : view.selection;
  const values = chosen.flatMap((node) => (isTreeNode(node) ? (objectOf(node)?.[field] ?? []) : []));
  if (values.length > 0) await vscode.env.clipboard.writeText(values.join('\n'));
}
