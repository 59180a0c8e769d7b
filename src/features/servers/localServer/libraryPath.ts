import type { ObjectTree } from '../../../editor/commands/services.ts';
import type { TreeConnection, TreeNode } from '../../../editor/nodes/treeNode.ts';

/** How many folders are searched for the first reports to show. */
const foldersLookedInto = 3;

/** The nodes to open, from the top down, so that a server's public library and its first reports are on display. */
export async function libraryPath(
  tree: Pick<ObjectTree, 'serverNode' | 'getChildren'>,
  connection: TreeConnection,
): Promise<TreeNode[]> {
  const path: TreeNode[] = [tree.serverNode(connection)];
  for (const kind of ['section', 'libraryRoot'] as const) {
    const next = (await tree.getChildren(path.at(-1))).find((child) => child.kind === kind);
    if (!next) return path;
    path.push(next);
  }
  const inLibrary = await tree.getChildren(path.at(-1));
  if (inLibrary.some((child) => child.kind === 'report')) return path;
  for (const folder of inLibrary.filter((child) => child.kind === 'folder').slice(0, foldersLookedInto)) {
    if ((await tree.getChildren(folder)).some((child) => child.kind === 'report')) return [...path, folder];
  }
  return path;
}
