import { setTimeout } from 'node:timers/promises';
import { Pool } from 'undici';
import { namePath } from '../../../contract/tableNames.ts';
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
import { managedVersion } from '../engineReleases.ts';
import { trinoColumnsSql, trinoTables } from './catalogs.ts';
import { noConnection, queryFailure, TrinoFailure } from './failures.ts';
import { trinoRelease, trinoWriter } from './json.ts';
import { readTrinoPage, type TrinoPage } from './page.ts';
import { trinoRelations } from './relations.ts';
import { withTrinoValues } from './values.ts';

const mostConnections = 10;
/** Trino sends up to 16 MB at once if it may, which memory holds twice. */
const pageSize = '1MB';
/** Statuses of a busy coordinator, or of a proxy before it. */
const busyStatuses: readonly string[] = ['429', '502', '503', '504'];
/** Errors of a coordinator that has not begun the query. */
const busyErrors: readonly string[] = ['QUERY_QUEUE_FULL', 'SERVER_STARTING_UP'];
/** How long a busy server is asked again, and the pauses meanwhile. */
const patienceMs = 10_000;
const firstPauseMs = 100;
const longestPauseMs = 1000;

/**
 * Opens all catalogs of a Trino server. The database's name is the default one, as `catalog` or `catalog.schema`. Settings: `port` and `tls` (off, require,
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
    let version = '';
    try {
      await connection.check();
      version = await connection.version();
    } catch (error) {
      await connection.close();
      throw noConnection(address, endpoint, error);
    }
    return new ServerDatabase({
      address,
      version,
      tables: (database, options) => trinoTables(database, catalogOf(address), options),
      columnsSql: trinoColumnsSql,
      relations: () => Promise.resolve(trinoRelations),
      newQuery: (limits) => new PagedQuery(connection, address, endpoint, limits),
      disconnect: () => connection.close(),
    });
  },
};

function catalogOf({ database }: DatabaseAddress): string {
  return namePath(database)[0] ?? '';
}

/** HTTP client for one server. */
class Connection {
  readonly #pool: Pool;
  readonly #origin: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #timeoutMs: number;
  /** Whether queries carry their time limit; some administrators forbid that. */
  #setsTimeout = true;

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
    const [catalog = '', schema = ''] = namePath(address.database);
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
    try {
      await this.#selectOne();
    } catch (error) {
      if (!(error instanceof TrinoFailure) || error.code !== 'PERMISSION_DENIED') throw error;
      this.#setsTimeout = false;
      await this.#selectOne();
    }
  }

  async #selectOne(): Promise<void> {
    const signal = AbortSignal.timeout(this.#timeoutMs);
    await untilFree(busyErrors, signal, async () => {
      let page = await this.begin('SELECT 1', Math.ceil(this.#timeoutMs / 1000), signal);
      while (page.nextUri !== undefined) page = await this.next(page.nextUri, signal);
    });
  }

  /** The release that the server states; some proxies in front of one do not let the question through. */
  async version(): Promise<string> {
    const signal = AbortSignal.timeout(this.#timeoutMs);
    const { body } = await this.#pool.request({ method: 'GET', path: '/v1/info', headers: this.#headers, signal });
    return trinoRelease(await body.text()) ?? managedVersion;
  }

  /** Sends a query; its first page seldom has rows. @throws {TrinoFailure} */
  begin(sql: string, seconds: number, signal: AbortSignal): Promise<TrinoPage> {
    const session = this.#setsTimeout && { 'X-Trino-Session': `query_max_run_time=${seconds}s` };
    return this.#ask('POST', '/v1/statement', signal, { headers: { ...this.#headers, ...session }, body: sql });
  }

  /** The page at a URL that an earlier page returned. @throws {TrinoFailure} */
  next(uri: string, signal: AbortSignal): Promise<TrinoPage> {
    return this.#ask('GET', this.#pathOf(uri, { targetResultSize: pageSize }), signal, { headers: this.#headers });
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
  #pathOf(uri: string, parameters: Readonly<Record<string, string>> = {}): string {
    const { pathname, searchParams } = new URL(uri, this.#origin);
    for (const [name, value] of Object.entries(parameters)) searchParams.set(name, value);
    const search = searchParams.toString();
    return search === '' ? pathname : `${pathname}?${search}`;
  }

  async #ask(
    method: 'GET' | 'POST',
    path: string,
    signal: AbortSignal,
    more: { headers: Readonly<Record<string, string>>; body?: string },
  ): Promise<TrinoPage> {
    const page = await untilFree(busyStatuses, signal, async () => {
      const { statusCode, body } = await this.#pool.request({ method, path, signal, ...more });
      const content = Buffer.from(await body.arrayBuffer());
      if (statusCode !== 200) throw new TrinoFailure(String(statusCode), '');
      return content;
    });
    return readTrinoPage(page);
  }
}

/** Repeats a step that fails by one of these codes, for a limited time. @throws what it throws in the end. */
async function untilFree<Result>(
  codes: readonly string[],
  signal: AbortSignal,
  step: () => Promise<Result>,
): Promise<Result> {
  const end = performance.now() + patienceMs;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    try {
      return await step();
    } catch (error) {
      const isBusy = error instanceof TrinoFailure && codes.includes(error.code);
      if (!isBusy || performance.now() + pauseMs > end) throw error;
      // If the caller stops waiting, it is because of this error.
      await setTimeout(pauseMs, undefined, { signal }).catch(() => Promise.reject(error));
    }
  }
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
    const { signal } = this.#request;
    const start = async () => {
      this.#keep(await this.#connection.begin(sql, this.#seconds, signal));
      while (this.#page?.parts === undefined && this.#nextUri !== undefined) await this.#follow(this.#nextUri);
    };
    await this.watch.step(() => untilFree(busyErrors, signal, start));
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
      while (this.#page?.parts === undefined && this.#nextUri !== undefined) await this.#follow(this.#nextUri);
    });
    const parts = this.#page?.parts;
    this.#page = undefined;
    return parts && this.#batches(parts);
  }

  *#batches(parts: Iterable<unknown[][]>): Generator<JsonRows> {
    try {
      for (const rows of parts) yield* jsonBatches(rows, this.#names, this.#writers);
    } catch (error) {
      throw this.explain(error);
    }
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
