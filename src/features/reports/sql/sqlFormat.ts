import type { SqlLanguage } from 'sql-formatter';

/** Platform names as servers write them, by the formatter's language for each. */
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

/** The formatter's language for a platform's name; plain SQL where it is not known. */
export function sqlLanguage(platform: string | undefined): SqlLanguage {
  const name = (platform ?? '').toLowerCase().replace(/[^a-z0-9]/g, '');
  return Object.hasOwn(languages, name) ? (languages[name] ?? 'sql') : 'sql';
}

/**
 * Prompts and tags that stand in generated SQL until a report runs. Unless they are declared, MySQL and ClickHouse take
 * the `#` in them as a comment and swallow the rest of the line.
 */
const placeholders = [{ regex: String.raw`\{(?:\?[^}\r\n]*|policy)\}` }, { regex: String.raw`/#[^#\r\n]*#/` }];

/**
 * Generated SQL, laid out in the platform's dialect; exactly as it came where the formatter cannot read it.
 * API description, GetSQL.
 */
export async function formatSql(sql: string, platform: string | undefined): Promise<string> {
  const { format } = await import('sql-formatter');
  try {
    const language = sqlLanguage(platform);
    return format(sql, { language, paramTypes: { custom: placeholders }, tabWidth: 2, keywordCase: 'preserve' });
  } catch {
    // The server's text is worth more than its layout.
    return sql;
  }
}
