import { CellReader } from '../../../../client/results/cellReader.ts';
import { Pacer } from '../../../../client/results/pacer.ts';
import { blockRows, type CellValue } from '../../../../client/results/resultCell.ts';
import type { CopyForm, CopyParams, RowCells } from '../../../../contract/pages/resultCells.ts';
import type { ExportSource } from '../../export/exportSource.ts';
import { csvFormat, jsonFormat, markdownFormat, formulaSafeShown } from '../../../../editor/csv.ts';
import { writeText } from '../../export/writeText.ts';

/** Copy formats that are parts of SQL statements. */
type SqlCopyForm = Extract<CopyForm, 'inList' | 'insert'>;

const textFormats = { csv: csvFormat, json: jsonFormat, markdown: markdownFormat };

/** Copies cells as text, from the stored values. */
export async function copyText(source: ExportSource, form: keyof typeof textFormats): Promise<string> {
  const parts: Buffer[] = [];
  await writeText(source, textFormats[form], async (bytes) => void parts.push(Buffer.from(bytes)), {});
  return Buffer.concat(parts).toString('utf8');
}

/** Copies cells as SQL for a database, from the stored values. */
export async function copySql(source: ExportSource, form: SqlCopyForm, dialect: SqlDialect): Promise<string> {
  return form === 'inList' ? inList(source, dialect) : insertStatements(source, dialect);
}

/** A value as an SQL literal. */
function sqlLiteral(value: CellValue, dialect: SqlDialect): string {
  if (value === null || value === undefined) return 'NULL';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'boolean') return dialect.booleans[value ? 0 : 1];
  if (typeof value === 'object' && value.kind === 'exact') return value.text;
  return dialect.text(typeof value === 'object' ? value.text : value);
}

/** The distinct values of the cells, in order of first occurrence. Omits nulls unless there are no other values. */
async function inList(source: ExportSource, dialect: SqlDialect): Promise<string> {
  const literals = new Set<string>();
  for await (const row of rowsOf(source)) {
    for (const value of row) if (value !== null && value !== undefined) literals.add(sqlLiteral(value, dialect));
  }
  return `(${[...literals].join(', ') || 'NULL'})`;
}

async function insertStatements(source: ExportSource, dialect: SqlDialect): Promise<string> {
  const names = source.columns.map((column) => dialect.name(source.store.columns[column]?.key ?? ''));
  const head = `INSERT INTO ${dialect.name(source.title)} (${names.join(', ')}) VALUES\n`;
  const statements: string[] = [];
  let rows: string[] = [];
  const close = () => {
    if (rows.length > 0) statements.push(`${head}${rows.join(',\n')};\n`);
    rows = [];
  };
  for await (const row of rowsOf(source)) {
    rows.push(`  (${row.map((value) => sqlLiteral(value, dialect)).join(', ')})`);
    if (rows.length === dialect.rowsPerInsert) close();
  }
  close();
  return statements.join('');
}

async function* rowsOf({ store, columns, rows }: ExportSource): AsyncGenerator<CellValue[]> {
  const reader = new CellReader(store, columns, rows);
  const pacer = new Pacer(undefined);
  for (let start = 0; start < reader.rowCount; start += blockRows) {
    const count = reader.read(start);
    for (let row = 0; row < count; row++) {
      yield reader.runs.map(({ data, tags, slots }) => data.valueOf(tags[row]!, slots[row]!));
    }
    if (pacer.isDue) await pacer.pause();
  }
}

const rowsPerStep = 2_000;
/** Maximum number of cells to copy. The clipboard and paste targets fail with more. */
export const copyLimit = 2_000_000;

/** Rows of text to copy. */
interface CopiedRows {
  cells(start: number, count: number, columns: readonly number[]): RowCells;
}

/**
 * Copies a rectangle of cells as tab-separated text, optionally with column titles.
 * @param isSafe whether to prefix text that a spreadsheet would treat as a formula with an apostrophe.
 */
export async function copyCells(
  shown: CopiedRows,
  titles: readonly string[],
  { firstRow, lastRow, columns, withHeaders }: CopyParams,
  isSafe = false,
): Promise<string> {
  const safe = (cells: RowCells) => (isSafe ? cells.map((row) => row.map(safeCell)) : cells);
  const known = columns.filter((column) => titles[column] !== undefined);
  const parts = withHeaders ? [tabSeparated(safe([known.map((column) => titles[column] ?? '')]))] : [];
  const pacer = new Pacer(undefined);
  for (let row = firstRow; row <= lastRow; row += rowsPerStep) {
    const cells = shown.cells(row, Math.min(rowsPerStep, lastRow - row + 1), known);
    if (cells.length === 0) break;
    parts.push(tabSeparated(safe(cells)));
    if (pacer.isDue) await pacer.pause();
  }
  return parts.join('\n');
}

function safeCell(text: string | null): string | null {
  return text === null ? null : formulaSafeShown(text);
}

/**
 * Tab-separated text that spreadsheets can paste. Texts that contain a tab, a line break or a quote are quoted, with
 * quotes doubled. Cells without a value are empty.
 */
function tabSeparated(rows: RowCells): string {
  return rows.map((cells) => cells.map(fieldText).join('\t')).join('\n');
}

function fieldText(text: string | null): string {
  if (text === null) return '';
  return /[\t\r\n"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** How a database writes values and names in a statement. */
export interface SqlDialect {
  /** A quoted text, escaped so that it ends at its closing quote and reads as it does in the cell. */
  text(text: string): string;
  /** The name of a table or a column. */
  name(name: string): string;
  /** The literals for true and false, in this order. */
  booleans: readonly [string, string];
  /** Maximum number of rows per INSERT statement. */
  rowsPerInsert: number;
}

const doubled = (text: string, quote: string) => `${quote}${text.replaceAll(quote, quote + quote)}${quote}`;

const standard: SqlDialect = {
  text: (text) => doubled(text, "'"),
  name: (name) => doubled(name, '"'),
  booleans: ['TRUE', 'FALSE'],
  rowsPerInsert: 500,
};

/** An unescaped backslash would escape the closing quote, and the text could continue as a statement. */
const backslashes: SqlDialect = {
  ...standard,
  text: (text) => doubled(text.replaceAll('\\', '\\\\'), "'"),
};
const backticks: SqlDialect = { ...backslashes, name: (name) => doubled(name, '`') };
const escapedNames: SqlDialect = {
  ...backslashes,
  // Not every database of this kind supports doubled quotes.
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

/** Supported databases for SQL statements, by display name. */
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

/** The SQL dialect of a platform, as servers name it; undefined if unknown. */
export function sqlDialect(platform: string | undefined): SqlDialect | undefined {
  const name = (platform ?? '').toLowerCase().replace(/[^a-z0-9]/g, '');
  return platforms.find(([pattern]) => pattern.test(name))?.[1];
}
