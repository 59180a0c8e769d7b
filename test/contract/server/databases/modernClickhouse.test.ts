import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { neededSettings, readSettings, settingsSql } from '../../../../src/server/databases/clickhouse/settings.ts';
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

/* What only recent releases of ClickHouse have: days before 1970, moments with a fraction and a zone, wide numbers. */

const setup = [
  `CREATE TABLE moments (id Int32, day Date, far Nullable(Date32), late Nullable(Date32), tokyo DateTime64(3, 'Asia/Tokyo'),
     utc DateTime('UTC'), fine DateTime64(9, 'UTC')) ENGINE = MergeTree ORDER BY id`,
  `INSERT INTO moments VALUES (1, '2026-02-03', '1925-05-06', '2199-12-31', '2026-02-03 23:59:58.123', '2026-02-03 10:20:30',
     '2026-02-03 10:20:30.123456789'),
     (2, '1970-01-01', NULL, NULL, '1931-08-09 01:02:03.000', '1970-01-01 00:00:00', '1970-01-01 00:00:00')`,
  `CREATE TABLE numbers (id Int32, wide Int128, huge UInt256, exact Decimal(76, 10), yes Bool) ENGINE = MergeTree ORDER BY id`,
  `INSERT INTO numbers VALUES (1, '170141183460469231731687303715884105727',
     '115792089237316195423570985008687907853269984665640564039457584007913129639935', '1234567890123456789012345678901234567890.0123456789', true),
     (2, '-170141183460469231731687303715884105728', '0', '-0.5', false)`,
  'CREATE TABLE prices (id Int32, price Decimal(12, 2)) ENGINE = MergeTree ORDER BY id',
  'INSERT INTO prices VALUES (1, 2.5), (2, 7)',
  'CREATE TABLE sums (id Int32, amount Decimal(38, 2), pieces Int64, stock UInt64) ENGINE = MergeTree ORDER BY id',
  `INSERT INTO sums VALUES (1, '999999999999999999999999999999999999.99', 9223372036854775807, 18446744073709551615),
     (1, '999999999999999999999999999999999999.99', 9223372036854775807, 18446744073709551615)`,
  `CREATE TABLE things (id Int32, code FixedString(8), maybe Nullable(FixedString(4)), tags Array(String), pairs Map(String, String),
     pair Tuple(a String, b String), either Variant(Int32, String), kind Enum8('one' = 1), key UUID, place IPv4,
     fine Decimal(38, 30)) ENGINE = MergeTree ORDER BY id`,
  `INSERT INTO things VALUES (1, 'North', 'a', ['x', 'y"'], {'k': 'v'}, ('s', 't'), 'text', 'one',
     '5a3b0f6e-3c5b-4a57-9d0a-0a4c8f2d9e11', '10.0.0.1', 2.5), (2, '', NULL, [], {}, ('', ''), 7, 'one',
     '00000000-0000-0000-0000-000000000000', '0.0.0.0', 99999999)`,
];

let database: DatabaseServer | undefined;
let server: TestServer;
let admin: SignedIn;
let app: Registered;

beforeAll(async () => {
  database = await startModernClickhouse();
  if (!database) return;
  for (const sql of setup) await askClickhouse(database, sql);
  server = await startServer();
  admin = await server.login('admin', server.adminPassword);
  app = await registerServer(admin, 'clickhouse', 'clickhouse', served('clickhouse', database).regserver);
  const moments = { id: 'num', day: 'doz', far: 'doz', late: 'doz', tokyo: 'dtz', utc: 'dtz', fine: 'dtz' };
  await registerTable(admin, app, { name: 'moments', columns: moments });
  const numbers = { id: 'num', wide: 'num', huge: 'num', exact: 'num', yes: 'cha' };
  await registerTable(admin, app, { name: 'numbers', columns: numbers });
  await registerTable(admin, app, { name: 'prices', columns: { id: 'num', price: 'cur' } });
  const amounts = { id: 'num', amount: 'cur', pieces: 'num', stock: 'num' };
  await registerTable(admin, app, { name: 'sums', columns: amounts });
  const texts = {
    code: 'cha',
    maybe: 'cha',
    tags: 'cha',
    pairs: 'cha',
    pair: 'cha',
    either: 'cha',
    kind: 'cha',
    key: 'cha',
  };
  const columns = { id: 'num', fine: 'num', place: 'cha', ...texts };
  await registerTable(admin, app, { name: 'things', columns });
}, 300_000);
afterAll(async () => {
  await server?.stop();
  await database?.stop();
});
beforeEach(({ skip }) => skip(!database, 'ClickHouse 26.7 could not be installed'));

const result = z.object({
  HasError: z.boolean(),
  ErrorMessage: z.string().nullable(),
  Columns: z.array(z.object({ headerText: z.string(), key: z.string() })),
  Data: z.array(z.record(z.string(), z.unknown())),
});

/** Runs a report of the columns and formulas; rows in order of their id, by column title, with every digit that was sent. */
async function rows(table: string, columns: readonly string[], formulas: Readonly<Record<string, string>> = {}) {
  const report = tableReport(app, table, ['id', ...columns, ...Object.keys(formulas)], formulas);
  const FieldList = report.FieldList.map((field) => ({
    ...field,
    DbFieldName: field.DbFieldName in formulas ? 'id' : field.DbFieldName,
  }));
  const { text } = await admin.call('Report/GetReportData', { Reportobj: { Report: { ...report, FieldList } } });
  const digits = text.replace(/([:[,]\s*)(-?\d[\d.]*)(?=[,}\]])/g, '$1"$2"');
  const { HasError, ErrorMessage, Columns, Data } = result.parse(JSON.parse(digits));
  expect(HasError, ErrorMessage ?? '').toBe(false);
  const found = Data.map((row) => Object.fromEntries(Columns.map(({ headerText, key }) => [headerText, row[key]])));
  return found.toSorted((one, other) => Number(one.id) - Number(other.id));
}

describe('a recent ClickHouse', () => {
  it('has the other settings that reports need, for a login that may change none', async () => {
    if (!database) return;
    const settings = readSettings((await askClickhouse(database, settingsSql)).split('\n'));
    expect(neededSettings(new Map([...settings, ['readonly', '1']]))).toEqual({ join_use_nulls: '1' });
  });

  it('computes the parts of dates and of moments in the zone of their column', async () => {
    const formulas = {
      hourOfDay: 'HOUR([day])',
      minuteOfFar: 'MINUTE([far])',
      hour: 'HOUR([tokyo])',
      minute: 'MINUTE([tokyo])',
      utcHour: 'HOUR([utc])',
      dateOf: 'DATEONLY([tokyo])',
      month: 'MONTHSTART([far])',
      quarter: 'QUARTERSTART([far])',
      year: 'YEARSTART([late])',
      days: 'DAYSBETWEEN([far], [late])',
    };
    const [first, second] = await rows('moments', [], formulas);
    const days = (Date.UTC(2199, 11, 31) - Date.UTC(1925, 4, 6)) / 86_400_000;
    expect(first).toMatchObject({ hourOfDay: '0', minuteOfFar: '0', hour: '23', minute: '59', utcHour: '10' });
    expect(first).toMatchObject({ dateOf: '2026-02-03', month: '1925-05-01', quarter: '1925-04-01' });
    expect(first).toMatchObject({ year: '2199-01-01', days: String(days) });
    expect(second).toMatchObject({ minuteOfFar: null, hour: '1', dateOf: '1931-08-09', month: null, days: null });
  });

  it('finds the largest moment, and that of a formula, by what it shows in its zone', async () => {
    const found = async (column: string, formula: string, strGroup: string, Value1: string) => {
      const report = tableReport(app, 'moments', ['id', column], { [column]: formula });
      const criteria = [{ Op: '=', Value1, Index: 0 }];
      const FieldList = report.FieldList.map((field, index) =>
        index === 0 ? { ...field, strGroup: 'COUNT' } : { ...field, strGroup, Criteria: criteria },
      );
      const { json } = await admin.call('Report/GetReportData', { Reportobj: { Report: { ...report, FieldList } } });
      const { HasError, ErrorMessage, Data } = result.parse(json);
      expect(HasError, ErrorMessage ?? '').toBe(false);
      return Data.length;
    };
    const shown = '2026-02-03 23:59:58.123';
    expect(await found('tokyo', '', 'MAX', shown)).toBe(1);
    expect(await found('tokyo', '', 'MAX', '2026-02-03 14:59:58.123')).toBe(0);
    expect(await found('tokyo', 'IIF([id] = 1, [tokyo], [tokyo])', '', shown)).toBe(1);
    expect(await found('utc', '', 'MAX', '2026-02-03 10:20:30')).toBe(1);
    expect(await found('late', '', 'MAX', '2199-12-31')).toBe(1);
    expect(await found('fine', '', 'MAX', '2026-02-03 10:20:30.123456')).toBe(0);
    expect(await found('fine', '', 'MIN', '1970-01-01 00:00:00')).toBe(1);
  });

  it('reads texts as dates and moments before 1970', async () => {
    const [row] = await rows('moments', [], {
      day: "CAST('1925-05-06' AS DATE)",
      none: "CAST('2026-02-31' AS DATE)",
      moment: "HOUR(CAST('1925-05-06 07:08:09' AS TIMESTAMP))",
    });
    expect(row).toMatchObject({ day: '1925-05-06', none: null, moment: '7' });
  });

  it('compares a decimal with a list of numbers, one of which is too large for its type', async () => {
    const criteria = { Op: 'in', Value1: "'-3','7','9007199254740993'", Value2: '', Logical: 'AND', Index: 0 };
    const report = tableReport(app, 'prices', ['id', 'price']);
    const FieldList = report.FieldList.map((field, index) => ({ ...field, Criteria: index === 1 ? [criteria] : [] }));
    const { json } = await admin.call('Report/GetReportData', { Reportobj: { Report: { ...report, FieldList } } });
    const { HasError, ErrorMessage, Data } = result.parse(json);
    expect([HasError, ErrorMessage]).toEqual([false, null]);
    expect(Data).toHaveLength(1);
  });

  it('shows wide numbers and decimals with every digit', async () => {
    const [first, second] = await rows('numbers', ['wide', 'huge', 'exact', 'yes']);
    expect(first).toMatchObject({
      wide: '170141183460469231731687303715884105727',
      huge: '115792089237316195423570985008687907853269984665640564039457584007913129639935',
      exact: '1234567890123456789012345678901234567890.0123456789',
    });
    expect(second).toMatchObject({ wide: '-170141183460469231731687303715884105728', huge: '0', exact: '-0.5' });
  });

  it('shows texts of a fixed length without the zero bytes that fill them, and structures as JSON', async () => {
    const columns = ['code', 'maybe', 'tags', 'pairs', 'pair', 'either', 'kind', 'key', 'place'];
    const [first, second] = await rows('things', columns);
    expect(first).toMatchObject({ code: 'North', maybe: 'a', either: 'text', kind: 'one', place: '10.0.0.1' });
    expect(first).toMatchObject({ key: '5a3b0f6e-3c5b-4a57-9d0a-0a4c8f2d9e11' });
    const structures = [first?.tags, first?.pairs, first?.pair].map((text) => JSON.parse(String(text)) as unknown);
    expect(structures[0]).toEqual(['x', 'y"']);
    expect(structures[1]).toEqual({ k: 'v' });
    expect(structures[2]).toEqual({ a: 's', b: 't' });
    expect(second).toMatchObject({ code: '', maybe: null, tags: '[]', pairs: '{}' });
  });

  it('computes with what texts of a fixed length show', async () => {
    const formulas = {
      length: 'LENGTH([code])',
      joined: "CONCAT([code], '|', [maybe], '|')",
      right: 'RIGHT([code], 2)',
      same: "IIF([code] = 'North', 'yes', 'no')",
      first: "COALESCE([maybe], 'none')",
      replaced: "REPLACE([code], 'th', 'se')",
    };
    const found = await rows('things', ['code'], formulas);
    expect(found).toMatchObject([
      { length: '5', joined: 'North|a|', right: 'th', same: 'yes', first: 'a', replaced: 'Norse' },
      { length: '0', joined: '||', right: '', same: 'no', first: 'none', replaced: '' },
    ]);
    for (const [formula, Op, Value1, ids] of [
      ['', 'ends with', 'th', [1]],
      ['', 'not contains', 'North', [2]],
      ['UPPER([code])', '=', 'NORTH', [1]],
      ["CONCAT([code], '!')", 'in', "'North!','!'", [1, 2]],
    ] as const) {
      const { FieldList, ...report } = tableReport(app, 'things', ['id', 'code'], { code: formula });
      const asked = FieldList.map((field, index) => ({
        ...field,
        Criteria: index === 1 ? [{ Op, Value1, Index: 0 }] : [],
      }));
      const Report = { ...report, FieldList: asked };
      const { json } = await admin.call('Report/GetReportData', { Reportobj: { Report } });
      const { ErrorMessage, Data } = result.parse(json);
      expect(ErrorMessage, formula).toBeNull();
      expect(Data.map(({ id }) => Number(id)).toSorted(), `${formula} ${Op}`).toEqual(ids);
    }
  });

  it('adds numbers whose sum has more digits than their type', async () => {
    const report = tableReport(app, 'sums', ['id', 'amount', 'pieces', 'stock', 'more'], { more: 'SUM([amount]) - 1' });
    const FieldList = report.FieldList.map((field, index) => ({
      ...field,
      DbFieldName: field.DbFieldName === 'more' ? 'id' : field.DbFieldName,
      strGroup: index === 0 || index === 4 ? '' : 'SUM',
      Criteria: field.DbFieldName === 'amount' ? [{ Op: '>', Value1: '1', Index: 0 }] : [],
    }));
    const { text } = await admin.call('Report/GetReportData', { Reportobj: { Report: { ...report, FieldList } } });
    expect(text).toContain('1999999999999999999999999999999999999.98');
    expect(text).toContain('18446744073709551614');
    expect(text).toContain('36893488147419103230');
  });

  it('takes decimals of many places as counts, and rounds them', async () => {
    const formulas = { left: "LEFT('abcdef', [fine])", rest: "SUBSTRING('abcdef', [fine])", whole: 'ROUND([fine])' };
    const found = await rows('things', [], {
      ...formulas,
      cast: 'CAST([fine] AS INTEGER)',
      text: 'CAST([fine] AS TEXT)',
    });
    expect(found).toMatchObject([
      { left: 'abc', rest: 'cdef', whole: '3', cast: '3', text: '2.5' },
      { left: 'abcdef', rest: '', whole: '99999999', cast: '99999999', text: '99999999' },
    ]);
  });
});
