/** How to reach a database. A registered server of the catalogue has this shape. */
export interface DatabaseAddress {
  /** Registered server; databases are opened once per id and address. */
  id: string;
  /** Name in messages. */
  displayName: string;
  platform: string;
  host: string;
  /** Database name; the file's path for DuckDB and SQLite. */
  database: string;
  login: string;
  /** Seconds. */
  commandTimeout: number;
  /** Seconds. */
  connectionTimeout: number;
  /** Further settings of the driver; each driver says which. */
  params: string;
}

/** A value to bind to a placeholder. Numbers keep their digits as text; dates are ISO text without a zone. */
export interface BoundValue {
  type: 'text' | 'number' | 'date' | 'timestamp';
  text: string;
}

/** A query to read rows with. */
export interface RowQuery {
  sql: string;
  values: readonly BoundValue[];
}

/** Limits of one use of a database. */
export interface QueryOptions {
  /** Stops the query when it aborts. */
  signal: AbortSignal;
  timeoutMs: number;
}

/**
 * Some rows, as the database wrote them: JSON objects separated by commas, as text or as its bytes in UTF-8. Bytes may be
 * overwritten when the next rows are asked for. `String(json)` is text in either case.
 */
export interface JsonRows {
  count: number;
  json: string | Buffer;
}

/** Bytes of rows that are taken from a database at once: longer texts would fill this process's own memory. */
export const longestBatch = 64 * 1024 * 1024;

/** Name of a table or view; `owner` is its schema, empty for the connection's own. */
export interface DatabaseTable {
  owner: string;
  name: string;
}

/** A column as its database describes it. */
export interface DatabaseColumn {
  name: string;
  /** Type in the database's own words. */
  nativeType: string;
  /** Most characters that it holds; 0 where the database does not say. */
  maxLength: number;
  isNullable: boolean;
}

/**
 * Something that shows rows which it does not hold alone: a view, a synonym, a table made of other tables. Tables with
 * rows of their own are none.
 */
export interface DerivedRelation extends DatabaseTable {
  /** What it reads directly. An empty owner may be any. */
  reads: readonly DatabaseTable[];
  /** Whether `reads` is certainly all of it; a function or another server may read what cannot be seen. */
  isComplete: boolean;
}

/** How the relations of a database hang together. */
export interface Relations {
  /** The same text for the same data, however it is reached; other data never has it. */
  identity: string;
  /** A second such text, for logins that may not be told the first. */
  otherIdentity?: string;
  /** Schemas that a name without an owner may mean. */
  searchPath: readonly string[];
  derived: readonly DerivedRelation[];
  /**
   * Every table and view as `owner.name` in lower case, where the database takes other spellings for the same name: without
   * accents, in other widths, or longer ones.
   */
  names?: ReadonlySet<string>;
  /**
   * Matches `owner.name` of what the database itself keeps about all rows: how many there are, which values are frequent,
   * the text of other people's queries.
   */
  catalog: RegExp;
}

/** An open database. Everything it does is read-only. */
export interface Database {
  /** Version in the server's own words, where dialects depend on it. */
  readonly version?: string;
  /** A query without a table, where `SELECT 1 AS one` is none. */
  readonly trivialSql?: string | undefined;
  /**
   * Runs a query and gives its rows in small batches as JSON objects keyed by the columns' names: dates as stored, whole
   * numbers and decimals with all their digits, NaN and infinity as null. Resolves once the query runs; reads no further
   * than the consumer does, and ends the query when the consumer stops.
   * @throws {DatabaseError} at once or while rows are read.
   */
  readJson(query: RowQuery, options: QueryOptions): Promise<AsyncIterable<JsonRows>>;
  /** Tables and views that the connection can read. @throws {DatabaseError} */
  tables(options: QueryOptions): Promise<DatabaseTable[]>;
  /** Columns of a table or view in their order, its name in any case; none when it does not exist. @throws {DatabaseError} */
  columns(table: DatabaseTable, options: QueryOptions): Promise<DatabaseColumn[]>;
  /** Views, synonyms and the like, and what they read. @throws {DatabaseError} */
  relations(options: QueryOptions): Promise<Relations>;
  /** Ends running queries and lets go of the database. */
  close(): Promise<void>;
}

/** Knows which files reports may read. */
export interface ReadableFiles {
  /** The whole path of a file without links, if it may be read. */
  find(file: string): string | undefined;
}

/** Opens databases of one platform. */
export interface DatabaseDriver {
  /**
   * @param files which files a database of files may read beside its own.
   * @throws {DatabaseError} of kind `unreachable`.
   */
  open(address: DatabaseAddress, password: string | undefined, files: ReadableFiles): Promise<Database>;
}

/** What went wrong: `refused` is a query that the database does not understand, `failed` one that it could not finish. */
export type DatabaseFailure = 'unreachable' | 'refused' | 'failed' | 'timeout' | 'cancelled';

/**
 * Failure of a database. The message names the registered server and is safe to show: it never quotes what the database
 * said about values, which may belong to rows that the caller may not see.
 */
export class DatabaseError extends Error {
  readonly kind: DatabaseFailure;

  constructor(kind: DatabaseFailure, message: string) {
    super(message);
    this.name = 'DatabaseError';
    this.kind = kind;
  }
}
