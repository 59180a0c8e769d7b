import { largestWindow, windowRows, type RowCells } from '../../contract/pages/resultCells.ts';

const keptWindows = 48;
/** While scrolling fast, the latest request need not wait for earlier replies. */
const requestsAtOnce = 3;

/** Rows and, unless all are plain, the level of each; see RowWindow. */
export interface FetchedRows {
  rows: RowCells;
  levels?: readonly number[];
}

/** How many of some rows are loaded. */
export type AvailableRows = 'all' | 'some' | 'none';

/** Fetches rows of a view; null if the view no longer exists. */
export type RowFetcher = (start: number, count: number) => Promise<FetchedRows | null>;

/**
 * The loaded rows of a view: windows around the visible rows, fetched on demand, the next one in the scroll direction
 * ahead of time, and discarded when unused for long. While scrolling fast, only the latest request counts.
 */
export class RowWindows {
  readonly #fetch: RowFetcher;
  readonly #onArrival: (start: number, end: number) => void;
  /** Rows per window. */
  readonly #size: number;
  readonly #windows = new Map<number, FetchedRows>();
  readonly #underWay = new Set<number>();
  #requests = 0;
  /** Windows with visible rows. */
  #wishes: readonly number[] = [];
  /** The window to fetch ahead once the visible ones are loaded. */
  #ahead = -1;
  #rows: number;
  #isClosed = false;

  /**
   * @param onArrival called with the range of rows received, from `start` to `end` (exclusive).
   * @param columns number of columns per row.
   */
  constructor(rows: number, fetch: RowFetcher, onArrival: (start: number, end: number) => void, columns = 1) {
    this.#rows = rows;
    this.#size = windowRows(columns);
    this.#fetch = fetch;
    this.#onArrival = onArrival;
  }

  /** Number of rows of the view. May grow; a partial last window is then fetched again. */
  get rows(): number {
    return this.#rows;
  }

  set rows(rows: number) {
    this.#rows = rows;
  }

  /** Stores rows that came with the view, from the first one. Only keeps whole windows, or the last one. */
  preload({ rows, levels }: FetchedRows): void {
    for (let start = 0; start < rows.length; start += this.#size) {
      const end = start + this.#size;
      this.#keep(start / this.#size, { rows: rows.slice(start, end), levels: levels?.slice(start, end) });
    }
  }

  /** The cells of a row; undefined if not loaded. */
  row(row: number): readonly (string | null)[] | undefined {
    return this.#windows.get(Math.floor(row / this.#size))?.rows[row % this.#size];
  }

  /** Level of a row: 0 for a plain one; see RowWindow. */
  level(row: number): number {
    return this.#windows.get(Math.floor(row / this.#size))?.levels?.[row % this.#size] ?? 0;
  }

  /** How many of the rows from `first` to `end` (exclusive) are loaded. */
  there(first: number, end: number): AvailableRows {
    let count = 0;
    for (let row = first; row < end; row++) if (this.row(row) !== undefined) count++;
    return count === end - first ? 'all' : count === 0 ? 'none' : 'some';
  }

  /** Sets the visible rows; `direction` of scrolling is negative for up, positive for down, 0 if nothing moved. */
  show(first: number, last: number, direction: number): void {
    const firstWindow = Math.floor(Math.max(0, first) / this.#size);
    const lastWindow = Math.floor(Math.min(last, this.#rows - 1) / this.#size);
    this.#wishes = Array.from({ length: Math.max(0, lastWindow - firstWindow + 1) }, (_, i) => firstWindow + i);
    // Fetch ahead only while scrolling, so that a following sort or filter is not delayed.
    if (direction !== 0) this.#ahead = direction < 0 ? firstWindow - 1 : lastWindow + 1;
    for (const index of [...this.#wishes, this.#ahead]) this.#touch(index);
    this.#pump();
  }

  /** Discards everything; pending replies are ignored. */
  close(): void {
    this.#isClosed = true;
    this.#wishes = [];
    this.#windows.clear();
  }

  #isWhole(index: number): boolean {
    const held = this.#windows.get(index);
    return held !== undefined && held.rows.length >= Math.min(this.#size, this.#rows - index * this.#size);
  }

  /** Marks a window as recently used: a Map keeps insertion order. */
  #touch(index: number): void {
    const held = this.#windows.get(index);
    if (held === undefined) return;
    this.#windows.delete(index);
    this.#windows.set(index, held);
  }

  /**
   * Fetches missing visible windows, adjacent ones together; fetches ahead only when none is missing, so that no
   * visible row waits for it.
   */
  #pump(): void {
    while (this.#requests < requestsAtOnce) {
      const isComplete = this.#wishes.every((index) => this.#isWhole(index));
      const wishes = (isComplete ? [this.#ahead] : this.#wishes).filter((index) => this.#isWanted(index));
      const [first] = wishes;
      if (first === undefined) return;
      let end = first + 1;
      while (wishes.includes(end) && (end + 1 - first) * this.#size <= largestWindow) end++;
      void this.#load(first, end);
    }
  }

  #isWanted(index: number): boolean {
    const isThere = index >= 0 && index * this.#size < this.#rows;
    return isThere && !this.#underWay.has(index) && !this.#isWhole(index);
  }

  /** Fetches the windows from `first` to `end` (exclusive). */
  async #load(first: number, end: number): Promise<void> {
    const size = this.#size;
    const indices = Array.from({ length: end - first }, (_, i) => first + i);
    for (const index of indices) this.#underWay.add(index);
    this.#requests++;
    const start = first * size;
    let cells: FetchedRows | null = null;
    try {
      cells = await this.#fetch(start, Math.min(end * size, this.#rows) - start);
    } catch {
      // The rows stay marked as loading; the next scroll fetches them again, and the host reports its failures.
    }
    this.#requests--;
    // Missing windows are fetched again when they become visible again.
    this.#wishes = this.#wishes.filter((index) => !indices.includes(index));
    if (indices.includes(this.#ahead)) this.#ahead = -1;
    for (const index of indices) this.#underWay.delete(index);
    if (this.#isClosed) return;
    if (cells !== null) {
      const { rows, levels } = cells;
      for (const [i, index] of indices.entries()) {
        const part = { rows: rows.slice(i * size, (i + 1) * size), levels: levels?.slice(i * size, (i + 1) * size) };
        if (part.rows.length > 0) this.#keep(index, part);
      }
      this.#onArrival(start, start + rows.length);
    }
    this.#pump();
  }

  #keep(index: number, cells: FetchedRows): void {
    this.#windows.delete(index);
    this.#windows.set(index, cells);
    for (const oldest of this.#windows.keys()) {
      if (this.#windows.size <= keptWindows) return;
      this.#windows.delete(oldest);
    }
  }
}
