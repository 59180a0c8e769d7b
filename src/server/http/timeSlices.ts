/** Milliseconds that long work may keep other calls waiting. */
const sliceMs = 5;

const waiting: (() => void)[] = [];

/** Resolves once others have had their turn; of all long work together, one slice is done in a turn. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(giveTurn);
  });
}

function giveTurn(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(giveTurn);
}

/** Does work that yields wherever it may be interrupted, a few milliseconds at a time. */
export async function inSlices<T>(work: Generator<undefined, T, undefined>): Promise<T> {
  await nextTurn();
  for (let began = performance.now(); ;) {
    const step = work.next();
    if (step.done) return step.value;
    if (performance.now() - began < sliceMs) continue;
    await nextTurn();
    began = performance.now();
  }
}
