import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { Report } from '../../../src/contract/resources/report.ts';
import { fixedValues, reportOfField, valueListOf } from '../../../src/server/reports/fieldValues.ts';
import { planReport, type PlannedReport } from '../../../src/server/reports/planReport.ts';
import { ReportError } from '../../../src/server/reports/reportError.ts';
import { startReport } from '../../../src/server/reports/runReport.ts';
import { spokenBy } from '../../../src/server/reports/sql/dialect.ts';
import { statementOf } from '../../../src/server/reports/sql/emit.ts';
import { policyOperators } from '../../../src/contract/operators.ts';
import { policyConstraint, type PolicyConstraint } from '../../../src/server/security/policyConstraint.ts';
import type { RowSecurity } from '../../../src/server/security/rowSecurity.ts';
import type { ShopEngine } from '../../support/databases/shopEngine.ts';
import { startShopEngines } from '../../support/databases/shopEngines.ts';
import { arbitraryReport } from '../../support/reports/arbitraryReport.ts';
import { reading } from '../../support/reports/runPlan.ts';
import { figure } from '../../support/run/figure.ts';
import { propertyRuns, soakSize } from '../../support/run/soakSize.ts';
import { type ColumnKinds, nativeCondition } from '../../support/reports/nativePolicy.ts';
import { columnTypes, type ShopData, shopTables, unrestricted } from '../../support/reports/shopData.ts';

/*
 * The same report on the same rows gives the same result on every platform, behind the same row security; also where
 * PostgreSQL restricts the rows itself, by policies that say the same. PROPERTY_RUNS is the number of reports.
 */

const reports = propertyRuns(100, 5_000);
const reportsPerShop = 8;
/** Each query on Trino takes much of the processor: outside `npm run soak`, it runs the reports of few shops. */
const shopsOnTrino = soakSize(2, Infinity);
/** A busy machine is no difference. */
const timeoutMs = soakSize(30_000, 300_000);
let engines: ShopEngine[] = [];

beforeAll(async () => {
  engines = await startShopEngines();
}, 300_000);
afterAll(() => Promise.all(engines.map((engine) => engine.stop())), 60_000);

const texts = [
  'North',
  'South',
  'north',
  'North ',
  '50%_',
  'N%',
  "it's",
  '\\',
  '[*]',
  '/#tenant#/',
  'é',
  'É',
  'z',
  '日本',
  '',
  null,
];
const text = fc.constantFrom(...texts, 'a', 'A', '7', '?1', '"', '`');
const day = fc.constantFrom('2025-12-31', '2026-01-15', '2026-02-01', '2026-02-28', '2026-03-18', null);
const id = fc.option(fc.integer({ min: 1, max: 3 }), { freq: 6 });
const sale = fc.record({
  id: fc.integer({ min: 1, max: 9 }),
  store_id: id,
  clerk_id: id,
  amount: fc.constantFrom(0, 1, 2.5, -3, 4.25, 10, null),
  pieces: fc.constantFrom(0, 1, 2, 5, -7, 9007199254740992n, 9007199254740993n, null),
  // Eighths add up exactly in any order. SQLite and MariaDB hold no NaN.
  ratio: fc.constantFrom(0, 0.125, 2.5, -1, null),
  sold_on: day,
  sold_at: day.map((date) => date && `${date} 10:30:00`),
  note: text,
  tenant: text,
});
const store = fc.record({ id, name: text, region: text, opened: day, tenant: text });
const clerk = fc.record({ id, name: text, level: fc.constantFrom(1, 2, 3, null), tenant: text });
const shop: fc.Arbitrary<ShopData> = fc.record({
  sales: fc.array(sale, { minLength: 2, maxLength: 12 }),
  stores: fc.array(store, { maxLength: 4 }),
  clerks: fc.array(clerk, { maxLength: 4 }),
});

const constraint: fc.Arbitrary<PolicyConstraint> = fc
  .record({
    place: fc.constantFrom(
      ['sales', 'tenant'],
      ['sales', 'note'],
      ['sales', 'pieces'],
      ['sales', 'sold_on'],
      ['stores', 'region'],
      ['clerks', 'level'],
    ),
    Operator: fc.constantFrom(...policyOperators),
    Value: fc.constantFrom('/#tenant#/', '/#tenant#/', 'N%', 'North,South', '2', '9007199254740993', '2026-02-01'),
    Value2: fc.constantFrom('South', '5', '2026-03-18'),
    Logical: fc.constantFrom('AND', 'OR'),
  })
  .map(({ place: [TableName, ColumnName], ...rest }) => policyConstraint.parse({ TableName, ColumnName, ...rest }));

/** Policies with the caller's tags, and the conditions that an administrator of PostgreSQL writes for them. */
interface Restriction {
  security: RowSecurity;
  conditions: Record<keyof ShopData, string>;
}
const restriction: fc.Arbitrary<Restriction> = fc
  .record({
    policies: fc.array(fc.array(constraint, { maxLength: 2 }), { minLength: 1, maxLength: 2 }),
    tenants: fc.uniqueArray(fc.constantFrom('North', 'South', '50%_', 'N%', "it's", '日本', '2'), { maxLength: 2 }),
  })
  .map(({ policies, tenants }) => {
    const condition = (table: keyof ShopData) =>
      nativeCondition(table, kindsOf(columnTypes[table]), policies, { tenant: tenants });
    return {
      security: {
        policies: policies.map((constraints) => ({ constraints })),
        tagValues: () => tenants,
        today: reading.today,
      },
      conditions: { sales: condition('sales'), stores: condition('stores'), clerks: condition('clerks') },
    };
  });

function kindsOf(types: Readonly<Record<string, string>>): ColumnKinds {
  return Object.fromEntries(
    Object.entries(types).map(([name, type]) => [
      name,
      type === 'VARCHAR' ? 'text' : type === 'DATE' ? 'date' : 'number',
    ]),
  );
}

/** Cases that once gave an error on one platform: the latest of no moments, compared with a moment. */
const found: [ShopData, Restriction, Report[]] = [
  {
    sales: [1, 2].map((id) => ({
      ...{ id, store_id: null, clerk_id: null, amount: 0, pieces: 0, ratio: 0, note: 'North', tenant: 'North' },
      ...{ sold_on: '2025-12-31', sold_at: '2025-12-31 10:30:00' },
    })),
    stores: [],
    clerks: [],
  },
  {
    security: { policies: [], tagValues: () => [], today: reading.today },
    conditions: { sales: 'true', stores: 'true', clerks: 'true' },
  },
  [
    {
      ReportType: 'Sales',
      FieldList: [
        {
          ...{ fieldindex: 1, DbTableAlias: 'st', DbFieldName: 'opened', DisplayFieldName: 'Opened' },
          ...{ RenamedField: 'st_opened', Fieldtype: 'doz', strGroup: 'MAX' },
          Criteria: [{ Op: 'not in', Value1: "'2026-03-01 10:30'", Value2: '', Logical: 'AND', Index: 0 }],
        },
      ],
    },
  ],
];

const beyondDoubles = '9007199254740993';
/**
 * Products beyond 64 bits are null on one platform and exact on another; a mean has all the digits of such numbers on one
 * and 53 bits on another, which tells when it is compared with one of them.
 */
const isPortable = (report: Report) =>
  !(report.FieldList ?? []).some(
    ({ Formula, Criteria, strGroup }) =>
      (/4611686018427387904|CAST/.test(Formula ?? '') && Criteria !== undefined) ||
      (strGroup === 'AVG' && JSON.stringify(Criteria).includes(beyondDoubles)),
  );

const document = z.looseObject({
  HasError: z.boolean(),
  ErrorMessage: z.string().nullable(),
  Data: z.array(z.unknown()),
  GroupMetadata: z.array(z.unknown()),
});

/** Undefined where the report is refused. An engine that restricts rows itself is asked for all of them. */
function planned(report: Report, { security }: Restriction, { restrict }: ShopEngine): PlannedReport | undefined {
  try {
    return planReport(report, shopTables(), restrict ? unrestricted : security, reading);
  } catch (error) {
    if (error instanceof ReportError) return undefined;
    throw error;
  }
}

async function result(report: Report, rows: Restriction, engine: ShopEngine) {
  const plan = planned(report, rows, engine);
  if (!plan) return undefined;
  const { dialect, database } = engine;
  const chunks = await startReport({
    report: {},
    plan,
    dialect,
    source: '1',
    database: () => Promise.resolve(database),
    options: { signal: new AbortController().signal, timeoutMs },
    isTopLevel: true,
    cache: undefined,
  });
  const pieces: Buffer[] = [];
  for await (const chunk of chunks) pieces.push(Buffer.from(chunk));
  const { HasError, ErrorMessage, Data, GroupMetadata } = document.parse(
    parsed(Buffer.concat(pieces).toString(), hasFractions(report)),
  );
  return { HasError, ErrorMessage, Data: comparable(Data), GroupMetadata: comparable(GroupMetadata) };
}

/** What a prompt on the first field of a report offers; undefined where that is not read from a database. */
async function choices(report: Report, rows: Restriction, engine: ShopEngine) {
  const field = report.FieldList?.[0];
  // A quotient has as many digits as an engine gives it.
  if (field?.Formula || field?.strGroup === 'AVG') return undefined;
  const plan = field && planned(reportOfField(field), rows, engine);
  const { dialect, database } = engine;
  if (!plan || fixedValues(plan)) return undefined;
  const options = { signal: new AbortController().signal, timeoutMs };
  const select = valueListOf(plan, {}, 1000);
  const texts: string[] = [];
  for await (const { json } of await database.readJson(statementOf(select, spokenBy(dialect, database)), options))
    texts.push(String(json));
  return comparable(z.array(z.unknown()).parse(parsed(`[${texts.join(',')}]`, hasFractions(report))));
}

/** Means, quotients and totals are fractions: their last digits depend on the order of a sum. */
function hasFractions({ FieldList, AdHocFields }: Report): boolean {
  const fields = FieldList ?? [];
  return (
    (AdHocFields ?? []).length > 0 || fields.some((field) => field.strGroup === 'AVG' || field.Formula?.includes('/'))
  );
}

/** JSON in which whole numbers keep every digit. */
function parsed(json: string, isRounded: boolean): unknown {
  return JSON.parse(json, (_key, value: unknown, { source }: { source?: string }) => {
    if (typeof value !== 'number') return value;
    const isWhole = !isRounded && source !== undefined && /^-?\d+(\.0+)?$/.test(source);
    return isWhole ? BigInt(source.replace(/\..*/, '')).toString() : String(Number(value.toPrecision(9)));
  });
}

/** Order of rows means nothing where the report does not sort by every column. */
function comparable(rows: readonly unknown[]): string[] {
  return rows.map((row) => JSON.stringify(row)).toSorted();
}

describe('every platform', () => {
  it('gives the same rows', async () => {
    let ran = 0;
    let withRows = 0;
    let shops = 0;
    const ranOn = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(
        shop,
        restriction,
        fc.array(arbitraryReport.filter(isPortable), { minLength: reportsPerShop, maxLength: reportsPerShop }),
        async (data, rows, wanted) => {
          shops += 1;
          const asked = engines.filter(({ dialect }) => dialect.platform !== 'trino' || shops <= shopsOnTrino);
          await Promise.all(asked.map((engine) => engine.write(data)));
          for (const engine of asked) await engine.restrict?.(rows.conditions);
          const [offered, ...offeredByOthers] = await Promise.all(
            asked.map((engine) => choices(wanted[0] ?? {}, rows, engine)),
          );
          for (const [index, other] of offeredByOthers.entries())
            expect(other, `choices of ${asked[index + 1]?.name}`).toEqual(offered);
          for (const report of wanted) {
            const [first, ...others] = await Promise.all(asked.map((engine) => result(report, rows, engine)));
            for (const [index, other] of others.entries()) expect(other, asked[index + 1]?.name).toEqual(first);
            if (!first) continue;
            expect(first.HasError).toBe(false);
            ran += 1;
            for (const { name } of asked) ranOn.set(name, (ranOn.get(name) ?? 0) + 1);
            withRows += Number(first.Data.length > 0);
          }
        },
      ),
      { numRuns: Math.ceil(reports / reportsPerShop), examples: [found] },
    );
    // Nothing is compared where reports are refused or empty.
    expect(ran).toBeGreaterThan(reports / 3);
    expect(withRows).toBeGreaterThan(reports / 10);
    const counts = [...ranOn].map(([name, count]) => `${name} ${count}`).join(', ');
    figure('same rows', `0 differences between reports that ran on ${counts}`);
  }, 3_600_000);
});
