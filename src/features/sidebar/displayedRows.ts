import type { MoreNode, TreeNode } from '../../editor/nodes/treeNode.ts';

/** Rows that a place shows at first, and adds each time: more are read by nobody, and each takes the editor its time. */
const pageSize = 500;
/** A last page no longer than this is shown with the one before. */
const shortPage = 100;

/** A row as the editor has it. */
interface GivenRow {
  /** The node that the editor knows the row by: the first that it was given for it. */
  readonly element: TreeNode;
  /** The node that the row was drawn from. */
  node: TreeNode;
}

/**
 * What the editor was given of each place: the first rows of long lists, with a node for more behind them. Everything else
 * (filter, refresh, search) works with all of a list.
 *
 * A row stays the object that the editor was first given for it, whatever is read later: told that a place has changed, the
 * editor forgets every row below at once, reads them one level after the other, and until then passes nothing to commands that
 * are chosen on them. So it is told only of rows that look different, and of places whose rows are others.
 */
export class DisplayedRows {
  /** Rows to show by the id of their place; {@link pageSize} where nothing stands. */
  readonly #counts = new Map<string, number>();
  /** Places with the rows that were given of each, in order, by the id of the place. */
  readonly #given = new Map<string, { readonly place: TreeNode; readonly rows: readonly GivenRow[] }>();

  /** The rows of a place: some of its children, and a node for the rest. Kept to find out later what has changed. */
  give(place: TreeNode, children: readonly TreeNode[]): TreeNode[] {
    const before = new Map(this.#given.get(place.id)?.rows.map(({ element }) => [element.id, element]));
    const rows = this.#cut(place, children).map((node) => {
      const known = before.get(node.id);
      // A node for more is nothing but what it counts.
      return { element: known && known.kind === node.kind && node.kind !== 'more' ? known : node, node };
    });
    this.#given.set(place.id, { place, rows });
    return rows.map(({ element }) => element);
  }

  /** The places that the editor has rows of. */
  get places(): readonly TreeNode[] {
    return [...this.#given.values()].map(({ place }) => place);
  }

  /** The object that the editor knows a row by; the node itself where it knows none. */
  elementOf(node: TreeNode): TreeNode {
    const siblings = node.parent && this.#given.get(node.parent.id);
    return siblings?.rows.find(({ element }) => element.id === node.id)?.element ?? node;
  }

  /** Whether a place would be given other rows now than it was. */
  isOutdated(place: TreeNode, children: readonly TreeNode[]): boolean {
    const given = this.#given.get(place.id)?.rows;
    if (!given) return false;
    const rows = this.#cut(place, children);
    return rows.length !== given.length || rows.some((row, index) => !isSame(row, given[index]?.node));
  }

  /** The rows of a place that `isOther` tells apart from how they were drawn; they count as drawn anew. */
  redrawn(
    place: TreeNode,
    children: readonly TreeNode[],
    isOther: (drawn: TreeNode, now: TreeNode) => boolean,
  ): TreeNode[] {
    const now = this.#cut(place, children);
    const given = this.#given.get(place.id)?.rows ?? [];
    return given.flatMap((row, index) => {
      const { element, node: drawn } = row;
      row.node = now[index] ?? drawn;
      return isOther(drawn, row.node) ? [element] : [];
    });
  }

  /**
   * Lets a place show the rows that a node for more stands for, or all; returns how many are in front of it. The second click
   * of a double click, on a node that the editor has not drawn anew yet, asks for the same rows.
   */
  extend({ parent, shown }: MoreNode, isAll: boolean): number {
    const count = isAll ? Infinity : shown + pageSize;
    this.#counts.set(parent.id, Math.max(count, this.#countOf(parent)));
    return shown;
  }

  /** The editor has no rows of this place any more. */
  forget(placeId: string): void {
    this.#given.delete(placeId);
  }

  /** Drops what is known of places that are gone. */
  keepOnly(isKept: (placeId: string) => boolean): void {
    for (const kept of [this.#counts, this.#given]) {
      for (const id of kept.keys()) if (!isKept(id)) kept.delete(id);
    }
  }

  #countOf({ id }: TreeNode): number {
    return this.#counts.get(id) ?? pageSize;
  }

  #cut(place: TreeNode, children: readonly TreeNode[]): TreeNode[] {
    const count = this.#countOf(place);
    if (children.length <= count + shortPage) return [...children];
    return [...children.slice(0, count), moreNode(place, count, children.length - count)];
  }
}

function moreNode(parent: TreeNode, shown: number, hidden: number): MoreNode {
  const next = hidden <= pageSize + shortPage ? hidden : pageSize;
  return { kind: 'more', id: `${parent.id}/more`, connection: parent.connection, parent, shown, hidden, next };
}

/** Nodes for more are made anew each time. */
function isSame(row: TreeNode, other: TreeNode | undefined): boolean {
  if (row.kind === 'more') return other?.kind === 'more' && row.hidden === other.hidden;
  return row.id === other?.id && row.kind === other.kind;
}
