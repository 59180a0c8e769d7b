import { performance } from 'node:perf_hooks';
import { duckdbDialect } from '../../../src/server/reports/sql/duckdbDialect.ts';
import { statementOf } from '../../../src/server/reports/sql/emit.ts';
import { policyConstraint } from '../../../src/server/security/policyConstraint.ts';
import type { RowSecurity } from '../../../src/server/security/rowSecurity.ts';
import { plan } from '../../support/reports/runPlan.ts';
import { shopField, shopReport, where } from '../../support/reports/shopData.ts';
import { median } from '../results/median.ts';
import { goal } from './goals.ts';

const rounds = 9;
const atOnce = 2_000;

const constraint = { TableName: 'sales', ColumnName: 'tenant', Operator: '=', Value: '/#tenant#/' };
const security: RowSecurity = {
  policies: [{ constraints: [policyConstraint.parse(constraint)] }],
  tagValues: () => ['North'],
  today: '2026-03-18',
};
/** A report as people make them: three tables joined, a group, a sum, criteria of several kinds, a sort. */
const report = shopReport([
  shopField('st.region', { Criteria: [where('', '', { sortorder: 'asc' })] }),
  shopField('c.name', { Criteria: [where('in', 'Ann, Bob, Cleo')] }),
  shopField('s.sold_on', { Criteria: [where('between', '2026-01-01', { Value2: '2026-02-28' })] }),
  shopField('s.note', { Criteria: [where('contains', '50%'), where('is null')] }),
  shopField('s.amount', { strGroup: 'SUM' }),
  shopField('s.pieces', { strGroup: 'AVG' }),
]);

/** From a definition to its statement and values, row security included. */
export function benchSqlGeneration(): void {
  const generate = () => statementOf(plan(report, security).select, duckdbDialect);
  for (let warmUp = 0; warmUp < atOnce; warmUp += 1) generate();
  const microseconds = Array.from({ length: rounds }, () => {
    const started = performance.now();
    for (let count = 0; count < atOnce; count += 1) generate();
    return ((performance.now() - started) * 1000) / atOnce;
  });
  goal('figure', 'server.sqlGenerationMicroseconds', median(microseconds), 100);
}
