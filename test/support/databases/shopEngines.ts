import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import mysql from 'mysql2/promise';
import { Databases } from '../../../src/server/databases/databases.ts';
import { MemoryDatabase } from '../reports/memoryDatabase.ts';
import { columnTypes, literal, type ShopData, writeShop } from '../reports/shopData.ts';
import { askClickhouse, hasClickhouse, startClickhouse } from './clickhouseServer.ts';
import { startGivenEngine } from './givenEngine.ts';
import { hasMariadb, startMariadb } from './mariadbServer.ts';
import { postgresqlPrograms, startPostgresql } from './postgresqlServer.ts';
import { startModernClickhouse } from './modernClickhouse.ts';
import { startModernPostgres } from './modernPostgres.ts';
import type { DatabaseServer } from './serverProcess.ts';
import { anyFolder } from './anyFolder.ts';
import { catalogShop, postgresqlShops } from './postgresqlShops.ts';
import { address, createTables, dialect, refill, serverShop, type ShopEngine } from './shopEngine.ts';
import { runOnTrino, trinoSchema } from './trinoPlatform.ts';

/**
 * DuckDB and the server that `npm run test:engine` is given, or the engines that this machine can run, DuckDB first. With
 * `all`, also ClickHouse in the release that is refused, PostgreSQL behind its own policies, and PostgreSQL behind Trino.
 * Names those that it cannot run in one visible line.
 */
export async function startShopEngines(releases: 'all' | 'newest' = 'all'): Promise<ShopEngine[]> {
  const isAll = releases === 'all';
  const given = process.env.ENGINE_URL;
  if (given !== undefined) return [await duckdbShop(), await startGivenEngine(given)];
  const engines = [await duckdbShop(), await sqliteShop()];
  if (postgresqlPrograms()) engines.push(...(await postgresqlShops('PostgreSQL', await startPostgresql(), isAll)));
  else console.warn('Skipped: PostgreSQL is not installed here');
  if (hasMariadb()) engines.push(await mariadbShop());
  else console.warn('Skipped: MariaDB is not installed here');
  if (isAll) {
    if (hasClickhouse()) engines.push(await clickhouseShop());
    else console.warn('Skipped: ClickHouse is not installed here');
  }
  const modern = await modernClickhouseShop();
  if (modern) engines.push(modern);
  const postgres = await startModernPostgres();
  if (postgres) engines.push(...(await postgresqlShops('PostgreSQL 18', postgres, isAll)));
  const trino = await trinoSchema();
  if (trino) engines.push(await trinoShop(trino));
  const catalog = isAll ? await catalogShop() : undefined;
  return catalog ? [...engines, catalog] : engines;
}

async function duckdbShop(): Promise<ShopEngine> {
  const database = await MemoryDatabase.open();
  await writeShop(database.connection, 'shop', { sales: [], stores: [], clerks: [] });
  await database.connection.run('USE shop');
  return {
    name: 'DuckDB',
    dialect: dialect('duckdb'),
    database,
    write: async (data) => {
      for (const statement of refill(data)) await database.connection.run(statement);
    },
    stop: () => database.close(),
  };
}

async function sqliteShop(): Promise<ShopEngine> {
  const folder = await mkdtemp(path.join(tmpdir(), 'sqlite-shop-'));
  const file = path.join(folder, 'shop.sqlite');
  const writer = new DatabaseSync(file);
  // Neither its order nor its equality may depend on how a column was declared.
  writer.exec(createTables({ VARCHAR: 'TEXT COLLATE NOCASE' }).join(';'));
  const databases = new Databases(anyFolder);
  return {
    name: 'SQLite',
    dialect: dialect('sqlite'),
    database: await databases.at(address('sqlite', { database: file })),
    write: (data) => {
      writer.exec(['BEGIN', ...refill(data), 'COMMIT'].join(';'));
      return Promise.resolve();
    },
    stop: async () => {
      await databases.close();
      writer.close();
      await rm(folder, { recursive: true });
    },
  };
}

async function mariadbShop(): Promise<ShopEngine> {
  const server = await startMariadb();
  const { host, port, database, password, login: user } = server;
  const writer = await mysql.createConnection({ host, port, database, password, user, multipleStatements: true });
  // The tables compare without case, as is usual there.
  const types = { VARCHAR: 'VARCHAR(200)', TIMESTAMP: 'DATETIME' };
  await writer.query(`SET sql_mode = 'NO_BACKSLASH_ESCAPES'; ${createTables(types).join(';')}`);
  return serverShop({ name: 'MariaDB', platform: 'mysql' }, server, {
    run: async (statements) => {
      await writer.query(statements.join(';'));
    },
    end: () => writer.end(),
  });
}

/** The tables of 18.16 are on two shards and are read through Distributed tables. */
async function clickhouseShop(): Promise<ShopEngine> {
  const { shards, stop } = await startClickhouse();
  const [first] = shards;
  if (!first) throw new Error('ClickHouse has no shard');
  for (const [table, columns] of Object.entries(clickhouseColumns)) {
    for (const shard of shards) await askClickhouse(shard, `CREATE TABLE ${table}_part (${columns}) ENGINE = Memory`);
    await askClickhouse(
      first,
      `CREATE TABLE ${table} (${columns}) ENGINE = Distributed(two, shop, ${table}_part, rand())`,
    );
  }
  const write = async (data: ShopData) => {
    for (const [index, shard] of shards.entries())
      await refillClickhouse(shard, '_part', data, (row) => row % shards.length === index);
  };
  return clickhouseEngine('ClickHouse 18.16', { ...first, stop }, write, true);
}

/** The engine of a recent release; undefined if it cannot be installed. */
async function modernClickhouseShop(): Promise<ShopEngine | undefined> {
  const server = await startModernClickhouse();
  if (!server) return undefined;
  for (const [table, columns] of Object.entries(clickhouseColumns))
    await askClickhouse(server, `CREATE TABLE ${table} (${columns}) ENGINE = Memory`);
  return clickhouseEngine('ClickHouse 26.7', server, (data) => refillClickhouse(server, '', data, () => true));
}

async function clickhouseEngine(
  name: string,
  { host, port, login, database, password, stop }: DatabaseServer,
  write: ShopEngine['write'],
  isOld = false,
): Promise<ShopEngine> {
  const databases = new Databases(anyFolder, isOld);
  return {
    name,
    dialect: dialect('clickhouse'),
    database: await databases.at(address('clickhouse', { host: `${host}:${port}`, login, database }), () => password),
    write,
    stop: async () => {
      await databases.close();
      await stop();
    },
  };
}

/** Replaces the rows of every table by those that `isOwn` selects by their number. */
async function refillClickhouse(
  server: DatabaseServer,
  suffix: string,
  data: ShopData,
  isOwn: (row: number) => boolean,
): Promise<void> {
  for (const [table, columns] of Object.entries(columnTypes)) {
    const names = Object.keys(columns);
    const own = data[table as keyof ShopData].filter((_, row) => isOwn(row));
    const values = own.map((row) => `(${names.map((name) => clickhouseLiteral(row[name] ?? null)).join(', ')})`);
    await askClickhouse(server, `TRUNCATE TABLE ${table}${suffix}`);
    if (own.length > 0) await askClickhouse(server, `INSERT INTO ${table}${suffix} VALUES ${values.join(', ')}`);
  }
}

const clickhouseTypes: Readonly<Record<string, string>> = {
  INTEGER: 'Int32',
  BIGINT: 'Int64',
  DOUBLE: 'Float64',
  DATE: 'Date',
  TIMESTAMP: 'DateTime',
  VARCHAR: 'String',
  'DECIMAL(12, 2)': 'Decimal(12, 2)',
};

/** Column definitions by table. */
const clickhouseColumns = Object.fromEntries(
  Object.entries(columnTypes).map(([table, columns]) => [
    table,
    Object.entries(columns)
      .map(([name, type]) => `${name} Nullable(${clickhouseTypes[type] ?? type})`)
      .join(', '),
  ]),
);

function clickhouseLiteral(value: string | number | bigint | null): string {
  return typeof value === 'string' ? `'${value.replace(/[\\']/g, (character) => `\\${character}`)}'` : literal(value);
}

/** Its catalog for memory deletes no single rows: tables are emptied. */
async function trinoShop(server: DatabaseServer): Promise<ShopEngine> {
  await runOnTrino(server, createTables({ TIMESTAMP: 'TIMESTAMP(6)' }));
  return serverShop({ name: 'Trino', platform: 'trino' }, server, {
    run: (statements) =>
      runOnTrino(
        server,
        statements.map((text) => text.replace(/^DELETE FROM/, 'TRUNCATE TABLE')),
      ),
    end: () => Promise.resolve(),
  });
}
