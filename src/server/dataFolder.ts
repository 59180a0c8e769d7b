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
import { SecretBox } from './catalogue/secretBox.ts';
import { isForeign, storedSecrets } from './catalogue/storedSecrets.ts';
import { waysOut, hasContent } from './store/stateBackup.ts';
import type { Store } from './store/store.ts';
import { readVersions } from './store/stateVersions.ts';

/** The folder that holds a server's state, claimed by this process. */
export interface DataFolder {
  path: string;
  /** Database file that holds the server's state. */
  stateFile: string;
  /** Releases the folder for other processes. */
  release(): void;
}

/** Another process has the data folder. */
export class FolderInUse extends Error {
  override readonly name = 'FolderInUse';
}

/**
 * Creates the folder if needed, restricts it to its owner, and claims it for this process. The claim is an operating
 * system lock on a file, so it ends with the process, even after a crash.
 * @throws FolderInUse naming the process that uses the folder; Error when the folder cannot be used.
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
    const isLocked = cause instanceof Error && 'errcode' in cause && Number(cause.errcode) === sqliteBusy;
    if (!isLocked) throw cause;
    const pid = existsSync(pidFile) ? readFileSync(pidFile, 'utf8').trim() : 'unknown';
    throw new FolderInUse(
      `The data folder ${absolute} is in use by another server (process ${pid}). Stop it first, or specify another folder with --data.`,
      { cause },
    );
  }
  writeFileSync(pidFile, String(process.pid), { mode: 0o600 });
  const release = () => {
    rmSync(pidFile, { force: true });
    lock.close();
  };
  return { path: absolute, stateFile: path.join(absolute, 'state.db'), release };
}

/** SQLite's error when another process has a lock. */
const sqliteBusy = 5;

function openLock(folder: string, file: string): DatabaseSync {
  try {
    const lock = new DatabaseSync(file);
    chmodSync(file, 0o600);
    return lock;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(
      `The data folder ${folder} cannot be written to (${reason}). Release it, or specify another folder with --data.`,
      {
        cause,
      },
    );
  }
}

/** Files that only a folder with a state contains: the marker written by {@link noteState}, the key, and backups. */
const signsOfState = ['state.made', 'secret.key', 'backups'];

/** @throws Error when the folder once held a state that is now missing: a new one would hide the loss. */
export function refuseLostState({ path: folder, stateFile }: DataFolder): void {
  if (readVersions(stateFile)) return;
  const signs = signsOfState.map((name) => path.join(folder, name));
  const journal = `${stateFile}-wal`;
  // A first start that was killed also leaves a journal, but next to a database file that has its first page.
  const sign = !hasContent(stateFile) && hasContent(journal) ? journal : signs.find((file) => existsSync(file));
  if (sign === undefined) return;
  const what = existsSync(stateFile) ? 'is empty' : 'does not exist';
  const damage = `${stateFile} ${what}.`;
  const error = new Error(
    `The data of ${folder} is gone: ${stateFile} ${what}, but ${sign} does. Nothing was changed. ${waysOut(stateFile)} ` +
      `To start with new data there, start the server once with --new.`,
  );
  throw Object.assign(error, { damage });
}

/** Records that the folder holds a state. */
export function noteState({ path: folder }: DataFolder): void {
  const note = path.join(folder, 'state.made');
  if (!existsSync(note)) writeFileSync(note, 'This folder holds the state of a server in state.db.\n', { mode: 0o600 });
}

/**
 * The key that encrypts stored passwords: 32 bytes in a file next to the state, generated on the first start. Not used
 * by a server that receives its key from outside.
 * @throws Error when the file does not contain a key.
 */
export function keyInFolder(folder: Pick<DataFolder, 'path'>): Buffer {
  const file = path.join(folder.path, 'secret.key');
  if (!existsSync(file)) {
    // Atomic: a server killed before the rename must be able to start again.
    const unfinished = `${file}.new`;
    writeFileSync(unfinished, randomBytes(32).toString('base64'), { mode: 0o600, flush: true });
    renameSync(unfinished, file);
  }
  chmodSync(file, 0o600);
  const text = readFileSync(file, 'utf8').trim();
  const key = Buffer.from(text, 'base64');
  // Decoding skips what is not base64.
  if (key.length === 32 && key.toString('base64') === text) return key;
  throw new Error(`${file} is damaged: it is not a key of 32 bytes. Nothing was changed. ${keyWaysOut}`);
}

const keyWaysOut =
  'Put your copy of it back. Without a copy, move the file away and start the server once with --new: it makes a new key, ' +
  'removes the passwords that it cannot decrypt and names them, so that you can enter them again.';

/**
 * Opens the secrets of a state with the key in its folder. With `isNew`, secrets of another key are removed.
 * @returns what the removed ones belong to.
 * @throws Error when no secret was encrypted with that key: it is damaged, of another folder, or gone.
 */
export function openSecrets(
  folder: DataFolder,
  store: Store,
  isNew: boolean,
): { secrets: SecretBox; removed: readonly string[] } {
  const file = path.join(folder.path, 'secret.key');
  const stored = storedSecrets((sql) => store.all(sql));
  if (stored.length > 0 && !isNew && !existsSync(file)) {
    throw new Error(
      `${file} is missing, the key of the ${stored.length} stored passwords. ${keyWaysOut} If an editor has started ` +
        'this server, the editor has the key: start it from there.',
    );
  }
  const secrets = new SecretBox(keyInFolder(folder));
  const foreign = stored.filter((secret) => isForeign(secret, secrets));
  if (isNew) {
    store.transaction(() => foreign.forEach(({ removal: [sql, ...values] }) => store.run(sql, ...values)));
    return { secrets, removed: foreign.map(({ owner }) => owner) };
  }
  if (stored.length > 0 && foreign.length === stored.length) {
    throw new Error(`${file} is damaged or of another folder: it decrypts no stored password. ${keyWaysOut}`);
  }
  return { secrets, removed: [] };
}

const stickyBit = 0o1000;
const root = 0;

/**
 * Creates the folder if needed and removes all access rights of other users. Where the system has no file modes, as on
 * Windows, access lists stay unchanged.
 * @returns the real path, with links resolved.
 * @throws Error when another user owns the folder, can write to it or can replace it.
 */
function privateFolder(folder: string): string {
  const given = path.resolve(folder);
  const real = madeFolder(given);
  const user = process.geteuid?.();
  if (user === undefined) return real;
  requireOwn(real, user);
  // The path as given, which may contain links, can differ from the real one.
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
    throw new Error(`The data folder ${folder} cannot be created (${reason}). Specify another folder with --data.`, {
      cause,
    });
  }
}

function requireOwn(folder: string, user: number): void {
  const stats = statSync(folder);
  if (stats.uid !== user) {
    throw new Error(
      `The data folder ${folder} belongs to another user (id ${stats.uid}, not ${user}). ` +
        'Specify a folder of the user who runs the server with --data, or give it to that user (chown).',
    );
  }
  if (mayOthersWrite(stats)) {
    throw new Error(
      `Others can write to the data folder ${folder} (mode ${modeOf(stats)}), so its content may come from them. ` +
        `Check it and remove their permission (chmod 700), or specify another folder with --data.`,
    );
  }
}

/** @throws Error when another user could replace `folder` or one of its parents. */
function requireFixedPlace(folder: string, user: number): void {
  for (let inner = folder, outer = path.dirname(folder); outer !== inner; inner = outer, outer = path.dirname(outer)) {
    const stats = statSync(outer);
    if (!mayOthersWrite(stats)) continue;
    // With the sticky bit, only an entry's owner can move it.
    if (stats.mode & stickyBit && [user, root].includes(lstatSync(inner).uid)) continue;
    throw new Error(
      `Others can replace the data folder ${folder}: they can write to ${outer} (mode ${modeOf(stats)}). ` +
        'Remove that permission (chmod go-w), or specify another folder with --data.',
    );
  }
}

/** By Linux convention, a group with the same id as its only user belongs to that user alone. */
function mayOthersWrite({ mode, uid, gid }: Stats): boolean {
  return Boolean(mode & 0o002) || (Boolean(mode & 0o020) && gid !== uid);
}

function modeOf({ mode }: Stats): string {
  return (mode & 0o7777).toString(8).padStart(4, '0');
}
