import { randomUUID } from 'node:crypto';
import { FormData, Pool } from 'undici';
import { BrokenReply, ClickhouseRows, linesOf } from './json.ts';
import { clickhouseRelations } from './relations.ts';
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
import { tooMuchMemory } from '../queryRules.ts';
import { ServerDatabase, ServerQuery } from '../serverDatabase.ts';

const mostConnections = 10;

const tablesSql = `SELECT database AS owner, name FROM system.tables
  WHERE database = currentDatabase() AND name NOT LIKE '.inner%' ORDER BY owner, name`;
const columnsSql = `SELECT name,
    replaceRegexpOne(replaceRegexpOne(type, '^LowCardinality\\\\((.*)\\\\)$', '\\\\1'), '^Nullable\\\\((.*)\\\\)$', '\\\\1') AS nativeType,
    toUInt8(0) AS maxLength, if(type LIKE '%Nullable(%', 'YES', 'NO') AS isNullable, table
  FROM system.columns
  WHERE lower(table) = lower((SELECT p1 FROM _bound))
    AND lower(database) = lower(if((SELECT p2 FROM _bound) = '', currentDatabase(), (SELECT p2 FROM _bound)))`;

/** ClickHouse error numbers of connection problems. */
const connectionProblems: Readonly<Record<string, string>> = {
  '81': 'it has no such database',
  '192': 'the login or its password is refused',
  '193': 'the login or its password is refused',
  '194': 'the login is refused without a password',
  '195': 'it accepts no connections from here',
  '516': 'the login or its password is refused',
};
/** Error numbers that occur before any row is read; their messages contain only names and types. */
const refusals = new Set([
  '16',
  '36',
  '42',
  '43',
  '44',
  '46',
  '47',
  '53',
  '60',
  '62',
  '63',
  '81',
  '164',
  '179',
  '184',
  '215',
  '386',
  '497',
]);

/** A text or the query's memory is too large, or the machine is out of memory. */
const oversized = new Set(['131', '173', '241']);
/** Memory limit of one query in bytes; from half of it on, the query groups and sorts on disk. */
const memoryOfQuery = 1024 * 1024 * 1024;

/** An error returned by the server instead of rows. */
class ServerFailure extends Error {
  /** ClickHouse error number; empty if the reply has none. */
  readonly number: string;

  constructor(text: string) {
    super(text);
    this.number = /^Code: (\d+)/.exec(text)?.[1] ?? '';
  }
}

/**
 * Releases of the analyzer rewrite three or more comparisons with one operand as a list, and fail where its type cannot
 * hold a value of the list.
 */
const keepComparisons = {
  optimize_min_equality_disjunction_chain_length: '4294967295',
  optimize_min_inequality_conjunction_chain_length: '4294967295',
};
const firstWithAnalyzer = 24;

/** Opens ClickHouse databases over HTTP. Settings: `port` and `tls` (off, require, verify). */
export const clickhouseDriver: DatabaseDriver = {
  async open(address: DatabaseAddress, password: string | undefined): Promise<Database> {
    const tls = tlsOf(address);
    const endpoint = endpointOf(address, tls ? 8443 : 8123);
    const connection = new Connection(address, endpoint, password ?? '', tls);
    try {
      const [version = ''] = await connection.text('SELECT version() FORMAT TabSeparated');
      connection.hasAnalyzer = Number.parseInt(version, 10) >= firstWithAnalyzer;
      return new ServerDatabase({
        address,
        version,
        tablesSql,
        columnsSql,
        relations: clickhouseRelations,
        newQuery: (limits) => new HttpQuery(connection, address, endpoint, limits),
        disconnect: () => connection.close(),
      });
    } catch (error) {
      await connection.close();
      throw explainConnection(address, endpoint, error);
    }
  },
};

function explainConnection(address: DatabaseAddress, endpoint: Endpoint, error: unknown): DatabaseError {
  const number = error instanceof ServerFailure ? error.number : '';
  const cause = number === '' ? error : Object.assign(new Error(), { code: number });
  return unreachable(address, endpoint, cause, connectionProblems);
}

type Lines = AsyncGenerator<string>;

/** HTTP client for one server. */
class Connection {
  readonly #pool: Pool;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #database: string;
  readonly #timeoutMs: number;
  hasAnalyzer = false;

  constructor(address: DatabaseAddress, { host, port }: Endpoint, password: string, tls: ReturnType<typeof tlsOf>) {
    const place = host.includes(':') ? `[${host}]` : host;
    this.#timeoutMs = address.connectionTimeout * 1000;
    this.#pool = new Pool(`${tls ? 'https' : 'http'}://${place}:${port}`, {
      connections: mostConnections,
      connect: { timeout: this.#timeoutMs, ...tls },
      // The query has its own limit, which excludes the time of a slow reader.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    this.#headers = { 'X-ClickHouse-User': address.login, 'X-ClickHouse-Key': password };
    this.#database = address.database;
  }

  /** Sends a read-only query; its values are sent with it as a one-row table `_bound`. @throws {ServerFailure} */
  async send(
    sql: string,
    query: { id: string; values: readonly string[]; seconds: number; signal: AbortSignal },
  ): Promise<Lines> {
    const names = query.values.map((_, index) => `p${index + 1}`);
    const settings = {
      ...{ query: sql, database: this.#database, query_id: query.id, readonly: '2' },
      ...{ join_use_nulls: '1', output_format_json_quote_64bit_integers: '0', output_format_json_quote_denormals: '0' },
      ...{ max_execution_time: String(query.seconds), max_result_rows: '0', max_memory_usage: String(memoryOfQuery) },
      max_bytes_before_external_group_by: String(memoryOfQuery / 2),
      max_bytes_before_external_sort: String(memoryOfQuery / 2),
      ...(this.hasAnalyzer && keepComparisons),
      ...(names.length > 0 && {
        _bound_structure: names.map((name) => `${name} String`).join(', '),
        _bound_format: 'TabSeparated',
      }),
    };
    const body = new FormData();
    if (names.length > 0) body.append('_bound', new Blob([`${query.values.map(escaped).join('\t')}\n`]), '_bound');
    const path = `/?${new URLSearchParams(settings).toString()}`;
    const { signal } = query;
    const reply = await this.#pool.request({
      method: 'POST',
      path,
      headers: this.#headers,
      signal,
      ...(names.length > 0 && { body }),
    });
    if (reply.statusCode === 200) return linesOf(reply.body);
    throw new ServerFailure((await reply.body.text()).trim());
  }

  /**
   * The lines of a small reply; also used to check that the server is up.
   * @throws Error when the server does not reply in time.
   */
  async text(sql: string, settings: Readonly<Record<string, string>> = {}): Promise<string[]> {
    const path = `/?${new URLSearchParams({ query: sql, database: this.#database, ...settings }).toString()}`;
    const signal = AbortSignal.timeout(this.#timeoutMs);
    const reply = await this.#pool.request({ method: 'POST', path, headers: this.#headers, signal });
    const text = (await reply.body.text()).trim();
    if (reply.statusCode !== 200) throw new ServerFailure(text);
    return text.split('\n');
  }

  close(): Promise<void> {
    return this.#pool.destroy();
  }
}

function escaped(text: string): string {
  const letters: Readonly<Record<string, string>> = {
    '\\': '\\\\',
    '\t': '\\t',
    '\n': '\\n',
    '\r': '\\r',
    '\0': '\\0',
  };
  return text.replace(/[\\\t\n\r\0]/g, (character) => letters[character] ?? character);
}

/** A query that runs as one request. */
class HttpQuery extends ServerQuery {
  readonly #connection: Connection;
  readonly #address: DatabaseAddress;
  readonly #endpoint: Endpoint;
  readonly #seconds: number;
  readonly #id = randomUUID();
  readonly #request = new AbortController();
  #isSent = false;
  #rows: ClickhouseRows | undefined;
  #first: JsonRows | undefined;

  constructor(connection: Connection, address: DatabaseAddress, endpoint: Endpoint, options: QueryOptions) {
    super(address.displayName, options);
    this.#connection = connection;
    this.#address = address;
    this.#endpoint = endpoint;
    this.#seconds = Math.max(Math.ceil(options.timeoutMs / 1000), 1);
  }

  async begin({ sql, values }: RowQuery): Promise<void> {
    await this.watch.step(async () => {
      this.#isSent = true;
      const lines = await this.#connection.send(`${sql}\nFORMAT JSONCompact`, {
        id: this.#id,
        values: values.map(({ text }) => text),
        seconds: this.#seconds,
        signal: this.#request.signal,
      });
      this.#rows = await ClickhouseRows.open(lines);
      this.#first = await this.#rows.next();
    });
  }

  protected async next(): Promise<Iterable<JsonRows> | undefined> {
    const first = this.#first;
    this.#first = undefined;
    if (first) return [first];
    const batch = await this.watch.step(async () => this.#rows?.next());
    return batch && [batch];
  }

  protected async release(isComplete: boolean): Promise<void> {
    if (isComplete || !this.#isSent) return;
    this.#request.abort();
    // The server notices a closed connection only when it writes to it. If this request fails, the query's time limit
    // still applies.
    const sql = `KILL QUERY WHERE query_id = '${this.#id}' ASYNC`;
    await this.#connection.text(sql).catch(() => undefined);
  }

  protected explain(error: unknown): DatabaseError {
    const name = this.#address.displayName;
    const number = error instanceof ServerFailure || error instanceof BrokenReply ? error.number : undefined;
    // 160: the server estimates that the query would take too long.
    if (number === '159' || number === '160') return this.watch.timeout();
    if (number !== undefined && oversized.has(number)) return tooMuchMemory(name);
    if (error instanceof BrokenReply)
      return new DatabaseError('failed', `${name} broke off in the middle of the result`);
    if (!(error instanceof ServerFailure)) {
      return codeOf(error) === ''
        ? new DatabaseError('unreachable', `${name}: the connection was lost`)
        : explainConnection(this.#address, this.#endpoint, error);
    }
    if (error.number in connectionProblems) return explainConnection(this.#address, this.#endpoint, error);
    if (refusals.has(error.number)) {
      const text = error.message
        .split('\n')[0]
        ?.replace(/^Code: \d+[,.] (e\.displayText\(\) = )?(DB::Exception: )?|, e\.what\(\).*$/g, '');
      return new DatabaseError('refused', `${name} refused the query: ${text}`);
    }
    return new DatabaseError('failed', `${name} could not compute the result (error ${error.number || 'unknown'})`);
  }
}
