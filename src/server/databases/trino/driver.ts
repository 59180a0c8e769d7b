import { setTimeout } from 'node:timers/promises';
import { Pool } from 'undici';
import { type Endpoint, endpointOf, tlsOf } from '../connectionSettings.ts';
import {
  type Database,
  type DatabaseAddress,
  type DatabaseDriver,
  DatabaseError,
  type JsonRows,
  type QueryOptions,
  type RowQuery,
} from '../database.ts';
import { jsonBatches, type JsonValueWriter } from '../queryRules.ts';
import { ServerDatabase, ServerQuery } from '../serverDatabase.ts';
import { noConnection, queryFailure, TrinoFailure } from './failures.ts';
import { readTrinoPage, type TrinoPage, trinoWriter } from './json.ts';
import { trinoRelations } from './relations.ts';
import { withTrinoValues } from './values.ts';

const mostConnections = 10;
/** Statuses of a busy coordinator that requests a retry. */
const busy: readonly number[] = [429, 502, 503, 504];
const busyPauseMs = 100;

const tablesSql = `SELECT table_schema AS "owner", table_name AS "name" FROM information_schema.tables
  WHERE table_schema <> 'information_schema' ORDER BY 1, 2`;
const columnsSql = `SELECT column_name AS "name", data_type AS "nativeType",
    coalesce(try_cast(regexp_extract(data_type, '^(?:var)?char\\((\\d+)\\)$', 1) AS integer), 0) AS "maxLength",
    is_nullable AS "isNullable", table_name AS "table"
  FROM information_schema.columns
  WHERE table_name = lower(?1) AND table_schema = lower(coalesce(nullif(?2, ''), current_schema))
  ORDER BY ordinal_position`;

/**
 * Opens Trino catalogs; the database's name is `catalog` or `catalog.schema`. Settings: `port` and `tls` (off, require,
 * verify). A password is sent over an encrypted connection only.
 */
export const trinoDriver: DatabaseDriver = {
  async open(address: DatabaseAddress, password: string | undefined): Promise<Database> {
    const tls = tlsOf(address);
    if (!tls && password) {
      const problem =
        'a password would be readable on the way to Trino; set tls to verify or require, or leave it empty';
      throw new DatabaseError('unreachable', `${address.displayName}: ${problem}`);
    }
    const endpoint = endpointOf(address, tls ? 8443 : 8080);
    const connection = new Connection(address, endpoint, password ?? '', tls);
    try {
      await connection.check();
    } catch (error) {
      await connection.close();
      throw noConnection(address, endpoint, error);
    }
    return new ServerDatabase({
      address,
      version: '',
      tablesSql,
      columnsSql,
      relations: trinoRelations,
      newQuery: (limits) => new PagedQuery(connection, address, endpoint, limits),
      disconnect: () => connection.close(),
    });
  },
};

/** HTTP client for one server. */
class Connection {
  readonly #pool: Pool;
  readonly #origin: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #timeoutMs: number;

  constructor(address: DatabaseAddress, { host, port }: Endpoint, password: string, tls: ReturnType<typeof tlsOf>) {
    const place = host.includes(':') ? `[${host}]` : host;
    this.#timeoutMs = address.connectionTimeout * 1000;
    this.#origin = `${tls ? 'https' : 'http'}://${place}:${port}`;
    this.#pool = new Pool(this.#origin, {
      connections: mostConnections,
      connect: { timeout: this.#timeoutMs, ...tls },
      // The query has its own limit, which excludes the time of a slow reader.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const [catalog = '', schema = ''] = address.database.split('.');
    const login = Buffer.from(`${address.login}:${password}`).toString('base64');
    this.#headers = {
      'X-Trino-User': address.login || 'analytics',
      'X-Trino-Source': 'Analytics Studio',
      'X-Trino-Time-Zone': 'UTC',
      // Without it, times lose what is below a millisecond.
      'X-Trino-Client-Capabilities': 'PARAMETRIC_DATETIME',
      ...(catalog && { 'X-Trino-Catalog': catalog }),
      ...(schema && { 'X-Trino-Schema': schema }),
      ...(password && { Authorization: `Basic ${login}` }),
    };
  }

  /** Checks that the server responds, accepts the login and knows the catalog. @throws {TrinoFailure} */
  async check(): Promise<void> {
    const signal = AbortSignal.timeout(this.#timeoutMs);
    let page = await this.begin('SELECT 1', Math.ceil(this.#timeoutMs / 1000), signal);
    while (page.nextUri !== undefined) page = await this.next(page.nextUri, signal);
  }

  /** Sends a query; its first page seldom has rows. @throws {TrinoFailure} */
  begin(sql: string, seconds: number, signal: AbortSignal): Promise<TrinoPage> {
    const session = { 'X-Trino-Session': `query_max_run_time=${seconds}s` };
    return this.#ask('POST', '/v1/statement', signal, { headers: { ...this.#headers, ...session }, body: sql });
  }

  /** The page at a URL that an earlier page returned. @throws {TrinoFailure} */
  next(uri: string, signal: AbortSignal): Promise<TrinoPage> {
    return this.#ask('GET', this.#pathOf(uri), signal, { headers: this.#headers });
  }

  /** Cancels a query. @throws Error when the server does not answer in time. */
  async cancel(uri: string): Promise<void> {
    const signal = AbortSignal.timeout(this.#timeoutMs);
    const reply = await this.#pool.request({
      method: 'DELETE',
      path: this.#pathOf(uri),
      headers: this.#headers,
      signal,
    });
    await reply.body.dump();
  }

  close(): Promise<void> {
    return this.#pool.destroy();
  }

  /** Only the registered host is contacted, whatever host the server puts into its URLs. */
  #pathOf(uri: string): string {
    const { pathname, search } = new URL(uri, this.#origin);
    return `${pathname}${search}`;
  }

  async #ask(
    method: 'GET' | 'POST',
    path: string,
    signal: AbortSignal,
    more: { headers: Readonly<Record<string, string>>; body?: string },
  ): Promise<TrinoPage> {
    for (;;) {
      const reply = await this.#pool.request({ method, path, signal, ...more });
      const text = await reply.body.text();
      if (busy.includes(reply.statusCode)) {
        await pause(signal);
        continue;
      }
      if (reply.statusCode !== 200) throw new TrinoFailure(String(reply.statusCode), '');
      const page = readTrinoPage(text);
      if (page.error) throw new TrinoFailure(page.error.errorName, page.error.message);
      return page;
    }
  }
}

/** Waits for the time that the protocol specifies. @throws the reason of the signal. */
async function pause(signal: AbortSignal): Promise<void> {
  await setTimeout(busyPauseMs, undefined, { signal });
}

/** A query whose result arrives in pages. */
class PagedQuery extends ServerQuery {
  readonly #connection: Connection;
  readonly #address: DatabaseAddress;
  readonly #endpoint: Endpoint;
  readonly #seconds: number;
  readonly #request = new AbortController();
  #page: TrinoPage | undefined;
  #nextUri: string | undefined;
  #names: string[] = [];
  #writers: JsonValueWriter<unknown>[] = [];

  constructor(connection: Connection, address: DatabaseAddress, endpoint: Endpoint, options: QueryOptions) {
    super(address.displayName, options);
    this.#connection = connection;
    this.#address = address;
    this.#endpoint = endpoint;
    this.#seconds = Math.max(Math.ceil(options.timeoutMs / 1000), 1);
  }

  async begin(query: RowQuery): Promise<void> {
    const sql = withTrinoValues(query, this.#address.displayName);
    await this.watch.step(async () => {
      this.#keep(await this.#connection.begin(sql, this.#seconds, this.#request.signal));
      while (this.#page?.data === undefined && this.#nextUri !== undefined) await this.#follow(this.#nextUri);
    });
  }

  async #follow(uri: string): Promise<void> {
    this.#keep(await this.#connection.next(uri, this.#request.signal));
  }

  #keep(page: TrinoPage): void {
    this.#page = page;
    this.#nextUri = page.nextUri;
    if (!page.columns || this.#names.length > 0) return;
    this.#names = page.columns.map(({ name }) => name);
    this.#writers = page.columns.map(({ type }) => trinoWriter(type));
  }

  protected async next(): Promise<Iterable<JsonRows> | undefined> {
    await this.watch.step(async () => {
      while (this.#page?.data === undefined && this.#nextUri !== undefined) await this.#follow(this.#nextUri);
    });
    const rows = this.#page?.data;
    this.#page = undefined;
    return rows && jsonBatches(rows, this.#names, this.#writers);
  }

  protected async release(isComplete: boolean): Promise<void> {
    const uri = this.#nextUri;
    this.#request.abort();
    if (isComplete || uri === undefined) return;
    // If this fails, the server ends the query after its time limit.
    await this.#connection.cancel(uri).catch(() => undefined);
  }

  protected explain(error: unknown): DatabaseError {
    return queryFailure(this.#address, this.#endpoint, error, () => this.watch.timeout());
  }
}
