import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import { ClientError } from '../client/clientError.ts';
import { awaitServer } from '../client/http/cancelScope.ts';
import { say } from '../l10n/l10n.ts';
import { withFileLock } from './fileLock.ts';
import { readServerEntries, type ServerEntry } from './serverEntry.ts';

/** Where {@link ServerList} keeps the servers. */
export interface ServerListPlace {
  /** File of this machine that all windows share. */
  file: string;
  /** The editor's state, where releases before this one kept them: read as long as there is no file, then emptied. */
  earlier: { get(key: string): unknown; update(key: string, value: undefined): PromiseLike<void> };
}

const earlierKey = 'analytics.servers';

/**
 * The saved servers, in a file that all windows share. The editor's own state would not do: each window has a copy of it, and
 * writes all of that copy, so that a window which has not heard of a server yet would take it out again.
 */
export class ServerList {
  readonly #place: ServerListPlace;

  constructor(place: ServerListPlace) {
    this.#place = place;
  }

  /** Where they are kept. */
  get file(): string {
    return this.#place.file;
  }

  /** The servers as the last window to change them left them. @throws {Error} when the file cannot be read. */
  read(): ServerEntry[] {
    const { file, earlier } = this.#place;
    const text = unlessMissing(() => readFileSync(file, 'utf8'));
    return readServerEntries(text === undefined ? earlier.get(earlierKey) : JSON.parse(text));
  }

  /**
   * Changes the list while no other window does.
   * @param server name of the server that the change is about, for messages.
   * @throws {ClientError} of kind storage when the list cannot be written; then it is as it was.
   */
  async change(server: string, change: (entries: ServerEntry[]) => ServerEntry[]): Promise<void> {
    const { file } = this.#place;
    const lock = path.join(path.dirname(file), 'locks', 'servers.lock');
    const write = async () => {
      try {
        await this.#write(change(this.read()));
      } catch (cause) {
        const why = cause instanceof Error ? cause.message : String(cause);
        throw new ClientError('storage', say('The list of servers cannot be kept in {0}: {1}', file, why), {
          server,
          isUnsent: true,
          remedy: say('Make room on the disk, or free the folder, and try again.'),
          cause,
        });
      }
    };
    await awaitServer(server, undefined, (signal) => withFileLock(lock, write, { server, signal }));
    await this.#dropEarlier();
  }

  /** Servers that are removed must not stand there for good, nor come back should the file be lost. */
  async #dropEarlier(): Promise<void> {
    const { earlier } = this.#place;
    if (earlier.get(earlierKey) === undefined) return;
    // The list is written: what fails here is tried again at the next change.
    await earlier.update(earlierKey, undefined).then(undefined, () => undefined);
  }

  /** Whole or not at all: a window that reads meanwhile has the list before it. */
  async #write(entries: readonly ServerEntry[]): Promise<void> {
    const { file, earlier } = this.#place;
    if (entries.length === 0 && earlier.get(earlierKey) === undefined) {
      // Of servers that are all removed nothing is left.
      await fs.rm(file, { force: true });
      return;
    }
    const draft = `${file}.${randomUUID()}`;
    try {
      await fs.writeFile(draft, JSON.stringify(entries, undefined, 2), { mode: 0o600, flush: true });
      await fs.rename(draft, file);
    } finally {
      await fs.rm(draft, { force: true });
    }
  }
}

function unlessMissing<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
