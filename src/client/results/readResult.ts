import { readEnvelope } from '../../contract/envelope.ts';
import { errorCodes } from '../../contract/errorCodes.ts';
import { Pacer } from './pacer.ts';
import { defaultCaps, ResultReadError } from './resultError.ts';
import type { ResultCaps } from './resultError.ts';
import { ResultScanner } from './scan/resultScanner.ts';
import type { ScanEngine } from './scan/resultScanner.ts';
import { ResultStore } from './resultStore.ts';
import * as l10n from '../../l10n/l10n.ts';

/** Bytes scanned between two looks at the clock. */
const pieceBytes = 64 * 1024;

/** Outcome of reading a report result. The rows read so far stay in the store. */
export type ResultOutcome =
  /** Read to the end; the server reports no error. */
  | { readonly kind: 'complete' }
  /** Read to the end; the server reports that the run failed (`HasError`). */
  | { readonly kind: 'refused'; readonly code: number; readonly message: string }
  /** Cancelled by the caller's signal. */
  | { readonly kind: 'cancelled'; readonly reason: unknown }
  /**
   * The result could not be read. With code `notAResult`, `reply` holds what was received instead: the empty array of a
   * rejected token, or an object without rows, such as one with `ErrorCode` 101.
   */
  | { readonly kind: 'failed'; readonly error: ResultReadError; readonly reply?: unknown };

export interface ReadResultOptions {
  /** Limits that differ from `defaultCaps`. */
  readonly caps?: Partial<ResultCaps>;
  /**
   * Ends reading immediately, even if the source is silent. The source must end by itself, ideally through the same
   * signal.
   */
  readonly signal?: AbortSignal;
  /** Called as rows and bytes arrive: often, so callers must throttle their work. */
  readonly onProgress?: (store: ResultStore) => void;
  /** Ids of the reports that the result may belong to; results of other reports are rejected. */
  readonly reportIds?: readonly string[];
  /** Engine for compact rows; default: WebAssembly. */
  readonly engine?: ScanEngine;
}

/**
 * Reads the reply of GetReportData, as inflated bytes, into a store that fills while `done` is pending. Scans in slices
 * of about 8 ms, regardless of the chunk size. API description, Reports.
 * @returns the store immediately, and a promise of the outcome that never rejects.
 */
export function readResult(
  chunks: AsyncIterable<Uint8Array>,
  options: ReadResultOptions = {},
): { readonly store: ResultStore; readonly done: Promise<ResultOutcome> } {
  const caps = { ...defaultCaps, ...options.caps };
  const store = new ResultStore(caps, options.reportIds);
  const { onProgress } = options;
  if (onProgress !== undefined) store.onDidGrow(() => onProgress(store));
  return { store, done: read(chunks, new ResultScanner(store, caps, options.engine ?? 'wasm'), store, options.signal) };
}

async function read(
  chunks: AsyncIterable<Uint8Array>,
  scanner: ResultScanner,
  store: ResultStore,
  signal: AbortSignal | undefined,
): Promise<ResultOutcome> {
  try {
    await scanChunks(chunks, scanner, store, signal);
    const ending = scanner.end();
    store.end(true);
    if (ending.isObject) return judge(store);
    const message = l10n.t('The reply is JSON, but not a report result: it is not an object.');
    return { kind: 'failed', error: new ResultReadError('notAResult', 0, message), reply: ending.reply };
  } catch (error) {
    if (signal?.aborted === true) return { kind: 'cancelled', reason: signal.reason };
    if (error instanceof ResultReadError) return { kind: 'failed', error };
    throw error;
  } finally {
    store.end(false);
    scanner.close();
  }
}

/** The outcome that a completely read reply reports. */
function judge(store: ResultStore): ResultOutcome {
  const { envelope } = store;
  const outcome = readEnvelope(envelope, 'run');
  if (!outcome.ok) return { kind: 'refused', code: outcome.code, message: outcome.message };
  const { HasError } = envelope;
  // A rejected token may come in the form of a result; one without rows is not a result.
  const token = readEnvelope(envelope, 'standard');
  if (store.rowCount === 0 && !token.ok && token.code === errorCodes.notSignedIn) {
    return { kind: 'refused', code: token.code, message: token.message };
  }
  const isFlag = HasError === undefined || HasError === null || typeof HasError === 'boolean';
  if (store.hasRows && isFlag) return { kind: 'complete' };
  const message = isFlag
    ? l10n.t('The reply is JSON, but not a report result: it has no Data.')
    : l10n.t('The reply is JSON, but not a report result: its HasError is neither true nor false.');
  const error = new ResultReadError('notAResult', 0, message);
  return { kind: 'failed', error, reply: envelope };
}

async function scanChunks(
  chunks: AsyncIterable<Uint8Array>,
  scanner: ResultScanner,
  store: ResultStore,
  signal: AbortSignal | undefined,
): Promise<void> {
  const iterator = chunks[Symbol.asyncIterator]();
  let isDrained = false;
  const pacer = new Pacer(signal);
  try {
    for (;;) {
      signal?.throwIfAborted();
      const { done, value: chunk } = await nextChunk(iterator, store, signal);
      if (done === true) {
        isDrained = true;
        return;
      }
      for (let start = 0; start < chunk.length; start += pieceBytes) {
        scanner.push(chunk.subarray(start, start + pieceBytes));
        if (pacer.isDue) await pacer.pause();
      }
    }
  } finally {
    if (!isDrained) release(iterator);
  }
}

/** Returns the next chunk; rejects as soon as the signal fires, even if the source never answers. */
function nextChunk(
  iterator: AsyncIterator<Uint8Array>,
  store: ResultStore,
  signal: AbortSignal | undefined,
): Promise<IteratorResult<Uint8Array, unknown>> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(new Error('Reading the result was cancelled.', { cause: signal?.reason }));
    signal?.addEventListener('abort', abort, { once: true });
    iterator
      .next()
      .then(resolve, (cause: unknown) => {
        const message = l10n.t(
          'The reply broke off after {0} bytes: {1}',
          store.bytes,
          cause instanceof Error ? cause.message : String(cause),
        );
        reject(new ResultReadError('source', store.bytes, message, cause));
      })
      .finally(() => signal?.removeEventListener('abort', abort));
  });
}

/** Tells the source to stop, without waiting: a silent source may never answer. */
function release(iterator: AsyncIterator<Uint8Array>): void {
  Promise.resolve(iterator.return?.()).catch(() => {
    // The outcome is already settled.
  });
}
