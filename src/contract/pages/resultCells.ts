/** What a page asks about cells of the grid, and what the host answers. */

/** A rectangle of cells: rows of the view from first to last, and columns in the order shown. */
export interface CellRectangle {
  view: number;
  firstRow: number;
  lastRow: number;
  columns: number[];
}

/** @see CellRectangle */
export interface CopyParams extends CellRectangle {
  withHeaders: boolean;
}

/** What is looked for, from a cell on. */
export interface FindParams {
  view: number;
  text: string;
  /** The cell that is looked on from: row of the view, -1 above the first, and place of its column among `columns`. */
  row: number;
  place: number;
  /** Columns that are looked into, in the order shown. */
  columns: number[];
  isBackward: boolean;
  /** Whether the cell itself counts, as it does while somebody types. */
  isFromHere: boolean;
}

/** A cell that contains the text, and how many rows have such cells. */
export interface FoundCell {
  row: number;
  place: number;
  rows: number;
}

/**
 * How cells go to the clipboard: as shown, with the titles above, so that no text becomes a formula where it is pasted, or the
 * values stored in another form.
 */
export type CopyForm = 'shown' | 'withHeaders' | 'formulaSafe' | 'csv' | 'json' | 'inList' | 'insert' | 'markdown';

/** Figures of some cells. `sum`, `min` and `max` are those of the numbers among them; undefined where there are none. */
export interface SelectionFigures {
  cells: number;
  distinct: number;
  /** Whether there may be more different values than were counted. */
  isCapped: boolean;
  /** Cells without a value. */
  nulls: number;
  numbers: number;
  sum?: NumberFigure;
  average?: NumberFigure;
  /**
   * Least and greatest number, as decimal text with all digits that they came with; where only dates and times are selected, the first
   * and the last, as they are shown.
   */
  min?: string;
  max?: string;
}

/** A number that was worked out. */
export interface NumberFigure {
  /** Decimal text. */
  text: string;
  /** Whether no digit was lost. */
  isExact: boolean;
}

/** One bar of a distribution. */
export interface ProfileBar {
  /** The value, or the range, as the grid would show it. */
  label: string;
  count: number;
}

/** The values of one column over the rows of a view. */
export interface ColumnProfile {
  column: number;
  title: string;
  typeName: string;
  rows: number;
  /** Rows without a value. */
  missing: number;
  distinct: number;
  /** Whether there may be more different values than were counted. */
  isCapped: boolean;
  /** Whether a bar stands for a range of values, or for one value. */
  kind: 'ranges' | 'values';
  bars: ProfileBar[];
  /** Rows whose values have no bar. */
  others: number;
  /** Least, greatest and mean value as the grid would show them, where there are such. */
  least?: string;
  greatest?: string;
  mean?: string;
}

/** One cell, whole. */
export interface CellDetail {
  title: string;
  typeName: string;
  /** As shown in the grid; null where there is no value. */
  shown: string | null;
  /** As stored, where that differs; JSON is laid out. */
  stored: string | null;
}
