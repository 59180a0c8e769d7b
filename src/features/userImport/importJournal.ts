import { randomUUID } from 'node:crypto';
import { appendFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import type { UserRow } from './userCsv.ts';
import type { RowOutcome } from './sendUsers.ts';

const keptRow = z.object({
  line: z.number(),
  loginName: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  company: z.string(),
  description: z.string(),
  tags: z.tuple([z.string(), z.string(), z.string(), z.string()]),
  memberships: z.array(z.object({ groupName: z.string(), roleId: z.string() })),
  /** Whether the file gives the user a password of its own; the password itself is never kept. */
  hasPassword: z.boolean(),
});

const header = z.object({
  id: z.string(),
  connectionId: z.string(),
  /** Id of the installation that the rows were checked against: ids of another one are other users. */
  installation: z.string(),
  /** Address of the file. */
  file: z.string(),
  fileName: z.string(),
  /** ISO 8601 with zone. */
  startedAt: z.string(),
  rows: z.array(keptRow),
});

const entry = z.object({
  line: z.number(),
  loginName: z.string(),
  kind: z.enum(['started', 'created', 'partial', 'failed', 'unknown', 'notTried', 'undone']),
  userId: z.string(),
  reason: z.string(),
});

/** A row of an import as it is kept: without its password. */
export type KeptRow = z.infer<typeof keptRow>;
/** An import that was begun. */
export type ImportHeader = z.infer<typeof header>;
/** The latest that is known of a row; `started` when the editor ended before its outcome was known. */
export type JournalEntry = z.infer<typeof entry>;

/** An import as its journal tells it. */
export interface StoredImport {
  header: ImportHeader;
  /** Latest entry of each row, by line. */
  entries: ReadonlyMap<number, JournalEntry>;
}

/** Runs work while no other window holds the lock `file`. */
export type LockImport = <T>(file: string, work: () => Promise<T>) => Promise<T>;

const suffix = '.jsonl';
const mostKept = 20;

/**
 * Journals of imports, one file each: what is to be created, then a line for every row before it is sent and after, so that
 * an import can be gone on with, or undone, after a crash. Passwords are not written.
 */
export class ImportJournalStore {
  readonly #folder: string;
  readonly #locked: LockImport;

  /**
   * @param folder path of the folder, made when first needed.
   * @param locked lets one window at a time work at an import.
   */
  constructor(folder: string, locked: LockImport = (_file, work) => work()) {
    this.#folder = folder;
    this.#locked = locked;
  }

  /** Runs `work` while no other window works at an import. @throws what the lock throws when another one does. */
  async exclusively<T>(id: string, work: () => Promise<T>): Promise<T> {
    return this.#locked(path.join(this.#folder, `${id}.lock`), work);
  }

  /** Begins a journal; the oldest beyond twenty are removed. */
  async begin(facts: Omit<ImportHeader, 'id' | 'rows'>, rows: readonly UserRow[]): Promise<ImportHeader> {
    const kept: ImportHeader = { ...facts, id: randomUUID(), rows: rows.map(withoutPassword) };
    await mkdir(this.#folder, { recursive: true });
    await writeFile(this.#file(kept.id), `${JSON.stringify(kept)}\n`, { mode: 0o600 });
    const older = (await this.list()).slice(mostKept);
    for (const { header: old } of older) await this.remove(old.id);
    return kept;
  }

  /** Writes what is known of a row; it is on disk when this resolves. */
  async note(id: string, { line, loginName, userId, reason, kind }: JournalEntry | RowOutcome): Promise<void> {
    const text = JSON.stringify({ line, loginName, kind, userId, reason });
    await appendFile(this.#file(id), `${text}\n`, { flush: true });
  }

  /** Every journal that can be read, newest first. @throws {Error} when the folder is there and cannot be listed. */
  async list(): Promise<StoredImport[]> {
    const names = await namesIn(this.#folder);
    const found = await Promise.all(
      names.filter((name) => name.endsWith(suffix)).map((name) => readJournal(path.join(this.#folder, name))),
    );
    return found
      .filter((kept) => kept !== undefined)
      .sort((a, b) => b.header.startedAt.localeCompare(a.header.startedAt));
  }

  /** An import as its journal tells it now; undefined when there is none. */
  async read(id: string): Promise<StoredImport | undefined> {
    return (await this.list()).find(({ header: kept }) => kept.id === id);
  }

  /** Forgets an import. */
  async remove(id: string): Promise<void> {
    await rm(this.#file(id), { force: true });
  }

  #file(id: string): string {
    return path.join(this.#folder, `${id}${suffix}`);
  }
}

/** Whether some row of an import has still to be created, or put into groups. */
export function isUnfinished({ header: { rows }, entries }: StoredImport): boolean {
  const ended = ['created', 'undone'];
  return rows.some(({ line }) => !ended.includes(entries.get(line)?.kind ?? 'notTried'));
}

/** Whether an import ended before every row had an outcome, as when the editor was closed or crashed. */
export function isInterrupted({ header: { rows }, entries }: StoredImport): boolean {
  return rows.some(({ line }) => (entries.get(line)?.kind ?? 'started') === 'started');
}

function withoutPassword({ problems: _problems, password, ...row }: UserRow): KeptRow {
  const memberships = row.memberships.map((membership) => ({ ...membership }));
  return { ...row, tags: [...row.tags], memberships, hasPassword: password !== '' };
}

/** A journal; undefined for a file that is none. A last line that was cut off is left out: it was not on disk yet. */
async function readJournal(file: string): Promise<StoredImport | undefined> {
  const [first = '', ...rest] = (await readFile(file, 'utf8')).split('\n');
  const facts = header.safeParse(parsed(first));
  if (!facts.success) return undefined;
  const entries = rest.map((line) => entry.safeParse(parsed(line)).data).filter((found) => found !== undefined);
  return { header: facts.data, entries: new Map(entries.map((found) => [found.line, found])) };
}

/** None where nothing was ever imported. */
async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // Cut off in the middle of a write.
    return undefined;
  }
}
