/** Connection data of a database. A registered server in the catalogue has this shape. */
export interface DatabaseAddress {
  /** Id of the registered server; databases are opened once per id and address. */
  id: string;
  /** Name used in messages. */
  displayName: string;
  platform: string;
  host: string;
  /** Database name; the file's path for DuckDB and SQLite. */
  database: string;
  login: string;
  /** In seconds. */
  commandTimeout: number;
  /** In seconds. */
  connectionTimeout: number;
  /** Additional settings; each driver documents its own. */
  params: string;
}

/** A value to bind to a placeholder. Numbers are text and keep their digits; dates are ISO text without a zone. */
export interface BoundValue {
  type: 'text' | 'number' | 'date' | 'timestamp';
  text: string;
}

/** A query that reads rows. */
export interface RowQuery {
  sql: string;
  values: readonly BoundValue[];
}

/** Limits of one use of a database. */
export interface QueryOptions {
  /** Cancels the query when it aborts. */
  signal: AbortSignal;
  timeoutMs: number;
}

/**
 * Rows as written by the database: JSON objects separated by commas, as text or as UTF-8 bytes. Bytes may be
 * overwritten when the next rows are requested. `String(json)` is text in either case.
 */
export interface JsonRows {
  count: number;
  json: string | Buffer;
}

/** Maximum bytes of rows read from a database at once: longer texts would fill this process's own memory. */
export const longestBatch = 64 * 1024 * 1024;

/** Name of a table or view; `owner` is its schema, empty for the connection's default schema. */
export interface DatabaseTable {
  owner: string;
  name: string;
}

/** A column as its database describes it. */
export interface DatabaseColumn {
  name: string;
  /** Type name of the database. */
  nativeType: string;
  /** Maximum characters; 0 if the database does not report it. */
  maxLength: number;
  isNullable: boolean;
}

/**
 * A relation that shows rows of other relations: a view, a synonym, a table made of other tables. Tables that only have
 * rows of their own are not included.
 */
export interface DerivedRelation extends DatabaseTable {
  /** Relations that it reads directly. An empty owner means any owner. */
  reads: readonly DatabaseTable[];
  /**
   * Whether `reads` is certainly complete; a function or another server may read relations that are not visible here.
   */
  isComplete: boolean;
}

/** Dependencies between the relations of a database. */
export interface Relations {
  /** Identifies the data: the same for the same data regardless of how it is reached, and different for other data. */
  identity: string;
  /** Second identity, for logins that may not read the first. */
  otherIdentity?: string;
  /** Schemas that a name without an owner may refer to. */
  searchPath: readonly string[];
  derived: readonly DerivedRelation[];
  /**
   * Every table and view as `owner.name` in lower case, for databases that accept other spellings of the same name:
   * without accents, in other widths, or longer ones.
   */
  names?: ReadonlySet<string>;
  /**
   * Matches `owner.name` of the database's own catalog relations that reveal data about all rows: row counts, frequent
   * values, the text of other users' queries.
   */
  catalog: RegExp;
}

/** An open database. All operations are read-only. */
export interface Database {
  /** Version as reported by the database server. */
  readonly version?: string;
  /** A query without a table, where `SELECT 1 AS one` is not valid. */
  readonly trivialSql?: string | undefined;
  /**
   * Runs a query and yields its rows in small batches as JSON objects keyed by column name: dates as stored, whole
   * numbers and decimals with all their digits, NaN and infinity as null. Resolves once the query runs; reads at the
   * pace of the consumer, and ends the query when the consumer stops.
   * @throws {DatabaseError} immediately or while rows are read.
   */
  readJson(query: RowQuery, options: QueryOptions): Promise<AsyncIterable<JsonRows>>;
  /** Tables and views that the connection can read. @throws {DatabaseError} */
  tables(options: QueryOptions): Promise<DatabaseTable[]>;
  /**
   * Columns of a table or view in order; its name is case-insensitive. Empty if it does not exist.
   * @throws {DatabaseError}
   */
  columns(table: DatabaseTable, options: QueryOptions): Promise<DatabaseColumn[]>;
  /** Views, synonyms and the like, and the relations that they read. @throws {DatabaseError} */
  relations(options: QueryOptions): Promise<Relations>;
  /** Queries that wait for a connection or for their first rows, and those whose rows are read; where it is known. */
  readonly load?: { waiting: number; reading: number };
  /** Ends running queries and closes the database. */
  close(): Promise<void>;
}

/** Decides which files reports may read. */
export interface ReadableFiles {
  /** The absolute path of a file with links resolved, or undefined if it may not be read. */
  find(file: string): string | undefined;
}

/** Opens databases of one platform. */
export interface DatabaseDriver {
  /**
   * @param files decides which files a file-based database may read in addition to its own.
   * @throws {DatabaseError} of kind `unreachable`.
   */
  open(address: DatabaseAddress, password: string | undefined, files: ReadableFiles): Promise<Database>;
}

/**
 * Kind of failure: `refused` is a query that the database does not understand, `otherTypes` one that it refuses because
 * of the types of its columns, where that is known, `failed` one that it could not finish.
 */
export type DatabaseFailure = 'unreachable' | 'refused' | 'otherTypes' | 'failed' | 'timeout' | 'cancelled';

/**
 * Failure of a database. The message names the registered server and is safe to show: it never quotes the database's
 * messages about values, which may belong to rows that the caller may not see.
 */
export class DatabaseError extends Error {
  readonly kind: DatabaseFailure;

  constructor(kind: DatabaseFailure, message: string) {
    super(message);
    this.name = 'DatabaseError';
    this.kind = kind;
  }
}
