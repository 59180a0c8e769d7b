import { closeSync, fdatasync, openSync } from 'node:fs';
import * as sqlite from 'node:sqlite';

/** Called after each part of a copy with the pages copied and the pages in total; an error it throws ends the copy. */
export type CopyProgress = (copied: number, total: number) => void;

/** Pages copied at a time, during which no other statement of the connection runs: less than a millisecond. */
const pagesAtOnce = 256;
/** Parts after which the copy is flushed: a flush of all of it at the end would hold up other calls. */
const partsPerFlush = 32;

/**
 * Copies a database to the empty file `target` by SQLite's online backup. Statements of the same connection run in
 * between; the copy is the state at the moment when this resolves.
 * @throws Error when the disk is full, or `onProgress` throws.
 */
export async function copyDatabase(
  source: sqlite.DatabaseSync,
  target: string,
  onProgress: CopyProgress,
): Promise<void> {
  // Node.js 22.15, which the server supports, does not have it.
  if (!('backup' in sqlite)) throw new Error(`This needs Node.js 22.16 or later; this is ${process.version}.`);
  const file = openSync(target, 'r+');
  let parts = 0;
  let flush: Promise<void> | undefined;
  const flushAside = () => {
    flush = new Promise<void>((resolve) => fdatasync(file, () => resolve())).then(() => (flush = undefined));
  };
  try {
    await untilBegun(() =>
      sqlite.backup(source, target, {
        rate: pagesAtOnce,
        progress: ({ totalPages, remainingPages }) => {
          parts += 1;
          if (parts % partsPerFlush === 0 && !flush) flushAside();
          onProgress(totalPages - remainingPages, totalPages);
        },
      }),
    );
  } finally {
    await flush;
    closeSync(file);
  }
}

/**
 * Repeats a copy whose first part met a running transaction: Node.js repeats later parts itself, but reports SQLite's
 * "busy" of the first one as an error without a code. Nothing is copied then.
 */
async function untilBegun(copy: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await copy();
      return;
    } catch (error) {
      const isBusy = error instanceof Error && 'errcode' in error && error.errcode === 0;
      if (!isBusy || attempt === mostAttempts) throw error;
    }
  }
}

const mostAttempts = 10_000;
