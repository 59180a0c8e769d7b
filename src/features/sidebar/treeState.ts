import { decoratedObject, type ChangeState, type ObjectKey } from './rows/nodeDecorations.ts';
import { type TreeConnection, type TreeNode, objectOf, type ListNode } from '../../editor/nodes/treeNode.ts';

/** The sidebar's expansion state, which the editor does not expose for rows it does not have. */
export class ExpansionState {
  readonly #folded = new Set<string>();
  /** The editor forgets the expansion state of filtered rows. */
  readonly #unfolded = new Set<string>();

  /** Records that the user collapsed or expanded a row. */
  note({ id }: TreeNode, isFolded: boolean): void {
    const [into, outOf] = isFolded ? [this.#folded, this.#unfolded] : [this.#unfolded, this.#folded];
    into.add(id);
    outOf.delete(id);
  }

  /** Whether the user last collapsed the row. */
  isFolded({ id }: TreeNode): boolean {
    return this.#folded.has(id);
  }

  /** Whether the user last expanded the row. */
  isUnfolded({ id }: TreeNode): boolean {
    return this.#unfolded.has(id);
  }

  /** Clears the expanded nodes of a server: another account may sign in next. */
  forgetUnfolded({ id: server }: TreeConnection): void {
    for (const id of this.#unfolded) if (id.startsWith(`${server}/`)) this.#unfolded.delete(id);
  }
}

/** The number of objects displayed in the rows of lists. */
export class ListCounts {
  readonly #loadedBelow: (node: TreeNode) => readonly TreeNode[] | undefined;
  /** Last displayed count of each list, by node id. */
  readonly #said = new Map<string, number | undefined>();

  /** @param loadedBelow a node's loaded children. */
  constructor(loadedBelow: (node: TreeNode) => readonly TreeNode[] | undefined) {
    this.#loadedBelow = loadedBelow;
  }

  /** Number of objects in a list; undefined if it is not loaded. */
  of(list: ListNode): number | undefined {
    const loaded = this.#loadedBelow(list) ?? [];
    return loaded.length > 0 && loaded.every(objectOf) ? loaded.length : undefined;
  }

  /** Records that the row of a list is rendered in its current state. */
  noteDrawn(list: ListNode): void {
    this.#said.set(list.id, this.of(list));
  }

  /** Whether the displayed count differs from the current one. */
  isOther(list: ListNode): boolean {
    return this.#said.get(list.id) !== this.of(list);
  }

  /** Whether a count is displayed that is no longer correct. */
  isWrong(list: ListNode): boolean {
    return this.#said.get(list.id) !== undefined && this.isOther(list);
  }
}

/** What the rows of objects say about changes in their documents. */
export class DisplayedChanges {
  readonly of: (node: TreeNode) => ChangeState | undefined;
  /** Rows by id, with the last displayed state. */
  readonly #said = new Map<string, { node: TreeNode; state: ChangeState | undefined }>();

  /** @param changeOf how the open document of an object differs from the server. */
  constructor(changeOf: (object: ObjectKey) => ChangeState | undefined) {
    this.of = (node) => {
      const object = decoratedObject(node);
      return object && changeOf(object);
    };
  }

  /** Records that a row is rendered in its current state. */
  noteDrawn(node: TreeNode): void {
    if (decoratedObject(node)) this.#said.set(node.id, { node, state: this.of(node) });
  }

  /** The rows whose displayed state differs from the current one. */
  outdated(): TreeNode[] {
    return [...this.#said.values()].filter(({ node, state }) => this.of(node) !== state).map(({ node }) => node);
  }

  /** Forgets the rows of removed servers. */
  keepOnly(connections: readonly TreeConnection[]): void {
    for (const [id, { node }] of this.#said) if (!connections.includes(node.connection)) this.#said.delete(id);
  }
}

/**
 * The account that each server's data was last loaded with: the data may belong to a different account than the current
 * one.
 */
export class DisplayedAccounts {
  readonly #accounts = new Map<string, string>();

  /** Records the signed-in account; returns whether the account or the installation changed. */
  isOther({ id, entry, state }: TreeConnection): boolean {
    if (state.kind !== 'active') return false;
    const before = this.#accounts.get(id);
    const now = `${entry.installationId} ${state.account.userId}`;
    this.#accounts.set(id, now);
    return before !== undefined && before !== now;
  }

  /** Records a sign-out; returns whether an account was signed in. */
  signedOut({ id }: TreeConnection): boolean {
    return this.#accounts.delete(id);
  }
}
