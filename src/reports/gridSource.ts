import type { CellValue } from '../client/results/resultCell.ts';
import type { ResultColumn } from '../client/results/resultColumn.ts';
import type { CellKind } from '../protocol/resultsPage.ts';
import type { RowCells } from '../protocol/rowWindow.ts';

/** A column of a grid that is made from a result. */
export interface SourceColumn {
  title: string;
  kind: CellKind;
  /** Column of the result that it stands for; undefined where it stands for none. */
  key?: string;
  /** Column of the result whose type its values have. */
  typed?: ResultColumn;
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
