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

/** The address that a text of a link column is, if it is one that may be opened: web or mail, absolute. */
export function linkAddress(text: string): URL | undefined {
  // Most texts of a grid are none, and it asks for each that it draws.
  if (!/^\s*(?:https?|mailto):/i.test(text) || !URL.canParse(text.trim())) return undefined;
  return new URL(text.trim());
}

/**
 * Rows on their way to a page. A window is a run of consecutive rows of one view, already formatted: text, or null where
 * the database holds none. It travels as the bytes of its JSON text, because an editor hands a byte array over untouched
 * where it would walk, copy and re-read every cell of nested arrays.
 */

/** Rows of a window by row, then by column of the result: display text, or null. */
export type RowCells = readonly (readonly (string | null)[])[];

/** Rows that a page may ask for at once. */
export const largestWindow = 1_000;

/** Rows, and cells, that a page asks for at once; of wide rows fewer, so that none takes long. */
const usualRows = 128;
const usualCells = 8_192;
const fewestRows = 16;

/** Rows that a page holds and asks for together, where each has so many columns. */
export function windowRows(columns: number): number {
  return Math.min(usualRows, Math.max(fewestRows, Math.floor(usualCells / Math.max(1, columns))));
}

/** Consecutive rows as they travel. `start` counts from 0 within the view. */
export interface RowWindow {
  start: number;
  count: number;
  /** UTF-8 of a JSON array of rows; owns its whole buffer. */
  bytes: Uint8Array;
  /** What each row is, where not all are plain: 0 a plain row, above it the heading of a group of that level, -1 the total of all. */
  levels?: number[];
}

/** Packs rows for the way to the page. */
export function packRows(start: number, rows: RowCells, levels?: number[]): RowWindow {
  const encoded = new TextEncoder().encode(JSON.stringify(rows));
  // A view on a larger buffer would ship that whole buffer.
  const bytes = encoded.byteLength === encoded.buffer.byteLength ? encoded : encoded.slice();
  return { start, count: rows.length, bytes, levels };
}

/** Unpacks a window made by {@link packRows}. */
export function unpackRows(window: RowWindow): RowCells {
  return JSON.parse(new TextDecoder().decode(window.bytes)) as RowCells;
}
