import { isTreeNode } from '../../editor/nodes/treeNode.ts';
import type { CommandServices } from '../../editor/commands/services.ts';

/** Reads a place of the sidebar again that could not be read. */
export function retryNode({ tree }: CommandServices, argument?: unknown): void {
  if (isTreeNode(argument)) tree.retry(argument);
}
