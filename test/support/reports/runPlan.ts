import type { Report } from '../../../src/contract/resources/report.ts';
import type { Database } from '../../../src/server/databases/database.ts';
import type { Databases } from '../../../src/server/databases/databases.ts';
import { type PlannedReport, planReport, type ReportReading } from '../../../src/server/reports/planReport.ts';
import { duckdbDialect } from '../../../src/server/reports/sql/duckdbDialect.ts';
import { readableSql, statementOf } from '../../../src/server/reports/sql/emit.ts';
import type { Select } from '../../../src/server/reports/sql/tree.ts';
import type { RowSecurity } from '../../../src/server/security/rowSecurity.ts';
import { shopTables, unrestricted } from './shopData.ts';

export const reading: ReportReading = { promptUse: 'run', today: '2026-03-18', maxRecords: 1000 };

/** Plans a report over the shop. */
export function plan(
  report: Report,
  security: RowSecurity = unrestricted,
  more: Partial<ReportReading> = {},
  tables = shopTables(),
): PlannedReport {
  return planReport(report, tables, security, { ...reading, ...more });
}

/** The statement of a report over the shop, its blanks folded. */
export function sqlOf(report: Report, security?: RowSecurity, more?: Partial<ReportReading>) {
  const { sql, values } = statementOf(plan(report, security, more).select, duckdbDialect);
  return { sql: folded(sql), values: values.map(({ type, text }) => `${type} ${text}`) };
}

/** The readable SQL of a report over the shop, its blanks folded. */
export function shownSql(report: Report, security?: RowSecurity, readsPolicies = false): string {
  return folded(readableSql(plan(report, security, { promptUse: 'show' }).select, duckdbDialect, readsPolicies));
}

function folded(sql: string): string {
  return sql.replace(/\s+/g, ' ');
}

/** Opens a DuckDB file through the driver. */
export function openDuckdb(databases: Databases, file: string): Promise<Database> {
  return databases.at({
    id: file,
    displayName: 'Shop',
    platform: 'duckdb',
    host: '',
    database: file,
    login: '',
    commandTimeout: 30,
    connectionTimeout: 10,
    params: '',
  });
}

/** All rows of a query, as JSON values. */
export async function rowsOf(database: Database, select: Select): Promise<Record<string, unknown>[]> {
  const texts: string[] = [];
  const options = { signal: new AbortController().signal, timeoutMs: 30_000 };
  for await (const { json } of await database.readJson(statementOf(select, duckdbDialect), options))
    texts.push(String(json));
  return JSON.parse(`[${texts.join(',')}]`) as Record<string, unknown>[];
}
