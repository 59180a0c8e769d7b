import { largestWindow, windowRows, type RowCells } from '../../contract/pages/resultCells.ts';

const keptWindows = 48;
/** While scrolling fast the latest wish need not wait for the answers to those before. */
const requestsAtOnce = 3;

/** Rows and, where not all are plain, what each of them is; see RowWindow. */
export interface FetchedRows {
  rows: RowCells;
  levels?: readonly number[];
}

/** How many of some rows a page holds. */
export type AvailableRows = 'all' | 'some' | 'none';

/** Gets rows of a view from where they lie; null when the view is gone. */
export type RowFetcher = (start: number, count: number) => Promise<FetchedRows | null>;

/**
 * The rows of one view that the page holds: windows around what is looked at, fetched when needed, the next one in the
 * direction of scrolling ahead of time, and forgotten when long unused. While scrolling fast, only the latest wish counts.
 */
export class RowWindows {
  readonly #fetch: RowFetcher;
  readonly #onArrival: (start: number, end: number) => void;
  /** Rows of a window. */
  readonly #size: number;
  readonly #windows = new Map<number, FetchedRows>();
  readonly #underWay = new Set<number>();
  #requests = 0;
  /** Windows with rows in view. */
  #wishes: readonly number[] = [];
  /** The window that is fetched ahead of time, once those in view are here. */
  #ahead = -1;
  #rows: number;
  #isClosed = false;

  /**
   * @param onArrival called with the rows that have come, from `start` to `end` (not included).
   * @param columns of each row.
   */
  constructor(rows: number, fetch: RowFetcher, onArrival: (start: number, end: number) => void, columns = 1) {
    this.#rows = rows;
    this.#size = windowRows(columns);
    this.#fetch = fetch;
    this.#onArrival = onArrival;
  }

  /** Rows of the view. May grow; a window that was cut short by the end is then asked for again. */
  get rows(): number {
    return this.#rows;
  }

  set rows(rows: number) {
    this.#rows = rows;
  }

  /** Takes in rows that came unasked, from the first on. Only whole windows, or the end, are kept. */
  preload({ rows, levels }: FetchedRows): void {
    for (let start = 0; start < rows.length; start += this.#size) {
      const end = start + this.#size;
      this.#keep(start / this.#size, { rows: rows.slice(start, end), levels: levels?.slice(start, end) });
    }
  }

  /** The cells of a row, or undefined when they are not here. */
  row(row: number): readonly (string | null)[] | undefined {
    return this.#windows.get(Math.floor(row / this.#size))?.rows[row % this.#size];
  }

  /** What a row is: 0 for a plain one; see RowWindow. */
  level(row: number): number {
    return this.#windows.get(Math.floor(row / this.#size))?.levels?.[row % this.#size] ?? 0;
  }

  /** How many of the rows from `first` to `end` (not included) are here. */
  there(first: number, end: number): AvailableRows {
    let count = 0;
    for (let row = first; row < end; row++) if (this.row(row) !== undefined) count++;
    return count === end - first ? 'all' : count === 0 ? 'none' : 'some';
  }

  /** Says which rows are in view; `direction` is where scrolling goes: below 0 up, above 0 down, 0 where nothing moved. */
  show(first: number, last: number, direction: number): void {
    const firstWindow = Math.floor(Math.max(0, first) / this.#size);
    const lastWindow = Math.floor(Math.min(last, this.#rows - 1) / this.#size);
    this.#wishes = Array.from({ length: Math.max(0, lastWindow - firstWindow + 1) }, (_, i) => firstWindow + i);
    // Without scrolling nothing is ahead: whoever sorts or filters next is not to wait for what nobody goes to.
    if (direction !== 0) this.#ahead = direction < 0 ? firstWindow - 1 : lastWindow + 1;
    for (const index of [...this.#wishes, this.#ahead]) this.#touch(index);
    this.#pump();
  }

  /** Forgets everything; answers still under way are dropped. */
  close(): void {
    this.#isClosed = true;
    this.#wishes = [];
    this.#windows.clear();
  }

  #isWhole(index: number): boolean {
    const held = this.#windows.get(index);
    return held !== undefined && held.rows.length >= Math.min(this.#size, this.#rows - index * this.#size);
  }

  /** Marks a window as used just now: a Map keeps the order of insertion. */
  #touch(index: number): void {
    const held = this.#windows.get(index);
    if (held === undefined) return;
    this.#windows.delete(index);
    this.#windows.set(index, held);
  }

  /** Asks for what is missing in view, neighbours at once; ahead of time only when nothing is, so that no row in view waits for it. */
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

  /** Gets the windows from `first` to `end` (not included). */
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
      // The rows stay marked as loading; the next scroll asks again, and the host reports its own failures.
    }
    this.#requests--;
    // What did not come is asked for again when it is looked at again.
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
