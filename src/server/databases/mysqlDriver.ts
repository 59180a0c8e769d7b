import mysql, { type FieldPacket, type Pool, type PoolConnection, type PoolOptions } from 'mysql2';
import * as z from 'zod';
import { codeOf, type Endpoint, endpointOf, tlsOf, unreachable } from './connectionSettings.ts';
import {
  type BoundValue,
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
import { type MysqlValue, mysqlWriter } from './mysqlJson.ts';
import { jsonBatches, readAll, requireSelect, rowsPerBatch } from './queryRules.ts';
import { QueryWatch } from './queryWatch.ts';

const mostConnections = 10;

const tablesSql = `SELECT table_schema AS \`owner\`, table_name AS \`name\` FROM information_schema.tables
  WHERE table_schema = database() ORDER BY 1, 2`;
const columnsSql = `SELECT column_name AS \`name\`, column_type AS \`nativeType\`,
    coalesce(character_maximum_length, 0) AS \`maxLength\`, is_nullable AS \`isNullable\`, table_name AS \`table\`
  FROM information_schema.columns
  WHERE lower(table_name) = lower(?1) AND lower(table_schema) = lower(coalesce(nullif(?2, ''), database()))
  ORDER BY table_name, ordinal_position`;

const tableRow = z.object({ owner: z.string(), name: z.string() });
const columnRow = z.object({
  name: z.string(),
  nativeType: z.string(),
  maxLength: z.number(),
  isNullable: z.string(),
  table: z.string(),
});

const connectionProblems = {
  ER_ACCESS_DENIED_ERROR: 'the login or its password is refused',
  ER_ACCESS_DENIED_NO_PASSWORD_ERROR: 'the login is refused without a password',
  ER_DBACCESS_DENIED_ERROR: 'the login may not use this database',
  ER_BAD_DB_ERROR: 'it has no such database',
  ER_CON_COUNT_ERROR: 'it has no connection left',
  ER_HOST_NOT_PRIVILEGED: 'it accepts no connections from here',
};

/** What a query may go wrong with before any row is read; such messages speak of names and types alone. */
const refusals =
  /^ER_(PARSE_ERROR|BAD_FIELD_ERROR|NO_SUCH_TABLE|BAD_TABLE_ERROR|.*ACCESS_DENIED.*|CANT_AGGREGATE.*|.*COLLATION.*|SP_DOES_NOT_EXIST|NON_UNIQ_ERROR|CANT_EXECUTE_IN_READ_ONLY_TRANSACTION)$/;

/** Opens MySQL and MariaDB databases. Settings: `port` and `tls` (off, require, verify). */
export const mysqlDriver: DatabaseDriver = {
  async open(address: DatabaseAddress, password: string | undefined): Promise<Database> {
    const endpoint = endpointOf(address, 3306);
    const { host, port } = endpoint;
    const options: PoolOptions = {
      ...(host.startsWith('/') ? { socketPath: host } : { host, port }),
      database: address.database,
      user: address.login,
      password: password ?? '',
      ...(tlsOf(address) && { ssl: tlsOf(address) }),
      charset: 'utf8mb4',
      connectTimeout: address.connectionTimeout * 1000,
      connectionLimit: mostConnections,
      maxPreparedStatements: 50,
      dateStrings: true,
      supportBigNumbers: true,
      bigNumberStrings: true,
      multipleStatements: false,
      // Files of this machine are never sent.
      flags: ['-LOCAL_FILES'],
    };
    const pool = mysql.createPool(options);
    const database = new MysqlDatabase(pool, options, address, endpoint);
    try {
      (await connectionOf(pool)).release();
      return database;
    } catch (error) {
      await database.close();
      throw unreachable(address, endpoint, error, connectionProblems);
    }
  },
};

function connectionOf(pool: Pool): Promise<PoolConnection> {
  return new Promise((resolve, reject) => {
    pool.getConnection((error, connection) => {
      if (error) reject(error);
      else resolve(connection);
    });
  });
}

class MysqlDatabase implements Database {
  readonly #pool: Pool;
  readonly #options: PoolOptions;
  readonly #address: DatabaseAddress;
  readonly #endpoint: Endpoint;
  readonly #running = new Set<PooledQuery>();

  constructor(pool: Pool, options: PoolOptions, address: DatabaseAddress, endpoint: Endpoint) {
    this.#pool = pool;
    this.#options = options;
    this.#address = address;
    this.#endpoint = endpoint;
  }

  async readJson(query: RowQuery, options: QueryOptions): Promise<AsyncIterable<JsonRows>> {
    requireSelect(query, this.#address.displayName);
    const running = new PooledQuery(this.#options, this.#address, this.#endpoint, options);
    this.#running.add(running);
    void running.ended.then(() => this.#running.delete(running));
    try {
      await running.begin(this.#pool);
      await running.execute(query);
      return rowsOf(running);
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
    return rows
      .filter((row) => row.table === table)
      .map(({ table: _, isNullable, ...column }) => ({ ...column, isNullable: isNullable === 'YES' }));
  }

  async close(): Promise<void> {
    for (const running of this.#running) running.stop();
    await Promise.all([...this.#running].map(({ ended }) => ended));
    await new Promise<void>((resolve) => this.#pool.end(() => resolve()));
  }
}

/** Connections whose session has been prepared. */
const prepared = new WeakSet<object>();

type Row = (MysqlValue | null)[];

/** A query on a connection of the pool, which gets it back at the end. */
class PooledQuery {
  /** Resolves when the connection is free again or closed. */
  readonly ended: Promise<void>;
  fields: readonly FieldPacket[] = [];
  readonly #options: PoolOptions;
  readonly #address: DatabaseAddress;
  readonly #endpoint: Endpoint;
  readonly #watch: QueryWatch;
  readonly #end = Promise.withResolvers<void>();
  #connection: PoolConnection | undefined;
  #rows: AsyncIterator<Row> | undefined;
  #isEnding = false;

  constructor(options: PoolOptions, address: DatabaseAddress, endpoint: Endpoint, limits: QueryOptions) {
    this.#options = options;
    this.#address = address;
    this.#endpoint = endpoint;
    this.ended = this.#end.promise;
    this.#watch = new QueryWatch(
      address.displayName,
      limits,
      () => this.end(false),
      (error) => this.#explain(error),
    );
  }

  async begin(pool: Pool): Promise<void> {
    await this.#watch.step(async () => {
      const connection = await connectionOf(pool).catch((error: unknown) => {
        throw unreachable(this.#address, this.#endpoint, error, connectionProblems);
      });
      if (this.#isEnding) return connection.release();
      this.#connection = connection;
      if (prepared.has(connection)) return;
      for (const sql of [`SET SESSION sql_mode = '', time_zone = '+00:00'`, 'SET SESSION TRANSACTION READ ONLY']) {
        await simple(connection, sql);
      }
      prepared.add(connection);
    });
  }

  /** Starts the query; resolves when the database knows its columns. */
  async execute(query: RowQuery): Promise<void> {
    const connection = this.#connection;
    if (!connection) throw new Error('The query has not begun');
    const { sql, values } = positional(query);
    await this.#watch.step(
      () =>
        new Promise<void>((resolve, reject) => {
          const command = connection.execute({ sql, values, rowsAsArray: true });
          command.once('fields', (fields: FieldPacket[]) => {
            this.fields = fields;
            resolve();
          });
          const stream = command.stream({ highWaterMark: rowsPerBatch * 5 });
          stream.once('error', reject);
          this.#rows = stream[Symbol.asyncIterator]();
        }),
    );
  }

  /** Up to a batch of rows; fewer at the end. */
  read(): Promise<Row[]> {
    return this.#watch.step(async () => {
      const rows: Row[] = [];
      while (rows.length < rowsPerBatch) {
        const next = await this.#rows?.next();
        if (!next || next.done) break;
        rows.push(next.value);
      }
      return rows;
    });
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
    const connection = this.#connection;
    if (!connection) return;
    if (isComplete) {
      connection.release();
      return;
    }
    const id = connection.threadId;
    connection.destroy();
    if (id !== null) await this.#kill(id);
  }

  /** The database notices a closed connection only when it writes to it. */
  async #kill(id: number): Promise<void> {
    const other = mysql.createConnection(this.#options);
    // Without an answer the connection is closed all the same.
    other.on('error', () => undefined);
    await simple(other, `KILL CONNECTION ${id}`).catch(() => undefined);
    other.destroy();
  }

  #explain(error: unknown): DatabaseError {
    if (error instanceof DatabaseError) return error;
    const name = this.#address.displayName;
    const code = codeOf(error);
    if (/^E[A-Z]+$/.test(code) || /^(PROTOCOL_|ER_SERVER_SHUTDOWN)/.test(code)) {
      return new DatabaseError('unreachable', `${name}: the connection was lost`);
    }
    if (refusals.test(code) && error instanceof Error) {
      return new DatabaseError('refused', `${name} refused the query: ${error.message.split('\n')[0]}`);
    }
    return new DatabaseError('failed', `${name} could not compute the result (${code || 'unknown error'})`);
  }
}

function simple(connection: Pick<PoolConnection, 'query'>, sql: string): Promise<void> {
  return new Promise((resolve, reject) => {
    connection.query(sql, (error) => {
      if (error) reject(error);
      else resolve();
    });
  });
}

/** Numbered placeholders, which may repeat, as the plain ones that MySQL knows; names and texts are left alone. */
function positional({ sql, values }: RowQuery): { sql: string; values: string[] } {
  const ordered: BoundValue[] = [];
  const plain = sql.replace(/`(?:[^`]|``)*`|'(?:[^']|'')*'|\?(\d+)/g, (token, number: string | undefined) => {
    if (number === undefined) return token;
    const value = values[Number(number) - 1];
    if (!value) throw new Error(`The query has no value ${number}`);
    ordered.push(value);
    return '?';
  });
  return { sql: plain, values: ordered.map(({ text }) => text) };
}

async function* rowsOf(running: PooledQuery): AsyncGenerator<JsonRows> {
  const names = running.fields.map(({ name }) => name);
  const writers = running.fields.map(({ columnType }) => mysqlWriter(columnType));
  let isComplete = false;
  try {
    for (;;) {
      const rows = await running.read();
      yield* jsonBatches(rows, names, writers);
      if (rows.length < rowsPerBatch) break;
    }
    isComplete = true;
  } finally {
    running.end(isComplete);
  }
}
