import { statfsSync } from 'node:fs';
import path from 'node:path';

/** The disk of the state is full. Nothing of the transaction was stored. */
export class DiskFull extends Error {
  /** Folder of the state. */
  readonly folder: string;
  readonly freeBytes: number;

  constructor(folder: string, freeBytes: number, options?: ErrorOptions) {
    super(`The disk of ${folder} is full: ${describeBytes(freeBytes)} left.`, options);
    this.name = 'DiskFull';
    this.folder = folder;
    this.freeBytes = freeBytes;
  }
}

/** Turns SQLite's error for a disk without space into {@link DiskFull}; returns any other error unchanged. */
export function asDiskFull(stateFile: string | undefined, error: unknown): unknown {
  if (stateFile === undefined || !(error instanceof Error) || !('errcode' in error)) return error;
  if ((Number(error.errcode) & 0xff) !== sqliteFull) return error;
  const folder = path.dirname(stateFile);
  const { bavail, bsize } = statfsSync(folder);
  return new DiskFull(folder, bavail * bsize, { cause: error });
}

const sqliteFull = 13;

function describeBytes(bytes: number): string {
  return bytes < 10_000_000 ? `${Math.floor(bytes / 1_000)} KB` : `${Math.floor(bytes / 1_000_000)} MB`;
}
