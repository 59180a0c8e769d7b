import type { MoreNode, TreeNode } from '../../editor/nodes/treeNode.ts';

/**
 * Number of rows shown at first, and added each time: longer lists are not read, and each row takes the editor time.
 */
const pageSize = 500;
/** A last page up to this size is shown with the page before it. */
const shortPage = 100;

/** A row passed to the editor. */
interface GivenRow {
  /** The element by which the editor identifies the row: the first node passed for it. */
  readonly element: TreeNode;
  /** The node that the row was rendered from. */
  node: TreeNode;
}

/**
 * The rows passed to the editor for each node: the first rows of long lists, followed by a "more" node. All other
 * features (filter, refresh, search) use the complete list.
 *
 * A row keeps the element first passed to the editor, even if it is reloaded: when a node changes, the editor discards
 * all rows below it at once, loads them again level by level, and until then passes no arguments to commands run on
 * them. Therefore only rows that look different and nodes with different child rows are refreshed.
 */
export class DisplayedRows {
  /** Number of rows to show by parent id; {@link pageSize} if missing. */
  readonly #counts = new Map<string, number>();
  /** Parents with the rows passed for each, in order, by parent id. */
  readonly #given = new Map<string, { readonly place: TreeNode; readonly rows: readonly GivenRow[] }>();

  /**
   * Returns the rows of a parent: some of its children and a "more" node for the rest. They are stored to detect later
   * changes.
   */
  give(place: TreeNode, children: readonly TreeNode[]): TreeNode[] {
    const before = new Map(this.#given.get(place.id)?.rows.map(({ element }) => [element.id, element]));
    const rows = this.#cut(place, children).map((node) => {
      const known = before.get(node.id);
      // A "more" node only consists of its counts.
      return { element: known && known.kind === node.kind && node.kind !== 'more' ? known : node, node };
    });
    this.#given.set(place.id, { place, rows });
    return rows.map(({ element }) => element);
  }

  /** The parents that the editor has rows of. */
  get places(): readonly TreeNode[] {
    return [...this.#given.values()].map(({ place }) => place);
  }

  /** The element by which the editor identifies a row; the node itself if there is none. */
  elementOf(node: TreeNode): TreeNode {
    const siblings = node.parent && this.#given.get(node.parent.id);
    return siblings?.rows.find(({ element }) => element.id === node.id)?.element ?? node;
  }

  /** Whether a parent's rows differ from those that the editor has. */
  isOutdated(place: TreeNode, children: readonly TreeNode[]): boolean {
    const given = this.#given.get(place.id)?.rows;
    if (!given) return false;
    const rows = this.#cut(place, children);
    return rows.length !== given.length || rows.some((row, index) => !isSame(row, given[index]?.node));
  }

  /** The rows of a parent whose look changed according to `isOther`; they are then considered redrawn. */
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
   * Shows the next rows of a "more" node, or all; returns the number of rows before them. The second click of a double
   * click, on a "more" node that is not redrawn yet, returns the same rows.
   */
  extend({ parent, shown }: MoreNode, isAll: boolean): number {
    const count = isAll ? Infinity : shown + pageSize;
    this.#counts.set(parent.id, Math.max(count, this.#countOf(parent)));
    return shown;
  }

  /** Removes the rows of a parent after the editor has discarded them. */
  forget(placeId: string): void {
    this.#given.delete(placeId);
  }

  /** Removes the rows of deleted parents. */
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

/** "More" nodes are created on each call. */
function isSame(row: TreeNode, other: TreeNode | undefined): boolean {
  if (row.kind === 'more') return other?.kind === 'more' && row.hidden === other.hidden;
  return row.id === other?.id && row.kind === other.kind;
}
