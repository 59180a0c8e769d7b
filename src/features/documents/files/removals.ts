import type { DocumentTarget } from '../../../editor/documentUri.ts';

interface Removal {
  /** Whether the object was deleted. */
  readonly isGone: Promise<boolean>;
  isOver: boolean;
}

/** Tracks deletions by this window, so that a document that is opened during a deletion does not stay open. */
export class Removals {
  readonly #latest = new Map<string, Removal>();

  /** Deletes an object with `remove`. @throws what `remove` throws. */
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
   * Opens an object with `open`.
   * @returns whether the object still exists: it was not deleted by this window since opening started.
   * @throws what `open` throws, unless the object was deleted meanwhile.
   */
  async open(target: DocumentTarget, open: () => Promise<void>): Promise<boolean> {
    const key = keyOf(target);
    // Servers may reuse the id of a deleted object.
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
