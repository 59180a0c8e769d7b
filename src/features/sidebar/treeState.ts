import { type TreeConnection, type TreeNode, objectOf, type ListNode } from '../../editor/nodes/treeNode.ts';

/** What the user folded and unfolded in the sidebar, which the editor does not tell of rows that it has not. */
export class ExpansionState {
  readonly #folded = new Set<string>();
  /** Where the filter hides a row, the editor forgets that it was open. */
  readonly #unfolded = new Set<string>();

  /** Notes that the user folded or unfolded a row. */
  note({ id }: TreeNode, isFolded: boolean): void {
    const [into, outOf] = isFolded ? [this.#folded, this.#unfolded] : [this.#unfolded, this.#folded];
    into.add(id);
    outOf.delete(id);
  }

  /** Whether the user folded the row last. */
  isFolded({ id }: TreeNode): boolean {
    return this.#folded.has(id);
  }

  /** Whether the user unfolded the row last. */
  isUnfolded({ id }: TreeNode): boolean {
    return this.#unfolded.has(id);
  }

  /** Opens nothing of a server again: who signs in next may be somebody else. */
  forgetUnfolded({ id: server }: TreeConnection): void {
    for (const id of this.#unfolded) if (id.startsWith(`${server}/`)) this.#unfolded.delete(id);
  }
}

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

/** Whom each server was last read as: what came may belong to somebody else than who is signed in now. */
export class DisplayedAccounts {
  readonly #accounts = new Map<string, string>();

  /** Notes who is signed in to a server; says whether that is somebody else than before, or another installation. */
  isOther({ id, entry, state }: TreeConnection): boolean {
    if (state.kind !== 'active') return false;
    const before = this.#accounts.get(id);
    const now = `${entry.installationId} ${state.account.userId}`;
    this.#accounts.set(id, now);
    return before !== undefined && before !== now;
  }

  /** Notes that nobody is signed in any more; says whether somebody was. */
  signedOut({ id }: TreeConnection): boolean {
    return this.#accounts.delete(id);
  }
}
