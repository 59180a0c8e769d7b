/** Minimum width of a column in pixels. */
export const narrowestColumn = 48;
const widestColumn = 1_200;
/** Minimum width left for the scrollable columns next to the frozen ones, in pixels. */
const scrolledRoom = 160;

/** Columns that are at least partly visible, as positions in the shown order; `last` is included. */
export interface ColumnSpan {
  first: number;
  last: number;
}

/** The user's arrangement of the columns, by column number; saved by the page. */
export interface StoredLayout {
  order: number[];
  /** Undefined for the default width. */
  widths: (number | undefined)[];
  hidden?: number[];
  /** Number of frozen columns. */
  frozen?: number;
}

/**
 * The user's arrangement of the columns: order, widths, hidden columns and number of frozen columns. Columns are
 * identified by their number in the result; the place of a shown column is its position, counted from 0.
 */
export class ColumnLayout {
  readonly #order: number[];
  readonly #widths: number[];
  readonly #hidden: Set<number>;
  #shown: number[] = [];
  #edges: number[] = [];
  /** Number of columns to freeze as set by the user, and as far as there is room. */
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

  /** Width of the area for the columns, in pixels: the frozen ones never cover all of it. */
  set room(width: number) {
    if (width === this.#room) return;
    this.#room = width;
    this.#measure();
  }

  /** Column numbers in the user's order, including hidden ones. */
  get order(): readonly number[] {
    return this.#order;
  }

  /** Column numbers by place. */
  get shown(): readonly number[] {
    return this.#shown;
  }

  /** Numbers of the hidden columns, in the user's order. */
  get hidden(): readonly number[] {
    return this.#order.filter((column) => this.#hidden.has(column));
  }

  /** Widths by column number. */
  get widths(): readonly number[] {
    return this.#widths;
  }

  /** Number of shown columns. */
  get count(): number {
    return this.#shown.length;
  }

  /** Number of frozen columns. */
  get frozen(): number {
    return this.#frozen;
  }

  /** Width of the frozen columns. */
  get frozenWidth(): number {
    return this.leftOf(this.#frozen);
  }

  /** Total width of the columns. */
  get total(): number {
    return this.#edges.at(-1) ?? 0;
  }

  /** The arrangement to save, for restoring it later. */
  get kept(): StoredLayout {
    return { order: [...this.#order], widths: [...this.#widths], hidden: [...this.hidden], frozen: this.#wanted };
  }

  /** Number of the column shown at `place`. */
  columnAt(place: number): number {
    return this.#shown[place] ?? 0;
  }

  /** Position of a column; -1 if hidden. */
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

  /** Hides the column at `place`, unless it is the last one shown. */
  hide(place: number): void {
    const column = this.#shown[place];
    if (column === undefined || this.count === 1) return;
    this.#hidden.add(column);
    if (place < this.#wanted) this.#wanted--;
    this.#measure();
  }

  /** Shows hidden columns again, at their previous positions. */
  show(columns: readonly number[]): void {
    for (const column of columns) {
      if (!this.#hidden.delete(column)) continue;
      this.#measure();
      if (this.placeOf(column) < this.#wanted) this.#wanted++;
    }
    this.#measure();
  }

  /** Freezes the first `count` columns. */
  freeze(count: number): void {
    this.#wanted = count;
    this.#measure();
  }

  /** The columns between two distances from the left edge of the first, without the frozen ones. */
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

  /**
   * Converts the visible position `x`, scrolled by `scrolled`, to a distance from the left edge of the first column.
   */
  distanceAt(x: number, scrolled: number): number {
    return x < this.frozenWidth ? x : x + scrolled;
  }

  /** Visible position of the column at `place`, scrolled by `scrolled`, from the left edge of the columns. */
  seenAt(place: number, scrolled: number): number {
    return this.leftOf(place) - (place < this.#frozen ? 0 : scrolled);
  }

  /** Insert position of a column dropped at distance `x`; `count` is after the last one. */
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
