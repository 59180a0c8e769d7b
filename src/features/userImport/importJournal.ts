import { randomUUID } from 'node:crypto';
import { appendFile, mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { readChecked, writeChecked } from '../../connections/checkedRecord.ts';
import type { UserRow } from './userCsv.ts';
import type { RowOutcome } from './sendUsers.ts';
import { unlessMissing } from '../../connections/unlessMissing.ts';

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
  application: z.object({ id: z.string(), name: z.string(), roleId: z.string() }).optional(),
  /** Whether the file contains a password for the user; the password itself is never stored. */
  hasPassword: z.boolean(),
});

export const header = z.object({
  /** A journal of another version is left alone. */
  version: z.literal(1).default(1),
  id: z.string(),
  connectionId: z.string(),
  /** Id of the installation that the rows were checked against: on another one, the ids are different users. */
  installation: z.string(),
  /** URI of the file. */
  file: z.string(),
  fileName: z.string(),
  /** ISO 8601 with zone. */
  startedAt: z.string(),
  rows: z.array(keptRow),
});

export const entry = z.object({
  line: z.number(),
  loginName: z.string(),
  kind: z.enum(['started', 'created', 'partial', 'failed', 'unknown', 'notTried', 'undone']),
  userId: z.string(),
  reason: z.string(),
});

/** A stored row of an import, without its password. */
export type KeptRow = z.infer<typeof keptRow>;
/** Header of a started import. */
export type ImportHeader = z.infer<typeof header>;
/** Latest state of a row; `started` if the editor ended before its outcome was known. */
export type JournalEntry = z.infer<typeof entry>;

/** An import as recorded in its journal. */
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
 * Import journals, one file each: the users to create, then a line for every row before and after it is sent, so that
 * an import can be resumed or undone after a crash. Passwords are not written.
 */
export class ImportJournalStore {
  readonly #folder: string;
  readonly #locked: LockImport;

  /**
   * @param folder path of the folder, created on first use.
   * @param locked allows only one window at a time to run an import.
   */
  constructor(folder: string, locked: LockImport = (_file, work) => work()) {
    this.#folder = folder;
    this.#locked = locked;
  }

  /** Runs `work` with exclusive access to an import. @throws what the lock throws if another window holds it. */
  async exclusively<T>(id: string, work: () => Promise<T>): Promise<T> {
    return this.#locked(path.join(this.#folder, `${id}.lock`), work);
  }

  /** Starts a journal; deletes the oldest ones beyond twenty. */
  async begin(facts: Omit<ImportHeader, 'version' | 'id' | 'rows'>, rows: readonly UserRow[]): Promise<ImportHeader> {
    const kept: ImportHeader = { version: 1, ...facts, id: randomUUID(), rows: rows.map(withoutPassword) };
    await mkdir(this.#folder, { recursive: true });
    await writeFile(this.#file(kept.id), `${writeChecked(kept)}\n`, { mode: 0o600 });
    const older = (await this.list()).slice(mostKept);
    for (const { header: old } of older) await this.remove(old.id);
    return kept;
  }

  /** Writes the state of a row; on disk when this resolves. */
  async note(id: string, { line, loginName, userId, reason, kind }: JournalEntry | RowOutcome): Promise<void> {
    const text = writeChecked({ line, loginName, kind, userId, reason });
    await cutUnfinishedLine(this.#file(id));
    await appendFile(this.#file(id), `${text}\n`, { flush: true });
  }

  /** All readable journals, newest first. @throws {Error} if the folder exists, but cannot be listed. */
  async list(): Promise<StoredImport[]> {
    return (await this.readAll()).imports;
  }

  /** {@link list}, and the paths of damaged journals: what they record can be neither resumed nor undone. */
  async readAll(): Promise<{ imports: StoredImport[]; damaged: string[] }> {
    const files = ((await unlessMissing(readdir(this.#folder))) ?? []).filter((name) => name.endsWith(suffix));
    const imports: StoredImport[] = [];
    const damaged: string[] = [];
    for (const file of files.map((name) => path.join(this.#folder, name))) {
      const found = await readJournal(file);
      if (found === 'damaged') damaged.push(file);
      else if (found !== 'unknown') imports.push(found);
    }
    imports.sort((a, b) => b.header.startedAt.localeCompare(a.header.startedAt));
    return { imports, damaged };
  }

  /** An import as currently recorded in its journal; undefined if there is none. */
  async read(id: string): Promise<StoredImport | undefined> {
    return (await this.list()).find(({ header: kept }) => kept.id === id);
  }

  /** Deletes the journal of an import. */
  async remove(id: string): Promise<void> {
    await rm(this.#file(id), { force: true });
  }

  #file(id: string): string {
    return path.join(this.#folder, `${id}${suffix}`);
  }
}

/** Whether any row still has to be created or added to groups. */
export function isUnfinished({ header: { rows }, entries }: StoredImport): boolean {
  const ended = ['created', 'undone'];
  return rows.some(({ line }) => !ended.includes(entries.get(line)?.kind ?? 'notTried'));
}

/** Whether an import ended before every row had an outcome, for example because the editor was closed or crashed. */
export function isInterrupted({ header: { rows }, entries }: StoredImport): boolean {
  return rows.some(({ line }) => (entries.get(line)?.kind ?? 'started') === 'started');
}

function withoutPassword({ problems: _problems, password, ...row }: UserRow): KeptRow {
  const memberships = row.memberships.map((membership) => ({ ...membership }));
  return { ...row, tags: [...row.tags], memberships, hasPassword: password !== '' };
}

/**
 * Parses a journal; `unknown` if a later release wrote it. A truncated last line is ignored: its write was not completed.
 */
async function readJournal(file: string): Promise<StoredImport | 'damaged' | 'unknown'> {
  const [first = '', ...rest] = (await readFile(file, 'utf8')).split('\n');
  const start = readChecked(first);
  if (start.kind === 'damaged') return 'damaged';
  if ('version' in start.value && start.value.version !== 1) return 'unknown';
  const facts = header.safeParse(start.value);
  // Each write ends with a line break.
  const lines = rest.slice(0, -1).map(readChecked);
  if (!facts.success || rest.length === 0) return 'damaged';
  const entries = new Map<number, JournalEntry>();
  for (const line of lines) {
    // In a journal with checksums, a line without one has lost it.
    const isWhole = line.kind === 'whole' && (line.hasSum || !start.hasSum);
    const found = isWhole ? entry.safeParse(line.value).data : undefined;
    if (found) entries.set(found.line, found);
    else return 'damaged';
  }
  return { header: facts.data, entries };
}

/** Removes the part of a line that a window was writing when it ended. */
async function cutUnfinishedLine(file: string): Promise<void> {
  const content = await readFile(file);
  if (content.length > 0 && content.at(-1) !== lineBreak) await truncate(file, content.lastIndexOf(lineBreak) + 1);
}

const lineBreak = 0x0a;
