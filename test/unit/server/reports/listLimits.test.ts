import { describe, expect, it } from 'vitest';
import { ReportTables } from '../../../../src/server/reports/reportTables.ts';
import { duckdbDialect } from '../../../../src/server/reports/sql/duckdbDialect.ts';
import { withCompiledCriteria } from '../../../../src/server/reports/reportHandlers.ts';
import { policyConstraint } from '../../../../src/server/security/policyConstraint.ts';
import type { RowSecurity } from '../../../../src/server/security/rowSecurity.ts';
import { plan, shownSql, sqlOf } from '../../../support/reports/runPlan.ts';
import { shopField, shopReport, shopType, where } from '../../../support/reports/shopData.ts';

/* A database takes kilobytes for each value of a list, so that a short body would take gigabytes. */

const list = (count: number) => Array.from({ length: count }, (_, n) => n).join();
const asking = (...lists: string[]) =>
  shopReport(lists.map((each) => shopField('s.pieces', { Criteria: [where('in', each)] })));
/** A text list of as many characters as a body may hold in one text. */
const longest = `${'1,'.repeat(524_000)}1`;

describe('lists in criteria', () => {
  it('hold 10,000 values each, and 20,000 together', () => {
    expect(sqlOf(asking(list(10_000), list(10_000))).values).toHaveLength(10_000);
    expect(() => plan(asking(list(10_001)))).toThrow('Criteria of "Pieces": The list has more than 10000 values');
    expect(() => plan(asking(list(10_000), list(10_000), '1'))).toThrow(
      'The report has 20001 values in lists; 20000 are the most',
    );
  });

  it('count however the operator is spelled, and only where it takes a list', () => {
    const spelled = (op: string) => shopReport([shopField('s.note', { Criteria: [where(op, list(20_001))] })]);
    for (const op of ['IN', 'is_in_list', ' None  Of ', 'not in']) {
      expect(() => plan(spelled(op)), op).toThrow('values in lists');
    }
    for (const op of ['=', 'contains']) expect(sqlOf(spelled(op)).values, op).toHaveLength(1);
  });

  it('hold quoted commas as part of a value', () => {
    const quoted = Array.from({ length: 9_999 }, (_, n) => `'${n},'`).join();
    expect(sqlOf(shopReport([shopField('s.note', { Criteria: [where('in', quoted)] })])).values).toHaveLength(9_999);
  });

  it.each([
    ['to run', (report: ReturnType<typeof asking>) => plan(report)],
    ['to show', (report: ReturnType<typeof asking>) => shownSql(report)],
    [
      'to compile',
      (report: ReturnType<typeof asking>) =>
        withCompiledCriteria(report, new ReportTables(shopType), duckdbDialect, { today: '2026-03-18' }),
    ],
  ])('are refused in no time when they are far too long: %s', (_, use) => {
    const report = asking(...Array.from({ length: 8 }, () => longest));
    use(asking('1'));
    const started = process.cpuUsage();
    expect(() => use(report)).toThrow('values in lists');
    const { user } = process.cpuUsage(started);
    // Taken apart, the lists take a second; a comma is counted in nanoseconds.
    expect(user / 1_000).toBeLessThan(300);
  });
});

describe('lists of policies', () => {
  const security = (values: readonly string[], Operator = 'in', TableName = 'sales'): RowSecurity => ({
    policies: [
      { constraints: [policyConstraint.parse({ TableName, ColumnName: 'tenant', Operator, Value: '/#tenant#/' })] },
    ],
    tagValues: () => values,
    today: '2026-03-18',
  });
  const report = shopReport([shopField('s.note')]);
  const texts = (count: number) => Array.from({ length: count }, (_, n) => `t${n}`);

  it.each(['=', 'in'])('are filled from 10,000 values, and show no row from more: %s', (operator) => {
    expect(sqlOf(report, security(texts(10_000), operator)).values).toHaveLength(10_000);
    expect(sqlOf(report, security(texts(10_001), operator))).toMatchObject({
      sql: expect.stringContaining('WHERE FALSE') as string,
      values: [],
    });
  });

  it.each([
    ['one long list', [list(10_001)]],
    ['many lists', texts(5_001).map((text) => `${text}, x${text}`)],
  ])('show no row for %s', (_, values) => {
    expect(sqlOf(report, security(values)).sql).toContain('WHERE FALSE');
    expect(sqlOf(report, security(values, 'not in')).sql).toContain('WHERE FALSE');
  });

  it('are counted over all tables of a report', () => {
    const both = security(texts(9_000));
    const more = ['stores', 'clerks'].flatMap((name) => security([], 'in', name).policies);
    const joined = { ...both, policies: [...both.policies, ...more] };
    const fields = [shopField('s.note'), shopField('st.name'), shopField('c.name')];
    expect(sqlOf(shopReport(fields.slice(0, 2)), joined).values).toHaveLength(9_000);
    expect(() => plan(shopReport(fields), joined)).toThrow('with more than 20000 values');
  });

  it('leave a value of many placeholders without a row, before its ways are written down', () => {
    const many = security(texts(5_000), '=');
    const Value = '/#a#//#b#/';
    const constraints = many.policies.flatMap((policy) => policy.constraints.map((each) => ({ ...each, Value })));
    expect(sqlOf(report, { ...many, policies: [{ constraints }] }).sql).toContain('WHERE FALSE');
  });
});
