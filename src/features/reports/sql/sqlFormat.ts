import type { SqlLanguage } from 'sql-formatter';
import type { Report } from '../../../contract/resources/report.ts';

/** Formatter language by platform name, as servers write it. */
const languages: Readonly<Record<string, SqlLanguage>> = {
  duckdb: 'duckdb',
  sqlite: 'sqlite',
  sqlite3: 'sqlite',
  postgresql: 'postgresql',
  postgres: 'postgresql',
  redshift: 'redshift',
  mysql: 'mysql',
  mariadb: 'mariadb',
  mssql: 'transactsql',
  sqlserver: 'transactsql',
  oracle: 'plsql',
  clickhouse: 'clickhouse',
  trino: 'trino',
  presto: 'trino',
  snowflake: 'snowflake',
  bigquery: 'bigquery',
  db2: 'db2',
  hive: 'hive',
  spark: 'spark',
  databricks: 'spark',
};

/** The formatter language for a platform name; plain SQL if unknown. */
export function sqlLanguage(platform: string | undefined): SqlLanguage {
  const name = (platform ?? '').toLowerCase().replace(/[^a-z0-9]/g, '');
  return Object.hasOwn(languages, name) ? (languages[name] ?? 'sql') : 'sql';
}

/**
 * Prompts and tags that generated SQL contains until a report runs. Unless they are declared, MySQL and ClickHouse
 * treat their `#` as a comment and swallow the rest of the line.
 */
const placeholders = [{ regex: String.raw`\{(?:\?[^}\r\n]*|policy)\}` }, { regex: String.raw`/#[^#\r\n]*#/` }];

/**
 * Formats generated SQL in the platform's dialect. Returns it unchanged if the formatter cannot parse it. API
 * description, GetSQL.
 */
export async function formatSql(sql: string, platform: string | undefined): Promise<string> {
  const { format } = await import('sql-formatter');
  try {
    const language = sqlLanguage(platform);
    return format(sql, { language, paramTypes: { custom: placeholders }, tabWidth: 2, keywordCase: 'preserve' });
  } catch {
    // Unformatted SQL is better than none.
    return sql;
  }
}

type ReportFields = NonNullable<Report['FieldList']>;

/**
 * One line per compared field with the server's compiled criteria: the field, its condition, and the operator before
 * the next field. API description, ReportProcUI (tbl10 and tbl11).
 */
export function compiledCriteria(fields: ReportFields): string[] {
  const compiled = fields.flatMap(
    ({ ReportFieldName, DisplayFieldName, DbFieldName, SearchCriteria, tbl10, tbl11 }) => {
      const condition = tbl10 || SearchCriteria || '';
      if (condition === '') return [];
      return [{ name: ReportFieldName || DisplayFieldName || DbFieldName || '', condition, logical: tbl11 ?? '' }];
    },
  );
  return compiled.map(({ name, condition, logical }, index) => {
    const leadsOn = logical !== '' && index < compiled.length - 1;
    return `${name}: ${condition}${leadsOn ? ` ${logical}` : ''}`;
  });
}

/** A line as an SQL comment that its content cannot terminate. */
export function toComment(line: string): string {
  return `-- ${line.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')}`;
}
