import mysql from 'mysql2/promise';
import oracledb from 'oracledb';
import pg from 'pg';
import type { DatabaseAddress } from '../../../src/server/databases/database.ts';
import { Databases } from '../../../src/server/databases/databases.ts';
import { configurationOf, Link } from '../../../src/server/databases/mssql/link.ts';
import { spokenBy } from '../../../src/server/reports/sql/dialect.ts';
import { dialectOf } from '../../../src/server/reports/sql/dialects.ts';
import { columnTypes, type ShopData } from '../reports/shopData.ts';
import { anyFolder } from './anyFolder.ts';
import { askClickhouse } from './clickhouseServer.ts';
import type { DatabaseServer } from './serverProcess.ts';
import type { ShopEngine } from './shopEngine.ts';
import { runOnTrino } from './trinoPlatform.ts';

/*
 * A database server that somebody has, for `npm run test:engine`. Its tables `sales`, `stores` and `clerks` are made by the
 * tests and dropped in the end; a database that has such tables is refused.
 */

/** A database server as its URL describes it: `platform://login:password@host:port/database?tls=off`. */
export interface GivenServer extends Omit<DatabaseServer, 'stop'> {
  platform: string;
  params: string;
}

/** @throws Error for another form. */
export function givenServer(text: string): GivenServer {
  const { protocol, hostname, port, username, password, pathname, searchParams } = new URL(text);
  const database = decodeURIComponent(pathname.slice(1));
  if (hostname === '' || port === '' || database === '')
    throw new Error('The URL has another form than platform://login:password@host:port/database?tls=off');
  const [login, secret] = [decodeURIComponent(username), decodeURIComponent(password)];
  const params = [...searchParams].map((pair) => pair.join('=')).join(';');
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  return { platform: protocol.slice(0, -1), host, port: Number(port), login, password: secret, database, params };
}

export function addressOf({ platform, host, port, login, database, params }: GivenServer): DatabaseAddress {
  const place = {
    platform,
    host: host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`,
    database,
    login,
    params,
  };
  return { id: platform, displayName: platform, ...place, commandTimeout: 60, connectionTimeout: 20 };
}

/** Words of a platform for DuckDB's types, and how it writes what the tests need. */
interface Words {
  types: Readonly<Record<string, string>>;
  quote: (name: string) => string;
  /** A text, day or moment as a literal. */
  text: (value: string, type: string) => string;
  /** After the columns of a table. */
  engine?: string;
  empty?: string;
}

const plain = (value: string) => `'${value.replaceAll("'", "''")}'`;
const doubled = (name: string) => `"${name}"`;
const words: Readonly<Record<string, Words>> = {
  postgresql: { types: { DOUBLE: 'DOUBLE PRECISION' }, quote: doubled, text: plain },
  mysql: {
    types: { VARCHAR: 'VARCHAR(200) CHARACTER SET utf8mb4', TIMESTAMP: 'DATETIME' },
    quote: (name) => `\`${name}\``,
    text: plain,
  },
  mssql: {
    types: { VARCHAR: 'NVARCHAR(200)', DOUBLE: 'FLOAT', TIMESTAMP: 'DATETIME2' },
    quote: (name) => `[${name}]`,
    text: (value) => `N${plain(value)}`,
  },
  oracle: {
    types: {
      VARCHAR: 'VARCHAR2(200 CHAR)',
      INTEGER: 'NUMBER(10)',
      BIGINT: 'NUMBER(19)',
      DOUBLE: 'BINARY_DOUBLE',
      'DECIMAL(12, 2)': 'NUMBER(12, 2)',
    },
    quote: doubled,
    text: (value, type) => (type === 'DATE' || type === 'TIMESTAMP' ? `${type} ${plain(value)}` : plain(value)),
  },
  clickhouse: {
    types: Object.fromEntries(
      Object.entries({
        INTEGER: 'Int32',
        BIGINT: 'Int64',
        DOUBLE: 'Float64',
        DATE: 'Date',
        TIMESTAMP: 'DateTime',
        VARCHAR: 'String',
        'DECIMAL(12, 2)': 'Decimal(12, 2)',
      }).map(([type, own]) => [type, `Nullable(${own})`]),
    ),
    quote: (name) => `\`${name}\``,
    text: (value) => `'${value.replace(/[\\']/g, (character) => `\\${character}`)}'`,
    engine: ' ENGINE = Memory',
    empty: 'TRUNCATE TABLE',
  },
  trino: { types: { TIMESTAMP: 'TIMESTAMP(6)' }, quote: (name) => name, text: plain, empty: 'TRUNCATE TABLE' },
};

/** Runs statements beside the server's own driver. */
interface Writer {
  run: (statement: string) => Promise<unknown>;
  end: () => Promise<unknown>;
}

const writers: Readonly<Record<string, (given: GivenServer) => Promise<Writer>>> = {
  async postgresql({ login: user, host, port, password, database }) {
    const client = new pg.Client({ user, host, port, password, database });
    await client.connect();
    return { run: (statement) => client.query(statement), end: () => client.end() };
  },
  async mysql({ login: user, host, port, password, database }) {
    const client = await mysql.createConnection({ user, host, port, password, database });
    await client.query(`SET sql_mode = 'NO_BACKSLASH_ESCAPES'`);
    return { run: (statement) => client.query(statement), end: () => client.end() };
  },
  async mssql(given) {
    const { host, port, password } = given;
    const link = await Link.open(configurationOf(addressOf(given), { host, port }, password));
    return { run: (statement) => link.run(statement, new Map(), {}).ended, end: () => Promise.resolve(link.close()) };
  },
  async oracle({ login: user, host, port, password, database }) {
    const client = await oracledb.getConnection({ user, password, connectString: `${host}:${port}/${database}` });
    return {
      run: (statement) => client.execute(statement, [], { autoCommit: true }),
      end: () => client.close(),
    };
  },
  clickhouse: (given) =>
    Promise.resolve({ run: (statement) => askClickhouse(given, statement), end: () => Promise.resolve() }),
  trino: (given) =>
    Promise.resolve({
      run: (statement) => runOnTrino({ ...given, stop: () => Promise.resolve() }, [statement]),
      end: () => Promise.resolve(),
    }),
};

function statementsOf({ quote, text, empty = 'DELETE FROM' }: Words, data: ShopData, platform: string): string[] {
  return Object.entries(columnTypes).flatMap(([table, columns]) => {
    const rows = data[table as keyof ShopData].map((row) =>
      Object.entries(columns).map(([name, type]) => {
        const value = row[name] ?? null;
        return value === null ? 'NULL' : typeof value === 'string' ? text(value, type) : String(value);
      }),
    );
    const lists = rows.map((row) => `(${row.join(', ')})`);
    // Oracle has inserted several rows at once since 23 only.
    const inserts = platform === 'oracle' ? lists : lists.length > 0 ? [lists.join(', ')] : [];
    return [`${empty} ${quote(table)}`, ...inserts.map((values) => `INSERT INTO ${quote(table)} VALUES ${values}`)];
  });
}

/** Opens the server and makes the tables. @throws Error if the platform is unknown or the database has such tables. */
export async function startGivenEngine(url: string): Promise<ShopEngine> {
  const given = givenServer(url);
  const { platform } = given;
  const [own, open, dialect] = [words[platform], writers[platform], dialectOf(platform)];
  if (!own || !open || !dialect) throw new Error(`Platforms are ${Object.keys(words).join(', ')}; not ${platform}`);
  const databases = new Databases(anyFolder);
  const database = await databases.at(addressOf(given), () => given.password);
  const tables = await database.tables({ signal: new AbortController().signal, timeoutMs: 60_000 });
  const taken = tables.filter(({ owner, name }) => !owner.includes('.') && name.toLowerCase() in columnTypes);
  if (taken.length > 0) {
    await databases.close();
    throw new Error(
      `The database has tables that the tests would replace: ${taken.map(({ name }) => name).join(', ')}`,
    );
  }
  const writer = await open(given);
  const { quote, types, engine = '' } = own;
  for (const [table, columns] of Object.entries(columnTypes)) {
    const definitions = Object.entries(columns).map(([name, type]) => `${quote(name)} ${types[type] ?? type}`);
    await writer.run(`CREATE TABLE ${quote(table)} (${definitions.join(', ')})${engine}`);
  }
  return {
    name: `${platform} ${database.version ?? ''}`.trim(),
    dialect: spokenBy(dialect, database),
    database,
    write: async (data) => {
      for (const statement of statementsOf(own, data, platform)) await writer.run(statement);
    },
    stop: async () => {
      for (const table of Object.keys(columnTypes)) await writer.run(`DROP TABLE ${quote(table)}`);
      await writer.end();
      await databases.close();
    },
  };
}
