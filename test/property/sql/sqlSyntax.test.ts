import { antlr4tsSQL, SQLDialect } from 'antlr4ts-sql';
import { TrinoSQL } from 'dt-sql-parser';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withTrinoValues } from '../../../src/server/databases/trino/values.ts';
import type { PlannedReport } from '../../../src/server/reports/planReport.ts';
import { ReportError } from '../../../src/server/reports/reportError.ts';
import type { Dialect } from '../../../src/server/reports/sql/dialect.ts';
import { dialectOf } from '../../../src/server/reports/sql/dialects.ts';
import { type Statement, statementOf } from '../../../src/server/reports/sql/emit.ts';
import { valueListOf } from '../../../src/server/reports/fieldValues.ts';
import { policyConstraint } from '../../../src/server/security/policyConstraint.ts';
import type { RowSecurity } from '../../../src/server/security/rowSecurity.ts';
import { arbitraryReport } from '../../support/reports/arbitraryReport.ts';
import { plan, reading } from '../../support/reports/runPlan.ts';
import { propertyRuns } from '../../support/run/soakSize.ts';

/*
 * Platforms that cannot be run here: what any report becomes is SQL by an independent grammar of the platform.
 */

const reports = propertyRuns(4, 200);

interface Platform {
  name: string;
  /** What the grammar objects to; empty for a statement that it takes whole. */
  problems: (sql: string) => string[];
  /** The text that reaches the database. */
  sent: (statement: Statement) => string;
}

function antlrProblems(grammar: SQLDialect, sql: string): string[] {
  const found: string[] = [];
  const listener = {
    syntaxError: (_recognizer: unknown, _symbol: unknown, line: number, column: number, message: string) => {
      found.push(`${line}:${column} ${message}`);
    },
  };
  const reader = new antlr4tsSQL(grammar);
  const tokens = reader.getTokens(sql);
  const parser = reader.getParser(tokens);
  parser.removeErrorListeners();
  parser.addErrorListener(listener);
  reader.getParseTree(parser);
  return found;
}

const platforms: Platform[] = [
  {
    name: 'mysql',
    problems: (sql) => antlrProblems(SQLDialect.MYSQL, sql),
    sent: ({ sql }) => sql.replace(/\?\d+/g, '?'),
  },
  { name: 'mssql', problems: (sql) => antlrProblems(SQLDialect.TSQL, sql), sent: ({ sql }) => sql },
  { name: 'oracle', problems: (sql) => antlrProblems(SQLDialect.PLSQL, sql), sent: ({ sql }) => sql },
  {
    name: 'trino',
    problems: (sql) => new TrinoSQL().validate(sql).map(({ message }) => message),
    sent: ({ sql, values }) => withTrinoValues({ sql, values }, 'Trino'),
  },
];

const security: RowSecurity = {
  policies: [
    {
      constraints: [
        policyConstraint.parse({
          TableName: 'sales',
          ColumnName: 'tenant',
          Operator: 'in',
          Value: '/#tenant#/',
          Logical: 'OR',
        }),
        policyConstraint.parse({ TableName: 'sales', ColumnName: 'note', Operator: 'like', Value: "it's%" }),
        policyConstraint.parse({ TableName: 'stores', ColumnName: 'region', Operator: '=', Value: '/#tenant#/' }),
        policyConstraint.parse({
          TableName: 'clerks',
          ColumnName: 'level',
          Operator: 'between',
          Value: '1',
          Value2: '2',
        }),
      ],
    },
  ],
  tagValues: () => ['North', "it's"],
  today: reading.today,
};

function statements(planned: PlannedReport, dialect: Dialect): Statement[] {
  const selects = [planned.select, ...planned.totals.map(({ select }) => select)];
  if (planned.columns.length > 0) selects.push(valueListOf(planned, {}, 100));
  return selects.map((select) => statementOf(select, dialect));
}

describe.each(platforms)('a report for $name', ({ name, problems, sent }) => {
  const dialect = dialectOf(name);
  if (!dialect) throw new Error(`${name} has no dialect`);

  it('is a statement of its grammar', () => {
    let checked = 0;
    fc.assert(
      fc.property(arbitraryReport, fc.boolean(), (report, isRestricted) => {
        let planned: PlannedReport;
        try {
          planned = plan(report, isRestricted ? security : undefined);
        } catch (error) {
          if (error instanceof ReportError) return;
          throw error;
        }
        for (const statement of statements(planned, dialect)) {
          const sql = sent(statement);
          expect(problems(sql), sql).toEqual([]);
          checked += 1;
        }
      }),
      { numRuns: reports },
    );
    expect(checked).toBeGreaterThan(reports / 2);
  }, 600_000);

  it.each(['SELECT FROM t', 'SELECT a FROM t WHERE', 'SELECT (a FROM t', 'SELECT a FROM t ORDER a'])(
    'is none where the grammar objects: %s',
    (sql) => {
      expect(problems(sql)).not.toEqual([]);
    },
  );
});
