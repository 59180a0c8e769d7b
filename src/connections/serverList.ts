import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import { ClientError } from '../client/clientError.ts';
import { awaitServer } from '../client/http/cancelScope.ts';
import * as l10n from '../l10n/l10n.ts';
import { withFileLock } from './fileLock.ts';
import { readServerEntries, unreadableEntries, type ServerEntry } from './serverEntry.ts';

/** Storage of {@link ServerList}. */
export interface ServerListPlace {
  /** File of this machine that all windows share. */
  file: string;
  /** The editor's state, where earlier releases stored the servers: read until the file exists, then cleared. */
  earlier: { get(key: string): unknown; update(key: string, value: undefined): PromiseLike<void> };
}

const earlierKey = 'analytics.servers';

/**
 * The saved servers, in a file that all windows share. The editor's own state is unsuitable: each window has a copy and
 * writes all of it, so a window that does not know a server yet would remove it again.
 */
export class ServerList {
  readonly #place: ServerListPlace;

  constructor(place: ServerListPlace) {
    this.#place = place;
  }

  /** Path of the list's file. */
  get file(): string {
    return this.#place.file;
  }

  /** The servers as last saved by any window. @throws {Error} when the file cannot be read. */
  read(): ServerEntry[] {
    return readServerEntries(this.#saved());
  }

  /** The saved list, with entries that this release cannot read. */
  #saved(): unknown[] {
    const { file, earlier } = this.#place;
    const text = unlessMissing(() => readFileSync(file, 'utf8'));
    const saved: unknown = text === undefined ? (earlier.get(earlierKey) ?? []) : JSON.parse(text);
    if (Array.isArray(saved)) return saved;
    if (text === undefined) return [];
    throw new Error(l10n.t('A later release of Analytics Studio wrote it. Update Analytics Studio in this editor.'));
  }

  /**
   * Changes the list while it is locked for other windows.
   * @param server name of the server that the change is about, for messages.
   * @throws {ClientError} of kind storage when the list cannot be written; it is then unchanged.
   */
  async change(server: string, change: (entries: ServerEntry[]) => ServerEntry[]): Promise<void> {
    const { file } = this.#place;
    const lock = path.join(path.dirname(file), 'locks', 'servers.lock');
    const write = async () => {
      try {
        const saved = this.#saved();
        await this.#write([...change(readServerEntries(saved)), ...unreadableEntries(saved)]);
      } catch (cause) {
        const why = cause instanceof Error ? cause.message : String(cause);
        throw new ClientError('storage', l10n.t('Could not save the server list to {0}: {1}', file, why), {
          server,
          isUnsent: true,
          remedy: l10n.t('Free up disk space or unlock the folder, then try again.'),
          cause,
        });
      }
    };
    await awaitServer(server, undefined, (signal) => withFileLock(lock, write, { server, signal }));
    await this.#dropEarlier();
  }

  /** Removed servers must not remain there, nor reappear if the file is lost. */
  async #dropEarlier(): Promise<void> {
    const { earlier } = this.#place;
    if (earlier.get(earlierKey) === undefined) return;
    // The list is written; if this fails, the next change tries again.
    await earlier.update(earlierKey, undefined).then(undefined, () => undefined);
  }

  /** Atomic: a window that reads meanwhile gets the previous list. */
  async #write(entries: readonly unknown[]): Promise<void> {
    const { file, earlier } = this.#place;
    if (entries.length === 0 && earlier.get(earlierKey) === undefined) {
      // When all servers are removed, no file should remain.
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
