import { isTreeNode } from '../tree/treeNode.ts';
import type { CommandServices } from './services.ts';

/** Reads the sidebar again: the place of the given node, or everything that is open. */
export function refreshTree({ tree }: CommandServices, argument?: unknown): void {
  tree.refresh(isTreeNode(argument) ? argument : undefined);
}
