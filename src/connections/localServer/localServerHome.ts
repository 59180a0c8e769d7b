import { randomBytes, randomUUID } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import { localServerContract } from '../../contract/localServer.ts';
import { isOwnProcessAlive } from '../fileLock.ts';
import type { Secrets } from '../secrets/secretVault.ts';
import { withSecretStorage } from '../secrets/withSecretStorage.ts';
import * as l10n from '../../l10n/l10n.ts';
import type { LastStart, WindowRelease } from './otherRelease.ts';
import { readBackupOutcome, type BackupOutcome } from './serverProcess.ts';
import { unlessMissing } from '../unlessMissing.ts';

/** Tries again for about three seconds: a backup that another window makes may still write into the folder. */
const removal = { recursive: true, force: true, maxRetries: 7, retryDelay: 100 };

/** A running local server, as windows of the same machine record it; it still has to prove that it is that server. */
export interface RunningServer {
  url: string;
  pid: number;
  installationId: string;
  apiBase: string;
}

/** Secrets of the local server's data. */
interface LocalServerSecrets {
  /** Password of the `admin` account. */
  password: string;
  /** Key of the stored database passwords, as hexadecimal digits. */
  key: string;
  /** Whether the server rejected {@link password}: it was changed there and must not be sent again. */
  isRejected?: boolean;
}

/** What the server needs to start on its data. */
interface PreparedHome extends LocalServerSecrets {
  dataFolder: string;
  /** An earlier data folder, not in use, that was left unchanged because its secrets are missing. */
  abandonedFolder: string | undefined;
}

/** A data folder with its secrets. */
interface OpenedData {
  id: string;
  secrets: LocalServerSecrets;
}

/**
 * The local server's files on this machine: its data folders, their secrets, and the files about running processes.
 * Secret storage may be synced to other machines, so secrets are named after the data; each browser that opens the same
 * editor has its own secret storage, so each gets its own data.
 */
export class LocalServerHome {
  readonly #folder: string;
  readonly #secrets: Secrets;

  constructor(folder: string, secrets: Secrets) {
    this.#folder = folder;
    this.#secrets = secrets;
  }

  /** File that windows lock while they start or stop the server. */
  get lockFile(): string {
    return path.join(this.#folder, 'lock');
  }

  /**
   * The data to start on; created on first use. If the secrets of earlier data are missing, new data is created next to
   * it.
   */
  async prepare(): Promise<PreparedHome> {
    await fs.mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const opened = await this.#opened();
    if (opened) return { ...opened.secrets, dataFolder: this.#dataFolder(opened.id), abandonedFolder: undefined };
    const earlier = await this.#ids();
    const id = randomUUID();
    const fresh = { password: randomBytes(24).toString('base64url'), key: randomBytes(32).toString('hex') };
    await this.#using((secrets) => secrets.store(secretName(id), JSON.stringify(fresh)));
    await this.#writeFile('home.json', { ids: [...earlier, id] });
    return { ...fresh, dataFolder: this.#dataFolder(id), abandonedFolder: await this.#abandoned(earlier) };
  }

  /** Secrets of the current data, or undefined. */
  async secrets(): Promise<LocalServerSecrets | undefined> {
    return (await this.#opened())?.secrets;
  }

  /** Folder and key of the current data, or undefined. */
  async data(): Promise<{ dataFolder: string; key: string } | undefined> {
    const opened = await this.#opened();
    return opened && { dataFolder: this.#dataFolder(opened.id), key: opened.secrets.key };
  }

  /** Records that the server rejected the password of the current data, if it is `password`. */
  async rejectPassword(password: string): Promise<void> {
    const opened = await this.#opened();
    if (opened?.secrets.password !== password || opened.secrets.isRejected) return;
    const rejected = JSON.stringify({ ...opened.secrets, isRejected: true });
    await this.#using((secrets) => secrets.store(secretName(opened.id), rejected));
  }

  /** The recorded process that runs on the current data; it may be out of date. */
  async readRunning(): Promise<RunningServer | undefined> {
    const opened = await this.#opened();
    return opened && this.#readNote(opened.id);
  }

  /** Id of the process that uses the current data, even if it is not ours; undefined when there is none. */
  async holder(): Promise<string | undefined> {
    const opened = await this.#opened();
    return opened && holderOf(this.#dataFolder(opened.id));
  }

  /**
   * Records a server that this process started.
   * @throws {Error} when there is no data that a server could run on.
   */
  async writeRunning(running: RunningServer, window: WindowRelease): Promise<void> {
    const opened = await this.#opened();
    if (!opened) throw new Error(`The secrets of the data that process ${running.pid} runs on are gone.`);
    const last: LastStart = { ...window, pid: running.pid, contract: localServerContract, owner: process.pid };
    await this.#writeFile(lastStartName(opened.id), last);
    await this.#writeFile(noteName(opened.id), running);
  }

  /** The last start on the current data; undefined when a release that keeps none started it. */
  async readLastStart(): Promise<LastStart | undefined> {
    const opened = await this.#opened();
    const value = opened && (await this.#readFile(lastStartName(opened.id)));
    if (!value) return undefined;
    const { release, editor, pid, contract, owner } = value;
    if (typeof release !== 'string' || typeof editor !== 'string') return undefined;
    if (typeof pid !== 'number' || typeof contract !== 'number' || typeof owner !== 'number') return undefined;
    return { release, editor, pid, contract, owner };
  }

  /** Removes the record of process `pid`, if it exists. Does not use secret storage: the editor may be closing. */
  async clearRunning(pid: number): Promise<void> {
    for (const id of await this.#ids()) {
      if ((await this.#readNote(id))?.pid === pid) await fs.rm(path.join(this.#folder, noteName(id)), { force: true });
    }
  }

  /** Outcome of the last automatic backup of the current data; undefined if there was none. */
  async readLastBackup(): Promise<BackupOutcome | undefined> {
    const opened = await this.#opened();
    const file = path.join(`data-${opened?.id}`, 'backups', 'automatic.json');
    return opened && readBackupOutcome(await this.#readFile(file));
  }

  /**
   * Deletes the data with its secrets, and data whose secrets are missing. The server must have stopped, and the caller
   * holds {@link lockFile}, which stays.
   */
  async erase(): Promise<void> {
    const opened = await this.#opened();
    if (opened) await this.#using((secrets) => secrets.delete(secretName(opened.id)));
    const kept: string[] = [];
    for (const id of await this.#ids()) {
      if (id !== opened?.id && (await this.#isRunning(id))) kept.push(id);
    }
    if (kept.length === 0) {
      const names = (await unlessMissing(fs.readdir(this.#folder))) ?? [];
      const others = names.filter((name) => name !== path.basename(this.lockFile));
      for (const name of others) await fs.rm(path.join(this.#folder, name), removal);
      return;
    }
    for (const id of (await this.#ids()).filter((known) => !kept.includes(known))) {
      await fs.rm(this.#dataFolder(id), removal);
      for (const name of [noteName(id), lastStartName(id)]) {
        await fs.rm(path.join(this.#folder, name), { force: true });
      }
    }
    await this.#writeFile('home.json', { ids: kept });
  }

  /** The data whose secrets are in this secret storage; the latest if there are several. */
  async #opened(): Promise<OpenedData | undefined> {
    for (const id of (await this.#ids()).reverse()) {
      const secrets = readSecrets(await this.#using((storage) => storage.get(secretName(id))));
      if (secrets) return { id, secrets };
    }
    return undefined;
  }

  /** The latest data folder that no running process uses; another browser's process may use one. */
  async #abandoned(ids: readonly string[]): Promise<string | undefined> {
    for (const id of [...ids].reverse()) {
      if ((await exists(this.#dataFolder(id))) && !(await this.#isRunning(id))) return this.#dataFolder(id);
    }
    return undefined;
  }

  async #isRunning(id: string): Promise<boolean> {
    const note = await this.#readNote(id);
    return note !== undefined && isOwnProcessAlive(note.pid);
  }

  async #readNote(id: string): Promise<RunningServer | undefined> {
    const value = await this.#readFile(noteName(id));
    if (!value) return undefined;
    const { url, pid, installationId, apiBase } = value;
    if (typeof url !== 'string' || typeof pid !== 'number') return undefined;
    if (typeof installationId !== 'string' || typeof apiBase !== 'string') return undefined;
    // A record with another host or another API path was not written by us.
    const isHere = /^http:\/\/127\.0\.0\.1:\d{1,5}$/.test(url) && apiBase.startsWith(`${url}/`);
    return isHere ? { url, pid, installationId, apiBase } : undefined;
  }

  /**
   * @throws {ClientError} of kind storage when the secret storage fails: otherwise the data would be considered lost.
   */
  #using<T>(use: (secrets: Secrets) => Thenable<T>): Promise<T> {
    return withSecretStorage(l10n.t('Local Server'), () => use(this.#secrets));
  }

  #dataFolder(id: string): string {
    return path.join(this.#folder, `data-${id}`);
  }

  /**
   * Ids of all data on this machine, the oldest first. Includes folders that the list lacks, so that damage to it does
   * not hide them.
   */
  async #ids(): Promise<string[]> {
    const ids = (await this.#readFile('home.json'))?.ids;
    const listed = Array.isArray(ids) ? Array.from<unknown>(ids) : [];
    const present = ((await unlessMissing(fs.readdir(this.#folder))) ?? []).flatMap(
      (name) => /^data-([\da-f-]{36})$/.exec(name)?.[1] ?? [],
    );
    const known = listed.filter((id): id is string => typeof id === 'string' && /^[\da-f-]{36}$/.test(id));
    return [...present.filter((id) => !known.includes(id)).sort(), ...known];
  }

  async #readFile(name: string): Promise<Record<string, unknown> | undefined> {
    const text = await unlessMissing(fs.readFile(path.join(this.#folder, name), 'utf8'));
    return text === undefined ? undefined : parseObject(text);
  }

  /** Replaces a small file atomically; only its owner can read it. */
  async #writeFile(name: string, value: object): Promise<void> {
    const file = path.join(this.#folder, name);
    const draft = `${file}.${process.pid}`;
    await fs.writeFile(draft, JSON.stringify(value), { mode: 0o600 });
    await fs.rename(draft, file);
  }
}

function noteName(id: string): string {
  return `server-${id}.json`;
}

function lastStartName(id: string): string {
  return `last-start-${id}.json`;
}

function secretName(id: string): string {
  return `analytics.localServer.${id}`;
}

function readSecrets(text: string | undefined): LocalServerSecrets | undefined {
  const value = text === undefined ? undefined : parseObject(text);
  if (typeof value?.password !== 'string' || typeof value.key !== 'string') return undefined;
  return { password: value.password, key: value.key, ...(value.isRejected === true && { isRejected: true }) };
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    // A damaged file or secret is treated as missing and written again.
    return undefined;
  }
}

async function exists(folder: string): Promise<boolean> {
  return fs.stat(folder).then(
    () => true,
    () => false,
  );
}

/**
 * Id of the process that uses a server's data folder; undefined when there is none. The lock decides, which the system
 * releases when a process ends: a recorded id alone may belong to another program now.
 */
async function holderOf(dataFolder: string): Promise<string | undefined> {
  if (!(await isLocked(path.join(dataFolder, 'server.lock')))) return undefined;
  return (await unlessMissing(fs.readFile(path.join(dataFolder, 'server.pid'), 'utf8')))?.trim() ?? '?';
}

/** Whether a server holds the lock, which is a lock on an SQLite file. */
async function isLocked(lockFile: string): Promise<boolean> {
  if ((await unlessMissing(fs.readFile(lockFile, 'utf8'))) === undefined) return false;
  // A runtime without SQLite cannot run a server either.
  const sqlite = process.getBuiltinModule('node:sqlite');
  if (!sqlite) return false;
  const lock = new sqlite.DatabaseSync(lockFile, { readOnly: true });
  try {
    lock.exec('SELECT count(*) FROM sqlite_schema');
    return false;
  } catch (error) {
    if (error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy) return true;
    throw error;
  } finally {
    lock.close();
  }
}

const sqliteBusy = 5;
