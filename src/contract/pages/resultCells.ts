/** Requests of a page about cells of the grid, and the host's answers. */

/** A rectangle of cells: from first to last row of the view, and columns in display order. */
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

/** Search text and starting cell. */
export interface FindParams {
  view: number;
  text: string;
  /** The cell to start from: row of the view, -1 above the first, and index of its column in `columns`. */
  row: number;
  place: number;
  /** Columns to search, in display order. */
  columns: number[];
  isBackward: boolean;
  /** Whether the starting cell itself is included, as during typing. */
  isFromHere: boolean;
}

/** A cell that contains the text, and the number of rows with such cells. */
export interface FoundCell {
  row: number;
  place: number;
  rows: number;
}

/**
 * How cells are copied: as shown, with headers, so that no text becomes a formula where it is pasted, or the stored
 * values in another format.
 */
export type CopyForm = 'shown' | 'withHeaders' | 'formulaSafe' | 'csv' | 'json' | 'inList' | 'insert' | 'markdown';

/**
 * Figures of selected cells. `sum`, `min` and `max` are those of the numbers among them; undefined when there are none.
 */
export interface SelectionFigures {
  cells: number;
  distinct: number;
  /** Whether there may be more distinct values than were counted. */
  isCapped: boolean;
  /** Number of cells without a value. */
  nulls: number;
  numbers: number;
  sum?: NumberFigure;
  average?: NumberFigure;
  /**
   * Smallest and largest number, as decimal text with all digits received; if only dates and times are selected, the
   * earliest and the latest, as shown.
   */
  min?: string;
  max?: string;
}

/** A calculated number. */
export interface NumberFigure {
  /** Decimal text. */
  text: string;
  /** Whether no digit was lost. */
  isExact: boolean;
}

/** One bar of a distribution. */
export interface ProfileBar {
  /** The value or range, as shown in the grid. */
  label: string;
  count: number;
}

/** Distribution of one column's values over the rows of a view. */
export interface ColumnProfile {
  column: number;
  title: string;
  typeName: string;
  rows: number;
  /** Number of rows without a value. */
  missing: number;
  distinct: number;
  /** Whether there may be more distinct values than were counted. */
  isCapped: boolean;
  /** Whether a bar is a range of values or a single value. */
  kind: 'ranges' | 'values';
  bars: ProfileBar[];
  /** Number of rows whose values have no bar. */
  others: number;
  /** Smallest, largest and mean value as shown in the grid, if they exist. */
  least?: string;
  greatest?: string;
  mean?: string;
}

/** The full content of one cell. */
export interface CellDetail {
  title: string;
  typeName: string;
  /** As shown in the grid; null if there is no value. */
  shown: string | null;
  /** As stored, if different; JSON is formatted. */
  stored: string | null;
}

/** The address in a text of a link column, if it may be opened: web or mail, absolute. */
export function linkAddress(text: string): URL | undefined {
  // Fast path: most texts of a grid are not links, and the grid asks for each cell it draws.
  if (!/^\s*(?:https?|mailto):/i.test(text) || !URL.canParse(text.trim())) return undefined;
  return new URL(text.trim());
}

/**
 * Rows sent to a page. A window is a range of consecutive rows of one view, already formatted: text, or null for a
 * database null. It is sent as the bytes of its JSON text, because an editor passes byte arrays through unchanged but
 * would traverse, copy and parse every cell of nested arrays.
 */

/** Rows of a window, each with one entry per column of the result: display text, or null. */
export type RowCells = readonly (readonly (string | null)[])[];

/** Maximum number of rows in one request of a page. */
export const largestWindow = 1_000;

/**
 * Usual number of rows and cells in one request; wide rows are requested in smaller numbers, so that no request takes
 * long.
 */
const usualRows = 128;
const usualCells = 8_192;
const fewestRows = 16;

/** Number of rows that a page requests and stores together, for this number of columns. */
export function windowRows(columns: number): number {
  return Math.min(usualRows, Math.max(fewestRows, Math.floor(usualCells / Math.max(1, columns))));
}

/** Consecutive rows in their wire form. `start` counts from 0 within the view. */
export interface RowWindow {
  start: number;
  count: number;
  /** UTF-8 of a JSON array of rows; has a buffer of its own. */
  bytes: Uint8Array;
  /**
   * Kind of each row, unless all are plain: 0 for a plain row, a positive number for the heading of a group at that
   * level, -1 for the grand total.
   */
  levels?: number[];
}

/** Encodes rows for the page. */
export function packRows(start: number, rows: RowCells, levels?: number[]): RowWindow {
  const encoded = new TextEncoder().encode(JSON.stringify(rows));
  // A view on a larger buffer would send that whole buffer.
  const bytes = encoded.byteLength === encoded.buffer.byteLength ? encoded : encoded.slice();
  return { start, count: rows.length, bytes, levels };
}

/** Decodes a window made by {@link packRows}. */
export function unpackRows(window: RowWindow): RowCells {
  return JSON.parse(new TextDecoder().decode(window.bytes)) as RowCells;
}
