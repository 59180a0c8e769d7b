import { objectOf, type ListNode, type TreeNode } from '../../../editor/nodes/treeNode.ts';

/** How many objects the rows of lists say that there are. */
export class ListCounts {
  readonly #loadedBelow: (node: TreeNode) => readonly TreeNode[] | undefined;
  /** What each list was last said to have, by the id of its node. */
  readonly #said = new Map<string, number | undefined>();

  /** @param loadedBelow children of a node as far as they were read. */
  constructor(loadedBelow: (node: TreeNode) => readonly TreeNode[] | undefined) {
    this.#loadedBelow = loadedBelow;
  }

  /** How many objects a list has; undefined as long as it was not read. */
  of(list: ListNode): number | undefined {
    const loaded = this.#loadedBelow(list) ?? [];
    return loaded.length > 0 && loaded.every(objectOf) ? loaded.length : undefined;
  }

  /** Notes that the row of a list is drawn as it is now. */
  noteDrawn(list: ListNode): void {
    this.#said.set(list.id, this.of(list));
  }

  /** Whether the row of a list says another number than it would now. */
  isOther(list: ListNode): boolean {
    return this.#said.get(list.id) !== this.of(list);
  }

  /** Whether the row of a list says a number that is another now. */
  isWrong(list: ListNode): boolean {
    return this.#said.get(list.id) !== undefined && this.isOther(list);
  }
}
