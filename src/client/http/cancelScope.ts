import { AsyncLocalStorage } from 'node:async_hooks';

/** A caller that waits for work and can cancel it. */
export interface CancelScope {
  /** Fires on cancellation: running calls end, and no new ones start. */
  readonly signal: AbortSignal;
  /**
   * Called when the work starts waiting for `server` and offers no other way to cancel. Returns a function that ends
   * the wait.
   */
  waitsFor(server: string): () => void;
}

/** The scope of the running code, including everything that it calls and awaits. */
const waiters = new AsyncLocalStorage<{ waiter: CancelScope | undefined }>();

/**
 * Runs `work` in the scope of `waiter`, which can cancel every call in it. Code that continues after `work` ends is no
 * longer in the scope.
 */
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

/** Runs `work` so that `signal` cancels every call in it. The caller shows how to cancel. */
export function runWithSignal<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const outer = waiterNow()?.signal;
  const either = outer ? AbortSignal.any([outer, signal]) : signal;
  return runInScope({ signal: either, waitsFor: () => () => undefined }, work);
}

/** Runs `work` in the running scope, which `signal` cancels too. */
export function runUntil<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const outer = waiterNow();
  if (!outer) return runWithSignal(signal, work);
  const either = AbortSignal.any([outer.signal, signal]);
  return runInScope({ signal: either, waitsFor: (server) => outer.waitsFor(server) }, work);
}

/**
 * Grace period after a cancellation, in milliseconds: most calls finish in it, and users still perceive the end as
 * immediate.
 */
const nearlyDoneMs = 150;

/**
 * A signal that fires shortly after `stop`: calls that are nearly done finish, so that their outcome is known; hanging
 * ones are aborted.
 */
export function abortSoonAfter(stop: AbortSignal): AbortSignal {
  const cut = new AbortController();
  stop.addEventListener('abort', () => setTimeout(() => cut.abort(), nearlyDoneMs), { once: true });
  return cut.signal;
}

/** Runs `work` outside any scope, because it is in the background or shared: no caller's cancellation ends it. */
export function inBackground<T>(work: () => T): T {
  return waiters.run({ waiter: undefined }, work);
}

/** Whether the running code is in a scope. */
export function isInScope(): boolean {
  return waiterNow() !== undefined;
}

/**
 * Runs work that waits for `server`. Reports the wait to the scope, unless `own` is given: then the caller already
 * shows how to cancel.
 * @param work receives the signal that cancels it: the caller's, the scope's or both.
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
