import mysql, { type Pool, type PoolConnection, type PoolOptions } from 'mysql2';
import * as z from 'zod';
import { codeOf, type Endpoint, endpointOf, tlsOf, unreachable } from '../connectionSettings.ts';
import {
  type BoundValue,
  type Database,
  type DatabaseAddress,
  type DatabaseDriver,
  DatabaseError,
  type JsonRows,
  type QueryOptions,
  type RowQuery,
} from '../database.ts';
import { mysqlRelations } from './relations.ts';
import { MysqlRowStream } from './rowStream.ts';
import { PacedPackets } from '../pacedPackets.ts';
import { tooMuchMemory } from '../queryRules.ts';
import { ServerDatabase, ServerQuery } from '../serverDatabase.ts';

const mostConnections = 10;

const tablesSql = `SELECT table_schema AS \`owner\`, table_name AS \`name\` FROM information_schema.tables
  WHERE table_schema = database() ORDER BY 1, 2`;
const columnsSql = `SELECT column_name AS \`name\`, column_type AS \`nativeType\`,
    coalesce(character_maximum_length, 0) AS \`maxLength\`, is_nullable AS \`isNullable\`, table_name AS \`table\`
  FROM information_schema.columns
  WHERE lower(table_name) = lower(?1) AND lower(table_schema) = lower(coalesce(nullif(?2, ''), database()))
  ORDER BY table_name, ordinal_position`;

const connectionProblems = {
  ER_ACCESS_DENIED_ERROR: 'the login or its password is refused',
  ER_ACCESS_DENIED_NO_PASSWORD_ERROR: 'the login is refused without a password',
  ER_DBACCESS_DENIED_ERROR: 'the login may not use this database',
  ER_BAD_DB_ERROR: 'it has no such database',
  ER_CON_COUNT_ERROR: 'it has no connection left',
  ER_HOST_NOT_PRIVILEGED: 'it accepts no connections from here',
};

/** Errors that occur before any row is read; their messages contain only names and types. */
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
      // Never send local files to the server.
      flags: ['-LOCAL_FILES'],
    };
    const pool = mysql.createPool(options);
    try {
      const connection = await connectionOf(pool);
      const version = await versionOf(connection);
      connection.release();
      return new ServerDatabase({
        address,
        version,
        tables: tablesSql,
        columnsSql,
        relations: mysqlRelations,
        newQuery: (limits) => new PooledQuery(pool, options, address, endpoint, limits),
        disconnect: () => endOf(pool),
      });
    } catch (error) {
      await endOf(pool);
      throw unreachable(address, endpoint, error, connectionProblems);
    }
  },
};

function endOf(pool: Pool): Promise<void> {
  return new Promise((resolve) => pool.end(() => resolve()));
}

function connectionOf(pool: Pool): Promise<PoolConnection> {
  return new Promise((resolve, reject) => {
    pool.getConnection((error, connection) => {
      if (error) reject(error);
      else resolve(connection);
    });
  });
}

const versionRows = z.tuple([z.tuple([z.string()])]);

function versionOf(connection: PoolConnection): Promise<string> {
  return new Promise((resolve, reject) => {
    connection.query({ sql: 'SELECT version()', rowsAsArray: true }, (error, rows) => {
      if (error) reject(error);
      else resolve(versionRows.parse(rows)[0][0]);
    });
  });
}

/**
 * Limits a MariaDB connection to 512 MB of memory. MySQL reads this as a comment; there, only administrators can set
 * such a limit.
 */
const sessionSql = `SET SESSION sql_mode = '', time_zone = '+00:00'
  /*M!100100 , max_session_mem_used = 536870912 */`;
/** The limit is reached, or the machine is out of memory. */
const oversized = /^ER_(OPTION_PREVENTS_STATEMENT|OUTOFMEMORY|OUT_OF_SORTMEMORY|OUT_OF_RESOURCES|RECORD_FILE_FULL)$/;

/** Connections whose session has been prepared. */
const prepared = new WeakSet<object>();

/** A query on a pooled connection. */
class PooledQuery extends ServerQuery {
  readonly #pool: Pool;
  readonly #options: PoolOptions;
  readonly #address: DatabaseAddress;
  readonly #endpoint: Endpoint;
  #connection: PoolConnection | undefined;
  #rows: MysqlRowStream | undefined;

  constructor(pool: Pool, options: PoolOptions, address: DatabaseAddress, endpoint: Endpoint, limits: QueryOptions) {
    super(address.displayName, limits);
    this.#pool = pool;
    this.#options = options;
    this.#address = address;
    this.#endpoint = endpoint;
  }

  async begin(query: RowQuery): Promise<void> {
    const connection = await this.watch.step(() => this.#connect());
    await this.watch.step(() => this.#execute(connection, query));
  }

  async #connect(): Promise<PoolConnection> {
    const connection = await connectionOf(this.#pool).catch((error: unknown) => {
      throw unreachable(this.#address, this.#endpoint, error, connectionProblems);
    });
    if (this.isEnding) {
      // The query has ended in the meantime.
      connection.release();
      return connection;
    }
    this.#connection = connection;
    if (prepared.has(connection)) return connection;
    for (const sql of [sessionSql, 'SET SESSION TRANSACTION READ ONLY']) await simple(connection, sql);
    prepared.add(connection);
    return connection;
  }

  /** Starts the query; resolves when the database knows its columns. */
  #execute(connection: PoolConnection, query: RowQuery): Promise<void> {
    this.#rows = new MysqlRowStream(connection.execute(positional(query)), PacedPackets.of(connection));
    return this.#rows.begun;
  }

  protected async next(): Promise<Iterable<JsonRows> | undefined> {
    const rows = await this.watch.step(async () => this.#rows?.next());
    return rows && [rows];
  }

  protected async release(isComplete: boolean): Promise<void> {
    const connection = this.#connection;
    if (!connection) return;
    if (isComplete) {
      this.#rows?.resume();
      connection.release();
      return;
    }
    const id = connection.threadId;
    connection.destroy();
    if (id !== null) await this.#kill(id);
  }

  /** Kills the query: the database notices a closed connection only when it writes to it. */
  async #kill(id: number): Promise<void> {
    const other = mysql.createConnection(this.#options);
    // If this fails, the connection is closed anyway.
    other.on('error', () => undefined);
    await simple(other, `KILL CONNECTION ${id}`).catch(() => undefined);
    other.destroy();
  }

  protected explain(error: unknown): DatabaseError {
    const name = this.#address.displayName;
    const code = codeOf(error);
    if (/^E[A-Z]+$/.test(code) || /^(PROTOCOL_|ER_SERVER_SHUTDOWN)/.test(code)) {
      return new DatabaseError('unreachable', `${name}: the connection was lost`);
    }
    if (oversized.test(code)) return tooMuchMemory(name);
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

/** Replaces numbered placeholders, which may repeat, with MySQL's positional ones; leaves names and texts unchanged. */
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
