import { createHash } from 'node:crypto';
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
import * as z from 'zod';
import { DamagedState, hasContent, syncFolder } from './stateBackup.ts';

/*
 * The seal, a file beside the state, finds damage that SQLite cannot: after a clean stop it holds the digest of the state;
 * while a server runs, the least length of its journal. Without a seal, neither is checked.
 */

const stateSeal = z.union([
  z.strictObject({ stopped: z.string().regex(/^[0-9a-f]{64}$/) }),
  z.strictObject({ journalBytes: z.int() }),
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

/** Notes the durable length of the journal, which does not shrink while a server runs. */
export function sealJournal(stateFile: string, journalBytes: number): void {
  write(stateFile, { journalBytes });
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
