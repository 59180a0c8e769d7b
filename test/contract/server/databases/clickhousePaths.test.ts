import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { askClickhouse } from '../../../support/databases/clickhouseServer.ts';
import {
  type Registered,
  registerServer,
  registerTable,
  served,
  tableReport,
} from '../../../support/databases/livePlatforms.ts';
import { startModernClickhouse } from '../../../support/databases/modernClickhouse.ts';
import type { DatabaseServer } from '../../../support/databases/serverProcess.ts';
import { type SignedIn, startServer, type TestServer } from '../../../support/server.ts';

/* Every other way to the rows of a restricted table that a recent ClickHouse has: each is restricted, closed or computes nothing. */

const engine = 'ENGINE = MergeTree ORDER BY id';
const columns = 'id Int32, tenant String';
const all = 'SELECT id, tenant FROM sales';

/** Statements that make the ways to `sales`, by the name of the table or view. */
const ways: Readonly<Record<string, readonly string[]>> = {
  plain_view: [`CREATE VIEW plain_view AS ${all}`],
  forged_view: [`CREATE VIEW forged_view AS SELECT id, 'North' AS tenant FROM sales`],
  view_of_view: ['CREATE VIEW view_of_view AS SELECT * FROM plain_view'],
  expression_view: [`CREATE VIEW expression_view AS WITH every AS (${all}) SELECT * FROM every`],
  parameter_view: [`CREATE VIEW parameter_view AS ${all} WHERE id > {least:Int32}`],
  definer_view: [`CREATE VIEW definer_view DEFINER = CURRENT_USER SQL SECURITY DEFINER AS ${all}`],
  kept_view: [`CREATE MATERIALIZED VIEW kept_view ${engine} POPULATE AS ${all}`],
  filled: [`CREATE TABLE filled (${columns}) ${engine}`, `CREATE MATERIALIZED VIEW filling TO filled AS ${all}`],
  filling: [],
  refreshed: [`CREATE MATERIALIZED VIEW refreshed REFRESH EVERY 1 HOUR ${engine} AS ${all}`],
  merged: [`CREATE TABLE merged (${columns}) ENGINE = Merge(currentDatabase(), '^sales$')`],
  buffered: [`CREATE TABLE buffered AS sales ENGINE = Buffer(shop, sales, 1, 10, 100, 100, 1000, 10000, 100000)`],
  function_view: [`CREATE VIEW function_view AS SELECT id, tenant FROM merge('shop', '^sal')`],
  remote_view: [`CREATE VIEW remote_view AS SELECT id, tenant FROM remote('127.0.0.1', 'shop', 'sales')`],
  words: [
    `CREATE DICTIONARY words (${columns}) PRIMARY KEY id SOURCE(CLICKHOUSE(TABLE 'sales' DB 'shop')) LAYOUT(FLAT()) LIFETIME(0)`,
  ],
  dictionary_view: [
    `CREATE VIEW dictionary_view AS SELECT id, dictGet('shop.words', 'tenant', toUInt64(id)) AS tenant FROM places`,
  ],
  dictionary_column: [
    `CREATE TABLE dictionary_column (id Int32, tenant String ALIAS dictGet('shop.words', 'tenant', toUInt64(id))) ${engine}`,
    'INSERT INTO dictionary_column (id) VALUES (2)',
  ],
  other_name: ['SET allow_experimental_alias_table_engine = 1', 'CREATE TABLE other_name ENGINE = Alias(shop, sales)'],
};

let database: DatabaseServer | undefined;
let server: TestServer;
let admin: SignedIn;
let app: Registered;

beforeAll(async () => {
  database = await startModernClickhouse();
  if (!database) return;
  const run = (sql: string) => askClickhouse(database as DatabaseServer, sql);
  for (const table of ['sales', 'places']) await run(`CREATE TABLE ${table} (${columns}) ${engine}`);
  await run(`INSERT INTO sales VALUES (1, 'North'), (2, 'South')`);
  await run(`INSERT INTO places VALUES (7, 'any')`);
  await run('CREATE VIEW only_places AS SELECT id, tenant FROM places');
  for (const sql of Object.values(ways).flat()) await run(sql);
  await run('CREATE DATABASE archive');
  for (const name of ['sales', 'old_sales'])
    await run(`CREATE VIEW archive.${name} AS SELECT id, tenant FROM shop.sales`);
  server = await startServer();
  admin = await server.login('admin', server.adminPassword);
  app = await registerServer(admin, 'clickhouse', 'clickhouse', served('clickhouse', database).regserver);
  await restrict();
}, 300_000);
afterAll(async () => {
  await server?.stop();
  await database?.stop();
});
beforeEach(({ skip }) => skip(!database, 'ClickHouse 26.7 could not be installed'));

const record = z.record(z.string(), z.unknown());

/** Shows the admin, who runs the reports, the rows of North alone. */
async function restrict(): Promise<void> {
  const template = record.parse((await admin.call('Shield/NewPolicy')).json);
  const Constraints = [{ TableName: 'sales', ColumnName: 'tenant', Operator: '=', Value: 'North' }];
  const policy = { ...template, Name: 'Own rows', isActive: true, Constraints, Groups: [], Users: [] };
  const saved = await admin.call('Shield/SaveShieldPolicy', { policy, isDeepSave: true, groups: [], users: ['1'] });
  expect(saved.json).toMatchObject({ ErrorCode: '0' });
}

/** What a report of a table gives: the ids of its rows, or why there are none. */
async function read(name: string, owner = ''): Promise<number[] | string> {
  const reportType = await registerTable(admin, app, { name, owner, columns: { id: 'num', tenant: 'cha' } });
  const Report = tableReport(app, reportType, ['id', 'tenant']);
  const reply = record.parse((await admin.call('Report/GetReportData', { Reportobj: { Report } })).json);
  if (reply.HasError) return String(reply.ErrorMessage);
  const rows = z.array(z.looseObject({ id: z.number() })).parse(reply.Data);
  return rows.map(({ id }) => id).toSorted();
}

const held = /a policy restricts/;

describe('restricted rows of a recent ClickHouse', () => {
  it('are there to be found: a restricted table shows some, another one all', async () => {
    expect(await read('sales')).toEqual([1]);
    expect(await read('places')).toEqual([7]);
    expect(await read('only_places')).toEqual([7]);
  });

  it.each(Object.keys(ways))('are not shown by another way: %s', async (name) => {
    expect(await read(name)).toMatch(held);
  });

  it('are not shown by a view of another database, nor by hidden tables of materialised views', async () => {
    expect(await read('old_sales', 'archive')).toMatch(held);
    // The policy names no database, so it applies to a view of the same name.
    expect(await read('sales', 'archive')).toEqual([1]);
    if (!database) return;
    const hidden = await askClickhouse(database, `SELECT name FROM system.tables WHERE name LIKE '.inner%'`);
    const names = hidden.trim().split('\n');
    expect(names.length).toBeGreaterThanOrEqual(2);
    for (const name of names) expect(await read(name), name).toMatch(held);
  });
});
