import { AsyncLocalStorage } from 'node:async_hooks';

/** Whoever waits for a piece of work, and can give up. */
export interface CancelScope {
  /** Fires when the waiter gives up: calls of the work end, and no further ones begin. */
  readonly signal: AbortSignal;
  /** The work waits for `server` from now on, with no other way to be cancelled; the function returned says that it is over. */
  waitsFor(server: string): () => void;
}

/** Who waits for the code that is running: whatever a piece of work calls, and whatever it awaits. */
const waiters = new AsyncLocalStorage<{ waiter: CancelScope | undefined }>();

/** Runs `work` for `waiter`, who may end every call in it; what goes on after `work` has ended is not the waiter's any more. */
export async function runInScope<T>(waiter: CancelScope, work: () => Promise<T>): Promise<T> {
  const held: { waiter: CancelScope | undefined } = { waiter };
  return waiters.run(held, async () => {
    try {
      return await work();
    } finally {
      held.waiter = undefined;
    }
  });
}

/** Runs `work` so that `signal` ends every call in it; the caller shows a way to cancel. */
export function runWithSignal<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const outer = waiterNow()?.signal;
  const either = outer ? AbortSignal.any([outer, signal]) : signal;
  return runInScope({ signal: either, waitsFor: () => () => undefined }, work);
}

/** How long after a stop work may still end, in milliseconds: most calls do, and a person sees an end at once all the same. */
const nearlyDoneMs = 150;

/** A signal that fires a moment after `stop`: what is nearly done may end, so that its outcome is known; what hangs is cut off. */
export function abortSoonAfter(stop: AbortSignal): AbortSignal {
  const cut = new AbortController();
  stop.addEventListener('abort', () => setTimeout(() => cut.abort(), nearlyDoneMs), { once: true });
  return cut.signal;
}

/** Begins `work` that nobody in particular waits for, or that others wait for too: no waiter's giving up ends it. */
export function inBackground<T>(work: () => T): T {
  return waiters.run({ waiter: undefined }, work);
}

/** Whether somebody waits for the code that is running. */
export function isInScope(): boolean {
  return waiterNow() !== undefined;
}

/**
 * Does what takes `server` to answer. Who waits for it is told, unless `own` is there: then the caller has shown a way to
 * cancel already.
 * @param work is given the signal that ends it: that of the caller, of who waits, or of both.
 */
export async function awaitServer<T>(
  server: string,
  own: AbortSignal | undefined,
  work: (signal: AbortSignal | undefined) => Promise<T>,
): Promise<T> {
  const waiter = waiterNow();
  if (!waiter) return work(own);
  if (own) return work(AbortSignal.any([own, waiter.signal]));
  const isOver = waiter.waitsFor(server);
  try {
    return await work(waiter.signal);
  } finally {
    isOver();
  }
}

function waiterNow(): CancelScope | undefined {
  return waiters.getStore()?.waiter;
}
