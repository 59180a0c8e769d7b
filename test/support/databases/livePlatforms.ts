import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DuckDBInstance } from '@duckdb/node-api';
import mysql from 'mysql2/promise';
import pg from 'pg';
import * as z from 'zod';
import { isFull } from '../run/soakSize.ts';
import type { SignedIn } from '../server.ts';
import { askClickhouse, hasClickhouse, startClickhouse } from './clickhouseServer.ts';
import { hasMariadb, startMariadb } from './mariadbServer.ts';
import { startModernClickhouse } from './modernClickhouse.ts';
import { startModernPostgres } from './modernPostgres.ts';
import { postgresqlPrograms, startPostgresql } from './postgresqlServer.ts';
import type { DatabaseServer } from './serverProcess.ts';
import { runOnTrino, trinoSchema } from './trinoPlatform.ts';

/** A database of one platform, made for a test. */
export interface LivePlatform {
  /** Value of DatabasePlatform. */
  platform: string;
  /** The platform and, where it is not what Debian has, the release. */
  name: string;
  /** What a registered server needs to reach it. */
  regserver: Readonly<Record<string, unknown>>;
  /** How to reach it beside the embedded server; undefined for files. */
  server: DatabaseServer | undefined;
  stop: () => Promise<void>;
}

/** Newest releases of platforms that also run in an older one. */
export const newestReleases = { postgresql: 'postgresql 18', clickhouse: 'clickhouse 26.7' } as const;

/** Statements that fill the database of a platform. */
export type Setup = (platform: string) => readonly string[];

/**
 * Makes a database on every platform that this machine has; names those that it lacks in one visible line. Each query on Trino
 * takes much of the processor: files with thousands of queries leave it to `npm run soak`.
 */
export async function startLivePlatforms(
  folder: string,
  setup: Setup,
  withTrino: boolean = isFull,
): Promise<LivePlatform[]> {
  const platforms = [await duckdb(folder, setup('duckdb')), sqlite(folder, setup('sqlite'))];
  return [...platforms, ...(await startLiveServers(setup, withTrino))];
}

/** Like {@link startLivePlatforms}, and with the newest PostgreSQL. */
export async function startWithPostgresReleases(
  folder: string,
  setup: Setup,
  withTrino: boolean = isFull,
): Promise<LivePlatform[]> {
  const platforms = await startLivePlatforms(folder, setup, withTrino);
  const postgres = await startModernPostgres();
  if (postgres) platforms.push(await postgresql(setup('postgresql'), postgres, newestReleases.postgresql));
  return platforms;
}

/** Like {@link startLivePlatforms}, and with the {@link newestReleases}. */
export async function startAllReleases(
  folder: string,
  setup: Setup,
  withTrino: boolean = isFull,
): Promise<LivePlatform[]> {
  const platforms = await startWithPostgresReleases(folder, setup, withTrino);
  const modern = await startModernClickhouse();
  if (modern) platforms.push(await clickhouse(setup('clickhouse'), modern, newestReleases.clickhouse));
  return platforms;
}

/** Like {@link startLivePlatforms}, but only those that are servers. */
export async function startLiveServers(setup: Setup, withTrino: boolean): Promise<LivePlatform[]> {
  const platforms: LivePlatform[] = [];
  if (postgresqlPrograms()) platforms.push(await postgresql(setup('postgresql'), await startPostgresql()));
  else console.warn('Skipped: PostgreSQL is not installed here');
  if (hasMariadb()) platforms.push(await mariadb(setup('mysql')));
  else console.warn('Skipped: MariaDB is not installed here');
  if (hasClickhouse()) platforms.push(await clickhouse(setup('clickhouse'), await firstShard()));
  else console.warn('Skipped: ClickHouse is not installed here');
  const trino = withTrino ? await trinoSchema() : undefined;
  if (trino) platforms.push(await trinoPlatform(trino, setup('trino')));
  return platforms;
}

async function duckdb(folder: string, statements: readonly string[]): Promise<LivePlatform> {
  const file = path.join(folder, 'live.duckdb');
  const instance = await DuckDBInstance.create(file);
  const connection = await instance.connect();
  for (const sql of statements) await connection.run(sql);
  connection.closeSync();
  instance.closeSync();
  return {
    platform: 'duckdb',
    name: 'duckdb',
    regserver: { DatabaseName: file },
    server: undefined,
    stop: () => Promise.resolve(),
  };
}

function sqlite(folder: string, statements: readonly string[]): LivePlatform {
  const file = path.join(folder, 'live.sqlite');
  const database = new DatabaseSync(file);
  database.exec(statements.join(';'));
  database.close();
  return {
    platform: 'sqlite',
    name: 'sqlite',
    regserver: { DatabaseName: file },
    server: undefined,
    stop: () => Promise.resolve(),
  };
}

async function postgresql(
  statements: readonly string[],
  running: DatabaseServer,
  name?: string,
): Promise<LivePlatform> {
  const { login: user, ...rest } = running;
  const client = new pg.Client({ ...rest, user });
  await client.connect();
  await client.query(statements.join(';'));
  await client.end();
  return served('postgresql', running, name);
}

async function mariadb(statements: readonly string[]): Promise<LivePlatform> {
  const running = await startMariadb();
  const { host, port, database, password, login: user } = running;
  const client = await mysql.createConnection({ host, port, database, password, user });
  for (const sql of statements) await client.query(sql);
  await client.end();
  return served('mysql', running);
}

async function clickhouse(
  statements: readonly string[],
  running: DatabaseServer,
  name?: string,
): Promise<LivePlatform> {
  for (const sql of statements) await askClickhouse(running, sql);
  return served('clickhouse', running, name);
}

async function firstShard(): Promise<DatabaseServer> {
  const { shards, stop } = await startClickhouse();
  const [first] = shards;
  if (!first) throw new Error('ClickHouse has no shard');
  return { ...first, stop };
}

async function trinoPlatform(server: DatabaseServer, statements: readonly string[]): Promise<LivePlatform> {
  await runOnTrino(server, statements);
  return served('trino', server);
}

/** A platform on a running server, as fields of a registered server. */
export function served(platform: string, server: DatabaseServer, name = platform): LivePlatform {
  const { host, port, login, password, database, stop } = server;
  const regserver = {
    DatabaseServer: `${host}:${port}`,
    DatabaseLogin: login,
    DatabasePassword: password,
    DatabaseName: database,
  };
  return { platform, name, regserver, server, stop };
}

const record = z.record(z.string(), z.unknown());

/** An application and its registered server. */
export interface Registered {
  appname: string;
  moduleId: string;
  serverId: string;
  /** As SaveRegSrv answered it. */
  regserver: Record<string, unknown>;
}

/** Makes an application with a registered server, the way the API description asks. */
export async function registerServer(
  admin: SignedIn,
  appname: string,
  platform: string,
  more: Readonly<Record<string, unknown>>,
): Promise<Registered> {
  const added = await admin.call('RegServers/InsertAnyDbModule', { appname, description: '' });
  const moduleId = String(record.parse(added.json).ID);
  const regserver = {
    ModuleType: 'AnyDB',
    DisplayName: `${appname} database`,
    DatabasePlatform: platform,
    CommandTimeout: 10,
    ConnectionTimeout: 5,
    Permissions: [],
    datasources: [],
    izApp: { ID: moduleId, Name: appname, ModuleType: 'AnyDB', ProductCode: '', isAnyDbApp: true },
    ...more,
  };
  const saved = record.parse((await admin.call('RegServers/SaveRegSrv', { regserver, bsaveasanydb: true })).json);
  return { appname, moduleId, serverId: String(saved.ID), regserver: saved };
}

/** Registers one table as a report type of its own name, or of another one, with its columns by field type. @throws Error when refused. */
export async function registerTable(
  admin: SignedIn,
  { moduleId }: Registered,
  table: { name: string; owner?: string; columns: Readonly<Record<string, string>>; as?: string },
): Promise<string> {
  const RepTypeName = table.as ?? [table.owner, table.name].filter(Boolean).join('.');
  const reportType = {
    Moduleid: Number(moduleId),
    RepTypeID: 0,
    RepTypeName,
    SQLTables: [{ tablename: table.name, tableowner: table.owner ?? '', tablealias: 't' }],
    FieldTree: Object.entries(table.columns).map(([column, datatype], index) => ({
      id: index + 1,
      idx_order: index + 1,
      fname: column,
      flevel: '0',
      nodetype: 'F',
      tablealias: 't',
      sqlfieldname: column,
      datatype,
    })),
  };
  const { json } = await admin.call('AppBuilder/SaveAnyDbModule', { anydbmodule: { ReportTypes: [reportType] } });
  if (json !== 1) throw new Error(`Report type ${RepTypeName} was refused`);
  return RepTypeName;
}

/** A report of columns of a table registered by {@link registerTable}; `formulas` stand in place of columns. */
export function tableReport(
  { appname }: Registered,
  reportType: string,
  columns: readonly string[],
  formulas: Readonly<Record<string, string>> = {},
) {
  return {
    Reportname: reportType,
    ReportType: reportType,
    ModuleName: appname,
    ServerName: `${appname} database`,
    FieldList: columns.map((column, index) => ({
      DbTableAlias: 't',
      DbFieldName: column,
      DisplayFieldName: column,
      RenamedField: column,
      Formula: formulas[column] ?? '',
      fieldindex: index + 1,
      Criteria: [],
    })),
    AdHocFields: [],
    linkreports: [],
  };
}
