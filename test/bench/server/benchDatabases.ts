import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startModernClickhouse } from '../../support/databases/modernClickhouse.ts';
import { served } from '../../support/databases/livePlatforms.ts';
import { hasMariadb, startMariadb } from '../../support/databases/mariadbServer.ts';
import { postgresqlPrograms, startPostgresql } from '../../support/databases/postgresqlServer.ts';
import type { DatabaseServer } from '../../support/databases/serverProcess.ts';
import { trinoClient } from '../../support/databases/trinoInstallation.ts';
import { askTrino, startTrino } from '../../support/databases/trinoServer.ts';
import {
  fillClickhouse,
  fillMariadb,
  fillPostgresql,
  tableName,
  writeCsv,
  writeDuckdb,
  writeSqlite,
} from './flightTable.ts';
import { childrenOf } from './processes.ts';

/** An engine that holds the table of flights. */
export interface BenchDatabase {
  /** Platform of the registered server, and name of its floor. */
  platform: string;
  /** What `floorProcess.ts` reads. */
  floorArgument: string;
  /** Where it is: fields of a registered server. */
  regserver: Readonly<Record<string, unknown>>;
  /** Processes of the server; none of a file. */
  processes: readonly number[];
  stop: () => Promise<void>;
}

/**
 * Engines that hold the same `rowCount` rows, in a folder that everybody may enter; missing ones are named in one line.
 * BENCH_ENGINES names those to start.
 */
export async function startBenchDatabases(rowCount: number): Promise<BenchDatabase[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'bench-server-'));
  const shared = path.join(tmpdir(), `${path.basename(folder)}-csv`);
  await mkdir(shared, { mode: 0o755 });
  const csv = path.join(shared, 'flight.csv');
  await writeCsv(csv, rowCount);
  const isWanted = (platform: string) => (process.env.BENCH_ENGINES ?? platform).split(',').includes(platform);
  const databases: BenchDatabase[] = [];
  const duckdb = await writeDuckdb(folder, csv);
  const sqlite = writeSqlite(folder, rowCount);
  const stop = () => rm(folder, { recursive: true, force: true });
  for (const [platform, file] of Object.entries({ duckdb, sqlite })) {
    databases.push({ platform, floorArgument: file, regserver: { DatabaseName: file }, processes: [], stop });
  }
  const servers = { postgresql: () => startedPostgresql(csv), mysql: () => startedMariadb(rowCount) };
  const others = { clickhouse: () => startedClickhouse(csv), trino: () => startedTrino(csv) };
  for (const [platform, start] of Object.entries({ ...servers, ...others })) {
    const before = new Set(childrenOf(process.pid));
    const server = isWanted(platform) ? await start() : undefined;
    const processes = childrenOf(process.pid).filter((pid) => !before.has(pid));
    if (server) databases.push({ ...onServer(platform, server), processes });
  }
  await rm(shared, { recursive: true });
  return databases.filter(({ platform }) => isWanted(platform));
}

async function startedPostgresql(csv: string): Promise<DatabaseServer | undefined> {
  if (!postgresqlPrograms()) return skipped('PostgreSQL is not installed here');
  const server = await startPostgresql();
  await fillPostgresql(server, csv);
  return server;
}

async function startedMariadb(rowCount: number): Promise<DatabaseServer | undefined> {
  if (!hasMariadb()) return skipped('MariaDB is not installed here');
  const server = await startMariadb();
  await fillMariadb(server, rowCount);
  return server;
}

async function startedClickhouse(csv: string): Promise<DatabaseServer | undefined> {
  const server = await startModernClickhouse();
  if (server) await fillClickhouse(server, csv);
  return server;
}

/** Trino copies the rows from PostgreSQL into its own memory. */
async function startedTrino(csv: string): Promise<DatabaseServer | undefined> {
  const postgresql = await startedPostgresql(csv);
  if (!postgresql) return undefined;
  try {
    const node = (await trinoClient()) && (await startTrino({ postgresql, isOptimized: true }));
    if (!node) return undefined;
    const server = { host: '127.0.0.1', login: 'bench', password: '', database: 'memory.default' };
    await askTrino(node.port, `CREATE TABLE ${tableName} AS SELECT * FROM postgresql.public.${tableName}`);
    return { ...server, port: node.port, stop: node.stop };
  } finally {
    await postgresql.stop();
  }
}

function skipped(problem: string): undefined {
  console.log(`Skipped: ${problem}`);
}

function onServer(platform: string, running: DatabaseServer): Omit<BenchDatabase, 'processes'> {
  const { host, port, login: user, password, database } = running;
  const { regserver, stop } = served(platform, running);
  return { platform, floorArgument: JSON.stringify({ host, port, user, password, database }), regserver, stop };
}
