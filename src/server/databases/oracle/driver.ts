import oracledb from 'oracledb';
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
import { type OracleColumn, oracleColumn } from './json.ts';
import { oracleRelations } from './relations.ts';
import { jsonBatches, rowsPerBatch } from '../queryRules.ts';
import { ServerDatabase, ServerQuery } from '../serverDatabase.ts';

const mostConnections = 10;

const tablesSql = `SELECT DISTINCT owner AS "owner", object_name AS "name" FROM all_objects
  WHERE object_type IN ('TABLE', 'VIEW', 'MATERIALIZED VIEW')
    AND owner NOT IN (SELECT username FROM all_users WHERE oracle_maintained = 'Y')
  ORDER BY 1, 2`;
const columnsSql = `SELECT column_name AS "name", data_type AS "nativeType", char_length AS "maxLength",
    CASE nullable WHEN 'Y' THEN 'YES' ELSE 'NO' END AS "isNullable", table_name AS "table"
  FROM all_tab_columns
  WHERE LOWER(table_name) = LOWER(:v1)
    AND LOWER(owner) = LOWER(COALESCE(:v2, SYS_CONTEXT('USERENV', 'CURRENT_SCHEMA')))
  ORDER BY table_name, column_id`;
/** Texts compare and sort by character code; numbers and dates have the same format in every locale. */
const sessionSql = `ALTER SESSION SET NLS_COMP = BINARY NLS_SORT = BINARY NLS_NUMERIC_CHARACTERS = '.,'
  NLS_DATE_FORMAT = 'YYYY-MM-DD HH24:MI:SS' NLS_TIMESTAMP_FORMAT = 'YYYY-MM-DD HH24:MI:SS.FF6' TIME_ZONE = '+00:00'`;

const connectionProblems = {
  'ORA-01017': 'the login or its password is refused',
  'ORA-28000': 'the login is locked',
  'ORA-28001': "the login's password has expired",
  'ORA-01045': 'the login may not use this database',
  'ORA-12505': 'it has no such database',
  'ORA-12514': 'it has no such database',
  'NJS-518': 'it has no such database',
  'NJS-503': 'no server is listening there',
  'NJS-510': 'it did not answer in time',
  'NJS-511': 'no server is listening there',
};
/** Errors that occur before any row is read; their messages contain only names and types. */
const refusals = new Set(
  [900, 904, 905, 906, 907, 909, 911, 917, 918, 920, 923, 932, 933, 936, 937, 942, 972, 979, 1031, 1789, 1791].map(
    (number) => `ORA-${String(number).padStart(5, '0')}`,
  ),
);

/** Opens Oracle databases; the database's name is the service name. Settings: `port` and `tls` (off, verify). */
export const oracleDriver: DatabaseDriver = {
  async open(address: DatabaseAddress, password: string | undefined): Promise<Database> {
    const tls = tlsOf(address);
    if (tls?.rejectUnauthorized === false) {
      const problem =
        'the setting tls is "require", which takes any certificate; the driver for Oracle always checks it';
      throw new DatabaseError('unreachable', `${address.displayName}: ${problem}; write off or verify`);
    }
    const endpoint = endpointOf(address, tls ? 2484 : 1521);
    try {
      const pool = await oracledb.createPool({
        user: address.login,
        password: password ?? '',
        connectString: connectText(address, endpoint, tls !== undefined),
        poolMin: 0,
        poolMax: mostConnections,
        queueMax: -1,
        queueTimeout: 0,
        sessionCallback: (connection, _tag, done) => {
          connection.execute(sessionSql).then(() => done(), done);
        },
      });
      let version: string;
      try {
        const connection = await pool.getConnection();
        version = connection.oracleServerVersionString;
        await connection.close();
      } catch (error) {
        await pool.close(0);
        throw error;
      }
      return new ServerDatabase({
        address,
        version,
        trivialSql: 'SELECT 1 AS one FROM dual',
        tables: tablesSql,
        columnsSql,
        relations: oracleRelations,
        newQuery: (limits) => new PooledQuery(pool, address, endpoint, limits),
        disconnect: () => pool.close(0),
      });
    } catch (error) {
      throw unreachable(address, endpoint, error, connectionProblems);
    }
  },
};

/** The driver's connect string. @throws {DatabaseError} for names that would add settings. */
function connectText(
  { database, displayName, connectionTimeout }: DatabaseAddress,
  { host, port }: Endpoint,
  isEncrypted: boolean,
): string {
  if (!/^[\w.$#-]+$/.test(database) || !/^[\w.:-]+$/.test(host)) {
    throw new DatabaseError('unreachable', `${displayName}: "${host}/${database}" is not an Oracle host and service`);
  }
  const place = host.includes(':') ? `[${host}]` : host;
  const seconds = Math.max(Math.ceil(connectionTimeout), 1);
  return `${isEncrypted ? 'tcps' : 'tcp'}://${place}:${port}/${database}?transport_connect_timeout=${seconds}`;
}

type Row = unknown[];

/** A query in a read-only transaction on a pooled connection. */
class PooledQuery extends ServerQuery {
  readonly #pool: oracledb.Pool;
  readonly #address: DatabaseAddress;
  readonly #endpoint: Endpoint;
  #connection: oracledb.Connection | undefined;
  #rows: oracledb.ResultSet<Row> | undefined;
  #columns: OracleColumn[] = [];
  #working: Promise<unknown> = Promise.resolve();
  #isLast = false;

  constructor(pool: oracledb.Pool, address: DatabaseAddress, endpoint: Endpoint, options: QueryOptions) {
    super(address.displayName, options);
    this.#pool = pool;
    this.#address = address;
    this.#endpoint = endpoint;
  }

  async begin({ sql, values }: RowQuery): Promise<void> {
    const connection = await this.watch.step(() => this.#connect());
    await this.#step(() => connection.execute('SET TRANSACTION READ ONLY'));
    const { metaData = [] } = await this.#step(() => connection.getStatementInfo(sql));
    this.#columns = metaData.map(({ name, dbTypeName }) => oracleColumn(name, dbTypeName ?? ''));
    const columns = this.#columns.map(({ name, sentAs }) => `${sentAs} AS "${name}"`);
    const binds = Object.fromEntries(values.map((value, index) => [`v${index + 1}`, bound(value)]));
    const outer = `SELECT ${columns.join(', ')} FROM (\n${sql}\n)`;
    const result = await this.#step(() =>
      connection.execute<Row>(outer, binds, {
        resultSet: true,
        outFormat: oracledb.OUT_FORMAT_ARRAY,
        fetchArraySize: rowsPerBatch,
        prefetchRows: rowsPerBatch,
        fetchTypeHandler: ({ dbType }) => {
          if (
            dbType === oracledb.DB_TYPE_NUMBER ||
            dbType === oracledb.DB_TYPE_CLOB ||
            dbType === oracledb.DB_TYPE_NCLOB
          ) {
            return { type: oracledb.STRING };
          }
          return dbType === oracledb.DB_TYPE_BLOB ? { type: oracledb.BUFFER } : undefined;
        },
      }),
    );
    this.#rows = result.resultSet;
  }

  /** Runs a step on the connection, which runs one at a time. */
  #step<T>(work: () => Promise<T>): Promise<T> {
    return this.watch.step(() => {
      const working = work();
      this.#working = working.catch(() => undefined);
      return working;
    });
  }

  async #connect(): Promise<oracledb.Connection> {
    const connection = await this.#pool.getConnection().catch((error: unknown) => {
      throw unreachable(this.#address, this.#endpoint, error, connectionProblems);
    });
    // The query may have ended in the meantime.
    if (this.isEnding) await connection.close();
    else this.#connection = connection;
    return connection;
  }

  protected async next(): Promise<Iterable<JsonRows> | undefined> {
    const rows = this.#rows;
    if (this.#isLast || !rows) return undefined;
    const found = await this.#step(() => rows.getRows(rowsPerBatch));
    this.#isLast = found.length < rowsPerBatch;
    const writers = this.#columns.map(({ write }) => write);
    return jsonBatches(
      found,
      this.#columns.map(({ name }) => name),
      writers,
    );
  }

  protected async release(isComplete: boolean): Promise<void> {
    const connection = this.#connection;
    if (!connection) return;
    if (isComplete) {
      await this.#rows?.close().catch(() => undefined);
      // Closing returns it to the pool and ends the transaction.
      await connection.close().catch(() => undefined);
      return;
    }
    await connection.break().catch(() => undefined);
    await this.#working;
    await connection.close({ drop: true }).catch(() => undefined);
  }

  protected explain(error: unknown): DatabaseError {
    const name = this.#address.displayName;
    const code = codeOf(error);
    if (/^(NJS-5\d\d|NJS-003|ORA-(00028|01012|03113|03114|03135|12\d{3}))$/.test(code)) {
      return new DatabaseError('unreachable', `${name}: the connection was lost`);
    }
    if (refusals.has(code) && error instanceof Error) {
      return new DatabaseError('refused', `${name} refused the query: ${error.message.split('\n')[0]}`);
    }
    return new DatabaseError('failed', `${name} could not compute the result (${code || 'unknown error'})`);
  }
}

/** Values are bound as text and parsed by the formats that the dialect writes. */
function bound({ type, text }: BoundValue): string {
  if (type !== 'timestamp') return text;
  const [day = '', time = '00:00:00'] = text.replace('T', ' ').split(' ');
  const [clock = '', fraction = ''] = time.split('.');
  return `${day} ${clock.length === 5 ? `${clock}:00` : clock}.${fraction.padEnd(6, '0')}`;
}
