import type { CellValue } from '../../../client/results/resultCell.ts';
import type { ResultColumn } from '../../../client/results/resultColumn.ts';
import type { CellKind } from '../../../contract/pages/resultsPage.ts';
import type { RowCells, CellRectangle } from '../../../contract/pages/resultCells.ts';
import { syntheticResult, type SyntheticColumn } from '../../../client/results/syntheticResult.ts';
import type { ResultStore } from '../../../client/results/resultStore.ts';
import type { ExportSource } from '../export/exportSource.ts';

/** A column of a grid that is made from a result. */
export interface SourceColumn {
  title: string;
  kind: CellKind;
  /** Key of the column of the result that it stands for; undefined where it stands for none. */
  key?: string;
  /** Number of the column of the result whose values it shows; undefined where several make it. */
  ofResult?: number;
  /** Column of the result whose type its values have. */
  typed?: ResultColumn;
}

/** Names of such columns, different for each: two values of a pivot may be written alike. */
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

/** Rows of text for the grid that are made from those of a result: a pivot, or groups with their totals. */
export interface GridSource {
  readonly columns: readonly SourceColumn[];
  readonly rows: number;
  /** Text of the cells of rows from `start`, `count` at most; `columns` picks and orders them. */
  cells(start: number, count: number, columns?: readonly number[]): RowCells;
  /** What these cells stand for: numbers as numbers. Undefined where nothing does. */
  values(start: number, count: number, columns: readonly number[]): CellValue[][];
  /** What each of these rows is; see RowWindow. */
  levels(start: number, count: number): number[];
  /** Row of the store that a line shows; undefined for a heading and the like. Absent where no line shows one. */
  storeRow?(line: number): number | undefined;
  /** What the reader should know of how it was made. */
  readonly notes: readonly string[];
}

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

/** Columns with keys that differ, as those of a result do. */
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
