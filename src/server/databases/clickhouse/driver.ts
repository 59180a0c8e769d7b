import { randomUUID } from 'node:crypto';
import { type Dispatcher, FormData, Pool } from 'undici';
import { type Endpoint, endpointOf, tlsOf } from '../connectionSettings.ts';
import {
  type Database,
  type DatabaseAddress,
  type DatabaseDriver,
  type DatabaseError,
  type JsonRows,
  type QueryOptions,
  type RowQuery,
} from '../database.ts';
import { ServerDatabase, ServerQuery } from '../serverDatabase.ts';
import { noConnection, queryFailure, ServerFailure, wrongProfile } from './failures.ts';
import { ClickhouseRows } from './json.ts';
import { clickhouseRelations } from './relations.ts';
import { ReplyBody, ReplyLines } from './reply.ts';
import { isFixed, type LoginSettings, neededSettings, querySettings, readSettings, settingsSql } from './settings.ts';

const mostConnections = 10;

const tablesSql = `SELECT database AS owner, name FROM system.tables
  WHERE database = currentDatabase() AND name NOT LIKE '.inner%' ORDER BY owner, name`;
const columnsSql = `SELECT name,
    replaceRegexpOne(replaceRegexpOne(type, '^LowCardinality\\\\((.*)\\\\)$', '\\\\1'), '^Nullable\\\\((.*)\\\\)$', '\\\\1') AS nativeType,
    toUInt8(0) AS maxLength, if(type LIKE '%Nullable(%', 'YES', 'NO') AS isNullable, table
  FROM system.columns
  WHERE lower(table) = lower((SELECT p1 FROM _bound))
    AND lower(database) = lower(if((SELECT p2 FROM _bound) = '', currentDatabase(), (SELECT p2 FROM _bound)))`;

/** Opens ClickHouse databases over HTTP. Settings: `port` and `tls` (off, require, verify). */
export const clickhouseDriver: DatabaseDriver = {
  async open(address: DatabaseAddress, password: string | undefined): Promise<Database> {
    const tls = tlsOf(address);
    const endpoint = endpointOf(address, tls ? 8443 : 8123);
    const connection = new Connection(address, endpoint, password ?? '', tls);
    try {
      const [version = ''] = await connection.text('SELECT version() FORMAT TabSeparated');
      await connection.readLogin();
      return new ServerDatabase({
        address,
        version,
        tables: tablesSql,
        columnsSql,
        relations: clickhouseRelations,
        newQuery: (limits) => new HttpQuery(connection, address, endpoint, limits),
        disconnect: () => connection.close(),
      });
    } catch (error) {
      await connection.close();
      throw noConnection(address, endpoint, error);
    }
  },
};

interface HttpRequest {
  sql: string;
  values: readonly string[];
  /** Names the query to the server. */
  id: string;
  seconds: number;
  signal: AbortSignal;
}

/** Error numbers for settings that the login may not change. */
const notSettable = new Set(['164', '452']);

/** HTTP client for one server. */
class Connection {
  readonly #pool: Pool;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #address: DatabaseAddress;
  #login: LoginSettings = new Map();
  /** Whether queries set only what they need, because the login may not set all. */
  #isLimited = false;

  constructor(address: DatabaseAddress, { host, port }: Endpoint, password: string, tls: ReturnType<typeof tlsOf>) {
    const place = host.includes(':') ? `[${host}]` : host;
    this.#address = address;
    const timeout = address.connectionTimeout * 1000;
    this.#pool = new Pool(`${tls ? 'https' : 'http'}://${place}:${port}`, {
      connections: mostConnections,
      connect: { timeout, ...tls },
      // The query has its own limit, which excludes the time of a slow reader.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    this.#headers = { 'X-ClickHouse-User': address.login, 'X-ClickHouse-Key': password };
  }

  /** Whether queries carry their time limit. */
  get setsTimeout(): boolean {
    return !this.#isLimited;
  }

  /** Reads what the login may set. @throws {DatabaseError} if its profile would give reports other rows. */
  async readLogin(): Promise<void> {
    this.#login = readSettings(await this.text(settingsSql));
    if (!isFixed(this.#login)) return;
    this.#isLimited = true;
    const needed = neededSettings(this.#login);
    if (Object.keys(needed).length > 0) throw wrongProfile(this.#address, needed);
  }

  /**
   * Sends a read-only query; its values are sent with it as a one-row table `_bound`.
   * @throws {ServerFailure} when the server refuses it. @throws {DatabaseError} see {@link readLogin}.
   */
  async send(query: HttpRequest): Promise<ClickhouseRows> {
    // The administrator may have changed the profile.
    if (this.#isLimited) await this.readLogin();
    try {
      return await this.#post(query);
    } catch (error) {
      const maySetLess = error instanceof ServerFailure && notSettable.has(error.number) && !this.#isLimited;
      if (!maySetLess) throw error;
      this.#isLimited = true;
      await this.readLogin();
      return this.#post(query);
    }
  }

  async #post({ sql, values, id, seconds, signal }: HttpRequest): Promise<ClickhouseRows> {
    const names = values.map((_, index) => `p${index + 1}`);
    const parameters = {
      ...{ query: sql, database: this.#address.database, query_id: id },
      ...(this.#isLimited ? neededSettings(this.#login) : querySettings(this.#login, seconds)),
      ...(names.length > 0 && {
        _bound_structure: names.map((name) => `${name} String`).join(', '),
        _bound_format: 'TabSeparated',
      }),
    };
    const form = new FormData();
    if (names.length > 0) form.append('_bound', new Blob([`${values.map(escaped).join('\t')}\n`]), '_bound');
    const path = `/?${new URLSearchParams(parameters).toString()}`;
    const body = names.length > 0 ? form : null;
    const { promise, resolve, reject } = Promise.withResolvers<Dispatcher.StreamFactoryData>();
    const reply = new ReplyBody();
    this.#pool
      .stream({ method: 'POST', path, headers: this.#headers, signal, body }, (begun) => {
        resolve(begun);
        return reply;
      })
      .catch(reject);
    const { statusCode, headers } = await promise;
    const lines = new ReplyLines(reply);
    if (statusCode === 200) return ClickhouseRows.open(lines, String(headers['x-clickhouse-exception-tag'] ?? ''));
    let text = '';
    for (let line = await lines.next(); line !== undefined; line = await lines.next()) text += `${line}\n`;
    throw new ServerFailure(text.trim());
  }

  /**
   * The lines of a small reply; also used to check that the server is up.
   * @throws Error when the server does not reply in time.
   */
  async text(sql: string): Promise<string[]> {
    const { database, connectionTimeout } = this.#address;
    const path = `/?${new URLSearchParams({ query: sql, database }).toString()}`;
    const signal = AbortSignal.timeout(connectionTimeout * 1000);
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
      this.#rows = await this.#connection.send({
        sql: `${sql}\nFORMAT JSONCompact`,
        values: values.map(({ text }) => text),
        id: this.#id,
        seconds: this.#seconds,
        signal: this.#request.signal,
      });
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
    const timeout = this.#connection.setsTimeout ? () => this.watch.timeout() : undefined;
    return queryFailure(this.#address, this.#endpoint, error, timeout);
  }
}
