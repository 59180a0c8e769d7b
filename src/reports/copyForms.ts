import { CellReader } from '../client/results/cellReader.ts';
import { Pacer } from '../client/results/pacer.ts';
import { blockRows } from '../client/results/resultCell.ts';
import type { CellValue } from '../client/results/resultCell.ts';
import type { CopyForm } from '../protocol/resultsPage.ts';
import type { ExportSource } from './export/exportSource.ts';
import { csvFormat, jsonFormat, markdownFormat } from './export/textFormat.ts';
import { writeText } from './export/writeText.ts';

/** Rows of one INSERT statement. */
const rowsPerInsert = 500;

/** The forms that hold values as they are stored; the others hold what is shown. */
export type StoredCopyForm = Exclude<CopyForm, 'shown' | 'withHeaders'>;

/** Some cells as text for the clipboard, from the values stored. */
export async function copyText(source: ExportSource, form: StoredCopyForm): Promise<string> {
  switch (form) {
    case 'csv':
      return written(source, csvFormat);
    case 'json':
      return written(source, jsonFormat);
    case 'markdown':
      return written(source, markdownFormat);
    case 'inList':
      return inList(source);
    case 'insert':
      return insertStatements(source);
  }
}

/** A value as SQL writes it: text in quotes, with quotes doubled. */
export function sqlLiteral(value: CellValue): string {
  if (value === null || value === undefined) return 'NULL';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  if (typeof value === 'object' && value.kind === 'exact') return value.text;
  return `'${(typeof value === 'object' ? value.text : value).replaceAll("'", "''")}'`;
}

function sqlName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

async function written(source: ExportSource, format: typeof csvFormat): Promise<string> {
  const parts: Buffer[] = [];
  await writeText(source, format, async (bytes) => void parts.push(Buffer.from(bytes)), {});
  return Buffer.concat(parts).toString('utf8');
}

/** The different values of the cells, in the order they are met; null is never in a list. */
async function inList(source: ExportSource): Promise<string> {
  const literals = new Set<string>();
  for await (const row of rowsOf(source)) {
    for (const value of row) if (value !== null && value !== undefined) literals.add(sqlLiteral(value));
  }
  return `(${[...literals].join(', ')})`;
}

async function insertStatements(source: ExportSource): Promise<string> {
  const names = source.columns.map((column) => sqlName(source.store.columns[column]?.key ?? ''));
  const head = `INSERT INTO ${sqlName(source.title)} (${names.join(', ')}) VALUES\n`;
  const statements: string[] = [];
  let rows: string[] = [];
  const close = () => {
    if (rows.length > 0) statements.push(`${head}${rows.join(',\n')};\n`);
    rows = [];
  };
  for await (const row of rowsOf(source)) {
    rows.push(`  (${row.map(sqlLiteral).join(', ')})`);
    if (rows.length === rowsPerInsert) close();
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
