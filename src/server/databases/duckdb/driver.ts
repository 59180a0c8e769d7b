import type { DuckDBDataChunk, DuckDBInstance, DuckDBResult, DuckDBValue } from '@duckdb/node-api';
import {
  type Database,
  type DatabaseAddress,
  type DatabaseColumn,
  type DatabaseDriver,
  DatabaseError,
  type ReadableFiles,
  type DatabaseTable,
  type JsonRows,
  type QueryOptions,
  type Relations,
  type RowQuery,
} from '../database.ts';
import { prepared, rowsAsJson } from './json.ts';
import { openInstance, requireDuckdbFile } from './instance.ts';
import { RunningQuery } from './query.ts';
import {
  duckdbCatalog,
  duckdbMacrosSql,
  duckdbMainSql,
  duckdbTreeSql,
  duckdbViewsSql,
  readsOfView,
  viewQuery,
} from './relations.ts';
import { ChunkTexts } from './text.ts';
import { fileIdentity } from '../relations.ts';

const tablesSql = `SELECT schema_name, table_name FROM duckdb_tables()
  WHERE database_name = current_database() AND NOT internal
  UNION ALL SELECT schema_name, view_name FROM duckdb_views()
  WHERE database_name = current_database() AND NOT internal
  ORDER BY 1, 2`;
/** An owner that is not a schema may be the database itself. */
const columnsSql = `SELECT column_name, data_type, coalesce(character_maximum_length, 0), is_nullable
  FROM duckdb_columns()
  WHERE database_name = current_database() AND lower(table_name) = lower($1)
    AND lower(schema_name) = CASE WHEN $2 = '' THEN lower(current_schema())
      WHEN lower($2) IN (SELECT lower(schema_name) FROM duckdb_schemas() WHERE database_name = current_database())
        THEN lower($2)
      WHEN lower($2) = lower(current_database()) THEN 'main' END
  ORDER BY column_index`;

/** Opens DuckDB database files, read-only. `:memory:` is a separate empty database. */
export const duckdbDriver: DatabaseDriver = {
  async open(
    { database, displayName }: DatabaseAddress,
    _password: string | undefined,
    files: ReadableFiles,
  ): Promise<Database> {
    const isFile = database !== ':memory:';
    if (isFile) await requireDuckdbFile(database, displayName);
    const open = () => openInstance(database, isFile, displayName, files);
    return new DuckdbDatabase(open, await open(), displayName, isFile ? database : undefined);
  },
};

class DuckdbDatabase implements Database {
  readonly #open: () => Promise<DuckDBInstance>;
  readonly #name: string;
  readonly #file: string | undefined;
  readonly #running = new Set<RunningQuery>();
  /** Queries waiting for a connection; closing their instance in the meantime would crash DuckDB. */
  readonly #starting = new Set<Promise<RunningQuery>>();
  #isClosed = false;
  #relations: Relations | undefined;
  readonly #columns = new Map<string, DatabaseColumn[]>();
  /** Undefined until the next use if it has to be reopened. */
  #instance: Promise<DuckDBInstance> | undefined;

  constructor(open: () => Promise<DuckDBInstance>, instance: DuckDBInstance, name: string, file: string | undefined) {
    this.#open = open;
    this.#file = file;
    this.#instance = Promise.resolve(instance);
    this.#name = name;
  }

  async readJson(query: RowQuery, options: QueryOptions): Promise<AsyncIterable<JsonRows>> {
    const running = await this.#start(options);
    try {
      const result = await running.step(async () => {
        const sql = await rowsAsJson(running.connection, query);
        const statement = await prepared(running.connection, { sql, values: query.values });
        return statement.stream();
      });
      return batches(running, result, this.#name);
    } catch (error) {
      running.end();
      throw error;
    }
  }

  async tables(options: QueryOptions): Promise<DatabaseTable[]> {
    const rows = await this.#rows({ sql: tablesSql, values: [] }, options);
    return rows.map(([owner, name]) => ({ owner: String(owner), name: String(name) }));
  }

  /** Cached: no process can write to a file that is open here, so its columns do not change. */
  async columns(table: DatabaseTable, options: QueryOptions): Promise<DatabaseColumn[]> {
    const key = JSON.stringify([table.owner, table.name]);
    const columns = this.#columns.get(key) ?? (await this.#readColumns(table, options));
    if (columns.length > 0) this.#columns.set(key, columns);
    return columns;
  }

  async #readColumns(table: DatabaseTable, options: QueryOptions): Promise<DatabaseColumn[]> {
    const values = [table.name, table.owner].map((text) => ({ type: 'text', text }) as const);
    const rows = await this.#rows({ sql: columnsSql, values }, options);
    return rows.map(([name, nativeType, maxLength, isNullable]) => ({
      name: String(name),
      nativeType: String(nativeType),
      maxLength: Number(maxLength),
      isNullable: Boolean(isNullable),
    }));
  }

  /** Cached: no process can write to a file that is open here, so its views do not change. */
  async relations(options: QueryOptions): Promise<Relations> {
    this.#relations ??= await this.#readRelations(options);
    return this.#relations;
  }

  async #readRelations(options: QueryOptions): Promise<Relations> {
    const views = await this.#rows({ sql: duckdbViewsSql, values: [] }, options);
    const macros = views.length > 0 ? await this.#rows({ sql: duckdbMacrosSql, values: [] }, options) : [];
    const macroNames = new Set(macros.map(([name]) => String(name)));
    const named = (await this.#rows({ sql: duckdbMainSql, values: [] }, options)).map(([owner, name]) => ({
      owner: String(owner),
      name: String(name),
      reads: [{ owner: 'main', name: String(name) }],
      isComplete: true,
    }));
    // No await between these and Promise.all: a failure in between would be an unhandled rejection.
    const derived = views.map(async ([owner, name, statement]) => {
      const text = viewQuery(String(statement));
      const values = [{ type: 'text', text: text ?? '' } as const];
      const [row] = text === undefined ? [] : await this.#rows({ sql: duckdbTreeSql, values }, options);
      const tree = row === undefined ? undefined : String(row[0]);
      return readsOfView({ owner: String(owner), name: String(name) }, tree, macroNames);
    });
    // An empty in-memory database shares its rows with no other.
    const identity = this.#file === undefined ? `memory:${this.#name}` : fileIdentity(this.#file);
    return {
      identity,
      searchPath: ['main'],
      derived: [...named, ...(await Promise.all(derived))],
      catalog: duckdbCatalog,
    };
  }

  async #rows(query: RowQuery, options: QueryOptions): Promise<DuckDBValue[][]> {
    const running = await this.#start(options);
    try {
      return await running.step(async () => {
        const statement = await prepared(running.connection, query);
        return (await statement.runAndReadAll()).getRows();
      });
    } finally {
      running.end();
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#starting);
    for (const running of this.#running) running.stop();
    await Promise.all([...this.#running].map((running) => running.ended));
    (await this.#instance)?.closeSync();
  }

  async #start(options: QueryOptions): Promise<RunningQuery> {
    if (this.#isClosed) throw new DatabaseError('cancelled', `The query on ${this.#name} was cancelled`);
    const starting = this.#connected(options);
    this.#starting.add(starting);
    try {
      return await starting;
    } finally {
      this.#starting.delete(starting);
    }
  }

  async #connected(options: QueryOptions): Promise<RunningQuery> {
    const instance = await this.#opened();
    const running = new RunningQuery(await instance.connect(), this.#name, options);
    this.#running.add(running);
    void running.ended.then(async () => {
      this.#running.delete(running);
      if (running.hasBrokenDatabase) await this.#drop(instance);
    });
    return running;
  }

  #opened(): Promise<DuckDBInstance> {
    const opening = (this.#instance ??= this.#open());
    opening.catch(() => {
      if (this.#instance === opening) this.#instance = undefined;
    });
    return opening;
  }

  /** After a fatal error DuckDB rejects everything until its file is reopened. */
  async #drop(broken: DuckDBInstance): Promise<void> {
    if ((await this.#instance) !== broken) return;
    this.#instance = undefined;
    this.#relations = undefined;
    this.#columns.clear();
    await Promise.allSettled(this.#starting);
    await Promise.all([...this.#running].map(({ ended }) => ended));
    broken.closeSync();
  }
}

/** Yields each chunk (up to 2,048 rows) as bytes, while the database produces the next one. */
async function* batches(running: RunningQuery, result: DuckDBResult, name: string): AsyncGenerator<JsonRows> {
  const texts = new ChunkTexts(name);
  const next = () => running.step(() => result.fetchChunk());
  let ahead: Promise<DuckDBDataChunk | null> | undefined = next();
  try {
    for (;;) {
      const chunk: DuckDBDataChunk | null = await ahead;
      ahead = undefined;
      if (!chunk || chunk.rowCount === 0) return;
      const count = chunk.rowCount;
      const rows = texts.take(chunk);
      ahead = next();
      // A consumer that stops early does not await it; see below.
      ahead.catch(() => undefined);
      // Without the comma after the last row.
      yield { count, json: rows.subarray(0, -1) };
    }
  } finally {
    if (ahead) {
      // The connection may not be closed during a step.
      running.stop();
      await ahead.catch(() => undefined);
    }
    running.end();
  }
}
