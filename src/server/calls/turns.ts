/** Milliseconds for which long work may block other calls. */
const sliceMs = 2;

const waiting: (() => void)[] = [];

/** Resolves after other calls have had their turn; all long work together runs one slice per turn. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(giveTurn);
  });
}

function giveTurn(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(giveTurn);
}

/** Work that takes long, in slices of a few milliseconds: other calls run between them. */
export class SlicedWork {
  #began = -Infinity;

  /** To be awaited wherever the work may be interrupted; undefined if its slice is not over. */
  pause(): Promise<void> | undefined {
    if (performance.now() - this.#began < sliceMs) return undefined;
    return nextTurn().then(() => {
      this.#began = performance.now();
    });
  }
}
