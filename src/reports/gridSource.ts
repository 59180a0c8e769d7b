import type { CellKind } from '../protocol/resultsPage.ts';
import type { RowCells } from '../protocol/rowWindow.ts';

/** A column of a grid that is made from a result. */
export interface SourceColumn {
  title: string;
  kind: CellKind;
}

/** Rows of text for the grid that are made from those of a result: a pivot, or groups with their totals. */
export interface GridSource {
  readonly columns: readonly SourceColumn[];
  readonly rows: number;
  /** Text of the cells of rows from `start`, `count` at most; `columns` picks and orders them. */
  cells(start: number, count: number, columns?: readonly number[]): RowCells;
  /** What each of these rows is; see RowWindow. */
  levels(start: number, count: number): number[];
  /** What the reader should know of how it was made. */
  readonly notes: readonly string[];
}
