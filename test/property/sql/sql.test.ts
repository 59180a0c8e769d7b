import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { Report } from '../../../src/contract/resources/report.ts';
import { FormulaError } from '../../../src/server/reports/formulas/formulaTokens.ts';
import { ReportError } from '../../../src/server/reports/reportError.ts';
import { duckdbDialect } from '../../../src/server/reports/sql/duckdbDialect.ts';
import { readableSql, statementOf } from '../../../src/server/reports/sql/emit.ts';
import {
  aggregates,
  type AggregateName,
  type FunctionName,
  functions,
} from '../../../src/server/reports/sql/functions.ts';
import { figure } from '../../support/run/figure.ts';
import { arbitraryReport, hostileTexts } from '../../support/reports/arbitraryReport.ts';
import { MemoryDatabase } from '../../support/reports/memoryDatabase.ts';
import { plan } from '../../support/reports/runPlan.ts';
import { shopField, shopReport, where } from '../../support/reports/shopData.ts';
import { propertyRuns } from '../../support/run/soakSize.ts';

const numRuns = propertyRuns(500, 10_000);
const hostile = fc.oneof(fc.constantFrom(...hostileTexts), fc.string({ unit: 'grapheme', maxLength: 20 }));
let database: MemoryDatabase;

beforeAll(async () => {
  database = await MemoryDatabase.open();
});
afterAll(() => database.close());

/** Plans a report; undefined when it is refused, which is always an answer. */
function statement(report: Report) {
  try {
    return statementOf(plan(report).select, duckdbDialect);
  } catch (error) {
    if (error instanceof ReportError) return undefined;
    throw error;
  }
}

const dialectFunctions = new Set(
  [
    ...(Object.keys(functions) as FunctionName[]).map((name) => duckdbDialect.call(name, ['x', 'x', 'x'])),
    ...(Object.keys(aggregates) as AggregateName[]).map((name) => duckdbDialect.aggregate(name, 'x')),
    ...(['text', 'number', 'integer', 'date', 'timestamp'] as const).flatMap((to) => [
      duckdbDialect.cast('x', to, 'text'),
      duckdbDialect.cast('x', to, 'number'),
    ]),
    'nullif(x) and(x)',
  ].flatMap((sql) => [...sql.matchAll(/([a-z_]+)\(/g)].map(([, name = '']) => name)),
);
/** What DuckDB's parser calls the operators that the emitter writes. */
const operators = new Set(['+', '-', '*', '/', '%', '~~', '!~~', 'regexp_full_match', 'count_star', 'try']);
const node = z.looseObject({
  type: z.string().optional(),
  table_name: z.string().optional(),
  function_name: z.string().optional(),
});

/** Table and function names anywhere in a parsed statement. */
function namesIn(tree: unknown): { tables: string[]; functions: string[]; nodes: string[] } {
  const names = { tables: [] as string[], functions: [] as string[], nodes: [] as string[] };
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const read = node.safeParse(value);
    if (read.success) {
      const { type, table_name: table, function_name: called } = read.data;
      if (type) names.nodes.push(type);
      if (type === 'BASE_TABLE' && table) names.tables.push(table);
      if (called) names.functions.push(called);
    }
    Object.values(value).forEach(visit);
  };
  visit(tree);
  return names;
}

async function expectHarmless(sql: string): Promise<void> {
  const tree = z.object({ error: z.boolean(), statements: z.array(z.unknown()) }).parse(await database.parsed(sql));
  expect(tree.error).toBe(false);
  expect(tree.statements).toHaveLength(1);
  const { tables, functions: called, nodes } = namesIn(tree.statements);
  expect(new Set(['sales', 'stores', 'clerks', ...tables])).toEqual(new Set(['sales', 'stores', 'clerks']));
  expect(nodes.filter((type) => type === 'TABLE_FUNCTION' || type === 'SUBQUERY_EXPRESSION')).toEqual([]);
  expect(called.filter((name) => !dialectFunctions.has(name) && !operators.has(name))).toEqual([]);
}

describe('generated SQL', () => {
  it('is the same text whatever the values are', () => {
    const templates = ['=', '<>', '<', 'like', 'not like', 'contains', 'starts with', 'ends with', 'between'];
    fc.assert(
      fc.property(fc.constantFrom(...templates), hostile, hostile, (op, one, other) => {
        const report = (low: string, high: string) =>
          shopReport([shopField('s.note', { Criteria: [where(op, low, { Value2: high })] })]);
        fc.pre(one !== '' && one !== other);
        const sent = statement(report(one, other));
        expect(sent?.sql).toBe(statement(report('plain', 'other'))?.sql);
        const bound = sent?.values.map(({ text }) => text) ?? [];
        if (['=', '<>', '<'].includes(op)) expect(bound).toEqual([one]);
      }),
      { numRuns },
    );
  });

  it('is the same text whatever a definition calls things', () => {
    const named = (name: string) =>
      shopReport(
        [
          {
            ...shopField('s.note', { Criteria: [where('=', 'x')] }),
            DisplayFieldName: name,
            ReportFieldName: name,
            tbl5: name,
          },
          { ...shopField('s.amount', { strGroup: 'SUM' }), SearchCriteria: name, tbl10: name, tbl11: name },
        ],
        { Reportname: name, Description: name, DbName: name },
      );
    fc.assert(
      fc.property(hostile, (name) => {
        expect(statement(named(name))?.sql).toBe(statement(named('plain'))?.sql);
      }),
      { numRuns },
    );
  });

  it('keeps only letters, digits and underscores of an alias', () => {
    fc.assert(
      fc.property(fc.array(hostile, { minLength: 1, maxLength: 4 }), (names) => {
        const columns = plan(
          shopReport(names.map((RenamedField) => ({ ...shopField('s.note'), RenamedField }))),
        ).columns;
        const aliases = columns.map(({ alias }) => alias.toLowerCase());
        expect(aliases.every((alias) => /^[a-z_][a-z0-9_]*$/.test(alias))).toBe(true);
        expect(new Set(aliases).size).toBe(names.length);
      }),
      { numRuns },
    );
  });

  it('refuses every identifier that is not registered', () => {
    const part = fc.oneof(hostile, fc.constantFrom('s', 'note', 'tenant', 'sales', 'information_schema'));
    fc.assert(
      fc.property(part, part, (DbTableAlias, DbFieldName) => {
        const isRegistered = DbTableAlias.trim() === 's' && ['note', 'tenant'].includes(DbFieldName.trim());
        fc.pre(!isRegistered);
        expect(() => plan(shopReport([{ ...shopField('s.note'), DbTableAlias, DbFieldName }]))).toThrow(ReportError);
      }),
      { numRuns },
    );
    figure('E3', `${numRuns} definitions that name other tables or columns: all refused`);
  });

  it('is one SELECT of registered tables and allow-listed functions, as the database itself reads it', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryReport, async (report) => {
        const made = statement(report);
        if (!made) return;
        await expectHarmless(made.sql);
        await expectHarmless(readableSql(plan(report).select, duckdbDialect, true));
      }),
      { numRuns: Math.ceil(numRuns / 2) },
    );
    figure('E3', `${Math.ceil(numRuns / 2)} reports, run and shown: 0 other than one SELECT, 0 foreign tables`);
  });
});

const formulaPieces = [
  ...[
    '?',
    'Note',
    '[Pieces]',
    '"Amount"',
    's.note',
    'st.tenant',
    'sales',
    'main',
    'NULL',
    '1',
    '1.5e3',
    "'text'",
    "''",
    "'it''s'",
  ],
  ...['(', ')', ',', '.', ';', '--', '/*', '*/', '$1', '@', '`', '\\', '"', "'", '[', ']', '\0', '::', '->', '||'],
  ...[
    '+',
    '-',
    '*',
    '/',
    '%',
    '=',
    '<>',
    '!=',
    '<',
    '>=',
    'AND',
    'OR',
    'NOT',
    'IN',
    'BETWEEN',
    'LIKE',
    'IS',
    'CASE',
    'WHEN',
  ],
  ...[
    'THEN',
    'ELSE',
    'END',
    'CAST',
    'AS',
    'TEXT',
    'SELECT',
    'FROM',
    'UNION',
    'DROP TABLE sales',
    'EXISTS',
    'OVER',
    'COLLATE',
  ],
  ...[
    'UPPER',
    'SUM',
    'COUNT',
    'DISTINCT',
    'ROUND',
    'COALESCE',
    'read_csv',
    'getenv',
    'nextval',
    'current_setting',
    'pragma_version',
  ],
];

describe('formulas', () => {
  it('never leave their grammar', async () => {
    const pieces = fc
      .array(fc.constantFrom(...formulaPieces), { minLength: 1, maxLength: 9 })
      .map((words) => words.join(' '));
    const calls = fc.tuple(fc.constantFrom(...formulaPieces), pieces).map(([name, inner]) => `${name}(${inner})`);
    const formula = fc.oneof(pieces, calls, hostile);
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(formula, async (Formula) => {
        let made;
        try {
          made = statement(shopReport([shopField('s.amount', { Formula })]));
        } catch (error) {
          expect(error).toBeInstanceOf(FormulaError);
        }
        if (!made) return;
        accepted += 1;
        await expectHarmless(made.sql);
      }),
      { numRuns: numRuns * 3 },
    );
    expect(accepted).toBeGreaterThan(numRuns / 50);
    figure('E3', `${numRuns * 3} formulas, ${accepted} accepted: 0 outside the grammar`);
  });
});
