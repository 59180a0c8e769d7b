import type { Connection } from '../../connections/connection.ts';
import { isTreeNode, objectOf, type TreeNode } from './treeNode.ts';
import type { CommandServices, ObjectTree } from '../commands/services.ts';

/** Nodes dropped onto another node, as the sidebar passes them to a command. */
export interface Drop {
  dropped: readonly TreeNode[];
  onto: TreeNode;
}

/** Nodes of one server that a command was called on. */
export interface SelectedNodes<K extends TreeNode['kind']> {
  connection: Connection;
  nodes: NodeOf<K>[];
}

/** Node type of a kind; kinds that share an interface resolve to that interface. */
type NodeOf<K extends TreeNode['kind']> = TreeNode extends infer N
  ? N extends { kind: infer J }
    ? K & J extends never
      ? never
      : N
    : never
  : never;

/**
 * The nodes of certain kinds a command was called on: the selection if it includes the node, otherwise the node. Omits
 * nodes of other servers and duplicates of the same object, since a report appears in its folder and among the
 * favourites. A member of several groups counts as several memberships, and likewise a holder of seats.
 * @returns undefined if it was called without such a node, for example from the Command Palette.
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
  return { connection, nodes: distinctBy(nodes, (node) => (isRelation(node) ? node.id : objectKey(node))) };
}

/** Removes items with duplicate keys; the first one is preserved. */
export function distinctBy<T>(all: readonly T[], keyOf: (one: T) => string): T[] {
  const seen = new Set<string>();
  return all.filter((one) => {
    const { size } = seen;
    return seen.add(keyOf(one)).size > size;
  });
}

/**
 * Sorts contents before their folders, and subfolders before their parents: an operation on a folder may remove its
 * contents.
 */
export function deepestFirst(selected: readonly unknown[]): unknown[] {
  const depthOf = (node: TreeNode): number => (node.parent ? 1 + depthOf(node.parent) : 0);
  const rank = (one: unknown) => (isTreeNode(one) && one.kind === 'folder' ? 1 / (1 + depthOf(one)) : 0);
  return [...selected].sort((a, b) => rank(a) - rank(b));
}

/** Identifies a node's object within its server. The object of a group member or holder of seats is the user. */
export function objectKey(node: TreeNode): string {
  const object = objectOf(node);
  // Identified only by its position in the tree.
  if (!object || ['reportType', 'field', 'fact'].includes(node.kind)) return node.id;
  return `${isRelation(node) ? 'user' : node.kind} ${object.id}`;
}

/** Whether a row is a user's place in a group or on an application. */
function isRelation({ kind }: TreeNode): boolean {
  return kind === 'member' || kind === 'holder';
}

/** The rows selected in the sidebar, as current nodes. */
export function selectedNodes({ view, tree }: Pick<CommandServices, 'view' | 'tree'>): TreeNode[] {
  return view.selection.map((row) => tree.current(row));
}

/**
 * Resolves a command argument to its current node: the editor keeps passing the element it was first given, even after
 * a reload.
 */
export function currentNodes(given: unknown, tree: Pick<ObjectTree, 'current'>): unknown {
  if (Array.isArray(given)) return given.map((one: unknown) => currentNodes(one, tree));
  if (isTreeNode(given)) return tree.current(given);
  if (!isDrop(given)) return given;
  return { dropped: given.dropped.map((node) => tree.current(node)), onto: tree.current(given.onto) };
}

/** Whether a command argument is a drop. */
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
