import { CellReader } from '../../../../client/results/cellReader.ts';
import { Pacer } from '../../../../client/results/pacer.ts';
import { blockRows, type CellValue } from '../../../../client/results/resultCell.ts';
import type { CopyForm, CopyParams, RowCells } from '../../../../contract/pages/resultCells.ts';
import type { ExportSource } from '../../export/exportSource.ts';
import { csvFormat, jsonFormat, markdownFormat, formulaSafeShown } from '../../../../editor/csv.ts';
import { writeText } from '../../export/writeText.ts';

/** The forms that are parts of SQL statements. */
type SqlCopyForm = Extract<CopyForm, 'inList' | 'insert'>;

const textFormats = { csv: csvFormat, json: jsonFormat, markdown: markdownFormat };

/** Some cells as text for the clipboard, from the values stored. */
export async function copyText(source: ExportSource, form: keyof typeof textFormats): Promise<string> {
  const parts: Buffer[] = [];
  await writeText(source, textFormats[form], async (bytes) => void parts.push(Buffer.from(bytes)), {});
  return Buffer.concat(parts).toString('utf8');
}

/** Some cells as SQL for a kind of database, from the values stored. */
export async function copySql(source: ExportSource, form: SqlCopyForm, dialect: SqlDialect): Promise<string> {
  return form === 'inList' ? inList(source, dialect) : insertStatements(source, dialect);
}

/** A value as SQL writes it. */
function sqlLiteral(value: CellValue, dialect: SqlDialect): string {
  if (value === null || value === undefined) return 'NULL';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'boolean') return dialect.booleans[value ? 0 : 1];
  if (typeof value === 'object' && value.kind === 'exact') return value.text;
  return dialect.text(typeof value === 'object' ? value.text : value);
}

/** The different values of the cells, in the order they are met; null is in no list but that of nothing else. */
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
/** Cells that are copied at most; beyond, the clipboard and whatever is pasted into give up. */
export const copyLimit = 2_000_000;

/** Rows of text that can be copied. */
interface CopiedRows {
  cells(start: number, count: number, columns: readonly number[]): RowCells;
}

/**
 * A rectangle of cells as text separated by tabs, with the columns' titles above where wanted.
 * @param isSafe whether text that a spreadsheet would take for a formula gets an apostrophe.
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
 * Cells as tab-separated text, the form in which spreadsheets paste. A text that holds a tab, a line end or a quote
 * stands in quotes, with quotes doubled; a cell without a value is empty.
 */
function tabSeparated(rows: RowCells): string {
  return rows.map((cells) => cells.map(fieldText).join('\t')).join('\n');
}

function fieldText(text: string | null): string {
  if (text === null) return '';
  return /[\t\r\n"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

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
