import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { Report } from '../../../src/contract/resources/report.ts';
import { planReport, type PlannedReport } from '../../../src/server/reports/planReport.ts';
import { ReportError } from '../../../src/server/reports/reportError.ts';
import type { ReportTables } from '../../../src/server/reports/reportTables.ts';
import { ResultCache } from '../../../src/server/reports/resultCache.ts';
import { startReport } from '../../../src/server/reports/runReport.ts';
import { duckdbDialect } from '../../../src/server/reports/sql/duckdbDialect.ts';
import { statementOf } from '../../../src/server/reports/sql/emit.ts';
import type { Select } from '../../../src/server/reports/sql/tree.ts';
import { fixedValues, reportOfField, valueListOf } from '../../../src/server/reports/fieldValues.ts';
import { policyOperators } from '../../../src/contract/operators.ts';
import { policyConstraint, type PolicyConstraint } from '../../../src/server/security/policyConstraint.ts';
import type { RowSecurity } from '../../../src/server/security/rowSecurity.ts';
import { figure } from '../../support/run/figure.ts';
import { arbitraryReport } from '../../support/reports/arbitraryReport.ts';
import { MemoryDatabase } from '../../support/reports/memoryDatabase.ts';
import { permittedRows, type Tags } from '../../support/reports/policyOracle.ts';
import { reading } from '../../support/reports/runPlan.ts';
import { type ShopData, shopTables, shopType, writeShop } from '../../support/reports/shopData.ts';
import { propertyRuns } from '../../support/run/soakSize.ts';

/*
 * The tenant-copy oracle: a report under policies on all rows equals the same report without policies on a copy that
 * holds only the rows which the policies let through, as a second implementation decides.
 */

const numRuns = propertyRuns(200, 10_000);
let database: MemoryDatabase;

beforeAll(async () => {
  database = await MemoryDatabase.open();
});
afterAll(() => database.close());

const rareTenant = fc.constantFrom('north', '50%_', 'N%', "it's", '/#tenant#/', '', '日本', null);
const tenant = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('North', 'South') },
  { weight: 1, arbitrary: rareTenant },
);
const day = fc.constantFrom('2025-12-31', '2026-01-15', '2026-02-01', '2026-02-28', '2026-03-18', null);
const id = fc.option(fc.integer({ min: 1, max: 3 }), { freq: 6 });
const note = fc.constantFrom('a', 'A', '50%', '%', '_', "it's", '7', 'canary', '', null);

const sale = fc.record({
  id: fc.integer({ min: 1, max: 9 }),
  store_id: id,
  clerk_id: id,
  amount: fc.constantFrom(0, 1, 2.5, -3, 4.25, 10, null),
  pieces: fc.constantFrom(0, 1, 2, 5, -7, null),
  // Eighths add up exactly in any order.
  ratio: fc.constantFrom(0, 0.125, 2.5, -1, Number.NaN, null),
  sold_on: day,
  sold_at: day.map((text) => text && `${text} 10:30:00`),
  note,
  tenant,
});
const store = fc.record({ id, name: note, region: tenant, opened: day, tenant });
const clerk = fc.record({ id, name: note, level: fc.constantFrom(1, 2, 3, null), tenant });
const shop: fc.Arbitrary<ShopData> = fc.record({
  sales: fc.array(sale, { maxLength: 12 }),
  stores: fc.array(store, { maxLength: 4 }),
  clerks: fc.array(clerk, { maxLength: 4 }),
});

const comparedColumns = {
  sales: ['tenant', 'TENANT', 'note', 'pieces', 'sold_on', 'missing'],
  stores: ['tenant', 'region', 'opened'],
  clerks: ['tenant', 'level', 'name'],
};
const constraint: fc.Arbitrary<PolicyConstraint> = fc
  .constantFrom('sales', 'sales', 'stores', 'clerks')
  .chain((table) =>
    fc.record({
      TableName: fc.constantFrom(table, table.toUpperCase()),
      ColumnName: fc.constantFrom(...comparedColumns[table]),
      Operator: fc.constantFrom(...policyOperators),
      Value: fc.constantFrom(
        '/#tenant#/',
        '/#tenant#/',
        '/#number#/',
        '/#day#/',
        '/#unset#/',
        'North',
        'N%',
        'North,South',
        '2',
        '2026-02-01',
      ),
      Value2: fc.constantFrom('South', '/#tenant#/', '5', '2026-03-18'),
      Logical: fc.constantFrom('AND', 'OR'),
    }),
  )
  .map((fields) => policyConstraint.parse(fields));
/** What most installations have: a column that equals the caller's tag. */
const usual = fc
  .constantFrom('sales', 'sales', 'stores', 'clerks')
  .map((TableName) => policyConstraint.parse({ TableName, ColumnName: 'tenant', Operator: '=', Value: '/#tenant#/' }));
const policies = fc.array(
  fc.oneof(
    usual.map((only) => [only]),
    fc.array(fc.oneof(usual, constraint), { minLength: 1, maxLength: 3 }),
  ),
  { minLength: 1, maxLength: 2 },
);
const rareValue = fc.constantFrom('50%_', 'N%', '%', '', "it's", "x' OR '1'='1", '/#tenant#/', 'North,South');
const tenantValue = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('North', 'South') },
  { weight: 1, arbitrary: rareValue },
);
const callerTags: fc.Arbitrary<Tags> = fc.record({
  tenant: fc.option(fc.array(tenantValue, { maxLength: 2 }), { nil: undefined }),
  number: fc.constantFrom(['2'], ['1', '5'], ['x'], []),
  day: fc.constantFrom(['2026-02-01'], ['soon'], undefined),
});

function tablesIn(schema: string): ReportTables {
  const tables = shopType.tables.map((table) => ({ ...table, owner: schema }));
  return shopTables({ ...shopType, tables });
}

function restricted(wanted: readonly PolicyConstraint[][], tags: Tags): RowSecurity {
  return {
    policies: wanted.map((constraints) => ({ constraints })),
    tagValues: (label) => tags[label],
    today: reading.today,
  };
}
const unrestricted = restricted([], {});

const drillDowns = fc.option(
  fc.constantFrom(
    { field: 'Note', value: 'a' },
    { field: 'Region', value: null },
    { field: 'Sold On', value: '2026-02-01' },
  ),
  { freq: 3 },
);

interface Case {
  report: Report;
  drillDown: { field: string; value: string | null } | null;
}

function planned({ report, drillDown }: Case, schema: string, security: RowSecurity): PlannedReport | string {
  try {
    const equals = drillDown ? [drillDown] : [];
    return planReport(report, tablesIn(schema), security, { ...reading, equals });
  } catch (error) {
    if (error instanceof ReportError) return error.message;
    throw error;
  }
}

const document = z.looseObject({
  HasError: z.boolean(),
  ErrorMessage: z.string().nullable(),
  IsFromCache: z.boolean(),
  Data: z.array(z.unknown()),
  GroupMetadata: z.array(z.unknown()),
});

/** The whole result as a client reads it. */
async function result(plan: PlannedReport, cache?: ResultCache) {
  const chunks = await startReport({
    report: {},
    plan,
    dialect: duckdbDialect,
    source: '1',
    database: () => Promise.resolve(database),
    options: { signal: new AbortController().signal, timeoutMs: 30_000 },
    isTopLevel: true,
    cache: cache && { results: cache, now: new Date(0), maxAgeMs: 60_000 },
  });
  const pieces: Buffer[] = [];
  for await (const chunk of chunks) pieces.push(Buffer.from(chunk));
  return document.parse(JSON.parse(Buffer.concat(pieces).toString()));
}

/** Order of rows means nothing where the report does not sort; sums of fractions may differ in their last digits. */
function comparable(rows: readonly unknown[]): string[] {
  const rounded = (_key: string, value: unknown) => (typeof value === 'number' ? value.toPrecision(10) : value);
  return rows.map((row) => JSON.stringify(row, rounded)).toSorted();
}

async function outcome(wanted: Case, schema: string, security: RowSecurity, cache?: ResultCache) {
  const plan = planned(wanted, schema, security);
  if (typeof plan === 'string') return { refusal: plan };
  const { HasError, ErrorMessage, Data, GroupMetadata } = await result(plan, cache);
  return { HasError, ErrorMessage, Data: comparable(Data), GroupMetadata: comparable(GroupMetadata) };
}

async function valueLists(report: Report, schema: string, security: RowSecurity): Promise<unknown[]> {
  const lists: unknown[] = [];
  for (const field of report.FieldList ?? []) {
    const plan = planned({ report: reportOfField(field), drillDown: null }, schema, security);
    if (typeof plan === 'string') lists.push(plan);
    else lists.push(fixedValues(plan) ?? comparable(await rows(valueListOf(plan, {}, 1000))));
  }
  return lists;
}

async function rows(select: Select): Promise<unknown[]> {
  const texts: string[] = [];
  for await (const { json } of await database.readJson(statementOf(select, duckdbDialect))) texts.push(String(json));
  return JSON.parse(`[${texts.join(',')}]`) as unknown[];
}

const aCase: fc.Arbitrary<Case> = fc.record({ report: arbitraryReport, drillDown: drillDowns });

describe('row security', () => {
  it('gives every report the rows of a copy that holds only the permitted ones', async () => {
    let ran = 0;
    let narrowed = 0;
    await fc.assert(
      fc.asyncProperty(
        shop,
        policies,
        callerTags,
        fc.array(aCase, { minLength: 4, maxLength: 4 }),
        async (data, wanted, tags, cases) => {
          const permitted = permittedRows(data, wanted, tags);
          await writeShop(database.connection, 'whole', data);
          await writeShop(database.connection, 'copy', permitted);
          for (const each of cases) {
            const seen = await outcome(each, 'whole', restricted(wanted, tags));
            expect(seen).toEqual(await outcome(each, 'copy', unrestricted));
            expect(await valueLists(each.report, 'whole', restricted(wanted, tags))).toEqual(
              await valueLists(each.report, 'copy', unrestricted),
            );
            if ('Data' in seen) ran += 1;
            if (permitted.sales.length > 0 && permitted.sales.length < data.sales.length) narrowed += 1;
          }
        },
      ),
      { numRuns: Math.ceil(numRuns / 4) },
    );
    // The oracle says nothing if reports were refused, or if policies hid everything or nothing.
    expect(ran).toBeGreaterThan(numRuns / 4);
    expect(narrowed).toBeGreaterThan(numRuns / 100);
    const words = `${ran} ran, policies hid some of the rows of ${narrowed}`;
    figure('E2', `${Math.ceil(numRuns / 4) * 4} reports against a copy of the permitted rows: 0 differences; ${words}`);
  });

  it('never serves one caller from the cache of another', async () => {
    let hits = 0;
    await fc.assert(
      fc.asyncProperty(
        shop,
        policies,
        fc.array(callerTags, { minLength: 2, maxLength: 3 }),
        aCase,
        async (data, wanted, callers, each) => {
          await writeShop(database.connection, 'whole', data);
          const cache = new ResultCache();
          for (const tags of [...callers, ...callers]) {
            const plan = planned(each, 'whole', restricted(wanted, tags));
            if (typeof plan === 'string') return;
            const cached = await result(plan, cache);
            const fresh = await result(plan);
            if (cached.IsFromCache) hits += 1;
            expect(comparable(cached.Data)).toEqual(comparable(fresh.Data));
            expect(comparable(cached.GroupMetadata)).toEqual(comparable(fresh.GroupMetadata));
          }
        },
      ),
      { numRuns: Math.ceil(numRuns / 4) },
    );
    expect(hits).toBeGreaterThan(numRuns / 10);
    figure(
      'E2',
      `${Math.ceil(numRuns / 4)} reports by several callers over one cache: ${hits} hits, 0 of another's rows`,
    );
  });
});
