import type { DocumentTarget } from '../../../editor/documentUri.ts';

interface Removal {
  /** Whether the object is gone. */
  readonly isGone: Promise<boolean>;
  isOver: boolean;
}

/** Deletions by this window, so that a document which was being opened meanwhile does not stay open without an object. */
export class Removals {
  readonly #latest = new Map<string, Removal>();

  /** Deletes an object by `remove`. @throws what `remove` throws. */
  async remove(target: DocumentTarget, remove: () => Promise<void>): Promise<void> {
    const removing = remove();
    const removal: Removal = {
      isGone: removing.then(
        () => true,
        () => false,
      ),
      isOver: false,
    };
    this.#latest.set(keyOf(target), removal);
    try {
      await removing;
    } finally {
      removal.isOver = true;
    }
  }

  /**
   * Opens an object by `open`.
   * @returns whether the object is still there: not deleted here since the opening began.
   * @throws what `open` throws, unless the object was deleted meanwhile.
   */
  async open(target: DocumentTarget, open: () => Promise<void>): Promise<boolean> {
    const key = keyOf(target);
    // A server may give the id of a deleted object to a new one.
    if (this.#latest.get(key)?.isOver) this.#latest.delete(key);
    const isGone = async () => (await this.#latest.get(key)?.isGone) ?? false;
    try {
      await open();
    } catch (error) {
      if (!(await isGone())) throw error;
    }
    return !(await isGone());
  }
}

function keyOf({ connectionId, kind, id }: DocumentTarget): string {
  return JSON.stringify([connectionId, kind, id]);
}
