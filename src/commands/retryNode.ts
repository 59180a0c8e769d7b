import { isTreeNode } from '../tree/treeNode.ts';
import type { CommandServices } from './services.ts';

/** Reads a place of the sidebar again that could not be read. */
export function retryNode({ tree }: CommandServices, argument?: unknown): void {
  if (isTreeNode(argument)) tree.retry(argument);
}
