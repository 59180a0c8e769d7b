import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Report } from '../../../../src/contract/resources/report.ts';
import { reportResult } from '../../../../src/contract/resources/reportResult.ts';
import { type Database, DatabaseError } from '../../../../src/server/databases/database.ts';
import { cacheMinutes, ResultCache } from '../../../../src/server/reports/resultCache.ts';
import { type ReportRun, startReport } from '../../../../src/server/reports/runReport.ts';
import { duckdbDialect } from '../../../../src/server/reports/sql/duckdbDialect.ts';
import { MemoryDatabase } from '../../../support/reports/memoryDatabase.ts';
import { plan } from '../../../support/reports/runPlan.ts';
import { shopField, shopReport, writeShop } from '../../../support/reports/shopData.ts';

let database: MemoryDatabase;

beforeAll(async () => {
  database = await MemoryDatabase.open();
  const sale = (tenant: string, amount: number, pieces: number | bigint) => ({
    id: 1,
    tenant,
    amount,
    pieces: BigInt(pieces),
  });
  await writeShop(database.connection, 'shop', {
    sales: [sale('North', 1.5, 9007199254740993n), sale('North', 2, 1), sale('South', 6.5, 2)],
    stores: [],
    clerks: [],
  });
  await database.connection.run('USE shop');
});
afterAll(() => database.close());

function run(report: Report, more: Partial<ReportRun> = {}): ReportRun {
  return {
    report,
    plan: plan(report),
    dialect: duckdbDialect,
    source: '1',
    database: () => Promise.resolve(database),
    options: { signal: new AbortController().signal, timeoutMs: 1000 },
    isTopLevel: true,
    cache: undefined,
    ...more,
  };
}

async function textOf(wanted: ReportRun): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const chunk of await startReport(wanted)) pieces.push(Buffer.from(chunk));
  return Buffer.concat(pieces).toString();
}

async function resultOf(wanted: ReportRun) {
  return reportResult.parse(JSON.parse(await textOf(wanted)));
}

const amounts = shopReport([shopField('s.tenant', { grouped: 1 }), shopField('s.amount')], {
  ReportID: '12',
  OutputType: 12,
});
const total = { type: 'total', func: 'SUM', field1: 'Amount', percent: true, addgtotal: true };

describe('a run', () => {
  it('gives columns, rows and the envelope behind them', async () => {
    expect(await resultOf(run(amounts))).toMatchObject({
      ErrorCode: 0,
      ErrorMessage: null,
      HasError: false,
      ReportID: '12',
      OutputType: 12,
      Columns: [
        { headerText: 'Tenant', key: 's_tenant', dataType: 'string', yurbitype: 'cha' },
        { headerText: 'Amount', key: 's_amount', dataType: 'number', yurbitype: 'cur', dataFormatString: 'c2' },
      ],
      Data: [
        { s_tenant: 'North', s_amount: 1.5 },
        { s_tenant: 'North', s_amount: 2 },
        { s_tenant: 'South', s_amount: 6.5 },
      ],
      groups: ['s_tenant'],
      GroupMetadata: [],
      IsFromCache: false,
      IsTopLevel: true,
      ContainsDrilldown: false,
      etime: expect.stringMatching(/^\d+$/) as unknown,
      dbtime: expect.stringMatching(/^\d+$/) as unknown,
    });
  });

  it('adds totals and shares per group and for the whole', async () => {
    const { GroupMetadata } = await resultOf(run({ ...amounts, AdHocFields: [total] }));
    const sum = (val: number, percent: number) => [{ key: 's_amount', func: 'SUM', val, percent }];
    expect(GroupMetadata).toEqual([
      { level: 0, keys: [], totals: sum(10, 100) },
      { level: 1, keys: [{ key: 's_tenant', val: 'North' }], totals: sum(3.5, 35) },
      { level: 1, keys: [{ key: 's_tenant', val: 'South' }], totals: sum(6.5, 65) },
    ]);
  });

  it('keeps the digits of large totals', async () => {
    const most = { type: 'total', func: 'MAX', field1: 'Pieces' };
    const text = await textOf(run(shopReport([shopField('s.pieces')], { AdHocFields: [most] })));
    expect(text).toContain('"func":"MAX","val":9007199254740993');
  });

  it('tells behind the rows that it failed on the way, in words that hold no data', async () => {
    const failing = (error: Error): Database => ({
      ...database,
      async readJson() {
        async function* rows() {
          yield { count: 1, json: '{"s_tenant":"North","s_amount":1}' };
          throw error;
        }
        return rows();
      },
      tables: () => Promise.resolve([]),
      columns: () => Promise.resolve([]),
      relations: () => database.relations(),
      close: () => Promise.resolve(),
    });
    const told = new DatabaseError('timeout', 'Shop stopped the query after 1 s');
    const runWith = (error: Error) => resultOf(run(amounts, { database: () => Promise.resolve(failing(error)) }));
    expect(await runWith(told)).toMatchObject({
      ErrorCode: 0,
      HasError: true,
      ErrorMessage: told.message,
      Data: [{ s_amount: 1 }],
    });
    expect((await runWith(new Error('canary'))).ErrorMessage).toBe('The server could not complete the result');
  });
});

describe('a column that is registered as a text and holds something else', () => {
  const shown = (column: string) => `shown(${column})`;
  const dialect = { ...duckdbDialect, ofOtherTypes: { ...duckdbDialect, comparedText: shown } };
  const filtered = shopReport([shopField('s.tenant', { grouped: 1, Criteria: [{ Op: '=', Value1: 'North' }] })], {
    AdHocFields: [{ type: 'total', func: 'COUNT', field1: 'Tenant', addgtotal: true }],
  });
  /** Runs the report on a database that refuses queries. @returns the queries that it was asked, and its answer. */
  async function asked(refusal: (sql: string) => DatabaseError | undefined) {
    const queries: string[] = [];
    const readJson: Database['readJson'] = ({ sql }) => {
      queries.push(sql);
      const problem = refusal(sql);
      if (problem) return Promise.reject(problem);
      return Promise.resolve(
        (async function* rows() {
          yield { count: 1, json: '{}' };
        })(),
      );
    };
    const refusing: Database = {
      readJson,
      tables: () => Promise.resolve([]),
      columns: () => Promise.resolve([]),
      relations: () => database.relations(),
      close: () => Promise.resolve(),
    };
    const answer = await resultOf(run(filtered, { dialect, database: () => Promise.resolve(refusing) })).catch(String);
    return { queries: queries.map((sql) => sql.includes('shown(')), answer };
  }

  it('is compared by what it shows after one refusal, in totals from the start', async () => {
    const problem = new DatabaseError('otherTypes', 'no such comparison');
    const { queries, answer } = await asked((sql) => (sql.includes('shown(') ? undefined : problem));
    expect(queries).toEqual([false, true, true, true]);
    expect(answer).toMatchObject({ HasError: false });
  });

  it('is not asked again where its types are not the reason', async () => {
    const problem = new DatabaseError('refused', 'no such table');
    expect(await asked(() => problem)).toEqual({ queries: [false], answer: String(problem) });
  });

  it.each([
    ['otherTypes', 'first'],
    ['refused', 'first'],
    ['timeout', 'second'],
  ] as const)('fails for the clearer reason where the second query ends as %s', async (kind, reason) => {
    const { queries, answer } = await asked((sql) =>
      sql.includes('shown(') ? new DatabaseError(kind, 'second') : new DatabaseError('otherTypes', 'first'),
    );
    expect(queries).toEqual([false, true]);
    expect(answer).toBe(`DatabaseError: ${reason}`);
  });
});

describe('the cache', () => {
  const moment = new Date('2026-03-18T12:00:00Z');
  const later = (ms: number) => new Date(moment.getTime() + ms);
  const cached = (report: Report, results: ResultCache, now = moment, more: Partial<ReportRun> = {}) =>
    resultOf(run(report, { cache: { results, now, maxAgeMs: 1000 }, ...more }));

  it('serves the same result again until it is too old', async () => {
    const results = new ResultCache();
    const withTotals = { ...amounts, AdHocFields: [total] };
    const first = await cached(withTotals, results);
    const second = await cached(withTotals, results, later(999));
    expect([first.IsFromCache, second.IsFromCache]).toEqual([false, true]);
    expect([second.Data, second.GroupMetadata]).toEqual([first.Data, first.GroupMetadata]);
    expect((await cached(withTotals, results, later(1000))).IsFromCache).toBe(false);
  });

  it.each([
    [30, 0, 30],
    [30, 10, 10],
    [30, 60, 30],
    [0, 10, 0],
    [30, -1, 30],
  ])('serves for %d minutes of the instance and %d of the user: %d', (instance, own, expected) => {
    expect(cacheMinutes(instance, own)).toBe(expected);
  });

  it.each<[string, Report, Partial<ReportRun>]>([
    ['other totals', { ...amounts, AdHocFields: [total] }, {}],
    ['other values', shopReport([shopField('s.tenant', { Criteria: [{ Op: '=', Value1: 'South' }] })]), {}],
    ['another server', amounts, { source: '2' }],
  ])('runs a report with %s', async (_name, report, more) => {
    const results = new ResultCache();
    await cached(amounts, results);
    await cached(shopReport([shopField('s.tenant', { Criteria: [{ Op: '=', Value1: 'North' }] })]), results);
    expect((await cached(report, results, moment, more)).IsFromCache).toBe(false);
  });

  it('keeps no result that its reader left', async () => {
    const results = new ResultCache();
    const chunks = await startReport(run(amounts, { cache: { results, now: moment, maxAgeMs: 1000 } }));
    const reader = chunks[Symbol.asyncIterator]();
    await reader.next();
    await reader.next();
    await reader.return?.();
    expect((await cached(amounts, results)).IsFromCache).toBe(false);
  });

  it('makes room by dropping what was used least recently', () => {
    const results = new ResultCache();
    const large = { rows: [Buffer.alloc(7 * 1024 * 1024)], groupMetadata: '[]' };
    for (let key = 0; key < 10; key += 1) {
      results.keep(String(key), large, moment);
      results.find('0', moment, 1000);
    }
    expect(['0', '1', '9'].map((key) => results.find(key, moment, 1000) !== undefined)).toEqual([true, false, true]);
    results.keep('huge', { rows: [Buffer.alloc(9 * 1024 * 1024)], groupMetadata: '' }, moment);
    expect(results.find('huge', moment, 1000)).toBeUndefined();
  });
});
