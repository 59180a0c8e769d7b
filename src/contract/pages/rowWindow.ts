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
