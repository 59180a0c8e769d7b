import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startModernClickhouse } from '../../support/databases/modernClickhouse.ts';
import { served } from '../../support/databases/livePlatforms.ts';
import { hasMariadb, startMariadb } from '../../support/databases/mariadbServer.ts';
import { postgresqlPrograms, startPostgresql } from '../../support/databases/postgresqlServer.ts';
import type { DatabaseServer } from '../../support/databases/serverProcess.ts';
import { fillClickhouse, fillMariadb, fillPostgresql, writeCsv, writeDuckdb, writeSqlite } from './flightTable.ts';

/** An engine that holds the table of flights. */
export interface BenchDatabase {
  /** Platform of the registered server, and name of its floor. */
  platform: string;
  /** What `floorProcess.ts` reads. */
  floorArgument: string;
  /** Where it is: fields of a registered server. */
  regserver: Readonly<Record<string, unknown>>;
  stop: () => Promise<void>;
}

/** Engines that hold the same `rowCount` rows, in a folder that everybody may enter; missing ones are named in one line. */
export async function startBenchDatabases(rowCount: number): Promise<BenchDatabase[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'bench-server-'));
  const shared = path.join(tmpdir(), `${path.basename(folder)}-csv`);
  await mkdir(shared, { mode: 0o755 });
  const csv = path.join(shared, 'flight.csv');
  await writeCsv(csv, rowCount);
  const duckdb = await writeDuckdb(folder, csv);
  const sqlite = writeSqlite(folder, rowCount);
  const removeFolder = () => rm(folder, { recursive: true });
  const databases: BenchDatabase[] = [
    { platform: 'duckdb', floorArgument: duckdb, regserver: { DatabaseName: duckdb }, stop: removeFolder },
    { platform: 'sqlite', floorArgument: sqlite, regserver: { DatabaseName: sqlite }, stop: () => Promise.resolve() },
  ];
  if (postgresqlPrograms()) {
    const server = await startPostgresql();
    await fillPostgresql(server, csv);
    databases.push(onServer('postgresql', server));
  } else console.log('Skipped: PostgreSQL is not installed here');
  if (hasMariadb()) {
    const server = await startMariadb();
    await fillMariadb(server, rowCount);
    databases.push(onServer('mysql', server));
  } else console.log('Skipped: MariaDB is not installed here');
  const clickhouse = await startModernClickhouse();
  if (clickhouse) {
    await fillClickhouse(clickhouse, csv);
    databases.push(onServer('clickhouse', clickhouse));
  }
  await rm(shared, { recursive: true });
  return databases.filter(({ platform }) => (process.env.BENCH_ENGINES ?? platform).split(',').includes(platform));
}

function onServer(platform: string, running: DatabaseServer): BenchDatabase {
  const { host, port, login: user, password, database } = running;
  const { regserver, stop } = served(platform, running);
  return { platform, floorArgument: JSON.stringify({ host, port, user, password, database }), regserver, stop };
}
