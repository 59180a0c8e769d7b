import { connect } from 'node:net';
import pg from 'pg';
import Cursor from 'pg-cursor';
import { codeOf, type Endpoint, endpointOf, tlsOf, unreachable } from '../connectionSettings.ts';
import {
  type Database,
  type DatabaseAddress,
  type DatabaseDriver,
  DatabaseError,
  type JsonRows,
  type QueryOptions,
  type RowQuery,
} from '../database.ts';
import { describingSql, jsonRowSql } from './json.ts';
import { postgresqlRelations } from './relations.ts';
import { rowsPerBatch, tooMuchMemory } from '../queryRules.ts';
import { ServerDatabase, ServerQuery } from '../serverDatabase.ts';

const mostConnections = 10;
const rowsPerFetch = 1000;

const tablesSql = `SELECT n.nspname AS owner, c.relname AS name
  FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'v', 'm', 'f', 'p') AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
    AND has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'SELECT')
  ORDER BY 1, 2`;
/** A domain column has the type that the domain restricts. */
const columnsSql = `SELECT a.attname AS name,
    CASE WHEN t.typtype = 'd' THEN format_type(t.typbasetype, t.typtypmod) ELSE format_type(a.atttypid, a.atttypmod) END
      AS "nativeType",
    CASE WHEN a.atttypid IN (1042, 1043) AND a.atttypmod > 4 THEN a.atttypmod - 4 ELSE 0 END AS "maxLength",
    CASE WHEN a.attnotnull THEN 'NO' ELSE 'YES' END AS "isNullable", c.relname AS "table"
  FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_class c ON c.oid = a.attrelid
    JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
  WHERE a.attnum > 0 AND NOT a.attisdropped AND c.relkind IN ('r', 'v', 'm', 'f', 'p')
    AND lower(c.relname) = lower($1) AND lower(n.nspname) = lower(coalesce(nullif($2, ''), current_schema()))
  ORDER BY c.relname, a.attnum`;

const versionSql = `SELECT current_setting('server_version') AS version`;

/** Limits a query's temporary files if the login may set the limit; otherwise the server's own limit applies. */
const temporaryFilesSql = `SELECT set_config('temp_file_limit', '2GB', true)
  FROM pg_catalog.pg_settings
  WHERE name = 'temp_file_limit' AND current_setting('is_superuser') = 'on' AND setting::bigint NOT BETWEEN 0 AND 2097152`;

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
    const settings: pg.ClientConfig = {
      ...endpoint,
      database: address.database,
      user: address.login,
      password: password ?? '',
      ssl: tlsOf(address) ?? false,
      connectionTimeoutMillis: address.connectionTimeout * 1000,
      application_name: 'Analytics Studio',
    };
    const pool = new pg.Pool({
      max: mostConnections,
      // Not an option of the pool: that would also limit how long a report waits while others use all connections.
      Client: class extends pg.Client {
        constructor() {
          super(settings);
        }
      },
    });
    // The pool drops a connection that breaks while idle; the next query opens another.
    pool.on('error', () => undefined);
    let version: string;
    try {
      const { rows } = await pool.query<{ version: string }>(versionSql);
      version = rows[0]?.version ?? '';
    } catch (error) {
      await pool.end();
      throw unreachable(address, endpoint, error, connectionProblems);
    }
    return new ServerDatabase({
      address,
      version,
      tables: tablesSql,
      columnsSql,
      relations: postgresqlRelations,
      newQuery: (limits) => new PooledQuery(pool, address, endpoint, limits),
      disconnect: () => pool.end(),
    });
  },
};

/** Out of memory, a text of over a gigabyte, temporary files over their limit. */
const oversized = new Set(['53200', '53400', '54000']);

/** A row as the text of its JSON object. */
type JsonRow = [string];

function* joined(rows: readonly JsonRow[]): Generator<JsonRows> {
  for (let at = 0; at < rows.length; at += rowsPerBatch) {
    const batch = rows.slice(at, at + rowsPerBatch);
    yield { count: batch.length, json: batch.map(([json]) => json).join(',') };
  }
}

/** A query in a read-only transaction on a pooled connection. */
class PooledQuery extends ServerQuery {
  readonly #pool: pg.Pool;
  readonly #address: DatabaseAddress;
  readonly #endpoint: Endpoint;
  readonly #timeoutMs: number;
  #client: pg.PoolClient | undefined;
  #cursor: Cursor<JsonRow> | undefined;
  #first: readonly JsonRow[] | undefined;
  #isLast = false;

  constructor(pool: pg.Pool, address: DatabaseAddress, endpoint: Endpoint, options: QueryOptions) {
    super(address.displayName, options);
    this.#pool = pool;
    this.#address = address;
    this.#endpoint = endpoint;
    this.#timeoutMs = options.timeoutMs;
  }

  async begin({ sql, values }: RowQuery): Promise<void> {
    const client = await this.watch.step(() => this.#connect());
    const texts = values.map(({ text }) => text);
    const { fields } = await this.watch.step(() => client.query(describingSql(sql), texts));
    this.#cursor = client.query(new Cursor<JsonRow>(jsonRowSql(sql, fields), texts, { rowMode: 'array' }));
    this.#first = await this.#fetch();
  }

  async #connect(): Promise<pg.PoolClient> {
    const client = await this.#pool.connect().catch((error: unknown) => {
      throw unreachable(this.#address, this.#endpoint, error, connectionProblems);
    });
    if (this.isEnding) {
      // The query has ended in the meantime.
      client.release();
      return client;
    }
    this.#client = client;
    const limit = Math.min(Math.max(Math.ceil(this.#timeoutMs), 1), 2 ** 31 - 1);
    // The database enforces the limit, too, in case this process cannot.
    await client.query(
      `BEGIN READ ONLY; SET LOCAL statement_timeout = ${limit}; SET LOCAL DateStyle = ISO; SET LOCAL TimeZone = UTC;
      SET LOCAL extra_float_digits = 1; SET LOCAL IntervalStyle = postgres; SET LOCAL bytea_output = hex;
      ${temporaryFilesSql}`,
    );
    return client;
  }

  protected async next(): Promise<Iterable<JsonRows> | undefined> {
    if (this.#isLast) return undefined;
    const rows = this.#first ?? (await this.#fetch());
    this.#first = undefined;
    this.#isLast = rows.length < rowsPerFetch;
    return joined(rows);
  }

  #fetch(): Promise<JsonRow[]> {
    return this.watch.step(
      () =>
        new Promise((resolve, reject) => {
          this.#cursor?.read(rowsPerFetch, (error, rows) => {
            if (error) reject(error);
            else resolve(rows);
          });
        }),
    );
  }

  protected async release(isComplete: boolean): Promise<void> {
    const client = this.#client;
    if (!client) return;
    if (isComplete) {
      await client.query('ROLLBACK').then(
        () => client.release(),
        () => client.release(true),
      );
      return;
    }
    if (this.watch.isStopped) await this.#cancel(client);
    client.release(true);
  }

  /** Asks the database to cancel the connection's query; such a request needs no login. */
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
      // If this fails, the connection is closed anyway.
      socket.on('error', () => undefined).on('close', () => resolve());
      socket.resume().end(request);
    });
  }

  protected explain(error: unknown): DatabaseError {
    const name = this.#address.displayName;
    const code = codeOf(error);
    if (code === '57014') return this.watch.timeout();
    if (/^(08|57P)/.test(code) || /^E[A-Z]+$/.test(code) || code === '') {
      return new DatabaseError('unreachable', `${name}: the connection was lost`);
    }
    if (oversized.has(code)) return tooMuchMemory(name);
    if (code.startsWith('42') && error instanceof Error) {
      // These errors occur before any row is read; their messages contain only names and types.
      return new DatabaseError('refused', `${name} refused the query: ${error.message.split('\n')[0]}`);
    }
    return new DatabaseError('failed', `${name} could not compute the result (SQLSTATE ${code})`);
  }
}
