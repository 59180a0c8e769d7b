import type { MoreNode, TreeNode } from './treeNode.ts';

/** Rows that a place shows at first, and adds each time: more are read by nobody, and each takes the editor its time. */
const pageSize = 500;
/** A last page no longer than this is shown with the one before. */
const shortPage = 100;

/**
 * What the editor was given of each place: the first rows of long lists, with a node for more behind them. Everything else
 * (filter, refresh, search) works with all of a list.
 */
export class ShownRows {
  /** Rows to show by the id of their place; {@link pageSize} where nothing stands. */
  readonly #counts = new Map<string, number>();
  /** By the id of the place. */
  readonly #given = new Map<string, readonly TreeNode[]>();

  /** The rows of a place: some of its children, and a node for the rest. Kept to find out later what has changed. */
  give(place: TreeNode, children: readonly TreeNode[]): TreeNode[] {
    const rows = this.#cut(place, children);
    this.#given.set(place.id, rows);
    return rows;
  }

  /** Whether a place would be given other rows now than it was. */
  isOutdated(place: TreeNode, children: readonly TreeNode[]): boolean {
    const given = this.#given.get(place.id);
    if (!given) return false;
    const rows = this.#cut(place, children);
    return rows.length !== given.length || rows.some((row, index) => !isSame(row, given[index]));
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
  return row === other;
}
