import { setTimeout as delay } from 'node:timers/promises';
import { ClientError, type ClientErrorDetails } from '../clientError.ts';
import * as l10n from '../../l10n/l10n.ts';

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

/** The error for a call whose signal fired: `timeout` for a deadline, else `cancelled`. */
export function abortError(
  { signal, deadlineMs }: { signal: AbortSignal; deadlineMs: number },
  details: ClientErrorDetails,
): ClientError {
  const isDeadline = signal.reason instanceof DOMException && signal.reason.name === 'TimeoutError';
  if (!isDeadline) return new ClientError('cancelled', l10n.t('Cancelled: {0}.', details.endpoint ?? ''), details);
  const seconds = Math.round(deadlineMs / 100) / 10;
  return new ClientError(
    'timeout',
    l10n.t('{0} did not finish its reply within {1} s.', details.server, seconds),
    details,
  );
}
