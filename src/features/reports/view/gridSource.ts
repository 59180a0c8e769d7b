import type { CellValue } from '../../../client/results/resultCell.ts';
import type { ResultColumn } from '../../../client/results/resultColumn.ts';
import type { CellKind } from '../../../contract/pages/resultsPage.ts';
import type { RowCells, CellRectangle } from '../../../contract/pages/resultCells.ts';
import { syntheticResult, type SyntheticColumn } from '../../../client/results/syntheticResult.ts';
import type { ResultStore } from '../../../client/results/resultStore.ts';
import type { ExportSource } from '../export/exportSource.ts';

/** A column of a grid that is derived from a result. */
export interface SourceColumn {
  title: string;
  kind: CellKind;
  /** Key of the corresponding result column; undefined if there is none. */
  key?: string;
  /** Number of the result column whose values it shows; undefined if it combines several. */
  ofResult?: number;
  /** The result column that defines the type of its values. */
  typed?: ResultColumn;
}

/** Unique names for such columns: two values of a pivot may have the same text. */
export function columnNames(columns: readonly Pick<SourceColumn, 'key' | 'title'>[]): string[] {
  const taken = new Set<string>();
  return columns.map(({ key, title }) => {
    const wanted = key ?? title;
    let own = wanted;
    for (let more = 2; taken.has(own); more++) own = `${wanted} (${more})`;
    taken.add(own);
    return own;
  });
}

/** Rows of text for the grid, derived from a result's rows: a pivot, or groups with their totals. */
export interface GridSource {
  readonly columns: readonly SourceColumn[];
  readonly rows: number;
  /** Cell texts of up to `count` rows from `start`. `columns` selects and orders the columns. */
  cells(start: number, count: number, columns?: readonly number[]): RowCells;
  /** The values behind these cells: numbers as numbers; undefined if there is no value. */
  values(start: number, count: number, columns: readonly number[]): CellValue[][];
  /** What each of these rows is. See RowWindow. */
  levels(start: number, count: number): number[];
  /** The store row that a line shows; undefined for headings and similar lines. Absent if no line shows a row. */
  storeRow?(line: number): number | undefined;
  /** Notices for the reader about how it was made. */
  readonly notes: readonly string[];
}

/** Lines with their values. */
type ValueLines = Pick<GridSource, 'columns' | 'rows' | 'values'>;

/** Lines shown instead of a result's rows, for an export. */
export interface DerivedLines {
  rows: number;
  /** Converts the lines to rows of a separate result. @throws as madeResult. */
  make(signal: AbortSignal): Promise<ExportSource | undefined>;
}

const linesPerPart = 512;

/** Converts all lines to a separate result. @throws as madeResult. */
export async function derivedStore(source: ValueLines, signal?: AbortSignal): Promise<ResultStore> {
  const columns = source.columns.map((_, column) => column);
  return (await derivedRows(source, { firstRow: 0, lastRow: source.rows - 1, columns }, signal)).store;
}

/** Converts a rectangle of derived lines to a separate result. @throws as madeResult. */
export async function derivedRows(
  source: ValueLines,
  { firstRow, lastRow, columns }: Omit<CellRectangle, 'view'>,
  signal?: AbortSignal,
): Promise<Omit<ExportSource, 'title'>> {
  const known = columns.filter((column) => source.columns[column] !== undefined);
  const end = Math.min(lastRow + 1, source.rows);
  const store = await syntheticResult(madeColumns(source, known), parts(source, firstRow, end, known), signal);
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

/** Columns with unique keys, as in a result. */
function madeColumns(source: ValueLines, columns: readonly number[]): SyntheticColumn[] {
  const wanted = columns.flatMap((column) => source.columns[column] ?? []);
  const names = columnNames(wanted);
  return wanted.map(({ title, typed }, at) => ({
    key: names[at] ?? title,
    header: title,
    fieldType: typed?.fieldType,
    format: typed?.format,
  }));
}
