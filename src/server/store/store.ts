import { chmodSync, closeSync, existsSync, fdatasync, fstatSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { hasPendingSteps, migrate, refuseNewer, type RoomSchema } from './migrations.ts';
import { backUpBefore, deleteOldBackups } from './stateBackup.ts';
import { checkState, readVersions } from './stateVersions.ts';

/** Release of this server; equals the version in package.json. */
export const thisRelease = '0.2.0';

/** Bytes of a page of a new database; one that exists keeps its own. */
const pageSize = 1024;
/** Pages that the journal holds before they are taken over into the database. */
const pagesInJournal = 4000;
/** What the journal adds to each page. */
const bytesOfFrame = 24;

/** A whole number that could be stored, but not be read again: every list with its row would fail from then on. */
export class NumberTooLarge extends RangeError {
  constructor() {
    super(`A whole number is beyond ${Number.MAX_SAFE_INTEGER}`);
    this.name = 'NumberTooLarge';
  }
}

/** A row as SQLite returns it. */
export type Row = Record<string, string | number | bigint | null | Uint8Array>;

/**
 * The server's state: one SQLite database in WAL mode, durable at every commit (synchronous=FULL), which nobody else can open
 * meanwhile. All calls are synchronous, so a transaction never interleaves with another call.
 */
export class Store {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  #depth = 0;
  #counters = 0;

  private constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /**
   * Opens or creates the database at `file` (`:memory:` for a throw-away one), readable by its owner only, and brings
   * every room's tables up to date, after a copy of what is there.
   * @throws Error when a newer release has migrated it, or it is damaged; not a byte of it is changed then.
   */
  static open(file: string, schemas: readonly RoomSchema[], release = thisRelease): Store {
    const versions = file === ':memory:' ? undefined : readVersions(file);
    if (versions) refuseNewer(file, versions, { schemas, release });
    if (versions) checkState(file);
    const isUpgrade = versions !== undefined && hasPendingSteps(versions, schemas);
    if (isUpgrade) backUpBefore(file, release);
    const database = new DatabaseSync(file, { enableForeignKeyConstraints: true });
    if (file !== ':memory:') chmodSync(file, 0o600);
    try {
      // Small pages, set before the first is written, keep what a commit must force to the disk small. Held for as long as it
      // is open, the database is locked once and not with each commit.
      database.exec(`
        PRAGMA page_size = ${pageSize}; PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL;
        PRAGMA wal_autocheckpoint = ${pagesInJournal}; PRAGMA synchronous = FULL; PRAGMA busy_timeout = 5000`);
      if (isUpgrade || !versions) migrate(database, schemas, release);
      if (isUpgrade) deleteOldBackups(file);
      if (file !== ':memory:') growJournal(`${file}-wal`, pagesInJournal * (pageSize + bytesOfFrame));
      return new Store(database);
    } catch (error) {
      database.close();
      throw error;
    }
  }

  /** All rows of a query. */
  all(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#statement(sql).all(...values);
  }

  /** First row of a query, or undefined. */
  get(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.#statement(sql).get(...values);
  }

  /** Runs a statement; returns the rows changed and the last row id. @throws {NumberTooLarge} */
  run(sql: string, ...values: SQLInputValue[]): { changes: number; lastId: number } {
    if (values.some((value) => Number.isInteger(value) && !Number.isSafeInteger(value))) throw new NumberTooLarge();
    const result = this.#statement(sql).run(...values);
    return { changes: Number(result.changes), lastId: Number(result.lastInsertRowid) };
  }

  /** Runs `work` in one transaction: all of it is durable on return, or none of it when it throws. Calls may nest. */
  transaction<T>(work: () => T): T {
    if (this.#depth > 0) return work();
    this.run('BEGIN IMMEDIATE');
    this.#depth = 1;
    try {
      const result = work();
      this.run('COMMIT');
      return result;
    } catch (error) {
      if (this.#database.isTransaction) this.run('ROLLBACK');
      throw error;
    } finally {
      this.#depth = 0;
    }
  }

  /**
   * A count that moves on with every row of these tables that is written from now on, cascades included: what was made of their
   * rows holds as long as it stays the same.
   */
  countChanges(tables: readonly string[]): () => number {
    let changes = 0;
    this.#counters += 1;
    const name = `count_changes_${this.#counters}`;
    this.#database.function(name, () => {
      changes += 1;
      return null;
    });
    for (const table of tables) {
      for (const event of ['INSERT', 'UPDATE', 'DELETE']) {
        this.#database.exec(`CREATE TEMP TRIGGER ${name}_${table}_${event} AFTER ${event} ON main.${table}
          BEGIN SELECT ${name}(); END`);
      }
    }
    return () => changes;
  }

  /** Checkpoints and closes the database. */
  close(): void {
    this.#statements.clear();
    this.#database.close();
  }

  #statement(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}

/**
 * Grows a journal of SQLite to `bytes`, if it is shorter, so that commits write into room that the file system has already
 * given: a commit that makes its file longer has to force the file's own size to the disk, too, which takes as long again.
 * Zeros behind the last frame are no frame, so SQLite reads as much as before; it writes over them and keeps the length.
 * To be called while nothing writes to the database. On file systems where SQLite keeps no such journal there is none to
 * grow; where there is no room it stays as it was: commits are slower then, or fail where they always would have.
 */
export function growJournal(file: string, bytes: number): void {
  if (!existsSync(file)) return;
  const journal = openSync(file, 'r+');
  const before = fstatSync(journal).size;
  if (before >= bytes) {
    closeSync(journal);
    return;
  }
  const zeros = Buffer.alloc(256 * 1024);
  try {
    for (let at = before; at < bytes;) at += writeSync(journal, zeros, 0, Math.min(zeros.length, bytes - at), at);
  } catch {
    // No room for all of it: commits make it longer as they come, only slower.
    ftruncateSync(journal, before);
  }
  // The first commit would otherwise have to wait for all of it.
  fdatasync(journal, () => closeSync(journal));
}
