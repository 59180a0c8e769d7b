import { closeSync, mkdirSync, openSync, renameSync, statSync } from 'node:fs';
import { createHash, type Hash } from 'node:crypto';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';
import {
  asDamage,
  checkIntegrity,
  DamagedState,
  readUnchanged,
  removeDatabase,
  syncFile,
  syncFolder,
} from '../store/stateBackup.ts';
import { readVersions, type StateVersions } from '../store/stateVersions.ts';

/** What a backup says about itself, in its table `backup_record`. */
const backupRecord = z.object({
  /** Release that made it. */
  release: z.string(),
  /** When the copy was complete, as UTC ISO 8601 text. */
  moment: z.string(),
  /** Number of objects by kind; see {@link countObjects}. */
  counts: z.record(z.string(), z.number()),
  /** SHA-256 of all rows of all tables but `backup_record`, hexadecimal. */
  digest: z.string(),
  /** SHA-256 of this record without it and of the definitions of all tables. Backups of earlier builds have none. */
  definitions: z.string().optional(),
});

export type BackupRecord = z.output<typeof backupRecord>;

/** A backup, or a copy of a state without a record. */
export interface Backup {
  file: string;
  /** Undefined for a plain copy of a state, such as the one made before an upgrade. */
  record: BackupRecord | undefined;
  versions: StateVersions;
}

/** Tables of objects that people know, by the word for one of them. */
const countedTables = {
  users: 'SELECT count(*) AS count FROM user',
  groups: 'SELECT count(*) AS count FROM security_group',
  tags: 'SELECT count(*) AS count FROM data_tag',
  policies: 'SELECT count(*) AS count FROM policy',
  folders: 'SELECT count(*) AS count FROM folder',
  reports: "SELECT count(*) AS count FROM item WHERE kind = 'report'",
  dashboards: "SELECT count(*) AS count FROM item WHERE kind = 'dashboard'",
  applications: 'SELECT count(*) AS count FROM application',
  servers: 'SELECT count(*) AS count FROM registered_server',
} as const;

/** Number of objects of a state, by kind. */
export function countObjects(database: DatabaseSync): Record<string, number> {
  const counts = Object.entries(countedTables).map(([kind, sql]) => [kind, Number(database.prepare(sql).get()?.count)]);
  return Object.fromEntries(counts) as Record<string, number>;
}

/** SHA-256 of all rows of a state, hexadecimal: equal for equal states, wherever SQLite put their rows. */
export function digestOf(database: DatabaseSync): string {
  const hash = createHash('sha256');
  const tables = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'backup_record' ORDER BY name")
    .all();
  for (const { name } of tables) addTable(hash, database, String(name));
  return hash.digest('hex');
}

/** SHA-256 of a record and of the definitions in a database, such as constraints. */
function digestOfDefinitions(database: DatabaseSync, record: Omit<BackupRecord, 'definitions'>): string {
  const { release, moment, counts, digest } = record;
  const definitions = database.prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name').all();
  return createHash('sha256')
    .update(
      JSON.stringify([release, moment, Object.entries(counts), digest, definitions.map((row) => Object.values(row))]),
    )
    .digest('hex');
}

function addTable(hash: Hash, database: DatabaseSync, name: string): void {
  const rows = database.prepare(`SELECT * FROM "${name.replaceAll('"', '""')}"`);
  rows.setReadBigInts(true);
  // Statements of Node.js 22.15 do not tell their columns.
  const columns = database.prepare('SELECT name FROM pragma_table_info(?) ORDER BY cid').all(name);
  hash.update(`\n${JSON.stringify([name, ...columns.map((column) => column.name)])}`);
  for (const row of rows.iterate()) hash.update(`\n${Object.values(row).map(taggedValue).join(',')}`);
}

/** Text that differs for values of different type or content. */
function taggedValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (value instanceof Uint8Array) return `x${Buffer.from(value).toString('hex')}`;
  return typeof value === 'bigint' ? `i${value}` : String(value);
}

/** Creates the empty file that a copy is written to, readable by its owner only; its folder is created if needed. */
export function createDraft(target: string): string {
  const draft = `${target}.new`;
  mkdirSync(path.dirname(target), { recursive: true, mode: 0o700 });
  removeDatabase(draft);
  closeSync(openSync(draft, 'wx', 0o600));
  return draft;
}

/**
 * Checks a copy of the state, writes its record, makes it durable and gives it the name `target`.
 * @throws Error when it is damaged or not a state; the draft is not deleted.
 */
export function finishBackup(draft: string, target: string, made: { release: string; moment: Date }): BackupRecord {
  const record = withDatabase(draft, (database) => {
    checkIntegrity(draft, database);
    // A backup has no mark: if it replaces the state by hand, the next start detects it.
    database.exec('DROP TABLE IF EXISTS backup_record; CREATE TABLE backup_record (content TEXT NOT NULL)');
    database.exec('PRAGMA user_version = 0');
    const content = {
      release: made.release,
      moment: made.moment.toISOString(),
      counts: countObjects(database),
      digest: digestOf(database),
    };
    const written = { ...content, definitions: digestOfDefinitions(database, content) };
    database.prepare('INSERT INTO backup_record (content) VALUES (?)').run(JSON.stringify(written));
    return written;
  });
  syncFile(draft);
  renameSync(draft, target);
  syncFolder(path.dirname(target));
  return record;
}

/** Opens a database in WAL mode, which the server uses, and closes it as one file. */
export function withDatabase<T>(file: string, work: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(file);
  try {
    database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL');
    return work(database);
  } finally {
    database.close();
  }
}

/**
 * Reads a backup and checks every page and, if it has a record, its digest.
 * @param name path that errors name, if the file is a copy.
 * @throws Error with the name when it does not exist, is damaged, or is not a backup.
 */
export function readBackup(file: string, name = file): Backup {
  requireFile(file, name);
  try {
    const versions = readVersions(file);
    if (!versions) throw new DamagedState(file, 'is empty');
    return readUnchanged(file, (database) => {
      checkIntegrity(file, database);
      const record = recordOf(file, database);
      if (record && !isWhole(database, record)) {
        throw new DamagedState(file, 'is damaged (its content does not match its digest)');
      }
      return { file: name, record, versions };
    });
  } catch (error) {
    const damage = asDamage(file, error);
    if (damage instanceof DamagedState) throw new Error(`${name} ${damage.what}.`, { cause: damage });
    throw error;
  }
}

/** @throws Error when there is no such file, or it is a folder. */
export function requireFile(file: string, name = file): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found) throw new Error(`${name} does not exist.`);
  if (!found.isFile()) throw new Error(`${name} is not a file. Specify a backup, such as FOLDER/backup-….db.`);
}

function recordOf(file: string, database: DatabaseSync): BackupRecord | undefined {
  try {
    return recordIn(database);
  } catch (cause) {
    if (!(cause instanceof SyntaxError || cause instanceof z.ZodError)) throw cause;
    throw new DamagedState(file, 'is damaged (its record cannot be read)', { cause });
  }
}

function isWhole(database: DatabaseSync, record: BackupRecord): boolean {
  if (digestOf(database) !== record.digest) return false;
  return record.definitions === undefined || digestOfDefinitions(database, record) === record.definitions;
}

/** The record of a backup without checking its content; undefined when there is none. */
function recordIn(database: DatabaseSync): BackupRecord | undefined {
  const table = database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'backup_record'").get();
  if (!table) return undefined;
  const content = database.prepare('SELECT content FROM backup_record').get()?.content;
  return backupRecord.parse(JSON.parse(String(content)));
}

/** A moment as it is part of a file name. */
export function momentInName(moment: Date): string {
  return moment.toISOString().slice(0, 19).replaceAll(':', '-');
}
