import { isTreeNode } from '../../editor/nodes/treeNode.ts';
import type { SidebarServices } from './sidebarServices.ts';

/** Reads a place of the sidebar again that could not be read. */
export function retryNode({ tree }: SidebarServices, argument?: unknown): void {
  if (isTreeNode(argument)) tree.retry(argument);
}
