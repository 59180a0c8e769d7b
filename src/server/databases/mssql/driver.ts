import { Pool } from 'tarn';
import type { Request } from 'tedious';
import * as z from 'zod';
import { codeOf, type Endpoint, endpointOf, unreachable } from '../connectionSettings.ts';
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
import { managedVersion } from '../engineReleases.ts';
import { type MssqlColumn, mssqlColumn } from './json.ts';
import { configurationOf, Link, type Row } from './link.ts';
import { mssqlRelations } from './relations.ts';
import { plainNumber } from '../plainNumber.ts';
import { jsonBatches, rowsPerBatch } from '../queryRules.ts';
import { ServerDatabase, ServerQuery } from '../serverDatabase.ts';

const mostConnections = 10;
/** Maximum unread rows; when reached, the server waits, too. */
const mostRowsWaiting = rowsPerBatch * 5;
/** Disables the pool's own time limits in favour of those of the query and of connecting. */
const longestWait = 2 ** 31 - 1;

const tablesSql = `SELECT s.name AS owner, o.name AS name
  FROM sys.objects AS o JOIN sys.schemas AS s ON s.schema_id = o.schema_id
  WHERE o.type IN ('U', 'V') AND o.is_ms_shipped = 0
    AND HAS_PERMS_BY_NAME(QUOTENAME(s.name) + '.' + QUOTENAME(o.name), 'OBJECT', 'SELECT') = 1
  ORDER BY s.name, o.name`;
const columnsSql = `SELECT c.name AS name, TYPE_NAME(c.user_type_id) AS nativeType,
    CASE WHEN TYPE_NAME(c.system_type_id) IN ('nchar', 'nvarchar') AND c.max_length > 0 THEN c.max_length / 2
      WHEN TYPE_NAME(c.system_type_id) IN ('char', 'varchar') AND c.max_length > 0 THEN c.max_length ELSE 0 END AS maxLength,
    CASE WHEN c.is_nullable = 1 THEN 'YES' ELSE 'NO' END AS isNullable, o.name AS [table]
  FROM sys.columns AS c JOIN sys.objects AS o ON o.object_id = c.object_id
    JOIN sys.schemas AS s ON s.schema_id = o.schema_id
  WHERE o.type IN ('U', 'V') AND LOWER(o.name) = LOWER(@t1)
    AND LOWER(s.name) = LOWER(COALESCE(NULLIF(@t2, N''), SCHEMA_NAME()))
  ORDER BY o.name, c.column_id`;
/** Azure's services report 12, whatever they run. */
const versionSql = `SELECT CASE WHEN CAST(SERVERPROPERTY('EngineEdition') AS int) IN (5, 6, 8, 11, 12) THEN N'${managedVersion}'
  ELSE CAST(SERVERPROPERTY('ProductVersion') AS nvarchar(128)) END`;
const describeSql = `SELECT name, system_type_name, error_number, error_message
  FROM sys.dm_exec_describe_first_result_set(@_sql, @_declared, 0) ORDER BY column_ordinal`;

const connectionProblems = {
  ELOGIN: 'the login or its password is refused, or it may not use this database',
};
/** SQL Server error numbers that occur before any row is read; their messages contain only names and types. */
const refusals = new Set([
  ...[
    102, 104, 105, 137, 144, 145, 156, 164, 169, 170, 174, 189, 195, 201, 206, 207, 208, 209, 229, 230, 243, 262, 306,
  ],
  ...[
    402, 408, 409, 421, 446, 447, 448, 451, 457, 468, 1008, 1033, 4104, 8116, 8117, 8120, 8121, 8127, 8133, 8155, 8156,
  ],
]);

/** Opens SQL Server databases. Settings: `port` and `tls` (off, require, verify; default require). */
export const mssqlDriver: DatabaseDriver = {
  async open(address: DatabaseAddress, password: string | undefined): Promise<Database> {
    const endpoint = endpointOf(address, 1433);
    const configuration = configurationOf(address, endpoint, password ?? '');
    const pool = new Pool<Link>({
      create: () => Link.open(configuration),
      destroy: (link) => link.close(),
      validate: (link) => link.isUsable,
      min: 0,
      max: mostConnections,
      acquireTimeoutMillis: longestWait,
      createTimeoutMillis: longestWait,
      propagateCreateError: true,
    });
    let version: string;
    try {
      const link = await pool.acquire().promise;
      version = await versionOf(link).finally(() => pool.release(link));
    } catch (error) {
      await pool.destroy();
      throw unreachable(address, endpoint, error, connectionProblems);
    }
    return new ServerDatabase({
      address,
      version,
      tables: tablesSql,
      columnsSql,
      relations: mssqlRelations,
      newQuery: (limits) => new PooledQuery(pool, address, endpoint, limits),
      disconnect: async () => {
        await pool.destroy();
      },
    });
  },
};

async function versionOf(link: Link): Promise<string> {
  const rows: Row[] = [];
  await link.run(versionSql, new Map(), { row: (row) => rows.push(row) }).ended;
  const version = rows[0]?.[0];
  return typeof version === 'string' ? version : '';
}

const described = z.tuple([z.string().nullable(), z.string().nullable(), z.number().nullable(), z.string().nullable()]);

/** A query on a pooled connection. */
class PooledQuery extends ServerQuery {
  readonly #pool: Pool<Link>;
  readonly #address: DatabaseAddress;
  readonly #endpoint: Endpoint;
  #link: Link | undefined;
  #running: { request: Request; ended: Promise<void> } | undefined;
  #columns: MssqlColumn[] = [];
  #rows: Row[] = [];
  #isDone = false;
  #wake: (() => void) | undefined;

  constructor(pool: Pool<Link>, address: DatabaseAddress, endpoint: Endpoint, options: QueryOptions) {
    super(address.displayName, options);
    this.#pool = pool;
    this.#address = address;
    this.#endpoint = endpoint;
  }

  async begin({ sql, values }: RowQuery): Promise<void> {
    const link = await this.watch.step(() => this.#connect());
    const bound = new Map(values.map((value, index) => [`${letterOf(value)}${index + 1}`, textOf(value)]));
    const declared = [...bound.keys()].map((name) => `@${name} nvarchar(max)`).join(', ');
    this.#columns = await this.watch.step(() => this.#describe(link, sql, declared));
    await this.watch.step(() => this.#execute(link, sql, declared, bound));
  }

  async #connect(): Promise<Link> {
    const link = await this.#pool.acquire().promise.catch((error: unknown) => {
      throw unreachable(this.#address, this.#endpoint, error, connectionProblems);
    });
    // The query may have ended in the meantime.
    if (this.isEnding) this.#pool.release(link);
    else this.#link = link;
    return link;
  }

  /** The query's result columns as described by the server. */
  async #describe(link: Link, sql: string, declared: string): Promise<MssqlColumn[]> {
    const rows: Row[] = [];
    const values = new Map([
      ['_sql', sql],
      ['_declared', declared],
    ]);
    this.#running = link.run(describeSql, values, { row: (row) => rows.push(row) });
    await this.#running.ended;
    return rows.map((row) => {
      const [name, type, number, message] = described.parse(row);
      if (number !== null || type === null) throw Object.assign(new Error(message ?? ''), { number, code: 'EREQUEST' });
      return mssqlColumn(name ?? '', type, this.#address.displayName);
    });
  }

  /** Starts the query; resolves when its first row can arrive. */
  #execute(link: Link, sql: string, declared: string, bound: ReadonlyMap<string, string>): Promise<void> {
    const given = [...bound.keys()].map((name) => `, @${name} = @${name}`).join('');
    const columns = this.#columns.map(({ name, sentAs }) => `[${name.replaceAll(']', ']]')}] ${sentAs} NULL`);
    const outer = `EXEC sp_executesql @_sql, @_declared${given} WITH RESULT SETS ((${columns.join(', ')}))`;
    const values = new Map([['_sql', sql], ['_declared', declared], ...bound]);
    return new Promise((resolve, reject) => {
      const running = link.run(outer, values, { columns: resolve, row: (row) => this.#keep(row) });
      this.#running = running;
      void running.ended.then(resolve, reject).finally(() => {
        this.#isDone = true;
        this.#wake?.();
      });
    });
  }

  #keep(row: Row): void {
    this.#rows.push(row);
    if (this.#rows.length >= mostRowsWaiting) this.#running?.request.pause();
    if (this.#rows.length >= rowsPerBatch) this.#wake?.();
  }

  protected async next(): Promise<Iterable<JsonRows> | undefined> {
    const rows = await this.watch.step(() => this.#take());
    if (rows.length === 0) return undefined;
    const names = this.#columns.map(({ name }) => name);
    return jsonBatches(
      rows,
      names,
      this.#columns.map(({ write }) => write),
    );
  }

  async #take(): Promise<Row[]> {
    while (this.#rows.length < rowsPerBatch && !this.#isDone) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    if (this.#isDone) await this.#running?.ended;
    const rows = this.#rows.splice(0, rowsPerBatch);
    if (this.#rows.length <= rowsPerBatch) this.#running?.request.resume();
    return rows;
  }

  protected async release(isComplete: boolean): Promise<void> {
    const link = this.#link;
    if (!link) return;
    if (!isComplete && !this.#isDone) {
      link.cancel();
      // A paused request would never receive the reply.
      this.#running?.request.resume();
      // In any case the connection is closed; the driver waits at most five seconds for the reply.
      await this.#running?.ended.catch(() => undefined);
    }
    this.#pool.release(link);
  }

  protected explain(error: unknown): DatabaseError {
    const name = this.#address.displayName;
    const number = error instanceof Error && 'number' in error ? error.number : undefined;
    if (typeof number !== 'number') {
      return /^E(SOCKET|CLOSE|CONN|TIMEOUT|INVALIDSTATE)/.test(codeOf(error))
        ? new DatabaseError('unreachable', `${name}: the connection was lost`)
        : new DatabaseError('failed', `${name} could not compute the result (${codeOf(error) || 'unknown error'})`);
    }
    if (refusals.has(number) && error instanceof Error) {
      return new DatabaseError('refused', `${name} refused the query: ${error.message.split('\n')[0]}`);
    }
    return new DatabaseError('failed', `${name} could not compute the result (error ${number})`);
  }
}

/** The dialect names a value by its type and position; see its placeholders. */
function letterOf({ type }: BoundValue): string {
  return { text: 't', number: 'n', date: 'd', timestamp: 'm' }[type];
}

function textOf({ type, text }: BoundValue): string {
  return type === 'number' ? plainNumber(text) : text;
}
