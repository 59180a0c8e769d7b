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
import { readAll, requireSelect } from './queryRules.ts';
import { QueryWatch } from './queryWatch.ts';

/** What differs between the servers of several platforms. */
export interface ServerParts {
  address: DatabaseAddress;
  /** Version in the server's own words; see {@link Database}. */
  version: string;
  /** See {@link Database}. */
  trivialSql?: string;
  /** Query of `owner` and `name` of everything that can be read. */
  tablesSql: string;
  /**
   * Query of `name`, `nativeType`, `maxLength`, `isNullable` (YES or NO) and `table` of the table named by the first value,
   * whatever its case, in the schema of the second one, empty for the connection's own.
   */
  columnsSql: string;
  /** Views and the like, and what they read. */
  relations(database: Database, options: QueryOptions): Promise<Relations>;
  /** A query that has not begun yet. */
  newQuery(options: QueryOptions): ServerQuery;
  /** Lets go of all connections once no query runs. */
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

/** A database that a server holds. */
export class ServerDatabase implements Database {
  readonly version: string;
  readonly trivialSql: string | undefined;
  readonly #parts: ServerParts;
  readonly #running = new Set<ServerQuery>();

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
    try {
      await running.begin(query);
      return running.rows();
    } catch (error) {
      running.end(false);
      throw error;
    }
  }

  tables(options: QueryOptions): Promise<DatabaseTable[]> {
    return readAll(this, { sql: this.#parts.tablesSql, values: [] }, tableRow, options);
  }

  async columns({ owner, name }: DatabaseTable, options: QueryOptions): Promise<DatabaseColumn[]> {
    const values = [name, owner].map((text) => ({ type: 'text', text }) as const);
    const rows = await readAll(this, { sql: this.#parts.columnsSql, values }, columnRow, options);
    // Names that differ in case alone may stand side by side.
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

/** One query on a connection of its own or of a pool. */
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

  /** Whether the query is over; who still gets a connection for it hands it back at once. */
  protected get isEnding(): boolean {
    return this.#isEnding;
  }

  /** Sends the query; resolves when the database runs it and its columns are known. @throws {DatabaseError} */
  abstract begin(query: RowQuery): Promise<void>;

  /** The rows read next, or undefined behind the last ones. @throws {DatabaseError} */
  protected abstract next(): Promise<Iterable<JsonRows> | undefined>;

  /** Hands the connection back; one whose query has not been read to its end ends that query first, or is closed. */
  protected abstract release(isComplete: boolean): Promise<void>;

  /** What an error of the driver means, without what it says about values. */
  protected abstract explain(error: unknown): DatabaseError;

  /** All rows, to be read once. @throws {DatabaseError} while they are read. */
  async *rows(): AsyncGenerator<JsonRows> {
    let isComplete = false;
    let isWriting = false;
    try {
      let ahead = this.next();
      for (let batches = await ahead; batches; batches = await ahead) {
        // The database goes on while these rows are written.
        ahead = this.next();
        // Nobody waits for it any more once the consumer has stopped.
        ahead.catch(() => undefined);
        isWriting = true;
        yield* batches;
        isWriting = false;
      }
      isComplete = true;
    } finally {
      // Stopped while the database reads ahead, it has to be told.
      if (isWriting) this.watch.stop();
      else this.end(isComplete);
    }
  }

  /** Ends the query early, as if its caller had gone away. */
  stop(): void {
    this.watch.stop();
  }

  /** Ends the query; calling it again does nothing. */
  end(isComplete: boolean): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    this.watch.end();
    void this.release(isComplete).finally(this.#end.resolve);
  }
}
