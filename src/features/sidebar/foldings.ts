import type { TreeConnection, TreeNode } from '../../editor/nodes/treeNode.ts';

/** What the user folded and unfolded in the sidebar, which the editor does not tell of rows that it has not. */
export class Foldings {
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
