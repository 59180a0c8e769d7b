import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  lstatSync,
  mkdirSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { waysOut, hasContent } from './store/stateBackup.ts';
import { readVersions } from './store/stateVersions.ts';

/** The folder that holds a server's state, claimed by this process. */
export interface DataFolder {
  path: string;
  /** The database of the server's state. */
  stateFile: string;
  /** Lets another process have the folder. */
  release(): void;
}

/** Another process has the data folder. */
class FolderInUse extends Error {
  override readonly name = 'FolderInUse';
}

/**
 * Makes the folder if need be, keeps it to its owner, and claims it for this process. The claim is a lock of the
 * operating system on a file, so it ends with the process, however that ends.
 * @throws FolderInUse naming the process that has the folder; Error when it cannot be used.
 */
export function claimDataFolder(folder: string): DataFolder {
  const absolute = privateFolder(folder);
  const pidFile = path.join(absolute, 'server.pid');
  const lockFile = path.join(absolute, 'server.lock');
  const lock = openLock(absolute, lockFile);
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    lock.close();
    const pid = existsSync(pidFile) ? readFileSync(pidFile, 'utf8').trim() : 'unknown';
    throw new FolderInUse(`The data folder ${absolute} is in use by another server (process ${pid}).`, { cause });
  }
  writeFileSync(pidFile, String(process.pid), { mode: 0o600 });
  const release = () => {
    rmSync(pidFile, { force: true });
    lock.close();
  };
  return { path: absolute, stateFile: path.join(absolute, 'state.db'), release };
}

function openLock(folder: string, file: string): DatabaseSync {
  try {
    const lock = new DatabaseSync(file);
    chmodSync(file, 0o600);
    return lock;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`The data folder ${folder} cannot be written to (${reason}). Free it, or name another by --data.`, {
      cause,
    });
  }
}

/** Files of a folder that has held a state: the note by {@link noteState}, the key, and copies. */
const signsOfState = ['state.made', 'secret.key', 'backups'];

/** @throws Error when the folder has held a state that is gone now: a new one would hide that. */
export function refuseLostState({ path: folder, stateFile }: DataFolder): void {
  if (readVersions(stateFile)) return;
  const signs = signsOfState.map((name) => path.join(folder, name));
  const journal = `${stateFile}-wal`;
  // A first start that was killed leaves a journal, too, but a file beside it that has a first page.
  const sign = !hasContent(stateFile) && hasContent(journal) ? journal : signs.find((file) => existsSync(file));
  if (sign === undefined) return;
  const what = existsSync(stateFile) ? 'is empty' : 'does not exist';
  throw new Error(
    `The data of ${folder} is gone: ${stateFile} ${what}, but ${sign} does. Nothing was changed. ${waysOut(stateFile)} ` +
      `To begin with new data there, start the server once with --new.`,
  );
}

/** Notes that the folder holds a state. */
export function noteState({ path: folder }: DataFolder): void {
  const note = path.join(folder, 'state.made');
  if (!existsSync(note)) writeFileSync(note, 'This folder holds the state of a server in state.db.\n', { mode: 0o600 });
}

/**
 * The key that encrypts stored passwords: 32 bytes kept in a file beside the state, made on the first start. A server
 * that is given its key from outside does not use this.
 * @throws Error when the file does not hold a key.
 */
export function keyInFolder(folder: DataFolder): Buffer {
  const file = path.join(folder.path, 'secret.key');
  if (!existsSync(file)) {
    // Whole or not at all: a server that ends in between must start again.
    const unfinished = `${file}.new`;
    writeFileSync(unfinished, randomBytes(32).toString('base64'), { mode: 0o600, flush: true });
    renameSync(unfinished, file);
  }
  chmodSync(file, 0o600);
  const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64');
  if (key.length !== 32) throw new Error(`${file} does not hold a key of 32 bytes.`);
  return key;
}

const stickyBit = 0o1000;
const root = 0;

/**
 * Makes the folder if need be, and takes from all others what rights they have on it. Where the system knows no modes, as Windows
 * does not, its access lists are left as they are.
 * @returns its whole path without links.
 * @throws Error when somebody else owns the folder, can write to it or can put another in its place.
 */
function privateFolder(folder: string): string {
  const given = path.resolve(folder);
  const real = madeFolder(given);
  const user = process.geteuid?.();
  if (user === undefined) return real;
  requireOwn(real, user);
  // The way by which it was named, links and all, may be another one.
  for (const way of new Set([given, real])) requireFixedPlace(way, user);
  chmodSync(real, 0o700);
  return real;
}

function madeFolder(folder: string): string {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return realpathSync.native(folder);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`The data folder ${folder} cannot be made (${reason}). Name another by --data.`, { cause });
  }
}

function requireOwn(folder: string, user: number): void {
  const stats = statSync(folder);
  if (stats.uid !== user) {
    throw new Error(
      `The data folder ${folder} belongs to another user (id ${stats.uid}, not ${user}). ` +
        'Name a folder of the user who runs the server by --data, or give it to that user (chown).',
    );
  }
  if (mayOthersWrite(stats)) {
    throw new Error(
      `Others can write to the data folder ${folder} (mode ${modeOf(stats)}), so what is in it may be theirs. ` +
        `Look through it, take the right from them (chmod 700), or name another folder by --data.`,
    );
  }
}

/** @throws Error when others could put something else in the place of `folder`, or of a folder above it. */
function requireFixedPlace(folder: string, user: number): void {
  for (let inner = folder, outer = path.dirname(folder); outer !== inner; inner = outer, outer = path.dirname(outer)) {
    const stats = statSync(outer);
    if (!mayOthersWrite(stats)) continue;
    // There only the owner moves what is in it.
    if (stats.mode & stickyBit && [user, root].includes(lstatSync(inner).uid)) continue;
    throw new Error(
      `Others can put something else in the place of the data folder ${folder}: they can write to ${outer} (mode ${modeOf(stats)}). ` +
        'Take that right from them (chmod go-w), or name another folder by --data.',
    );
  }
}

/** A group of the same id as its one user is that user's alone, by the custom of Linux systems. */
function mayOthersWrite({ mode, uid, gid }: Stats): boolean {
  return Boolean(mode & 0o002) || (Boolean(mode & 0o020) && gid !== uid);
}

function modeOf({ mode }: Stats): string {
  return (mode & 0o7777).toString(8).padStart(4, '0');
}
