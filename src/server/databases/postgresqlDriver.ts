import { connect } from 'node:net';
import pg from 'pg';
import Cursor from 'pg-cursor';
import * as z from 'zod';
import { codeOf, type Endpoint, endpointOf, tlsOf, unreachable } from './connectionSettings.ts';
import {
  type Database,
  type DatabaseAddress,
  type DatabaseColumn,
  type DatabaseDriver,
  DatabaseError,
  type DatabaseTable,
  type JsonRows,
  type QueryOptions,
  type RowQuery,
} from './database.ts';
import { jsonBatches, readAll, requireSelect } from './queryRules.ts';
import { postgresqlWriter } from './postgresqlJson.ts';
import { QueryWatch } from './queryWatch.ts';

const mostConnections = 10;
const rowsPerFetch = 1000;

const tablesSql = `SELECT n.nspname AS owner, c.relname AS name
  FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'v', 'm', 'f', 'p') AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
    AND has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'SELECT')
  ORDER BY 1, 2`;
const columnsSql = `SELECT a.attname AS name, format_type(a.atttypid, a.atttypmod) AS "nativeType",
    CASE WHEN a.atttypid IN (1042, 1043) AND a.atttypmod > 4 THEN a.atttypmod - 4 ELSE 0 END AS "maxLength",
    NOT a.attnotnull AS "isNullable", c.relname AS "table"
  FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_class c ON c.oid = a.attrelid
    JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
  WHERE a.attnum > 0 AND NOT a.attisdropped AND c.relkind IN ('r', 'v', 'm', 'f', 'p')
    AND lower(c.relname) = lower($1) AND lower(n.nspname) = lower(coalesce(nullif($2, ''), current_schema()))
  ORDER BY c.relname, a.attnum`;

const tableRow = z.object({ owner: z.string(), name: z.string() });
const columnRow = z.object({
  name: z.string(),
  nativeType: z.string(),
  maxLength: z.number(),
  isNullable: z.boolean(),
  table: z.string(),
});

const connectionProblems = {
  '28P01': 'the login or its password is refused',
  '28000': 'the login is refused',
  '3D000': 'it has no such database',
  '42501': 'the login may not use this database',
  '53300': 'it has no connection left',
  '57P03': 'it is starting or stopping',
};

/** Opens PostgreSQL databases. Settings: `port` and `tls` (off, require, verify). */
export const postgresqlDriver: DatabaseDriver = {
  async open(address: DatabaseAddress, password: string | undefined): Promise<Database> {
    const endpoint = endpointOf(address, 5432);
    const pool = new pg.Pool({
      ...endpoint,
      database: address.database,
      user: address.login,
      password: password ?? '',
      ssl: tlsOf(address) ?? false,
      max: mostConnections,
      connectionTimeoutMillis: address.connectionTimeout * 1000,
      application_name: 'Analytics Studio',
    });
    // The pool drops a connection that breaks while nobody uses it; the next query opens another.
    pool.on('error', () => undefined);
    const database = new PostgresqlDatabase(pool, address, endpoint);
    try {
      (await pool.connect()).release();
      return database;
    } catch (error) {
      await database.close();
      throw unreachable(address, endpoint, error, connectionProblems);
    }
  },
};

class PostgresqlDatabase implements Database {
  readonly #pool: pg.Pool;
  readonly #address: DatabaseAddress;
  readonly #endpoint: Endpoint;
  readonly #running = new Set<PooledQuery>();

  constructor(pool: pg.Pool, address: DatabaseAddress, endpoint: Endpoint) {
    this.#pool = pool;
    this.#address = address;
    this.#endpoint = endpoint;
  }

  async readJson(query: RowQuery, options: QueryOptions): Promise<AsyncIterable<JsonRows>> {
    requireSelect(query, this.#address.displayName);
    const running = new PooledQuery(this.#address, this.#endpoint, options);
    this.#running.add(running);
    void running.ended.then(() => this.#running.delete(running));
    try {
      await running.begin(this.#pool, options.timeoutMs);
      const cursor = running.open(query);
      const first = await running.read(cursor);
      return rowsOf(running, cursor, first);
    } catch (error) {
      running.end(false);
      throw error;
    }
  }

  tables(options: QueryOptions): Promise<DatabaseTable[]> {
    return readAll(this, { sql: tablesSql, values: [] }, tableRow, options);
  }

  async columns({ owner, name }: DatabaseTable, options: QueryOptions): Promise<DatabaseColumn[]> {
    const values = [name, owner].map((text) => ({ type: 'text', text }) as const);
    const rows = await readAll(this, { sql: columnsSql, values }, columnRow, options);
    // Names that differ in case alone may stand side by side.
    const table = rows.find((row) => row.table === name)?.table ?? rows[0]?.table;
    return rows.filter((row) => row.table === table).map(({ table: _, ...column }) => column);
  }

  async close(): Promise<void> {
    for (const running of this.#running) running.stop();
    await Promise.all([...this.#running].map(({ ended }) => ended));
    await this.#pool.end();
  }
}

type TextRow = (string | null)[];

interface Fetched {
  rows: TextRow[];
  fields: readonly { name: string; dataTypeID: number }[];
}

/** A query in a read-only transaction on a connection of the pool, which gets it back at the end. */
class PooledQuery {
  /** Resolves when the connection is free again or closed. */
  readonly ended: Promise<void>;
  readonly #address: DatabaseAddress;
  readonly #endpoint: Endpoint;
  readonly #watch: QueryWatch;
  readonly #end = Promise.withResolvers<void>();
  #client: pg.PoolClient | undefined;
  #isEnding = false;

  constructor(address: DatabaseAddress, endpoint: Endpoint, options: QueryOptions) {
    this.#address = address;
    this.#endpoint = endpoint;
    this.ended = this.#end.promise;
    this.#watch = new QueryWatch(
      address.displayName,
      options,
      () => this.end(false),
      (error) => this.#explain(error),
    );
  }

  async begin(pool: pg.Pool, timeoutMs: number): Promise<void> {
    await this.#watch.step(async () => {
      const client = await pool.connect().catch((error: unknown) => {
        throw unreachable(this.#address, this.#endpoint, error, connectionProblems);
      });
      if (this.#isEnding) return client.release();
      this.#client = client;
      const limit = Math.min(Math.max(Math.ceil(timeoutMs), 1), 2 ** 31 - 1);
      // The database holds the limit, too, in case that this process cannot.
      await client.query(
        `BEGIN READ ONLY; SET LOCAL statement_timeout = ${limit}; SET LOCAL DateStyle = ISO; SET LOCAL TimeZone = UTC;
        SET LOCAL extra_float_digits = 1; SET LOCAL IntervalStyle = postgres; SET LOCAL bytea_output = hex`,
      );
    });
  }

  open({ sql, values }: RowQuery): Cursor<TextRow> {
    if (!this.#client) throw new Error('The query has not begun');
    const texts = values.map(({ text }) => text);
    const asText = { getTypeParser: () => (text: string) => text };
    return this.#client.query(new Cursor<TextRow>(sql, texts, { rowMode: 'array', types: asText }));
  }

  read(cursor: Cursor<TextRow>): Promise<Fetched> {
    return this.#watch.step(
      () =>
        new Promise((resolve, reject) => {
          cursor.read(rowsPerFetch, (error, rows, result) => {
            if (error) reject(error);
            else resolve({ rows, fields: result.fields });
          });
        }),
    );
  }

  stop(): void {
    this.#watch.stop();
  }

  /** Gives the connection back; one whose query has not been read to its end is closed. */
  end(isComplete: boolean): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    this.#watch.end();
    void this.#release(isComplete).finally(this.#end.resolve);
  }

  async #release(isComplete: boolean): Promise<void> {
    const client = this.#client;
    if (!client) return;
    if (isComplete) {
      await client.query('ROLLBACK').then(
        () => client.release(),
        () => client.release(true),
      );
      return;
    }
    if (this.#watch.isStopped) await this.#cancel(client);
    client.release(true);
  }

  /** Asks the database to end what the connection runs; such a request needs no login. */
  async #cancel(client: pg.PoolClient): Promise<void> {
    const processId: unknown = Reflect.get(client, 'processID');
    const secret: unknown = Reflect.get(client, 'secretKey');
    if (typeof processId !== 'number' || typeof secret !== 'number') return;
    const request = Buffer.alloc(16);
    [16, 80877102, processId, secret].forEach((part, index) => request.writeInt32BE(part, index * 4));
    const { host, port } = this.#endpoint;
    const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
    await new Promise<void>((resolve) => {
      socket.setTimeout(this.#address.connectionTimeout * 1000, () => socket.destroy());
      // Without an answer the connection is closed all the same.
      socket.on('error', () => undefined).on('close', () => resolve());
      socket.resume().end(request);
    });
  }

  #explain(error: unknown): DatabaseError {
    if (error instanceof DatabaseError) return error;
    const name = this.#address.displayName;
    const code = codeOf(error);
    if (code === '57014') return this.#watch.timeout();
    if (/^(08|57P)/.test(code) || /^E[A-Z]+$/.test(code) || code === '') {
      return new DatabaseError('unreachable', `${name}: the connection was lost`);
    }
    if (code.startsWith('42') && error instanceof Error) {
      // These speak of names and types alone, before any row is read.
      return new DatabaseError('refused', `${name} refused the query: ${error.message.split('\n')[0]}`);
    }
    return new DatabaseError('failed', `${name} could not compute the result (SQLSTATE ${code})`);
  }
}

async function* rowsOf(running: PooledQuery, cursor: Cursor<TextRow>, first: Fetched): AsyncGenerator<JsonRows> {
  const names = first.fields.map(({ name }) => name);
  const writers = first.fields.map(({ dataTypeID }) => postgresqlWriter(dataTypeID));
  let isComplete = false;
  try {
    for (let { rows } = first; ; { rows } = await running.read(cursor)) {
      yield* jsonBatches(rows, names, writers);
      if (rows.length < rowsPerFetch) break;
    }
    isComplete = true;
  } finally {
    running.end(isComplete);
  }
}
