import type { RowCells } from '../../protocol/rowWindow.ts';

/** Rows asked for at once. */
export const windowRows = 128;
const keptWindows = 48;
/** Rows in view may lie in two windows: they wait for none that was asked for ahead of time. */
const requestsAtOnce = 3;

/** Rows and, where not all are plain, what each of them is; see RowWindow. */
export interface FetchedRows {
  rows: RowCells;
  levels?: readonly number[];
}

/** Gets rows of a view from where they lie; null when the view is gone. */
export type RowFetcher = (start: number, count: number) => Promise<FetchedRows | null>;

/**
 * The rows of one view that the page holds: windows around what is looked at, fetched when needed, the next one in the
 * direction of scrolling ahead of time, and forgotten when long unused. While scrolling fast, only the latest wish counts.
 */
export class RowWindows {
  readonly #fetch: RowFetcher;
  readonly #onArrival: (start: number, end: number) => void;
  readonly #windows = new Map<number, FetchedRows>();
  readonly #underWay = new Set<number>();
  #wishes: number[] = [];
  #rows: number;
  #isClosed = false;

  /** @param onArrival called with the rows that have come, from `start` to `end` (not included). */
  constructor(rows: number, fetch: RowFetcher, onArrival: (start: number, end: number) => void) {
    this.#rows = rows;
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
    for (let start = 0; start < rows.length; start += windowRows) {
      const end = start + windowRows;
      this.#keep(start / windowRows, { rows: rows.slice(start, end), levels: levels?.slice(start, end) });
    }
  }

  /** The cells of a row, or undefined when they are not here. */
  row(row: number): readonly (string | null)[] | undefined {
    return this.#windows.get(Math.floor(row / windowRows))?.rows[row % windowRows];
  }

  /** What a row is: 0 for a plain one; see RowWindow. */
  level(row: number): number {
    return this.#windows.get(Math.floor(row / windowRows))?.levels?.[row % windowRows] ?? 0;
  }

  /** Says which rows are in view; `direction` is where scrolling goes: -1 up, 1 down. */
  show(first: number, last: number, direction: number): void {
    const firstWindow = Math.floor(Math.max(0, first) / windowRows);
    const lastWindow = Math.floor(Math.min(last, this.#rows - 1) / windowRows);
    const wanted: number[] = [];
    for (let index = firstWindow; index <= lastWindow; index++) wanted.push(index);
    wanted.push(direction < 0 ? firstWindow - 1 : lastWindow + 1);
    this.#wishes = wanted.filter((index) => index >= 0 && index * windowRows < this.#rows && !this.#isWhole(index));
    for (const index of wanted) this.#touch(index);
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
    return held !== undefined && held.rows.length >= Math.min(windowRows, this.#rows - index * windowRows);
  }

  /** Marks a window as used just now: a Map keeps the order of insertion. */
  #touch(index: number): void {
    const held = this.#windows.get(index);
    if (held === undefined) return;
    this.#windows.delete(index);
    this.#windows.set(index, held);
  }

  #pump(): void {
    while (this.#underWay.size < requestsAtOnce) {
      const index = this.#wishes.find((wish) => !this.#underWay.has(wish) && !this.#isWhole(wish));
      if (index === undefined) return;
      this.#wishes = this.#wishes.filter((wish) => wish !== index);
      this.#underWay.add(index);
      void this.#load(index);
    }
  }

  async #load(index: number): Promise<void> {
    const start = index * windowRows;
    let cells: FetchedRows | null = null;
    try {
      cells = await this.#fetch(start, Math.min(windowRows, this.#rows - start));
    } catch {
      // The rows stay marked as loading; the next scroll asks again, and the host reports its own failures.
    }
    this.#underWay.delete(index);
    if (this.#isClosed) return;
    if (cells !== null) {
      this.#keep(index, cells);
      this.#onArrival(start, start + cells.rows.length);
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
