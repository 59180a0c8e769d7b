import type { Connection } from '../connections/connection.ts';
import type { ServersTree } from '../tree/serversTree.ts';
import { isTreeNode, type TreeNode } from '../tree/treeNode.ts';
import type { CommandServices } from './services.ts';

/** Nodes that were dropped onto another, as the sidebar passes them to a command. */
export interface Drop {
  dropped: readonly TreeNode[];
  onto: TreeNode;
}

/** Nodes of one server that a command was called on. */
export interface ChosenNodes<K extends TreeNode['kind']> {
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
 * of other servers are left out.
 * @returns undefined when it was called without such a node, as from the palette.
 */
export function chosenNodes<K extends TreeNode['kind']>(
  { connections }: CommandServices,
  argument: unknown,
  selection: unknown,
  ...kinds: readonly K[]
): ChosenNodes<K> | undefined {
  const isFitting = (value: unknown): value is NodeOf<K> =>
    isTreeNode(value) && kinds.some((kind) => kind === value.kind);
  const all = (Array.isArray(selection) ? [...(selection as unknown[])] : [argument]).filter(isFitting);
  const [first] = isFitting(argument) ? [argument] : all;
  const connection = first && connections.get(first.connection.id);
  if (!connection) return undefined;
  return { connection, nodes: all.filter((node) => node.connection.id === connection.id) };
}

/** The selected rows of the sidebar, as they are now. */
export function selectedNodes({ view, tree }: Pick<CommandServices, 'view' | 'tree'>): TreeNode[] {
  return view.selection.map((row) => tree.current(row));
}

/**
 * What a command was called on, as it is now: rows of the sidebar stay the objects that the editor was first given, whatever
 * was read since.
 */
export function asShownNow(given: unknown, tree: Pick<ServersTree, 'current'>): unknown {
  if (Array.isArray(given)) return given.map((one: unknown) => asShownNow(one, tree));
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
