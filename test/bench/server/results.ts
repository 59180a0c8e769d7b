import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import * as z from 'zod';
import { registerServer, registerTable, tableReport } from '../../support/databases/livePlatforms.ts';
import { type SignedIn, startServer, type TestServer } from '../../support/server.ts';
import { median } from '../results/median.ts';
import { type BenchDatabase, startBenchDatabases } from './benchDatabases.ts';
import { fieldTypes, tableName } from './flightTable.ts';
import { builtServer, goal, percentile } from './goals.ts';
import { startPings } from './pings.ts';
import { childrenOf, letRunLast, readOrEmpty } from './processes.ts';

const rowCount = Number(process.env.BENCH_ROWS ?? 500_000);
const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const run = promisify(execFile);
const part = (file: string) => path.join(import.meta.dirname, file);

/** Highest ratio of a result over HTTP to the floor of its engine. */
const highest: Readonly<Record<string, number>> = {
  duckdb: 1.8,
  sqlite: 1.6,
  postgresql: 1.9,
  mysql: 2.6,
  clickhouse: 1.25,
  trino: 1.25,
};

const engineNames: Readonly<Record<string, string>> = {
  duckdb: 'DuckDB',
  sqlite: 'SQLite',
  postgresql: 'PostgreSQL',
  mysql: 'MariaDB',
  clickhouse: 'ClickHouse',
  trino: 'Trino',
};

const password = 'correct horse battery staple';
/** Whom a policy restricts; nothing restricts admin. */
const restricted = 'restricted';
const columns = Object.keys(fieldTypes);
const idOf = z.looseObject({ ID: z.coerce.string(), ErrorMessage: z.null() });

async function addRestrictedUser(admin: SignedIn): Promise<string> {
  const template = (await admin.call('Contact/NewContact')).json as object;
  const user = { ...template, LoginName: restricted, Pin: password, isSuperAdmin: true };
  return idOf.parse((await admin.call('Contact/SaveContact', { withpin: true, user })).json).ID;
}

/** A policy that lets every row through, so that only the work of it differs. */
async function addPolicy(admin: SignedIn, userId: string): Promise<void> {
  const template = (await admin.call('Shield/NewPolicy')).json as object;
  const Value = 'Alaska Airlines, American Airlines, Delta Air Lines, Southwest Airlines, United Airlines, /#login#/';
  const Constraints = [{ TableName: tableName, ColumnName: 'Airline', Operator: 'in', Value }];
  const policy = { ...template, Name: 'Airlines', isActive: true, Constraints, Groups: [], Users: [] };
  const sent = { policy, groups: [], users: [userId], isDeepSave: true };
  const { text } = await admin.call('Shield/SaveShieldPolicy', sent);
  if (!/"ErrorCode":0/.test(text)) throw new Error(`The policy was not saved: ${text.slice(0, 300)}`);
}

/** A data folder with the registered servers, and the report to run. */
interface State {
  dataFolder: string;
  report: object;
}

interface Reading {
  ms: number;
  bytes: number;
  /** Highest resident sizes of the server and of processes that it started, together. */
  peakBytes: number;
  /** What other calls took meanwhile, in milliseconds. */
  others: number[];
}

/** One result in a fresh server, or `running` at once, with another client's calls beside it if `withOthers`. */
async function read(state: State, who: string, withOthers: boolean, running = 1): Promise<Reading> {
  const { dataFolder, report } = state;
  const server = await startServer({ dataFolder, password, ...builtServer });
  try {
    const admin = await server.login(who, password);
    // Opens the database, which the floors do not count either.
    await admin.call('Report/GetReportData', { Reportobj: { Report: { ...report, TopN: 1 } } });
    const body = JSON.stringify({ sessionToken: admin.token, Reportobj: { Report: report } });
    const watched = watchPeak(server.process);
    const pings = withOthers ? await startPings(server, admin) : undefined;
    const drains = await Promise.all(Array.from({ length: running }, () => drain(server, body)));
    const [peakBytes, others] = [watched(), pings ? await pings.stop() : []];
    const failed = drains.find(({ complete }) => !complete);
    if (failed) throw new Error(`A result for ${who} is incomplete: ${failed.end} ${server.log()}`);
    return { ms: Math.max(...drains.map(({ ms }) => ms)), bytes: drains[0]?.bytes ?? 0, peakBytes, others };
  } finally {
    await server.stop();
  }
}

/** What `drainProcess.ts` prints. */
interface Drained {
  ms: number;
  bytes: number;
  complete: boolean;
  end: string;
}

/** Reads one result in a process of its own. */
async function drain({ apiBase }: TestServer, body: string): Promise<Drained> {
  const child = spawn(process.execPath, [part('drainProcess.ts'), `${apiBase}/Report/GetReportData`], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(body);
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return JSON.parse(line) as Drained;
}

/** Watches the highest resident sizes of a process and its children (Linux alone tells); ends with their sum in bytes. */
function watchPeak({ pid = 0 }: ChildProcess): () => number {
  const highestOf = new Map<number, number>();
  const look = () => {
    for (const each of [pid, ...childrenOf(pid)]) {
      const kilobytes = Number(/VmHWM:\s+(\d+)/.exec(readOrEmpty(`/proc/${each}/status`))?.[1] ?? 0);
      highestOf.set(each, Math.max(highestOf.get(each) ?? 0, kilobytes * 1024));
    }
  };
  const timer = setInterval(look, 20);
  return () => {
    look();
    clearInterval(timer);
    return [...highestOf.values()].reduce((sum, each) => sum + each, 0);
  };
}

async function floorOf({ platform, floorArgument }: BenchDatabase): Promise<number> {
  const { stdout } = await run(process.execPath, [part('floorProcess.ts'), platform, floorArgument]);
  return Number(stdout);
}

/** Large results over HTTP on every engine: against its floor, their memory, the calls beside them, and row security. */
export function benchResults(): Promise<void> {
  return onEachEngine(benchDatabase);
}

/** Memory in MB, and p99 of other calls in ms, while large results are read at once: a table with a row per engine. */
export async function benchRunningReports(counts: readonly number[]): Promise<string[][]> {
  const rows: string[][] = [];
  await onEachEngine(async ({ platform }, state) => {
    const cells: string[] = [];
    for (const running of counts) {
      const cell = await read(state, 'admin', true, running).then(
        ({ peakBytes, others }) => `${(peakBytes / 1e6).toFixed(0)} (${percentile(others, 99).toFixed(0)})`,
        (error: unknown) => {
          // An engine may have too little memory for all of them.
          console.log(String(error));
          return '–';
        },
      );
      cells.push(cell);
      console.log(`${platform}, ${running} running: ${cell}`);
    }
    rows.push([engineNames[platform] ?? platform, ...cells]);
  });
  return [['reports that run', ...counts.map(String)], ...rows];
}

async function onEachEngine(bench: (database: BenchDatabase, state: State) => Promise<void>): Promise<void> {
  const databases = await startBenchDatabases(rowCount);
  const dataFolder = await mkdtemp(path.join(tmpdir(), 'bench-state-'));
  try {
    const reports = await register(dataFolder, databases);
    for (const database of databases)
      await bench(database, { dataFolder, report: reports.get(database.platform) ?? {} });
  } finally {
    for (const { stop } of databases) await stop();
    await rm(dataFolder, { recursive: true });
  }
}

/** Registers every database and adds the restricted user; returns the reports by platform. */
async function register(dataFolder: string, databases: readonly BenchDatabase[]): Promise<Map<string, object>> {
  const server = await startServer({ dataFolder, password, ...builtServer });
  const admin = await server.login('admin', password);
  const reports = new Map<string, object>();
  for (const { platform, regserver } of databases) {
    const registered = await registerServer(admin, `Flights on ${platform}`, platform, {
      ...regserver,
      CommandTimeout: 600,
    });
    const reportType = await registerTable(admin, registered, { name: tableName, columns: fieldTypes });
    reports.set(platform, tableReport(registered, reportType, columns));
  }
  await addPolicy(admin, await addRestrictedUser(admin));
  await server.stop();
  return reports;
}

async function benchDatabase(database: BenchDatabase, state: State): Promise<void> {
  const { platform } = database;
  const floors: number[] = [];
  const plain: Reading[] = [];
  const secured: Reading[] = [];
  for (let round = 0; round < rounds; round += 1) {
    floors.push(await floorOf(database));
    plain.push(await read(state, 'admin', false));
    secured.push(await read(state, restricted, false));
  }
  const ms = plain.map((each) => each.ms);
  const bytes = plain[0]?.bytes ?? 0;
  const middle = `floor ${median(floors).toFixed(0)} ms, over HTTP ${median(ms).toFixed(0)} ms`;
  console.log(`${platform}: ${rowCount} rows, ${(bytes / 1e6).toFixed(1)} MB, ${middle}, medians of ${rounds}`);
  goal('ratio', `server.${platform}`, median(ms.map((each, at) => each / (floors[at] ?? NaN))), highest[platform] ?? 0);
  goal('ratio', `server.${platform}.rowSecurity`, median(secured.map((each, at) => each.ms / (ms[at] ?? NaN))), 1.25);
  goal('figure', `server.${platform}.peakMB`, median(plain.map((each) => each.peakBytes)) / 1e6, 200);
  // A database server has processors of its own, and would take those of the calls that are measured.
  letRunLast(database.processes);
  const busy: Reading[] = [];
  for (let round = 0; round < rounds; round += 1) busy.push(await read(state, 'admin', true));
  goal('figure', `server.${platform}.othersP99ms`, median(busy.map(({ others }) => percentile(others, 99))), 10);
}
