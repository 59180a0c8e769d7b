import { randomBytes, randomUUID } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import { isOwnProcessAlive } from '../fileLock.ts';
import type { Secrets } from '../secrets/secretVault.ts';
import { withSecretStorage } from '../secrets/withSecretStorage.ts';
import { say } from '../../l10n/l10n.ts';

/** A local server that runs, as windows of the same machine tell each other; it has yet to prove to be that server. */
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
  /** Whether the server did not take {@link password} any more: somebody changed it there, and it must not be sent again. */
  isRejected?: boolean;
}

/** What is needed to start the server on its data. */
interface PreparedHome extends LocalServerSecrets {
  dataFolder: string;
  /** An earlier data folder, used by nobody, that was left alone because its secrets are gone. */
  abandonedFolder: string | undefined;
}

/** One set of data, and the secrets that open it. */
interface OpenedData {
  id: string;
  secrets: LocalServerSecrets;
}

/**
 * The local server's place on this machine: its data folders, the secrets that belong to each, and the notes about the
 * processes that run. Secret storage may follow the user to other machines, so secrets are named after the data; and each
 * browser that opens the same editor has a storage of its own, so there is data for each of them.
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

  /** The data to start on; made on first use. Where the secrets of earlier data are lost, new data is begun beside it. */
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

  /** Secrets of the present data, or undefined when there are none. */
  async secrets(): Promise<LocalServerSecrets | undefined> {
    return (await this.#opened())?.secrets;
  }

  /** Notes that the server rejected the password of the present data, if that is `password`. */
  async rejectPassword(password: string): Promise<void> {
    const opened = await this.#opened();
    if (opened?.secrets.password !== password || opened.secrets.isRejected) return;
    const rejected = JSON.stringify({ ...opened.secrets, isRejected: true });
    await this.#using((secrets) => secrets.store(secretName(opened.id), rejected));
  }

  /** The note about the process that runs on the present data; it may be out of date. */
  async readRunning(): Promise<RunningServer | undefined> {
    const opened = await this.#opened();
    return opened && this.#readNote(opened.id);
  }

  /** Id of the process that has the present data, whichever it is; undefined when none has. */
  async holder(): Promise<string | undefined> {
    const opened = await this.#opened();
    return opened && holderOf(this.#dataFolder(opened.id));
  }

  /** @throws {Error} when there is no data that a server could run on. */
  async writeRunning(running: RunningServer): Promise<void> {
    const opened = await this.#opened();
    if (!opened) throw new Error(`The secrets of the data that process ${running.pid} runs on are gone.`);
    await this.#writeFile(noteName(opened.id), running);
  }

  /** Takes the note about process `pid` away, if there is one. Asks no secret storage: the editor may be closing. */
  async clearRunning(pid: number): Promise<void> {
    for (const id of await this.#ids()) {
      if ((await this.#readNote(id))?.pid === pid) await fs.rm(path.join(this.#folder, noteName(id)), { force: true });
    }
  }

  /** Deletes the data and its secrets, and data that nobody has secrets of. The server must have stopped. */
  async erase(): Promise<void> {
    const opened = await this.#opened();
    if (opened) await this.#using((secrets) => secrets.delete(secretName(opened.id)));
    const kept: string[] = [];
    for (const id of await this.#ids()) {
      if (id !== opened?.id && (await this.#isRunning(id))) kept.push(id);
    }
    if (kept.length === 0) {
      await fs.rm(this.#folder, { recursive: true, force: true });
      return;
    }
    for (const id of (await this.#ids()).filter((known) => !kept.includes(known))) {
      await fs.rm(this.#dataFolder(id), { recursive: true, force: true });
      await fs.rm(path.join(this.#folder, noteName(id)), { force: true });
    }
    await this.#writeFile('home.json', { ids: kept });
  }

  /** The data that this secret storage has the secrets of, the latest if there are several. */
  async #opened(): Promise<OpenedData | undefined> {
    for (const id of (await this.#ids()).reverse()) {
      const secrets = readSecrets(await this.#using((storage) => storage.get(secretName(id))));
      if (secrets) return { id, secrets };
    }
    return undefined;
  }

  /** The latest data folder that is there and has no process running on it, as another browser's may have. */
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
    // A note that names another host, or an API elsewhere, is none of ours.
    const isHere = /^http:\/\/127\.0\.0\.1:\d{1,5}$/.test(url) && apiBase.startsWith(`${url}/`);
    return isHere ? { url, pid, installationId, apiBase } : undefined;
  }

  /** @throws {ClientError} of kind storage when the secret storage fails: else the data would be taken for lost. */
  #using<T>(use: (secrets: Secrets) => Thenable<T>): Promise<T> {
    return withSecretStorage(say('Local Server'), () => use(this.#secrets));
  }

  #dataFolder(id: string): string {
    return path.join(this.#folder, `data-${id}`);
  }

  /** Of all data on this machine, the oldest first. */
  async #ids(): Promise<string[]> {
    const ids = (await this.#readFile('home.json'))?.ids;
    if (!Array.isArray(ids)) return [];
    return Array.from<unknown>(ids).filter((id): id is string => typeof id === 'string' && /^[\da-f-]{36}$/.test(id));
  }

  async #readFile(name: string): Promise<Record<string, unknown> | undefined> {
    const text = await readIfExists(path.join(this.#folder, name));
    return text === undefined ? undefined : parseObject(text);
  }

  /** Replaces a small file whole, readable by its owner only. */
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
    // A damaged file or secret is the same as none: it is written anew.
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
 * Id of the process that has the data folder of a server; undefined when none has. The lock decides, which the system takes
 * from a process that ends: a noted id alone may be another program's by now.
 */
async function holderOf(dataFolder: string): Promise<string | undefined> {
  if (!(await isLocked(path.join(dataFolder, 'server.lock')))) return undefined;
  return (await readIfExists(path.join(dataFolder, 'server.pid')))?.trim() ?? '?';
}

/** The text of a file; undefined where there is none. */
async function readIfExists(file: string): Promise<string | undefined> {
  try {
    return await fs.readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Whether a server holds the lock, which it takes on an SQLite file. */
async function isLocked(lockFile: string): Promise<boolean> {
  if ((await readIfExists(lockFile)) === undefined) return false;
  // A runtime without SQLite runs no server either.
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
