import { createHash, randomInt } from 'node:crypto';
import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';
import { asDiskFull, DiskFull } from './fullDisk.ts';
import { DamagedState, hasContent, syncFolder } from './stateBackup.ts';

/*
 * The seal, a file beside the state, finds damage that SQLite cannot: after a clean stop it holds the digest of the state;
 * while a server runs, the least length of its journal, and the mark of the state that the journal belongs to. Without a
 * seal, none is checked.
 */

const stateSeal = z.union([
  z.strictObject({ stopped: z.string().regex(/^[0-9a-f]{64}$/) }),
  z.strictObject({ journalBytes: z.int(), mark: z.int().optional() }),
]);
type StateSeal = z.output<typeof stateSeal>;

function sealFile(stateFile: string): string {
  return path.join(path.dirname(stateFile), `${path.basename(stateFile, '.db')}.seal`);
}

/**
 * Compares a state, which no process may have open, with its seal.
 * @throws DamagedState when they do not match.
 */
export function checkSeal(stateFile: string): void {
  const file = sealFile(stateFile);
  if (!existsSync(file)) return;
  const accept = `. If you replaced it yourself, delete ${file} and start again`;
  const seal = stateSeal.safeParse(parsed(readFileSync(file, 'utf8')));
  if (!seal.success) {
    throw new DamagedState(
      stateFile,
      `cannot be verified, because ${file} is damaged. To use it unverified, delete that file`,
    );
  }
  const journal = `${stateFile}-wal`;
  if ('journalBytes' in seal.data) {
    const { mark } = seal.data;
    // SQLite would read the pages of the journal in place of those of the file.
    if (mark !== undefined && hasContent(journal) && markOf(stateFile) !== mark) {
      throw new DamagedState(
        stateFile,
        `was replaced or damaged while its journal ${journal} was left. If you replaced it yourself, delete ${journal} ` +
          `and ${file} and start again`,
      );
    }
    const bytes = statSync(journal, { throwIfNoEntry: false })?.size ?? 0;
    if (bytes >= seal.data.journalBytes) return;
    const what = bytes === 0 ? 'is missing' : 'is cut short';
    throw new DamagedState(stateFile, `is incomplete, because its journal ${journal} ${what}${accept}`);
  }
  if (hasContent(journal) || digestOfFile(stateFile) === seal.data.stopped) return;
  throw new DamagedState(
    stateFile,
    `is damaged or was changed since the server stopped (its digest does not match)${accept}`,
  );
}

/** Removes the seal. Call before anything changes the state or its journal. */
export function breakSeal(stateFile: string): void {
  const file = sealFile(stateFile);
  if (!existsSync(file)) return;
  rmSync(file);
  syncFolder(path.dirname(file));
}

/** Seals a state that was closed. */
export function sealStopped(stateFile: string): void {
  // A journal that could not be written back, such as on a full disk, is read at the next start.
  if (!hasContent(`${stateFile}-wal`)) write(stateFile, { stopped: digestOfFile(stateFile) });
}

/**
 * Notes the durable length of the journal, which does not shrink while a server runs.
 * @param mark what {@link markState} returned.
 */
export function sealJournal(stateFile: string, journalBytes: number, mark: number | undefined): void {
  write(stateFile, { journalBytes, ...(mark !== undefined && { mark }) });
}

/**
 * Writes a random number, SQLite's `user_version`, into the file of an open state: any other file has another one.
 * @returns undefined when the disk takes no more; then the mark is in the journal only, or nowhere.
 */
export function markState(stateFile: string, database: DatabaseSync): number | undefined {
  const mark = randomInt(1, 2 ** 31);
  try {
    database.exec(`PRAGMA user_version = ${mark}`);
    const checkpoint = database.prepare('PRAGMA wal_checkpoint(PASSIVE)').get();
    return checkpoint?.busy === 0 && checkpoint.log === checkpoint.checkpointed ? mark : undefined;
  } catch (error) {
    if (asDiskFull(stateFile, error) instanceof DiskFull) return undefined;
    throw error;
  }
}

/** Bytes before `user_version` in the header of a database file. */
const bytesBeforeMark = 60;

/** The mark in the file itself, whatever its journal says; undefined when it is too short. */
function markOf(stateFile: string): number | undefined {
  const bytes = Buffer.alloc(4);
  // Closing the file would end SQLite's locks: no connection of this process may have it open.
  const opened = openSync(stateFile, 'r');
  try {
    return readSync(opened, bytes, 0, bytes.length, bytesBeforeMark) === bytes.length ? bytes.readInt32BE() : undefined;
  } finally {
    closeSync(opened);
  }
}

function write(stateFile: string, seal: StateSeal): void {
  const file = sealFile(stateFile);
  try {
    writeFileSync(`${file}.new`, JSON.stringify(seal), { mode: 0o600, flush: true });
    renameSync(`${file}.new`, file);
    syncFolder(path.dirname(file));
  } catch (error) {
    // The state stays without a seal, which harms nothing: it must not end a server, nor keep one from stopping.
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (fullDisk.has(code)) rmSync(`${file}.new`, { force: true });
    else process.emitWarning(`${file} cannot be written (${code}): silent damage of the state will not be found.`);
  }
}

/** Errors of a disk without space, which the server reports by itself. */
const fullDisk = new Set(['ENOSPC', 'EDQUOT']);

function digestOfFile(file: string): string {
  const hash = createHash('sha256');
  const buffer = Buffer.alloc(1024 * 1024);
  const opened = openSync(file, 'r');
  try {
    for (let read = readSync(opened, buffer); read > 0; read = readSync(opened, buffer)) {
      hash.update(buffer.subarray(0, read));
    }
  } finally {
    closeSync(opened);
  }
  return hash.digest('hex');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
