import { randomBytes } from 'node:crypto';
import { accessSync, constants, existsSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** The disk of the state is full, or takes no more for another reason. Nothing of the transaction was stored. */
export class DiskFull extends Error {
  /** Folder of the state. */
  readonly folder: string;
  readonly freeBytes: number;
  /** Without the folder. */
  readonly what: string;

  /** @param reason why the disk cannot be written to; undefined when it is full. */
  constructor(folder: string, freeBytes: number, { reason, ...options }: ErrorOptions & { reason?: string } = {}) {
    const left = `${describeBytes(freeBytes)} left`;
    super(
      reason === undefined
        ? `The disk of ${folder} is full: ${left}.`
        : `The disk of ${folder} cannot be written to (${reason}; ${left}).`,
      options,
    );
    this.name = 'DiskFull';
    this.folder = folder;
    this.freeBytes = freeBytes;
    this.what = reason === undefined ? 'full' : 'not writable';
  }
}

/** Turns SQLite's error for a disk that cannot be written to into {@link DiskFull}; returns any other error unchanged. */
export function asDiskFull(stateFile: string | undefined, error: unknown): unknown {
  if (stateFile === undefined || !(error instanceof Error) || !('errcode' in error)) return error;
  const folder = path.dirname(stateFile);
  const code = Number(error.errcode);
  if ((code & 0xff) === sqliteFull) return new DiskFull(folder, freeBytes(folder), { cause: error });
  if ((code & 0xff) !== sqliteReadOnly && !failedWrites.has(code)) return error;
  return new DiskFull(folder, freeBytes(folder), { cause: error, reason: error.message });
}

/**
 * Turns an error of the operating system or of SQLite, which may name neither file nor next step, into one that does;
 * returns any other error unchanged.
 * @param folders those that were read or written to, the likeliest first.
 */
export function explainDiskError(error: unknown, folders: readonly [string, ...string[]]): unknown {
  const code = codeOf(error);
  if (!(error instanceof Error) || !diskErrors.has(code)) return error;
  const full = fullDiskOf(error, folders);
  if (full) return new Error(`${full.message} Free some space there, and try again.`, { cause: error });
  const [folder] = folders;
  const reason = code === sqliteReadOnly || isReadOnly(folder) ? 'it is read-only' : error.message;
  return new Error(
    `The data of ${folder} cannot be used (${reason}). Check its disk, and that its files belong to the user who runs the server.`,
    { cause: error },
  );
}

/** The full disk that an error is due to; undefined if it has another cause. */
export function fullDiskOf(error: unknown, folders: readonly string[]): DiskFull | undefined {
  if (error instanceof DiskFull) return error;
  const code = codeOf(error);
  const [fullest] = folders.map((path) => ({ path, free: freeBytes(path) })).toSorted((a, b) => a.free - b.free);
  const isFull = fullErrors.has(code) || (unclearErrors.has(code) && (fullest?.free ?? Infinity) < fewBytes);
  return fullest && isFull ? new DiskFull(fullest.path, fullest.free) : undefined;
}

/** Bytes that a server needs to start: the index of the journal and small files about its process. */
const reserveBytes = 256 * 1024;

function reserveIn(folder: string): string {
  return path.join(folder, 'state.reserve');
}

/** Takes space for a start while the disk is full. */
export function keepReserve(folder: string): void {
  const file = reserveIn(folder);
  if (existsSync(file)) return;
  try {
    // File systems may store zeros without space.
    writeFileSync(file, randomBytes(reserveBytes), { mode: 0o600 });
  } catch (error) {
    rmSync(file, { force: true });
    if (!fullDiskOf(error, [folder])) throw error;
  }
}

/** Gives back that space. @returns false if there is none. */
export function releaseReserve(folder: string): boolean {
  const file = reserveIn(folder);
  const exists = existsSync(file);
  rmSync(file, { force: true });
  return exists;
}

function codeOf(error: unknown): number | string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('errcode' in error) return Number(error.errcode) & 0xff;
  if (!('code' in error && 'syscall' in error) || error.syscall === 'listen') return undefined;
  // Node.js says so where the file system is read-only.
  return error.code === 'ENOENT' && error.syscall === 'mkdir' ? 'EACCES' : String(error.code);
}

function isReadOnly(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return false;
  } catch (error) {
    return codeOf(error) === 'EROFS';
  }
}

function freeBytes(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    // What cannot be asked is not called full.
    return Infinity;
  }
}

const sqliteFull = 13;
const [sqlitePermission, sqliteReadOnly, sqliteInputOutput, sqliteCannotOpen] = [3, 8, 10, 14];
/** SQLite's errors for writing, flushing and cutting a file, also beyond a quota or on a disk that became read-only. */
const failedWrites = new Set([3, 4, 6].map((operation) => sqliteInputOutput | (operation << 8)));
const fullErrors = new Set<unknown>([sqliteFull, 'ENOSPC', 'EDQUOT']);
/** SQLite's errors for a file beside the database that does not fit, among other causes. */
const unclearErrors = new Set<unknown>([sqliteInputOutput, sqliteCannotOpen]);
const diskErrors = new Set<unknown>([
  ...[...fullErrors, ...unclearErrors, sqlitePermission, sqliteReadOnly],
  ...['EACCES', 'EPERM', 'EROFS', 'EIO', 'EMFILE', 'ENFILE'],
]);
/** Free bytes below which an unclear error means a full disk. */
const fewBytes = 128 * 1024;

function describeBytes(bytes: number): string {
  return bytes < 10_000_000 ? `${Math.floor(bytes / 1_000)} KB` : `${Math.floor(bytes / 1_000_000)} MB`;
}
