import { isTreeNode } from '../tree/treeNode.ts';

/**
 * What renaming or deleting a row means: a server is renamed in the list and removed from it, a member is taken out of its
 * group, and anything else is an object of a server.
 */
export function rowKind(argument: unknown): 'server' | 'member' | 'object' {
  if (!isTreeNode(argument)) return 'object';
  return argument.kind === 'server' || argument.kind === 'member' ? argument.kind : 'object';
}
