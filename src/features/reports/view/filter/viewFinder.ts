import { Pacer } from '../../../../client/results/pacer.ts';
import type { FindParams, FoundCell } from '../../../../contract/pages/resultCells.ts';
import { cellPredicate } from './columnFilter.ts';
import { filterRows } from './filterRows.ts';
import type { ArrangedRows } from '../arrangedRows.ts';
import { lineCount, lineTexts, type DisplayedRows } from '../displayedRows.ts';
import type { GridSource } from '../gridSource.ts';

/** What to find in a view. */
export type FindWish = Omit<FindParams, 'view'>;

/** Number of derived lines to search between two checks of the clock. */
const linesPerLook = 1_024;

/** Finds cells in what a view shows. Searches for matching rows once for many steps. */
export class ViewFinder {
  #finding = new AbortController();
  #last: { of: unknown; rows: number; text: string; columns: string; marks: Uint8Array; count: number } | undefined;

  /**
   * Finds the next cell whose displayed text contains a text, ignoring case. Wraps around at the end. Null if there is
   * none, or another search has replaced this one.
   */
  async find(shown: DisplayedRows, wish: FindWish): Promise<FoundCell | null> {
    const text = wish.text.toLowerCase();
    if (text === '' || wish.columns.length === 0 || lineCount(shown) === 0) return null;
    this.#finding.abort();
    this.#finding = new AbortController();
    const { signal } = this.#finding;
    try {
      const { marks, count } = await this.#marks(shown, text, wish.columns, signal);
      const cell = count === 0 ? undefined : nextCell(shown, marks, { ...wish, text });
      return cell === undefined ? null : { ...cell, rows: count };
    } catch (error) {
      if (signal.aborted) return null;
      throw error;
    }
  }

  dispose(): void {
    this.#finding.abort();
    this.#last = undefined;
  }

  async #marks(
    shown: DisplayedRows,
    text: string,
    columns: readonly number[],
    signal: AbortSignal,
  ): Promise<{ marks: Uint8Array; count: number }> {
    const rows = lineCount(shown);
    const key = columns.join();
    const of = shown.source ?? shown.arranged;
    const last = this.#last;
    if (last !== undefined && last.of === of && last.rows === rows && last.text === text && last.columns === key)
      return last;
    const marks = new Uint8Array(rows);
    if (shown.source !== undefined) await markLines(shown.source, text, columns, marks, signal);
    else await markRows(shown.arranged, text, columns, marks, signal);
    const count = marks.reduce((sum, mark) => sum + mark, 0);
    this.#last = { of, rows, text, columns: key, marks, count };
    return this.#last;
  }
}

/** Marks the rows of the view that contain the text, using the filters' search. */
async function markRows(
  arranged: ArrangedRows,
  text: string,
  columns: readonly number[],
  marks: Uint8Array,
  signal: AbortSignal,
): Promise<void> {
  const { store } = arranged;
  const some = columns.flatMap((column) => {
    const format = arranged.columns[column]?.format;
    return format ? [{ column, ...cellPredicate({ kind: 'contains', text }, store.columnData(column), format) }] : [];
  });
  const found = await filterRows(store, 0, { every: [], some }, signal);
  const { order } = arranged;
  if (order === undefined) {
    for (const row of found) if (row < marks.length) marks[row] = 1;
    return;
  }
  const isFound = new Uint8Array(store.rowCount);
  for (const row of found) isFound[row] = 1;
  for (let row = 0; row < marks.length; row++) marks[row] = isFound[order[row]!] ?? 0;
}

async function markLines(
  source: GridSource,
  text: string,
  columns: readonly number[],
  marks: Uint8Array,
  signal: AbortSignal,
): Promise<void> {
  const pacer = new Pacer(signal);
  for (let start = 0; start < marks.length; start += linesPerLook) {
    for (const [at, cells] of source.cells(start, linesPerLook, columns).entries()) {
      if (cells.some((cell) => contains(cell, text))) marks[start + at] = 1;
    }
    if (pacer.isDue) await pacer.pause();
  }
}

/** The next marked cell in the search direction, wrapping around; undefined if no marked row has a match. */
function nextCell(
  shown: DisplayedRows,
  marks: Uint8Array,
  { text, row, place, columns, isBackward, isFromHere }: FindWish,
): Omit<FoundCell, 'rows'> | undefined {
  const step = isBackward ? -1 : 1;
  const start = Math.min(Math.max(row, 0), marks.length - 1);
  // Visit the cell's row twice: first the part after the cell, at the end the part before it.
  for (let moved = 0; moved <= marks.length; moved++) {
    const at = (start + step * moved + marks.length * 2) % marks.length;
    if (marks[at] !== 1) continue;
    const cells = lineTexts(shown, at, 1, columns)[0] ?? [];
    const places = cells.flatMap((cell, index) => (contains(cell, text) ? [index] : []));
    const isAhead = (index: number) =>
      (index - place) * step > 0 || (isFromHere && index === place) || row < 0 || moved > 0;
    const ahead = places.filter(isAhead);
    const next = isBackward ? ahead.at(-1) : ahead[0];
    if (next !== undefined) return { row: at, place: next };
  }
  return undefined;
}

function contains(cell: string | null | undefined, text: string): boolean {
  return cell != null && cell.toLowerCase().includes(text);
}
