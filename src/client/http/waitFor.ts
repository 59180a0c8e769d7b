import { setTimeout as delay } from 'node:timers/promises';
import type { ClientErrorDetails } from '../clientError.ts';
import { abortError } from './networkError.ts';

/** Returns a signal that fires with a TimeoutError after `ms` milliseconds. */
export type Deadlines = (ms: number) => AbortSignal;

/** Deadlines by the real clock. */
export const realDeadlines: Deadlines = (ms) => AbortSignal.timeout(ms);

/** Limits of a wait. */
export interface WaitLimits {
  signal?: AbortSignal | undefined;
  /** Length of the deadline behind `signal`, for messages. */
  deadlineMs: number;
}

/**
 * Waits for shared work: when the signal fires, this wait ends and the work continues.
 * @throws {ClientError} of kind cancelled or timeout; whatever the work throws.
 */
export function waitFor<T>(work: Promise<T>, patience: WaitLimits, details: ClientErrorDetails): Promise<T> {
  const { signal, deadlineMs } = patience;
  if (!signal) return work;
  return new Promise<T>((resolve, reject) => {
    const stop = () => reject(abortError({ signal, deadlineMs }, details));
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

/**
 * Waits `ms` milliseconds, or until the signal fires.
 * @throws {ClientError} of kind cancelled or timeout when it fires.
 */
export async function pause(
  ms: number,
  { signal, deadlineMs }: WaitLimits,
  details: ClientErrorDetails,
): Promise<void> {
  try {
    await delay(ms, undefined, { signal });
  } catch (cause) {
    if (!signal?.aborted) throw cause;
    throw abortError({ signal, deadlineMs }, { ...details, cause });
  }
}
