/** Narrowest column in pixels. */
export const narrowestColumn = 48;
const widestColumn = 1_200;
/** Beside the columns that stay at the left, this much is left for the others, in pixels. */
const scrolledRoom = 160;

/** Columns of which at least a part is visible, as places in the shown order; `last` is included. */
export interface ColumnSpan {
  first: number;
  last: number;
}

/** How the user arranged the columns, by column number; kept by the page. */
export interface StoredLayout {
  order: number[];
  /** Undefined where the column's own width suits. */
  widths: (number | undefined)[];
  hidden?: number[];
  /** How many of the columns shown stay at the left. */
  frozen?: number;
}

/**
 * The columns as the user arranged them: order, widths, which are hidden, and how many stay at the left while the others
 * scroll. Columns are named by their number in the result; the place of one that is shown is where, counted from 0.
 */
export class ColumnLayout {
  readonly #order: number[];
  readonly #widths: number[];
  readonly #hidden: Set<number>;
  #shown: number[] = [];
  #edges: number[] = [];
  /** How many columns the user wants to stay at the left, and how many of them there is room for. */
  #wanted: number;
  #frozen = 0;
  #room = Infinity;

  /** @param widths width of every column of the result, in pixels. */
  constructor(widths: readonly number[], kept: Partial<StoredLayout> = {}) {
    const { order = [], hidden = [], frozen = 0 } = kept;
    const all = widths.map((_, column) => column);
    this.#widths = widths.map(clampWidth);
    this.#order = isPermutation(order, widths.length) ? [...order] : all;
    this.#hidden = new Set(hidden.filter((column) => all.includes(column)));
    if (this.#hidden.size === widths.length) this.#hidden.clear();
    this.#wanted = frozen;
    this.#measure();
  }

  /** Width of what the columns are shown in, in pixels: those that stay at the left never cover all of it. */
  set room(width: number) {
    if (width === this.#room) return;
    this.#room = width;
    this.#measure();
  }

  /** Column numbers in the order chosen, hidden ones included. */
  get order(): readonly number[] {
    return this.#order;
  }

  /** Column numbers by place. */
  get shown(): readonly number[] {
    return this.#shown;
  }

  /** Column numbers of those that are hidden, in the order chosen. */
  get hidden(): readonly number[] {
    return this.#order.filter((column) => this.#hidden.has(column));
  }

  /** Widths by column number. */
  get widths(): readonly number[] {
    return this.#widths;
  }

  /** Columns shown. */
  get count(): number {
    return this.#shown.length;
  }

  /** How many columns stay at the left. */
  get frozen(): number {
    return this.#frozen;
  }

  /** Width of the columns that stay at the left. */
  get frozenWidth(): number {
    return this.leftOf(this.#frozen);
  }

  /** Width of all columns together. */
  get total(): number {
    return this.#edges.at(-1) ?? 0;
  }

  /** What to keep, to be arranged alike again. */
  get kept(): StoredLayout {
    return { order: [...this.#order], widths: [...this.#widths], hidden: [...this.hidden], frozen: this.#wanted };
  }

  /** Number of the column shown at `place`. */
  columnAt(place: number): number {
    return this.#shown[place] ?? 0;
  }

  /** Place of a column; -1 while it is hidden. */
  placeOf(column: number): number {
    return this.#shown.indexOf(column);
  }

  widthAt(place: number): number {
    return this.#widths[this.columnAt(place)] ?? 0;
  }

  /** Distance of the left edge of the column at `place` from that of the first. */
  leftOf(place: number): number {
    return place === 0 ? 0 : (this.#edges[place - 1] ?? 0);
  }

  resize(column: number, width: number): void {
    if (column >= 0 && column < this.#widths.length) this.#widths[column] = clampWidth(width);
    this.#measure();
  }

  /** Moves the column at `from` so that it is shown at `to`. */
  move(from: number, to: number): void {
    const column = this.#shown[from];
    const other = this.#shown[Math.min(Math.max(0, to), this.count - 1)];
    if (column === undefined || other === undefined || column === other) return;
    this.#order.splice(this.#order.indexOf(column), 1);
    this.#order.splice(this.#order.indexOf(other) + (to > from ? 1 : 0), 0, column);
    this.#measure();
  }

  /** Hides the column at `place`; the last one shown stays. */
  hide(place: number): void {
    const column = this.#shown[place];
    if (column === undefined || this.count === 1) return;
    this.#hidden.add(column);
    if (place < this.#wanted) this.#wanted--;
    this.#measure();
  }

  /** Shows hidden columns again, where they were. */
  show(columns: readonly number[]): void {
    for (const column of columns) {
      if (!this.#hidden.delete(column)) continue;
      this.#measure();
      if (this.placeOf(column) < this.#wanted) this.#wanted++;
    }
    this.#measure();
  }

  /** Lets the first `count` columns stay at the left. */
  freeze(count: number): void {
    this.#wanted = count;
    this.#measure();
  }

  /** The columns between two distances from the left edge of the first, without those that stay at the left. */
  scrolledSpan(left: number, right: number): ColumnSpan {
    const { first, last } = this.spanOf(left + this.frozenWidth, right);
    return { first: Math.max(first, this.#frozen), last: Math.max(last, this.#frozen - 1) };
  }

  /** The columns between two distances from the left edge of the first. */
  spanOf(left: number, right: number): ColumnSpan {
    let first = 0;
    while (first < this.count - 1 && (this.#edges[first] ?? 0) <= left) first++;
    let last = first;
    while (last < this.count - 1 && (this.#edges[last] ?? 0) < right) last++;
    return { first, last };
  }

  /** The distance from the left edge of the first column of what is seen `x` to the right of it, scrolled by `scrolled`. */
  distanceAt(x: number, scrolled: number): number {
    return x < this.frozenWidth ? x : x + scrolled;
  }

  /** Where the column at `place` is seen, scrolled by `scrolled`: its distance from what is left of the first. */
  seenAt(place: number, scrolled: number): number {
    return this.leftOf(place) - (place < this.#frozen ? 0 : scrolled);
  }

  /** The place before which a column dropped at distance `x` goes; `count` is behind the last. */
  gapAt(x: number): number {
    let place = 0;
    while (place < this.count && x > (this.leftOf(place) + (this.#edges[place] ?? 0)) / 2) place++;
    return place;
  }

  #measure(): void {
    let edge = 0;
    this.#shown = this.#order.filter((column) => !this.#hidden.has(column));
    this.#edges = this.#shown.map((column) => (edge += this.#widths[column] ?? 0));
    this.#wanted = Math.min(Math.max(0, Math.trunc(this.#wanted)), this.count);
    this.#frozen = this.#wanted;
    while (this.#frozen > 0 && this.frozenWidth + scrolledRoom > this.#room) this.#frozen--;
  }
}

function clampWidth(width: number): number {
  const usable = Number.isFinite(width) ? width : narrowestColumn;
  return Math.round(Math.min(Math.max(narrowestColumn, usable), widestColumn));
}

function isPermutation(order: readonly number[], count: number): boolean {
  const seen = new Set(order);
  return order.length === count && seen.size === count && order.every((column) => column >= 0 && column < count);
}
