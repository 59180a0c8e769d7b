import type { Connection } from '../../connections/connection.ts';
import { isTreeNode, objectOf, type TreeNode } from './treeNode.ts';
import type { CommandServices, ObjectTree } from '../commands/services.ts';

/** Nodes that were dropped onto another, as the sidebar passes them to a command. */
export interface Drop {
  dropped: readonly TreeNode[];
  onto: TreeNode;
}

/** Nodes of one server that a command was called on. */
export interface SelectedNodes<K extends TreeNode['kind']> {
  connection: Connection;
  nodes: NodeOf<K>[];
}

/** Node of a kind; kinds that share an interface stand for it together. */
type NodeOf<K extends TreeNode['kind']> = TreeNode extends infer N
  ? N extends { kind: infer J }
    ? K & J extends never
      ? never
      : N
    : never
  : never;

/**
 * The nodes of certain kinds that a command was called on: those selected when the node is among them, else the node. Nodes
 * of other servers are left out, and so are further rows of the same object: a report stands in its folder and among the
 * favourites. A member of several groups is several memberships.
 * @returns undefined when it was called without such a node, as from the palette.
 */
export function selectedOf<K extends TreeNode['kind']>(
  { connections }: CommandServices,
  argument: unknown,
  selection: unknown,
  ...kinds: readonly K[]
): SelectedNodes<K> | undefined {
  const isFitting = (value: unknown): value is NodeOf<K> =>
    isTreeNode(value) && kinds.some((kind) => kind === value.kind);
  const all = (Array.isArray(selection) ? [...(selection as unknown[])] : [argument]).filter(isFitting);
  const [first] = isFitting(argument) ? [argument] : all;
  const connection = first && connections.get(first.connection.id);
  if (!connection) return undefined;
  const nodes = all.filter((node) => node.connection.id === connection.id);
  return { connection, nodes: distinctBy(nodes, (node) => (node.kind === 'member' ? node.id : objectKey(node))) };
}

/** The first of those that have the same key. */
export function distinctBy<T>(all: readonly T[], keyOf: (one: T) => string): T[] {
  const seen = new Set<string>();
  return all.filter((one) => {
    const { size } = seen;
    return seen.add(keyOf(one)).size > size;
  });
}

/** What lies in folders before the folders, and folders before those around them: what is done to a folder may end what is in it. */
export function deepestFirst(selected: readonly unknown[]): unknown[] {
  const depthOf = (node: TreeNode): number => (node.parent ? 1 + depthOf(node.parent) : 0);
  const rank = (one: unknown) => (isTreeNode(one) && one.kind === 'folder' ? 1 / (1 + depthOf(one)) : 0);
  return [...selected].sort((a, b) => rank(a) - rank(b));
}

/** Tells apart the objects of one server that rows stand for. A member of a group is the user. */
export function objectKey(node: TreeNode): string {
  const object = objectOf(node);
  // What is known by its place alone.
  if (!object || ['reportType', 'field', 'fact'].includes(node.kind)) return node.id;
  return `${node.kind === 'member' ? 'user' : node.kind} ${object.id}`;
}

/** The selected rows of the sidebar, as they are now. */
export function selectedNodes({ view, tree }: Pick<CommandServices, 'view' | 'tree'>): TreeNode[] {
  return view.selection.map((row) => tree.current(row));
}

/**
 * What a command was called on, as it is now: rows of the sidebar stay the objects that the editor was first given, whatever
 * was read since.
 */
export function currentNodes(given: unknown, tree: Pick<ObjectTree, 'current'>): unknown {
  if (Array.isArray(given)) return given.map((one: unknown) => currentNodes(one, tree));
  if (isTreeNode(given)) return tree.current(given);
  if (!isDrop(given)) return given;
  return { dropped: given.dropped.map((node) => tree.current(node)), onto: tree.current(given.onto) };
}

/** Whether a command's argument is a drop. */
export function isDrop(value: unknown): value is Drop {
  return (
    typeof value === 'object' &&
    value !== null &&
    'dropped' in value &&
    Array.isArray(value.dropped) &&
    value.dropped.every(isTreeNode) &&
    'onto' in value &&
    isTreeNode(value.onto)
  );
}
