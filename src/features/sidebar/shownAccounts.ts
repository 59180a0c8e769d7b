import type { TreeConnection } from '../../editor/nodes/treeNode.ts';

/** Whom each server was last read as: what came may belong to somebody else than who is signed in now. */
export class ShownAccounts {
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
