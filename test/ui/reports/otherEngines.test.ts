import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { askClickhouse } from '../../support/databases/clickhouseServer.ts';
import { registerServer, served, tableReport } from '../../support/databases/livePlatforms.ts';
import { startModernClickhouse } from '../../support/databases/modernClickhouse.ts';
import type { DatabaseServer } from '../../support/databases/serverProcess.ts';
import { askTrino, startTrino } from '../../support/databases/trinoServer.ts';
import { isFull } from '../../support/run/soakSize.ts';
import { type SignedIn, startServer, type TestServer } from '../../support/server.ts';
import { projectRoot } from '../../support/vscodeHost/paths.ts';
import { ResultsPage, showsRows } from '../../support/webview/resultsPage.ts';
import { addServer } from '../../support/workbench/addServer.ts';
import { returnWorkbench, shareWorkbench } from '../../support/workbench/sharedWorkbench.ts';
import type { Workbench } from '../../support/workbench/workbench.ts';

/* Reports that join tables on engines for much data, opened in the editor. Trino starts in `npm run soak` only. */

type Table = readonly [name: string, owner: string, columns: Readonly<Record<string, string>>];

/** A report of two tables, the columns of which have different names. */
interface JoinedReport {
  name: string;
  platform: string;
  tables: readonly [Table, Table];
  on: readonly [left: string, right: string];
}

const strikes: JoinedReport = {
  name: 'Costs by Airport',
  platform: 'clickhouse',
  tables: [
    ['birdstrikes', '', { strike_id: 'num', flight_date: 'doz', species: 'cha', cost_total: 'cur', airport: 'cha' }],
    ['airports', '', { iata: 'cha', city: 'cha', latitude: 'num' }],
  ],
  on: ['airport', 'iata'],
};
const budgets: JoinedReport = {
  name: 'Budgets by Nation',
  platform: 'trino',
  tables: [
    ['budgets', '', { nation: 'num', amount: 'cur', since: 'doz' }],
    ['nation', 'tpch.tiny', { nationkey: 'num', name: 'cha' }],
  ],
  on: ['nation', 'nationkey'],
};

const record = z.record(z.string(), z.unknown());
let workbench: Workbench;
let server: TestServer;
let folder: string;
const engines: DatabaseServer[] = [];
/** Columns of the sample's rows, as DuckDB joins them. */
let wanted: string[][] = [];

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'other-engines-'));
  await chmod(folder, 0o755);
  server = await startServer({ allowOrigin: 'none' });
  const admin = await server.login('admin', server.adminPassword);
  const clickhouse = await startModernClickhouse();
  if (clickhouse) {
    engines.push(clickhouse);
    await copySample(clickhouse);
    await addReport(admin, clickhouse, strikes);
  }
  const trino = isFull ? await startTrino() : undefined;
  if (trino) {
    const { port, stop } = trino;
    const lake = { host: '127.0.0.1', port, login: 'ann', password: '', database: 'memory.default', stop };
    engines.push(lake);
    await askTrino(trino.port, 'CREATE TABLE budgets (nation bigint, amount decimal(12, 2), since date)');
    await askTrino(trino.port, `INSERT INTO budgets VALUES (7, 1250.50, DATE '2026-03-01'), (6, -3, NULL)`);
    await addReport(admin, lake, budgets);
  }
  workbench = await shareWorkbench({ theme: 'light', size: { width: 1400, height: 800 } });
  await workbench.openContainer('Analytics');
  await addServer(workbench, { url: server.url, password: server.adminPassword });
  await workbench.expand('Public');
}, 300_000);
afterAll(async () => {
  await returnWorkbench(workbench);
  await server.stop();
  for (const engine of engines) await engine.stop();
  await rm(folder, { recursive: true });
}, 120_000);

/** Copies two tables of the sample, and keeps what DuckDB answers. */
async function copySample(clickhouse: DatabaseServer): Promise<void> {
  const sample = path.join(projectRoot, 'dist', 'sample', 'sample.duckdb');
  const instance = await DuckDBInstance.create(sample, { access_mode: 'READ_ONLY' });
  const connection = await instance.connect();
  const types: Readonly<Record<string, string>> = { num: 'Float64', cur: 'Decimal(12, 2)', doz: 'Date32' };
  for (const [table, , columns] of strikes.tables) {
    const file = path.join(folder, `${table}.csv`);
    const names = Object.keys(columns).join(', ');
    await connection.run(`COPY (SELECT ${names} FROM ${table}) TO '${file}' (HEADER false)`);
    await chmod(file, 0o644);
    const definitions = Object.entries(columns).map(([name, code]) => `${name} Nullable(${types[code] ?? 'String'})`);
    const structure = definitions.join(', ');
    await askClickhouse(clickhouse, `CREATE TABLE ${table} (${structure}) ENGINE = MergeTree ORDER BY tuple()`);
    await askClickhouse(clickhouse, `INSERT INTO ${table} SELECT * FROM file('${file}', 'CSV', '${structure}')`);
  }
  const joined = await connection.runAndReadAll(`SELECT strike_id, species, city FROM birdstrikes
    JOIN airports ON airport = iata ORDER BY strike_id LIMIT 5`);
  wanted = joined.getRows().map((row) => row.map((value) => String(value).replaceAll(',', '')));
  connection.closeSync();
  instance.closeSync();
}

/** Registers a database with a report type of two tables and saves a report of all its columns, sorted by the first. */
async function addReport(admin: SignedIn, database: DatabaseServer, report: JoinedReport): Promise<void> {
  const { name, platform, tables, on } = report;
  const app = await registerServer(admin, `App of ${platform}`, platform, served(platform, database).regserver);
  const aliases = ['a', 'b'] as const;
  const columns = tables.flatMap(([, , each], table) =>
    Object.entries(each).map(([column, type]) => ({ column, type, alias: aliases[table] })),
  );
  const reportType = {
    ...{ Moduleid: Number(app.moduleId), RepTypeID: 0, RepTypeName: name },
    SQLTables: tables.map(([tablename, tableowner], table) => ({ tablename, tableowner, tablealias: aliases[table] })),
    Joins: [{ kind: 'inner', leftAlias: 'a', leftColumn: on[0], rightAlias: 'b', rightColumn: on[1] }],
    FieldTree: columns.map(({ column, type, alias }, index) => ({
      ...{ id: index + 1, idx_order: index + 1, flevel: '0', nodetype: 'F' },
      ...{ tablealias: alias, sqlfieldname: column, fname: column, datatype: type },
    })),
  };
  const saved = await admin.call('AppBuilder/SaveAnyDbModule', { anydbmodule: { ReportTypes: [reportType] } });
  expect(saved.json).toBe(1);
  const shown = columns.map(({ column }) => column);
  const plain = tableReport(app, name, shown);
  const FieldList = plain.FieldList.map((field, index) => ({
    ...field,
    ...{ DbTableAlias: columns[index]?.alias, Fieldtype: columns[index]?.type },
    ...(index === 0 && { sortorder: 'asc' }),
  }));
  const trees = z
    .array(z.looseObject({ rootnode: z.looseObject({ id: z.number() }) }))
    .parse((await admin.call('library/GetAllLibraryTree')).json);
  const template = record.parse((await admin.call('Report/NewReport')).json);
  const whole = { ...template, ...plain, FieldList, Reportname: name, folderid: trees[0]?.rootnode.id };
  expect((await admin.call('Report/SaveReport', { report: whole })).json).toMatchObject({ ErrorCode: 0 });
}

describe('a report that joins two tables of ClickHouse', () => {
  beforeEach(({ skip }) => skip(wanted.length === 0, 'the engine of ClickHouse could not be installed'));

  it('shows the rows that DuckDB joins', async () => {
    const page = await ResultsPage.run(workbench, strikes.name);
    await page.isDone();
    const columns = await Promise.all(['strike_id', 'species', 'city'].map((title) => page.column(title)));
    const rows = wanted.map((_, at) => columns.map((column) => (column[at] ?? '').replaceAll(',', '')));
    expect(rows).toEqual(wanted);
    await workbench.screenshot('clickhouse-join-light');
    await workbench.palette('View: Close All Editors');
  });
});

if (isFull) {
  describe('a report over two catalogs of Trino', () => {
    it('shows their rows', async () => {
      const page = await ResultsPage.run(workbench, budgets.name);
      await page.isDone();
      await showsRows(
        page,
        ['nation', 'name'],
        [
          ['6', 'FRANCE'],
          ['7', 'GERMANY'],
        ],
      );
      await workbench.screenshot('trino-catalogs-light');
      await workbench.palette('View: Close All Editors');
    });
  });
}
