import * as z from 'zod';
import {
  type Database,
  type DatabaseAddress,
  type DatabaseColumn,
  DatabaseError,
  type DatabaseTable,
  type JsonRows,
  type QueryOptions,
  type Relations,
  type RowQuery,
} from './database.ts';
import { SlicedWork } from '../calls/turns.ts';
import { readAll, requireSelect } from './queryRules.ts';
import { QueryWatch } from './queryWatch.ts';

/** The platform-specific parts of a server database. */
export interface ServerParts {
  address: DatabaseAddress;
  /** Version as reported by the server; see {@link Database}. */
  version: string;
  /** See {@link Database}. */
  trivialSql?: string;
  /** Query for `owner` and `name` of all readable tables and views, or what reads them. */
  tables: string | ((database: Database, options: QueryOptions) => Promise<DatabaseTable[]>);
  /**
   * Query for `name`, `nativeType`, `maxLength`, `isNullable` (YES or NO) and `table` of the table named by the first
   * value, case-insensitively, in the schema named by the second one, empty for the connection's default schema; or what
   * writes it for an owner.
   */
  columnsSql: string | ((owner: string) => string);
  /** Views and the like, and the relations that they read. */
  relations(database: Database, options: QueryOptions): Promise<Relations>;
  /** Creates a query that has not begun yet. */
  newQuery(options: QueryOptions): ServerQuery;
  /** Closes all connections once no query runs. */
  disconnect(): Promise<void>;
}

const tableRow = z.object({ owner: z.string(), name: z.string() });
const columnRow = z.object({
  name: z.string(),
  nativeType: z.string(),
  maxLength: z.coerce.number(),
  isNullable: z.enum(['YES', 'NO']),
  table: z.string(),
});

/** A database on a database server. */
export class ServerDatabase implements Database {
  readonly version: string;
  readonly trivialSql: string | undefined;
  readonly #parts: ServerParts;
  readonly #running = new Set<ServerQuery>();
  #waiting = 0;

  constructor(parts: ServerParts) {
    this.#parts = parts;
    this.version = parts.version;
    this.trivialSql = parts.trivialSql;
  }

  async readJson(query: RowQuery, options: QueryOptions): Promise<AsyncIterable<JsonRows>> {
    requireSelect(query, this.#parts.address.displayName);
    const running = this.#parts.newQuery(options);
    this.#running.add(running);
    void running.ended.then(() => this.#running.delete(running));
    this.#waiting += 1;
    try {
      await running.begin(query);
      return running.rows();
    } catch (error) {
      running.end(false);
      throw error;
    } finally {
      this.#waiting -= 1;
    }
  }

  get load(): { waiting: number; reading: number } {
    return { waiting: this.#waiting, reading: Math.max(0, this.#running.size - this.#waiting) };
  }

  tables(options: QueryOptions): Promise<DatabaseTable[]> {
    const { tables } = this.#parts;
    if (typeof tables === 'function') return tables(this, options);
    return readAll(this, { sql: tables, values: [] }, tableRow, options);
  }

  async columns({ owner, name }: DatabaseTable, options: QueryOptions): Promise<DatabaseColumn[]> {
    const values = [name, owner].map((text) => ({ type: 'text', text }) as const);
    const { columnsSql } = this.#parts;
    const sql = typeof columnsSql === 'function' ? columnsSql(owner) : columnsSql;
    const rows = await readAll(this, { sql, values }, columnRow, options);
    // There may be several names that differ only in case.
    const table = rows.find((row) => row.table === name)?.table ?? rows[0]?.table;
    return rows
      .filter((row) => row.table === table)
      .map(({ table: _, isNullable, ...column }) => ({ ...column, isNullable: isNullable === 'YES' }));
  }

  relations(options: QueryOptions): Promise<Relations> {
    return this.#parts.relations(this, options);
  }

  async close(): Promise<void> {
    for (const running of this.#running) running.stop();
    await Promise.all([...this.#running].map(({ ended }) => ended));
    await this.#parts.disconnect();
  }
}

/** One query on its own or a pooled connection. */
export abstract class ServerQuery {
  /** Resolves when the connection is free again or closed. */
  readonly ended: Promise<void>;
  protected readonly watch: QueryWatch;
  readonly #end = Promise.withResolvers<void>();
  #isEnding = false;

  constructor(name: string, options: QueryOptions) {
    this.ended = this.#end.promise;
    this.watch = new QueryWatch(
      name,
      options,
      () => this.end(false),
      (error) => (error instanceof DatabaseError ? error : this.explain(error)),
    );
  }

  /** Whether the query is over; a connection acquired for it afterwards must be returned immediately. */
  protected get isEnding(): boolean {
    return this.#isEnding;
  }

  /** Sends the query; resolves when the database runs it and its columns are known. @throws {DatabaseError} */
  abstract begin(query: RowQuery): Promise<void>;

  /** The next rows, or undefined after the last ones. @throws {DatabaseError} */
  protected abstract next(): Promise<Iterable<JsonRows> | undefined>;

  /**
   * Returns the connection; if the query has not been read to its end, it is ended first, or the connection is closed.
   */
  protected abstract release(isComplete: boolean): Promise<void>;

  /** Maps an error of the driver, without its details about values. */
  protected abstract explain(error: unknown): DatabaseError;

  /** All rows; can be read once. @throws {DatabaseError} while they are read. */
  async *rows(): AsyncGenerator<JsonRows> {
    const work = new SlicedWork();
    let isComplete = false;
    let isWriting = false;
    try {
      let ahead = this.next();
      for (let batches = await ahead; batches; batches = await ahead) {
        // Lets the database continue while these rows are written.
        ahead = this.next();
        // Not awaited if the consumer has stopped.
        ahead.catch(() => undefined);
        isWriting = true;
        for (const batch of batches) {
          yield batch;
          // A fast database fills the socket again before the loop looks at others.
          const pause = work.pause();
          if (pause) await pause;
        }
        isWriting = false;
      }
      isComplete = true;
    } finally {
      // If the consumer stops while the database reads ahead, the query must be stopped.
      if (isWriting) this.watch.stop();
      else this.end(isComplete);
    }
  }

  /** Ends the query early, as if its caller had disconnected. */
  stop(): void {
    this.watch.stop();
  }

  /** Ends the query; idempotent. */
  end(isComplete: boolean): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    this.watch.end();
    void this.release(isComplete).finally(this.#end.resolve);
  }
}
