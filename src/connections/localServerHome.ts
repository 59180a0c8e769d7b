import { randomBytes, randomUUID } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import type { Secrets } from './secretVault.ts';
import { usingSecrets } from './usingSecrets.ts';
import { say } from '../words/say.ts';

/** A local server that runs, as windows of the same machine tell each other. */
export interface RunningServer {
  url: string;
  pid: number;
  installationId: string;
  apiBase: string;
}

/** Secrets of the local server's data. */
export interface LocalServerSecrets {
  /** Password of the `admin` account. */
  password: string;
  /** Key of the stored database passwords, as hexadecimal digits. */
  key: string;
  /** Whether the server did not take {@link password} any more: somebody changed it there, and it must not be sent again. */
  isRejected?: boolean;
}

/** What is needed to start the server on its data. */
export interface PreparedHome extends LocalServerSecrets {
  dataFolder: string;
  /** An earlier data folder that was left alone because its secrets are gone. */
  abandonedFolder: string | undefined;
}

/**
 * The local server's place on this machine: its data folder, the secrets that belong to it, and the note about the
 * process that runs. Secret storage may follow the user to other machines, so secrets are named after the data.
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
    const known = await this.#readId();
    const kept = known === undefined ? undefined : await this.secrets();
    if (known !== undefined && kept) {
      return { ...kept, dataFolder: this.#dataFolder(known), abandonedFolder: undefined };
    }
    const earlier = known === undefined ? undefined : this.#dataFolder(known);
    const id = randomUUID();
    const fresh = { password: randomBytes(24).toString('base64url'), key: randomBytes(32).toString('hex') };
    await this.#using((secrets) => secrets.store(secretName(id), JSON.stringify(fresh)));
    await this.#writeFile('home.json', { id });
    return {
      ...fresh,
      dataFolder: this.#dataFolder(id),
      abandonedFolder: earlier !== undefined && (await exists(earlier)) ? earlier : undefined,
    };
  }

  /** Secrets of the present data, or undefined when there are none. */
  async secrets(): Promise<LocalServerSecrets | undefined> {
    const id = await this.#readId();
    return id === undefined ? undefined : readSecrets(await this.#using((secrets) => secrets.get(secretName(id))));
  }

  /** Notes that the server rejected the password of the present data, if that is `password`. */
  async rejectPassword(password: string): Promise<void> {
    const [id, kept] = [await this.#readId(), await this.secrets()];
    if (id === undefined || kept?.password !== password || kept.isRejected) return;
    await this.#using((secrets) => secrets.store(secretName(id), JSON.stringify({ ...kept, isRejected: true })));
  }

  /** The note about the running process; it may be out of date. */
  async readRunning(): Promise<RunningServer | undefined> {
    const value = await this.#readFile('server.json');
    if (!value) return undefined;
    const { url, pid, installationId, apiBase } = value;
    if (typeof url !== 'string' || typeof pid !== 'number') return undefined;
    if (typeof installationId !== 'string' || typeof apiBase !== 'string') return undefined;
    return { url, pid, installationId, apiBase };
  }

  async writeRunning(running: RunningServer): Promise<void> {
    await this.#writeFile('server.json', running);
  }

  /** Takes the note away, if it is still about process `pid`. */
  async clearRunning(pid: number): Promise<void> {
    if ((await this.readRunning())?.pid === pid) await fs.rm(path.join(this.#folder, 'server.json'), { force: true });
  }

  /** Deletes the data and its secrets. The server must have stopped. */
  async erase(): Promise<void> {
    const id = await this.#readId();
    if (id !== undefined) await this.#using((secrets) => secrets.delete(secretName(id)));
    await fs.rm(this.#folder, { recursive: true, force: true });
  }

  /** @throws {ClientError} of kind storage when the secret storage fails: else the data would be taken for lost. */
  #using<T>(use: (secrets: Secrets) => Thenable<T>): Promise<T> {
    return usingSecrets(say('Local Server'), () => use(this.#secrets));
  }

  #dataFolder(id: string): string {
    return path.join(this.#folder, `data-${id}`);
  }

  async #readId(): Promise<string | undefined> {
    const id = (await this.#readFile('home.json'))?.id;
    return typeof id === 'string' && /^[\da-f-]{36}$/.test(id) ? id : undefined;
  }

  async #readFile(name: string): Promise<Record<string, unknown> | undefined> {
    let text: string;
    try {
      text = await fs.readFile(path.join(this.#folder, name), 'utf8');
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
      throw error;
    }
    return parseObject(text);
  }

  /** Replaces a small file whole, readable by its owner only. */
  async #writeFile(name: string, value: object): Promise<void> {
    const file = path.join(this.#folder, name);
    const draft = `${file}.${process.pid}`;
    await fs.writeFile(draft, JSON.stringify(value), { mode: 0o600 });
    await fs.rename(draft, file);
  }
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
