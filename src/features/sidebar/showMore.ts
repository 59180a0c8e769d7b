import { isTreeNode } from '../../editor/nodes/treeNode.ts';
import type { SidebarServices } from './sidebarServices.ts';

/** Shows the next rows of a long list and goes to the first of them. */
export async function showMore(services: SidebarServices, argument?: unknown): Promise<void> {
  await extend(services, argument, false);
}

/** Shows all rows of a long list and goes to the first that was not shown before. */
export async function showAll(services: SidebarServices, argument?: unknown): Promise<void> {
  await extend(services, argument, true);
}

async function extend({ tree, view }: SidebarServices, argument: unknown, isAll: boolean): Promise<void> {
  if (!isTreeNode(argument) || argument.kind !== 'more') return;
  const first = await tree.showMore(argument, isAll);
  if (first) await view.reveal(first, { select: true, focus: true });
}
