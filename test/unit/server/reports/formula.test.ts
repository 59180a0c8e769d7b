import { describe, expect, it } from 'vitest';
import { readFormula } from '../../../../src/server/reports/formulas/formula.ts';
import { FormulaError } from '../../../../src/server/reports/formulas/formulaTokens.ts';
import { columnOf, ReportTables } from '../../../../src/server/reports/reportTables.ts';
import type { Dialect } from '../../../../src/server/reports/sql/dialect.ts';
import { duckdbDialect } from '../../../../src/server/reports/sql/duckdbDialect.ts';
import { readableConditions } from '../../../../src/server/reports/sql/emit.ts';
import { postgresqlDialect } from '../../../../src/server/reports/sql/postgresqlDialect.ts';
import { sqliteDialect } from '../../../../src/server/reports/sql/sqliteDialect.ts';
import { shopType } from '../../../support/reports/shopData.ts';

const tables = new ReportTables(shopType);

/** The SQL of a formula that belongs to `own`, a column `alias.column`. */
function sql(formula: string, own = 's.amount', dialect: Dialect = duckdbDialect): string {
  const [ownAlias = '', ownColumn = ''] = own.split('.');
  const column = (alias: string, name: string) => {
    const field = tables.field(alias, name);
    return field && columnOf(field);
  };
  const operand = readFormula(formula, {
    today: '2026-03-18',
    ownColumn: () => column(ownAlias, ownColumn),
    column,
    label: (label) => {
      const field = tables.fieldByLabel(label, ownAlias);
      return field && columnOf(field);
    },
  });
  const text = readableConditions(dialect)({ kind: 'null', operand, isNegated: false });
  return text.slice(0, -' IS NULL'.length);
}

describe('formulas', () => {
  it.each([
    ['?', '"s"."amount"'],
    ['[Sold On]', '"s"."sold_on"'],
    ['"Pieces" + pieces', '("s"."pieces" + "s"."pieces")'],
    ['st.region', '"st"."region"'],
    ['1 + 2 * 3 - -4', '((1 + (2 * 3)) - -4)'],
    ['(1 + 2) * 3', '((1 + 2) * 3)'],
    ['? / 0', '(CAST("s"."amount" AS DOUBLE) / nullif(0, 0))'],
    ["'it''s' || Note", `concat('it''s', "s"."note")`],
    ['ROUND(AVG(?), 1)', 'round(avg("s"."amount"), 1)'],
    ['count(*)', 'count(*)'],
    ['Count(DISTINCT Note)', 'count(DISTINCT "s"."note")'],
    [
      "CASE WHEN ? > 5 AND Note IS NOT NULL THEN 'x' ELSE 'y' END",
      `CASE WHEN (("s"."amount" > 5) AND ("s"."note" IS NOT NULL)) THEN 'x' ELSE 'y' END`,
    ],
    ["CASE Note WHEN 'a' THEN 1 END", `CASE WHEN ("s"."note" = 'a') THEN 1 END`],
    ["IIF(Note IN ('a', 'b'), 1, 0)", `CASE WHEN (("s"."note" = 'a') OR ("s"."note" = 'b')) THEN 1 ELSE 0 END`],
    ["IIF(NOT Note LIKE 'a%', 1, 0)", `CASE WHEN (NOT (regexp_full_match("s"."note", 'a.*', 's'))) THEN 1 ELSE 0 END`],
    ["IIF([Sold On] >= '2026-01-01', 1, 0)", `CASE WHEN ("s"."sold_on" >= DATE '2026-01-01') THEN 1 ELSE 0 END`],
    ['CAST(Pieces AS number)', 'TRY_CAST("s"."pieces" AS DOUBLE)'],
    ['ifnull(Note, NULL)', 'coalesce("s"."note", NULL)'],
    ['MONTHSTART([Sold At])', `CAST(date_trunc('month', "s"."sold_at") AS DATE)`],
  ])('%s', (formula, expected) => {
    expect(sql(formula)).toBe(expected);
  });

  it.each([
    ['', 'a value or a field is expected at 1'],
    ['1 +', 'a value or a field is expected at 4'],
    ['1; DROP TABLE sales', '";" at 2 has no meaning'],
    ['1 -- comment', '"comment" at 6 is not a field'],
    ['1 /* comment */', 'a value or a field is expected at 4'],
    ['$1', '"$" at 1 has no meaning'],
    ["'open", `"'" at 1 has no meaning`],
    ['(SELECT 1)', '"SELECT" at 2 is not a field'],
    ["read_csv('/etc/passwd')", 'read_csv at 1 is not a formula function'],
    ['getenv(Note)', 'getenv at 1 is not a formula function'],
    ['st.tenant', '"st.tenant" at 1 is not a field'],
    ['Note + 1', '+ before'],
    ["? = 'a'", 'a number cannot be compared with text'],
    ['? > 1', 'It is a condition'],
    ['SUM(MAX(?))', 'contains another aggregate'],
    ['LEFT(Note)', 'takes 2 values'],
    ['UPPER(?)', 'takes text, but here is a number'],
    ["IIF([Sold On] > 'soon', 1, 0)", '"soon" is not a date'],
    ["CASE WHEN 1 = 1 THEN 1 ELSE 'a' END", 'takes a number, but here is text'],
    [`${'('.repeat(60)}1${')'.repeat(60)}`, 'more than 50 levels'],
    ['1+'.repeat(6000), 'longer than 10000'],
  ])('refuses %s', (formula, message) => {
    expect(() => sql(formula)).toThrow(FormulaError);
    expect(() => sql(formula)).toThrow(message);
  });

  it('writes each platform its own way', () => {
    expect(sql('YEAR([Sold On])', 's.amount', postgresqlDialect)).toBe(
      'CAST(extract(year FROM "s"."sold_on") AS integer)',
    );
    expect(sql('YEAR([Sold On])', 's.amount', sqliteDialect)).toBe(`CAST(strftime('%Y', "s"."sold_on") AS INTEGER)`);
    expect(sql("IIF(Note LIKE 'a*%_', 1, 0)", 's.note', sqliteDialect)).toBe(
      `CASE WHEN ("s"."note" GLOB 'a[*]*?') THEN 1 ELSE 0 END`,
    );
  });
});
