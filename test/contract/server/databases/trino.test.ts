import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { Database } from '../../../../src/server/databases/database.ts';
import { Databases } from '../../../../src/server/databases/databases.ts';
import { anyFolder } from '../../../support/databases/anyFolder.ts';
import {
  type Registered,
  registerServer,
  registerTable,
  served,
  tableReport,
} from '../../../support/databases/livePlatforms.ts';
import type { DatabaseServer } from '../../../support/databases/serverProcess.ts';
import { runOnTrino, sharedTrino, trinoSchema } from '../../../support/databases/trinoPlatform.ts';
import { crowdedLogin, trinoOwner } from '../../../support/databases/trinoServer.ts';
import type { SharedTrino } from '../../../support/databases/trinoSetup.ts';
import { isFull } from '../../../support/run/soakSize.ts';
import { type SignedIn, startServer, type TestServer } from '../../../support/server.ts';
import { canMakeCertificates } from '../../../support/tls.ts';

/* What only a real Trino shows: its types, catalogs of other databases, its limits and its encryption. */

let trino: SharedTrino | undefined;
let memory: DatabaseServer;
let server: TestServer;
let admin: SignedIn;
let app: Registered;
const databases = new Databases(anyFolder);

beforeAll(async () => {
  trino = await sharedTrino();
  const own = await trinoSchema();
  if (!trino || !own) return;
  memory = own;
  await runOnTrino(memory, [
    'CREATE TABLE sales (id integer, tenant varchar, clerk integer)',
    `INSERT INTO sales VALUES (1, 'North', 7), (2, 'South', 8)`,
    'CREATE TABLE moments (id integer, at timestamp(6), amount decimal(38, 2), code char(5), mark uuid)',
    `INSERT INTO moments VALUES
       (1, '2026-02-03 04:05:06.000001', DECIMAL '123456789012345678901234567890123456.78', 'ab', '11111111-2222-3333-4444-555555555555'),
       (2, '2026-02-03 04:05:06.000002', DECIMAL '123456789012345678901234567890123456.79', 'ab', '21111111-2222-3333-4444-555555555555')`,
  ]);
  server = await startServer();
  admin = await server.login('admin', server.adminPassword);
  app = await registerServer(admin, 'trino', 'trino', served('trino', memory).regserver);
}, 300_000);
afterAll(async () => {
  await databases.close();
  await server?.stop();
});
beforeEach(({ skip }) => skip(!trino, 'Trino could not be installed'));

const record = z.record(z.string(), z.unknown());
const rowList = z.array(record);
const limits = () => ({ signal: new AbortController().signal, timeoutMs: 60_000 });

function open(
  database: string,
  more: { login?: string; port?: number; params?: string } = {},
  password = '',
): Promise<Database> {
  const { login = memory.login, port = memory.port, params = '' } = more;
  const place = { id: '1', displayName: 'Lake', platform: 'trino', host: `127.0.0.1:${port}`, database, login, params };
  return databases.at({ ...place, commandTimeout: 60, connectionTimeout: 20 }, () => password);
}

async function read(database: Database, sql: string): Promise<string> {
  const texts: string[] = [];
  for await (const { json } of await database.readJson({ sql, values: [] }, limits())) texts.push(String(json));
  return texts.join(',');
}

async function run(of: Registered, reportType: string, columns: readonly string[], change: object = {}) {
  const Report = { ...tableReport(of, reportType, columns), ...change };
  return record.parse((await admin.call('Report/GetReportData', { Reportobj: { Report } })).json);
}

async function restrictTo(Constraints: readonly object[]): Promise<void> {
  for (const policy of rowList.parse((await admin.call('Shield/GetAllShieldPolicies')).json))
    await admin.call('Shield/DeletePolicy', { policy });
  const template = record.parse((await admin.call('Shield/NewPolicy')).json);
  const policy = { ...template, Name: 'Own rows', isActive: true, Constraints, Groups: [], Users: [] };
  const saved = await admin.call('Shield/SaveShieldPolicy', { policy, isDeepSave: true, groups: [], users: ['1'] });
  expect(saved.json).toMatchObject({ ErrorCode: '0' });
}

/** SQL of a value, and what it becomes. */
const values: readonly (readonly [sql: string, json: string])[] = [
  [`DECIMAL '12345678901234567890123456789012345678'`, '12345678901234567890123456789012345678'],
  [`CAST(-0.5 AS decimal(38, 10))`, '-0.5000000000'],
  [`BIGINT '9223372036854775807'`, '9223372036854775807'],
  [`DOUBLE '1e300'`, '1e+300'],
  ['nan()', 'null'],
  ['-infinity()', 'null'],
  [`CAST('NaN' AS real)`, 'null'],
  ['true', 'true'],
  [`CAST('ab' AS char(5))`, '"ab   "'],
  [`'quote " backslash \\ 日本 🐘'`, '"quote \\" backslash \\\\ 日本 🐘"'],
  [`DATE '-0044-03-15'`, '"-0044-03-15"'],
  [`TIMESTAMP '2026-01-02 03:04:05'`, '"2026-01-02 03:04:05"'],
  [`TIMESTAMP '2026-01-02 03:04:05.123456'`, '"2026-01-02 03:04:05.123456"'],
  [`TIMESTAMP '2026-01-02 03:04:05.123456789012'`, '"2026-01-02 03:04:05.123456789012"'],
  [`TIMESTAMP '2026-01-02 03:04:05.100 UTC'`, '"2026-01-02 03:04:05.1Z"'],
  [`TIMESTAMP '2026-01-02 03:04:05.120 +05:30'`, '"2026-01-02 03:04:05.12+05:30"'],
  [`TIMESTAMP '2026-01-02 03:04:05 Europe/Berlin'`, '"2026-01-02 03:04:05 Europe/Berlin"'],
  [`TIME '01:02:03.120'`, '"01:02:03.12"'],
  [`TIME '01:02:03 +02:00'`, '"01:02:03+02:00"'],
  [`INTERVAL '3' DAY`, '"3 00:00:00.000"'],
  [`INTERVAL '1-2' YEAR TO MONTH`, '"1-2"'],
  [`UUID '11111111-2222-3333-4444-555555555555'`, '"11111111-2222-3333-4444-555555555555"'],
  [`JSON '{"a":[1,2]}'`, '"{\\"a\\":[1,2]}"'],
  [`ARRAY[1, NULL]`, '"[1,null]"'],
  [`MAP(ARRAY['k'], ARRAY[DECIMAL '1.5'])`, '"{\\"k\\":\\"1.5\\"}"'],
  [`CAST(ROW(9007199254740993, 'x') AS row(n bigint, t varchar))`, '"[9007199254740993,\\"x\\"]"'],
  [`IPADDRESS '10.0.0.1'`, '"10.0.0.1"'],
  [`x'01ab'`, '"01AB"'],
  ['CAST(NULL AS uuid)', 'null'],
];

describe('rows of Trino', () => {
  it('show every type, each with all its digits', async () => {
    const database = await open('memory');
    const columns = values.map(([sql], index) => `${sql} AS c${index}`);
    const cells = values.map(([, json], index) => `"c${index}":${json}`);
    expect(await read(database, `SELECT ${columns.join(', ')}`)).toBe(`{${cells.join(',')}}`);
  });

  it('are found by decimals of 38 digits, by microseconds and by padded texts', async () => {
    const columns = { id: 'num', at: 'dtz', amount: 'num', code: 'cha', mark: 'cha' };
    await registerTable(admin, app, { name: 'moments', columns });
    const found = async (column: string, Op: string, Value1: string, formula = '') => {
      const { FieldList } = tableReport(app, 'moments', ['id', column], { [column]: formula });
      const criteria = FieldList.map((each, index) => ({
        ...each,
        Criteria: index === 0 ? [] : [{ Index: 1, Op, Value1 }],
      }));
      const { Data, ErrorMessage } = await run(app, 'moments', [], { FieldList: criteria });
      expect(ErrorMessage).toBeNull();
      return rowList.parse(Data).map(({ id }) => id);
    };
    expect(await found('amount', '>', '123456789012345678901234567890123456.78')).toEqual([2]);
    expect(await found('at', '>', '2026-02-03 04:05:06.000001')).toEqual([2]);
    expect(await found('code', '=', 'ab')).toHaveLength(2);
    expect(await found('mark', '=', '21111111-2222-3333-4444-555555555555', 'CAST([mark] AS TEXT)')).toEqual([2]);
  });
});

describe('a catalog of Trino that shows another database', () => {
  it('is joined with one in memory, and holds row security whatever the other database takes for equal', async () => {
    if (!trino) return;
    const { login: user, ...rest } = trino.postgresql;
    const client = new pg.Client({ ...rest, user });
    await client.connect();
    const behind = await trinoSchema('postgresql');
    if (!behind) return;
    const schema = behind.database.replace('postgresql.', '');
    await client.query(`CREATE COLLATION "${schema}".anycase (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
      CREATE TABLE "${schema}".clerks (id integer, tenant text COLLATE "${schema}".anycase);
      INSERT INTO "${schema}".clerks VALUES (7, 'North'), (8, 'north'), (9, 'South')`);
    await client.end();
    const other = await registerServer(admin, 'behind', 'trino', served('trino', behind).regserver);
    await registerTable(admin, other, { name: 'clerks', columns: { id: 'num', tenant: 'cha' } });
    await runOnTrino(memory, [
      `CREATE VIEW joined AS SELECT s.id, s.tenant, c.tenant AS clerk FROM sales s JOIN ${behind.database}.clerks c ON s.clerk = c.id`,
    ]);
    await registerTable(admin, app, { name: 'joined', columns: { id: 'num', tenant: 'cha', clerk: 'cha' } });
    const { Data } = await run(app, 'joined', ['id', 'clerk']);
    expect(rowList.parse(Data).toSorted((one, two) => Number(one.id) - Number(two.id))).toEqual([
      { id: 1, clerk: 'North' },
      { id: 2, clerk: 'north' },
    ]);
    for (const [Operator, Value, ids] of [
      ['=', 'North', [7]],
      ['in', 'North,West', [7]],
      ['<>', 'North', [8, 9]],
      ['like', 'N%', [7]],
    ] as const) {
      await restrictTo([{ TableName: 'clerks', ColumnName: 'tenant', Operator, Value }]);
      const shown = await run(other, 'clerks', ['id']);
      expect(
        rowList
          .parse(shown.Data)
          .map(({ id }) => id)
          .toSorted(),
        Operator,
      ).toEqual(ids);
      expect((await run(app, 'joined', ['id'])).ErrorMessage).toMatch(/a policy restricts/);
    }
    await restrictTo([]);
  });

  it.each([
    ['another table', 'memory', 'sales_copy', ''],
    ['a hidden table', 'memory', 'sales$partitions', ''],
    ['a catalog of the other database', 'postgresql', 'pg_stats', 'pg_catalog'],
    ['names of tables', 'memory', 'tables', 'information_schema'],
    ['texts of queries', 'system', 'queries', 'runtime'],
    ['a table function', 'postgresql', `TABLE(system.query(query => 'SELECT 1 AS id'))`, ''],
    ['an unknown table', 'tpch', 'nation', 'tiny'],
  ])('is closed as soon as a policy restricts rows: %s', async (title, catalog, name, owner) => {
    const database = catalog === 'memory' ? memory.database : catalog;
    const other = await registerServer(admin, title, 'trino', served('trino', { ...memory, database }).regserver);
    await registerTable(admin, other, { name, owner, columns: { id: 'num' }, as: title });
    await restrictTo([
      { ModuleID: app.moduleId, TableName: 'sales', ColumnName: 'tenant', Operator: '=', Value: 'North' },
    ]);
    const { ErrorMessage, Data } = await run(other, title, ['id']);
    expect(ErrorMessage).toMatch(/a policy restricts/);
    expect(Data).toEqual([]);
    await restrictTo([]);
  });

  it('says so when the other database is away', async () => {
    const database = await open('away');
    const reading = read(database, 'SELECT id FROM public.clerks');
    await expect(reading).rejects.toThrow('Lake cannot read from the database behind its catalog; check that it runs');
  });
});

// It computes for 20 seconds until its memory is full.
describe.runIf(isFull)('the limits of Trino', () => {
  it('name memory and a full queue', async () => {
    const sql = `SELECT cardinality(array_agg(rpad(comment, 5000, 'x'))) AS x FROM tpch.sf1.lineitem`;
    await expect(read(await open('memory'), sql)).rejects.toThrow(
      'The query needs more memory than Lake may use for it',
    );

    const crowded = await open('tpch', { login: crowdedLogin });
    const caller = new AbortController();
    const first = crowded.readJson(
      { sql: 'SELECT orderkey AS x FROM tpch.sf100.lineitem', values: [] },
      { signal: caller.signal, timeoutMs: 60_000 },
    );
    const rows = await first;
    await expect(read(crowded, 'SELECT 1 AS x')).rejects.toThrow(
      'Lake has too many queries already; run the report again later',
    );
    caller.abort();
    await expect(rows[Symbol.asyncIterator]().next()).rejects.toMatchObject({ kind: 'cancelled' });
  }, 120_000);
});

describe.skipIf(!canMakeCertificates)('Trino over HTTPS', () => {
  it('takes a password, and is trusted only by a known certificate', async () => {
    if (!trino) return;
    const { login, password } = trinoOwner;
    const place = { login, port: trino.httpsPort, params: 'tls=require' };
    expect(await read(await open('memory', place, password), 'SELECT current_user AS x')).toBe(`{"x":"${login}"}`);
    // Databases are opened once per address: another one asks for the password again.
    const again = open('tpch', place, 'wrong');
    await expect(again).rejects.toThrow('the login or its password is refused');
    await expect(open('tpch', { ...place, params: 'tls=verify' }, password)).rejects.toThrow(
      /cannot connect.*(certificate|UNABLE_TO_VERIFY)/i,
    );
  });
});
