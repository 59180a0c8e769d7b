/** Narrowest column in pixels. */
export const narrowestColumn = 48;
const widestColumn = 1_200;

/** Columns of which at least a part is visible, as places in the shown order; `last` is included. */
export interface ColumnSpan {
  first: number;
  last: number;
}

/**
 * The columns as the user arranged them: order and widths. Columns are named by their number in the result; their place
 * is where they are shown, counted from 0.
 */
export class ColumnLayout {
  #order: number[];
  readonly #widths: number[];
  #edges: number[] = [];

  /** @param widths width of every column of the result, in pixels. */
  constructor(widths: readonly number[], order: readonly number[] = widths.map((_, column) => column)) {
    this.#widths = widths.map(clampWidth);
    this.#order = isPermutation(order, widths.length) ? [...order] : widths.map((_, column) => column);
    this.#measure();
  }

  /** Column numbers in the order shown. */
  get order(): readonly number[] {
    return this.#order;
  }

  /** Widths by column number. */
  get widths(): readonly number[] {
    return this.#widths;
  }

  get count(): number {
    return this.#order.length;
  }

  /** Width of all columns together. */
  get total(): number {
    return this.#edges.at(-1) ?? 0;
  }

  /** Number of the column shown at `place`. */
  columnAt(place: number): number {
    return this.#order[place] ?? 0;
  }

  placeOf(column: number): number {
    return this.#order.indexOf(column);
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
    const target = Math.min(Math.max(0, to), this.count - 1);
    const [column] = this.#order.splice(from, 1);
    if (column !== undefined) this.#order.splice(target, 0, column);
    this.#measure();
  }

  /** The columns between two distances from the left edge of the first. */
  spanOf(left: number, right: number): ColumnSpan {
    let first = 0;
    while (first < this.count - 1 && (this.#edges[first] ?? 0) <= left) first++;
    let last = first;
    while (last < this.count - 1 && (this.#edges[last] ?? 0) < right) last++;
    return { first, last };
  }

  /** The place before which a column dropped at `x` goes; `count` is behind the last. */
  gapAt(x: number): number {
    let place = 0;
    while (place < this.count && x > (this.leftOf(place) + (this.#edges[place] ?? 0)) / 2) place++;
    return place;
  }

  #measure(): void {
    let edge = 0;
    this.#edges = this.#order.map((column) => (edge += this.#widths[column] ?? 0));
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
