import type { ShownKind } from '../../../editor/nodes/shownKind.ts';
import type { TreeNode } from '../../../editor/nodes/treeNode.ts';

/** Kinds of nodes that are read again by themselves; what lies in others came with the place around them. */
const refreshable = ['server', 'section', 'list', 'setting', 'registeredServer', 'reportType'];

/** The place that is read again when a node in it is. */
export function refreshedPlace(node: TreeNode): TreeNode {
  if (refreshable.includes(node.kind)) return node;
  return node.parent ? refreshedPlace(node.parent) : node;
}

/** Places that show objects of a kind, by {@link placeName}. */
export const placesOf: Record<ShownKind, readonly string[]> = {
  // Users hold seats of applications, and values of data tags.
  user: ['users', 'groups', 'policies', 'dataTags', 'semanticLayer', 'licences'],
  group: ['users', 'groups', 'policies', 'dataTags', 'library'],
  tag: ['dataTags'],
  policy: ['policies'],
  library: ['library'],
  application: ['semanticLayer', 'licences'],
  settings: ['settings'],
  smtp: ['smtp'],
  audit: ['audit'],
  licences: ['licences', 'semanticLayer'],
};

/** Name of a place by what it shows; empty for those that show what came with another. */
export function placeName(node: TreeNode): string {
  if (node.kind === 'list') return node.list;
  if (node.kind === 'section') return node.section;
  return node.kind === 'setting' ? node.setting : '';
}

/** Whether a node is a place or lies in it. */
export function isWithin(node: TreeNode, placeId: string): boolean {
  return node.id === placeId || (node.parent !== undefined && isWithin(node.parent, placeId));
}

/** Whether a node only says that its parent could not be read. */
export function isHindrance(node: TreeNode): boolean {
  if (node.kind === 'failure') return true;
  return node.kind === 'notice' && !['none', 'noneVisible', 'noneFiltered', 'noPermission'].includes(node.reason);
}
