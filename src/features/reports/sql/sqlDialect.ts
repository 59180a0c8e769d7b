/** How a database writes the values and names of a statement. */
export interface SqlDialect {
  /** A text between quotes, so that it ends where it should and reads as it stands in the cell. */
  text(text: string): string;
  /** The name of a table or a column. */
  name(name: string): string;
  /** True and false. */
  booleans: readonly [string, string];
  /** Rows that one INSERT statement takes. */
  rowsPerInsert: number;
}

const doubled = (text: string, quote: string) => `${quote}${text.replaceAll(quote, quote + quote)}${quote}`;

const standard: SqlDialect = {
  text: (text) => doubled(text, "'"),
  name: (name) => doubled(name, '"'),
  booleans: ['TRUE', 'FALSE'],
  rowsPerInsert: 500,
};

/** A backslash that stood as it is would swallow the quote behind it, and the text could go on as a statement. */
const backslashes: SqlDialect = {
  ...standard,
  text: (text) => doubled(text.replaceAll('\\', '\\\\'), "'"),
};
const backticks: SqlDialect = { ...backslashes, name: (name) => doubled(name, '`') };
const escapedNames: SqlDialect = {
  ...backslashes,
  // Not every database of this kind knows a doubled quote.
  text: (text) => `'${text.replace(/[\\']/g, '\\$&')}'`,
  name: (name) => `\`${name.replace(/[\\`]/g, '\\$&')}\``,
};

const sqlServer: SqlDialect = {
  ...standard,
  // Without the prefix, characters outside the database's code page become question marks.

  text: (text) => `${/^[\u0000-\u007f]*$/.test(text) ? '' : 'N'}${doubled(text, "'")}`,
  name: (name) => `[${name.replaceAll(']', ']]')}]`,
  booleans: ['1', '0'],
};
const oracle: SqlDialect = { ...standard, booleans: ['1', '0'], rowsPerInsert: 1 };

/** The kinds of database that statements can be written for, by the names that are offered. */
export const sqlDialects = {
  'PostgreSQL, DuckDB, SQLite, Trino, DB2': standard,
  'MySQL, MariaDB': backticks,
  'SQL Server': sqlServer,
  Oracle: oracle,
  'ClickHouse, BigQuery': escapedNames,
  'Snowflake, Redshift': backslashes,
  'Spark, Hive': backticks,
} as const satisfies Record<string, SqlDialect>;

const platforms: readonly [RegExp, SqlDialect][] = [
  [/^(duckdb|sqlite|postgres|trino|presto|db2)/, standard],
  [/^(mysql|maria|spark|databricks|hive)/, backticks],
  [/^(mssql|sqlserver|azuresql|microsoftsql)/, sqlServer],
  [/^oracle/, oracle],
  [/^(clickhouse|bigquery)/, escapedNames],
  [/^(snowflake|redshift)/, backslashes],
];

/** How the platform of a name, as servers write it, has its statements; undefined for one that is not known. */
export function sqlDialect(platform: string | undefined): SqlDialect | undefined {
  const name = (platform ?? '').toLowerCase().replace(/[^a-z0-9]/g, '');
  return platforms.find(([pattern]) => pattern.test(name))?.[1];
}
