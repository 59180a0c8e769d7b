import type { Connection } from '../../connections/connection.ts';
import type { TreeNode } from '../../editor/nodes/treeNode.ts';
import { clearFilter } from './filterTree.ts';
import type { SidebarServices } from './sidebarServices.ts';

/** Which row comes next on the way to one. */
export type Step = (node: TreeNode) => boolean;

/**
 * Goes to a row of a server in the sidebar: unfolds the way there, past the limits of long lists, and selects it.
 * @param steps each picks the next row below the one before; the first below the server.
 * @returns whether it was found.
 */
export async function showInSidebar(
  services: SidebarServices,
  connection: Connection,
  steps: readonly Step[],
): Promise<boolean> {
  const { tree, view } = services;
  if (tree.filter !== '') clearFilter(services);
  let node: TreeNode = tree.serverNode(connection);
  for (const step of steps) {
    const next: TreeNode | undefined = (await allRows(services, node)).find(step);
    if (!next) return false;
    node = next;
  }
  await view.reveal(node, { select: true, focus: true, expand: true });
  return true;
}

/** The rows of a place; of a long list, those too that it does not show yet. Only rows that are shown can be gone to. */
async function allRows({ tree }: SidebarServices, place: TreeNode): Promise<readonly TreeNode[]> {
  const rows = await tree.getChildren(place);
  const more = rows.find((row) => row.kind === 'more');
  if (!more) return rows;
  await tree.showMore(more, true);
  return tree.getChildren(place);
}
