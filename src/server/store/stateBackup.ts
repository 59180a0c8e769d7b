import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  existsSync,
} from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';

/** Whether a file exists and is not empty. */
export function hasContent(file: string): boolean {
  return existsSync(file) && statSync(file).size > 0;
}

/**
 * Reads a database without changing a byte of its folder. No other process may have it open. Without a journal it is
 * opened as immutable, for which SQLite creates and locks nothing. With a journal left by a killed server, the journal
 * is read, too, and the index that SQLite creates for it is removed afterwards.
 */
export function readUnchanged<T>(file: string, read: (database: DatabaseSync) => T): T {
  const location = pathToFileURL(file);
  const index = `${file}-shm`;
  const createsIndex = hasContent(`${file}-wal`) && !existsSync(index);
  if (!hasContent(`${file}-wal`)) location.searchParams.set('immutable', '1');
  const database = new DatabaseSync(location, { readOnly: true });
  try {
    return read(database);
  } finally {
    database.close();
    if (createsIndex) rmSync(index, { force: true });
  }
}

/** Number of pre-migration copies to keep. */
const copiesKept = 3;
const copyName = /^before-.+\.db$/;

/** Folder of the copies of a state file. */
export function backupFolder(stateFile: string): string {
  return path.join(path.dirname(stateFile), 'backups');
}

/** Whether a file of that folder is a copy made before an upgrade or a backup. */
export function isBackup(name: string): boolean {
  return /^(?:before|backup|daily|replaced)-.+\.db$/.test(name);
}

/** Path of the copy made before `release` migrates the state. */
export function backupBefore(stateFile: string, release: string): string {
  return path.join(backupFolder(stateFile), `before-${release}.db`);
}

/**
 * Copies the state before `release` migrates it. The copy is verified, durable and readable by its owner only; it gets
 * its final name once complete. No other process may have the state open.
 * @throws Error when there is no disk space, or the state is damaged.
 */
export function backUpBefore(stateFile: string, release: string): void {
  const target = backupBefore(stateFile, release);
  const draft = `${target}.new`;
  try {
    mkdirSync(backupFolder(stateFile), { recursive: true, mode: 0o700 });
    removeDatabase(draft);
    try {
      closeSync(openSync(draft, 'wx', 0o600));
      readUnchanged(stateFile, (database) => database.prepare('VACUUM INTO ?').run(draft));
      checkCopy(draft);
      syncFile(draft);
      renameSync(draft, target);
    } finally {
      removeDatabase(draft);
    }
    syncFolder(backupFolder(stateFile));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(
      `${stateFile} was not upgraded to release ${release}, because the copy to make first failed: ${reason}. Nothing was ` +
        `changed. Check the space and rights of ${backupFolder(stateFile)}, and start again.`,
      { cause },
    );
  }
}

/** Deletes all but the latest copies, and the remains of interrupted ones. */
export function deleteOldBackups(stateFile: string): void {
  const folder = backupFolder(stateFile);
  const names = readdirSync(folder);
  const writtenAt = (name: string) => statSync(path.join(folder, name)).mtimeMs;
  const copies = names.filter((name) => copyName.test(name)).sort((one, other) => writtenAt(other) - writtenAt(one));
  const unfinished = names.filter((name) => /\.db\.new$/.test(name));
  for (const name of [...copies.slice(copiesKept), ...unfinished]) removeDatabase(path.join(folder, name));
}

/** Also sets WAL mode, which the server uses, so that a restored copy is already in that mode. */
function checkCopy(file: string): void {
  const database = new DatabaseSync(file);
  try {
    database.exec('PRAGMA journal_mode = WAL');
    const found = database.prepare('PRAGMA integrity_check(1)').get()?.integrity_check;
    if (found !== 'ok') throw new Error(`the copy is damaged (${String(found)})`);
  } finally {
    database.close();
  }
}

/** Deletes a database with the files that SQLite keeps beside it. */
export function removeDatabase(file: string): void {
  for (const end of ['', '-journal', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true });
}

/** Makes the content of a file durable. */
export function syncFile(file: string): void {
  const opened = openSync(file, 'r+');
  fsyncSync(opened);
  closeSync(opened);
}

/** Makes the names in a folder durable; Windows has no such call. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const opened = openSync(folder, 'r');
  fsyncSync(opened);
  closeSync(opened);
}

/** The state on the disk is unusable; nothing in it was changed. */
export class DamagedState extends Error {
  /** What is wrong with the file, such as 'is not a database'. */
  readonly what: string;
  /** The file and what is wrong with it, for the parent process. */
  readonly damage: string;

  constructor(stateFile: string, what: string, options?: ErrorOptions) {
    super(`${stateFile} ${what}. Nothing was changed. ${waysOut(stateFile)}`, options);
    this.name = 'DamagedState';
    this.what = what;
    this.damage = `${stateFile} ${what}.`;
  }
}

/**
 * Checks every page. It takes 5 s for 1 GB and some milliseconds for the few MB of most states, so it runs at each
 * start: disks also damage files of servers that stopped cleanly.
 * @throws DamagedState describing the damage.
 */
export function checkIntegrity(stateFile: string, database: DatabaseSync): void {
  const found = database.prepare('PRAGMA integrity_check(1)').get()?.integrity_check;
  if (found !== 'ok') throw new DamagedState(stateFile, `is damaged (${String(found).replaceAll('\n', ' ')})`);
}

/** Turns SQLite's error for an unreadable file into DamagedState; returns any other error unchanged. */
export function asDamage(stateFile: string, error: unknown): unknown {
  if (!(error instanceof Error) || !('errcode' in error)) return error;
  const code = Number(error.errcode) & 0xff;
  if (code === sqliteNotADatabase) return new DamagedState(stateFile, 'is not a database', { cause: error });
  if (code !== sqliteCorrupt && code !== sqliteError) return error;
  return new DamagedState(stateFile, `is damaged (${error.message})`, { cause: error });
}

/** SQLite's error when a valid statement fails: a table or its definition is damaged. */
const sqliteError = 1;
const sqliteCorrupt = 11;
const sqliteNotADatabase = 26;

/** Instructions for recovering data. */
export function waysOut(stateFile: string): string {
  const folder = backupFolder(stateFile);
  const copies = existsSync(folder) ? readdirSync(folder).filter(isBackup) : [];
  const run = `run: server.js restore --data ${path.dirname(stateFile)} --from COPY`;
  return copies.length > 0
    ? `To restore a copy of ${folder} (${copies.join(', ')}), ${run}`
    : `There is no copy in ${folder}; to restore one of your own, ${run}`;
}
