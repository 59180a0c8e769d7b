import { CellReader } from '../../../../client/results/cellReader.ts';
import { Pacer } from '../../../../client/results/pacer.ts';
import { blockRows } from '../../../../client/results/resultCell.ts';
import type { CellValue } from '../../../../client/results/resultCell.ts';
import type { CopyForm } from '../../../../contract/pages/resultCells.ts';
import type { ExportSource } from '../../export/exportSource.ts';
import { csvFormat, jsonFormat, markdownFormat } from '../../../../editor/csv.ts';
import { writeText } from '../../export/writeText.ts';
import type { SqlDialect } from '../../sql/sqlDialect.ts';

/** The forms that hold values as they are stored; the others hold what is shown. */
export type StoredCopyForm = Exclude<CopyForm, 'shown' | 'withHeaders' | 'formulaSafe'>;

/** The forms that are parts of SQL statements. */
export type SqlCopyForm = Extract<CopyForm, 'inList' | 'insert'>;

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
