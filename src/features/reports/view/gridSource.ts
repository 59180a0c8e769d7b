import type { CellValue } from '../../../client/results/resultCell.ts';
import type { ResultColumn } from '../../../client/results/resultColumn.ts';
import type { CellKind } from '../../../contract/pages/resultsPage.ts';
import type { RowCells } from '../../../contract/pages/resultCells.ts';

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
