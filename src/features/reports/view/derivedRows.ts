import { madeResult } from '../../../client/results/madeResult.ts';
import type { MadeColumn } from '../../../client/results/madeResult.ts';
import type { CellValue } from '../../../client/results/resultCell.ts';
import type { ResultStore } from '../../../client/results/resultStore.ts';
import type { CellRectangle } from '../../../contract/pages/resultCells.ts';
import type { ExportSource } from '../export/exportSource.ts';
import { columnNames } from './gridSource.ts';
import type { GridSource } from './gridSource.ts';

/** Lines with the values that they stand for. */
type ValueLines = Pick<GridSource, 'columns' | 'rows' | 'values'>;

/** Lines that are shown in the place of a result's rows, for an export. */
export interface DerivedLines {
  rows: number;
  /** The lines as rows of a result of their own. @throws as madeResult. */
  make(signal: AbortSignal): Promise<ExportSource | undefined>;
}

const linesPerPart = 512;

/** All lines, as a result of their own. @throws as madeResult. */
export async function derivedStore(source: ValueLines, signal?: AbortSignal): Promise<ResultStore> {
  const columns = source.columns.map((_, column) => column);
  return (await derivedRows(source, { firstRow: 0, lastRow: source.rows - 1, columns }, signal)).store;
}

/** A rectangle of lines that were made from a result, as a result of its own. @throws as madeResult. */
export async function derivedRows(
  source: ValueLines,
  { firstRow, lastRow, columns }: Omit<CellRectangle, 'view'>,
  signal?: AbortSignal,
): Promise<Omit<ExportSource, 'title'>> {
  const known = columns.filter((column) => source.columns[column] !== undefined);
  const end = Math.min(lastRow + 1, source.rows);
  const store = await madeResult(madeColumns(source, known), parts(source, firstRow, end, known), signal);
  return { store, columns: store.columns.map((_, column) => column), rows: undefined };
}

function* parts(
  source: ValueLines,
  start: number,
  end: number,
  columns: readonly number[],
): Generator<readonly CellValue[][]> {
  for (let line = start; line < end; line += linesPerPart) {
    yield source.values(line, Math.min(linesPerPart, end - line), columns);
  }
}

/** Columns with keys that differ, as those of a result do. */
function madeColumns(source: ValueLines, columns: readonly number[]): MadeColumn[] {
  const wanted = columns.flatMap((column) => source.columns[column] ?? []);
  const names = columnNames(wanted);
  return wanted.map(({ title, typed }, at) => ({
    key: names[at] ?? title,
    header: title,
    fieldType: typed?.fieldType,
    format: typed?.format,
  }));
}
