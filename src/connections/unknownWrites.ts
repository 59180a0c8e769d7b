import { randomUUID } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import type { JournalledWrite, OpenWrite, WriteJournal } from '../client/writes/writeJournal.ts';
import { writeChecked } from './checkedRecord.ts';
import { isProcessAlive } from './fileLock.ts';
import type { DamagedWrite, UnknownWrite } from './unknownWrite.ts';
import { unlessMissing } from './unlessMissing.ts';

/** The server that a journal belongs to. */
export interface JournalServer {
  readonly id: string;
  readonly name: string;
}

const suffix = '.json';
/** Ids of this process's writes in progress. */
const underWay = new Set<string>();
/** Longer than any write takes: its process has forgotten it, or its process id is in use again. */
const longestWriteMs = 15 * 60_000;

/**
 * Writes that are in progress or of unknown outcome, of all servers and windows: one file each in a folder that all
 * windows share, on disk before the write is sent. So no write is lost when a window closes or two windows write at the
 * same time.
 */
export class UnknownWrites {
  /** Folder of the records. */
  readonly folder: string;
  /** Checks of the server that are still possible because this process sent the write. */
  readonly #looks = new Map<string, () => Promise<boolean>>();

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Writes of unknown outcome, latest first; includes those that a process was sending when it ended. */
  async list(): Promise<UnknownWrite[]> {
    return (await this.read()).writes;
  }

  /** {@link list}, and the records that cannot be read: each may also be a write of unknown outcome. */
  async read(): Promise<{ writes: UnknownWrite[]; damaged: DamagedWrite[] }> {
    const names = (await this.#names()).filter((name) => name.endsWith(suffix));
    if (names.length === 0) return { writes: [], damaged: [] };
    const { readUnknownWrite } = await import('./unknownWrite.ts');
    const writes: UnknownWrite[] = [];
    const damaged: DamagedWrite[] = [];
    for (const { name, text } of await Promise.all(names.map((name) => this.#text(name)))) {
      if (text === 'gone') continue;
      const write = text === 'unreadable' ? undefined : readUnknownWrite(text.content);
      if (!write || `${write.id}${suffix}` !== name) damaged.push(await this.#damaged(name));
      else if (write.reason !== '' || !isUnderWay(write)) writes.push(write);
    }
    writes.sort((one, other) => Date.parse(other.sentAt) - Date.parse(one.sentAt));
    return { writes, damaged };
  }

  /** Deletes a damaged record. @throws {Error} when it is not in this folder. */
  async discard({ file }: DamagedWrite): Promise<void> {
    if (path.dirname(file) !== this.folder) throw new Error(`${file} is no record of a write.`);
    await fs.rm(file, { force: true });
  }

  /** Whether the server shows a write now; undefined when that can no longer be checked. */
  async look(id: string): Promise<boolean | undefined> {
    const found = await this.#looks.get(id)?.();
    if (found) await this.forget(id);
    return found;
  }

  async forget(id: string): Promise<void> {
    await fs.rm(this.#file(id), { force: true });
    this.#looks.delete(id);
    underWay.delete(id);
  }

  /** The journal of one server. */
  journalOf(server: JournalServer): WriteJournal {
    return { begin: (write) => this.#begin(server, write) };
  }

  async #begin(server: JournalServer, { kind, object }: JournalledWrite): Promise<OpenWrite> {
    const id = randomUUID();
    const sentAt = new Date().toISOString();
    const write: UnknownWrite = {
      version: 1,
      id,
      connectionId: server.id,
      server: server.name,
      kind,
      object,
      sentAt,
      pid: process.pid,
      reason: '',
    };
    underWay.add(id);
    try {
      await this.#keep(write);
    } catch (error) {
      // The write will not be sent: a partly stored record must not report one.
      await fs.rm(this.#file(id), { force: true }).catch(() => undefined);
      underWay.delete(id);
      throw error;
    }
    return {
      settled: () => this.forget(id),
      unknown: async (reason, look) => {
        this.#looks.set(id, look);
        underWay.delete(id);
        await this.#keep({ ...write, reason });
      },
    };
  }

  /** Stores a write atomically, replacing its earlier record. */
  async #keep(write: UnknownWrite): Promise<void> {
    await fs.mkdir(this.folder, { recursive: true, mode: 0o700 });
    const draft = `${this.#file(write.id)}.${randomUUID()}`;
    try {
      await fs.writeFile(draft, writeChecked(write), { flag: 'wx', mode: 0o600, flush: true });
      await fs.rename(draft, this.#file(write.id));
    } catch (error) {
      await fs.rm(draft, { force: true }).catch(() => undefined);
      throw error;
    }
    await syncFolder(this.folder);
  }

  async #names(): Promise<string[]> {
    return (await unlessMissing(fs.readdir(this.folder))) ?? [];
  }

  async #text(name: string): Promise<{ name: string; text: { content: string } | 'gone' | 'unreadable' }> {
    try {
      return { name, text: { content: await fs.readFile(path.join(this.folder, name), 'utf8') } };
    } catch (error) {
      // Settled meanwhile, or the file exists but cannot be read.
      return { name, text: isMissing(error) ? 'gone' : 'unreadable' };
    }
  }

  async #damaged(name: string): Promise<DamagedWrite> {
    const file = path.join(this.folder, name);
    const mtime = await fs.stat(file).then(
      (stat) => stat.mtime.toISOString(),
      () => '',
    );
    return { file, changedAt: mtime };
  }

  #file(id: string): string {
    return path.join(this.folder, `${id}${suffix}`);
  }
}

/** The clock is used only for other processes: their id may be in use again, and clocks jump both ways. */
function isUnderWay({ id, pid, sentAt }: UnknownWrite): boolean {
  if (pid === process.pid) return underWay.has(id);
  return isProcessAlive(pid) && Math.abs(Date.now() - Date.parse(sentAt)) < longestWriteMs;
}

/** Flushes the folder's entries to disk, if the system supports it. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await fs.open(folder, 'r');
  try {
    await handle.sync();
  } catch (error) {
    // Some file systems, such as network shares, cannot sync folders; the record itself is on disk.
    if (!isCode(error, 'EINVAL', 'ENOTSUP', 'EISDIR')) throw error;
  } finally {
    await handle.close();
  }
}

function isMissing(error: unknown): boolean {
  return isCode(error, 'ENOENT');
}

function isCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.some((code) => error.code === code);
}
