import { chmodSync, closeSync, existsSync, fdatasync, fstatSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import type { AuditProofs } from './auditProofs.ts';
import { hasPendingSteps, migrate, refuseNewer, type RoomSchema } from './migrations.ts';
import { backUpBefore, deleteOldBackups } from './stateBackup.ts';
import { copyDatabase, type CopyProgress } from './copyDatabase.ts';
import { DeferredWrites } from './deferredWrites.ts';
import { asDiskFull, DiskFull } from './fullDisk.ts';
import { breakSeal, markState, sealJournal, sealStopped } from './stateSeal.ts';
import { checkState, readVersions } from './stateVersions.ts';

const nothing = (): void => undefined;

/** Release of this server; equals the version in package.json. */
export const thisRelease = '0.2.0';

/** Page size in bytes of a new database; an existing one keeps its own. */
const pageSize = 1024;
/** Pages that the journal holds before a checkpoint. */
const pagesInJournal = 4000;
/** Bytes that the journal adds to each page. */
const bytesOfFrame = 24;

/** A whole number that could be stored but not read back: every list that includes its row would fail from then on. */
export class NumberTooLarge extends RangeError {
  constructor() {
    super(`A whole number is beyond ${Number.MAX_SAFE_INTEGER}`);
    this.name = 'NumberTooLarge';
  }
}

/** A row as SQLite returns it. */
export type Row = Record<string, string | number | bigint | null | Uint8Array>;

/**
 * The server's state: one SQLite database in WAL mode, durable at every commit (synchronous=FULL) and locked for other
 * processes. All calls are synchronous, so a transaction never interleaves with another call.
 */
export class Store {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  /** File of the state; undefined for a temporary one. */
  readonly #file: string | undefined;
  #depth = 0;
  #counters = 0;
  #isOpen = true;
  /** Durable length of the journal, once known. */
  #journalBytes: number | undefined;
  #mark: number | undefined;
  readonly #deferred = new DeferredWrites((work) => this.#transact(work));
  /** Whether {@link transactionOrLater} fails on a full disk, except for writes that only take rights away. */
  mustStoreAudit = false;
  /** Signs the audit trail; undefined leaves its proof as it is. */
  auditProofs: AuditProofs | undefined;

  private constructor(database: DatabaseSync, file: string) {
    this.#database = database;
    this.#file = file === ':memory:' ? undefined : file;
    if (this.#file !== undefined) this.#growJournal(this.#file);
  }

  /**
   * Opens or creates the database at `file` (`:memory:` for a temporary one), readable by its owner only, and migrates
   * the tables of every schema after making a copy.
   * @throws Error when a newer release has migrated it, or it is damaged; then not a byte of it is changed.
   */
  static open(file: string, schemas: readonly RoomSchema[], release = thisRelease): Store {
    const versions = file === ':memory:' ? undefined : readVersions(file);
    if (versions) refuseNewer(file, versions, { schemas, release });
    if (versions) checkState(file);
    const isUpgrade = versions !== undefined && hasPendingSteps(versions, schemas);
    if (isUpgrade) backUpBefore(file, release);
    if (file !== ':memory:') breakSeal(file);
    const database = new DatabaseSync(file, { enableForeignKeyConstraints: true });
    if (file !== ':memory:') chmodSync(file, 0o600);
    try {
      // Small pages, set before the first write, reduce what a commit must flush to the disk. The exclusive lock is
      // taken once instead of with each commit.
      database.exec(`
        PRAGMA page_size = ${pageSize}; PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL;
        PRAGMA wal_autocheckpoint = ${pagesInJournal}; PRAGMA synchronous = FULL; PRAGMA busy_timeout = 5000`);
      if (isUpgrade || !versions) migrate(database, schemas, release);
      if (isUpgrade) deleteOldBackups(file);
      return new Store(database, file);
    } catch (error) {
      database.close();
      throw error;
    }
  }

  /** All rows of a query. */
  all(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#withReason(() => this.#statement(sql).all(...values));
  }

  /** First row of a query, or undefined. */
  get(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.#statement(sql).get(...values);
  }

  /**
   * Runs a statement; returns the number of rows changed and the last row id.
   * @throws {NumberTooLarge}
   * @throws {DiskFull} then nothing of the transaction is stored.
   */
  run(sql: string, ...values: SQLInputValue[]): { changes: number; lastId: number } {
    if (values.some((value) => Number.isInteger(value) && !Number.isSafeInteger(value))) throw new NumberTooLarge();
    if (this.#depth === 0) this.#deferred.store();
    const result = this.#withReason(() => this.#statement(sql).run(...values));
    return { changes: Number(result.changes), lastId: Number(result.lastInsertRowid) };
  }

  /**
   * Runs `work` in one transaction: on return all of it is durable; if it throws, none is. Calls may nest.
   * @throws {DiskFull}
   */
  transaction<T>(work: () => T): T {
    if (this.#depth > 0) return work();
    this.#deferred.store();
    return this.#transact(work);
  }

  /**
   * Runs `work` in one transaction, for what must go on while the disk is full: then `work` runs once more when there is
   * space, before any later write. It must not depend on what its own calls return. In a running transaction, a full disk
   * fails that one.
   * @param stored called once it is durable.
   * @param always also where {@link mustStoreAudit} is set: for writes that only take rights away.
   * @throws {DiskFull} when too many writes wait, or with {@link mustStoreAudit}.
   */
  transactionOrLater(work: () => void, { stored = nothing, always = false } = {}): void {
    if (this.#depth > 0) return work();
    try {
      this.transaction(work);
      stored();
    } catch (error) {
      if (!(error instanceof DiskFull) || (this.mustStoreAudit && !always)) throw error;
      if (!this.#deferred.add({ work, stored })) throw error;
    }
  }

  /** Writes that wait for space on the disk. */
  get waitingWrites(): number {
    return this.#deferred.count;
  }

  /** Reports deferred writes that could not be stored for another reason. */
  set onDroppedWrite(report: (error: unknown) => void) {
    this.#deferred.onDropped = report;
  }

  #transact<T>(work: () => T): T {
    const execute = (sql: string) => this.#withReason(() => this.#statement(sql).run());
    execute('BEGIN IMMEDIATE');
    this.#depth = 1;
    try {
      const result = work();
      execute('COMMIT');
      return result;
    } catch (error) {
      if (this.#database.isTransaction) execute('ROLLBACK');
      throw error;
    } finally {
      this.#depth = 0;
    }
  }

  #withReason<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw asDiskFull(this.#file, error);
    }
  }

  /**
   * Returns a counter that changes with every row written to these tables from now on, cascades included; values
   * derived from their rows are valid as long as it stays the same.
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

  /**
   * Marks the file, so that the next start refuses another one that was put beside its journal. Writes to it: call when
   * nothing can refuse the state any more.
   */
  mark(): void {
    if (this.#file === undefined) return;
    this.#mark = markState(this.#file, this.#database);
    this.#sealJournal();
  }

  /** Copies what is committed to the empty file `target` while calls go on; see {@link copyDatabase}. */
  copyTo(target: string, onProgress: CopyProgress): Promise<void> {
    return copyDatabase(this.#database, target, onProgress);
  }

  /** Checkpoints, closes and seals the database. */
  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#deferred.end();
    this.#statements.clear();
    // Closing removes the journal.
    if (this.#file !== undefined) breakSeal(this.#file);
    this.#database.close();
    if (this.#file !== undefined) sealStopped(this.#file);
  }

  #growJournal(file: string): void {
    growJournal(`${file}-wal`, pagesInJournal * (pageSize + bytesOfFrame), (length) => {
      this.#journalBytes = length;
      this.#sealJournal();
    });
  }

  #sealJournal(): void {
    if (!this.#isOpen || this.#file === undefined || this.#journalBytes === undefined) return;
    sealJournal(this.#file, this.#journalBytes, this.#mark);
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
 * Grows an SQLite journal to at least `bytes`, so that commits write into space that the file system has already
 * allocated: a commit that extends its file must also flush the file's size, which doubles its time. Zeros after the
 * last frame are not a frame, so SQLite reads as much as before; it overwrites them and keeps the length. Call only
 * while nothing writes to the database. Does nothing on file systems where SQLite keeps no such journal; without disk
 * space the journal stays as it was: commits are slower then, or fail where they would have failed anyway.
 * @param onDurable called with the length that the journal has from now on, also after a power failure.
 */
export function growJournal(file: string, bytes: number, onDurable?: (length: number) => void): void {
  if (!existsSync(file)) return;
  const journal = openSync(file, 'r+');
  const before = fstatSync(journal).size;
  const zeros = Buffer.alloc(256 * 1024);
  try {
    for (let at = before; at < bytes;) at += writeSync(journal, zeros, 0, Math.min(zeros.length, bytes - at), at);
  } catch {
    // Not enough space for all of it: commits extend it as needed, only more slowly.
    ftruncateSync(journal, before);
  }
  const { size } = fstatSync(journal);
  // The first commit would otherwise have to wait for all of it.
  fdatasync(journal, (error) => {
    closeSync(journal);
    if (!error) onDurable?.(size);
  });
}
