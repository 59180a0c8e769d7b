/** Tallest scrolling surface in pixels. Browsers stop at 16 to 33 million; beyond this the scroll bar is scaled. */
export const tallestSurface = 8_000_000;

/**
 * Maps between the place of the scroll bar and the place among rows. All lengths in pixels; `top` is the distance of the
 * first visible pixel from the top of the first row, were all rows laid out.
 */
export class ScrollScale {
  readonly rowHeight: number;
  readonly rows: number;
  /** Height of the part in which rows show. */
  readonly bodyHeight: number;
  /** Height to give to the scrolling surface. */
  readonly surface: number;

  constructor(rowHeight: number, rows: number, bodyHeight: number) {
    this.rowHeight = rowHeight;
    this.rows = rows;
    this.bodyHeight = bodyHeight;
    this.surface = Math.max(bodyHeight, Math.min(rows * rowHeight, tallestSurface));
  }

  /** Whether the surface is shorter than the rows, so that the bar moves by less than the rows do. */
  get isScaled(): boolean {
    return this.rows * this.rowHeight > tallestSurface;
  }

  /** Largest meaningful `top`. */
  get lastTop(): number {
    return Math.max(0, this.rows * this.rowHeight - this.bodyHeight);
  }

  /** Rows that are at least partly visible at once, at most. */
  get rowsInView(): number {
    return Math.ceil(this.bodyHeight / this.rowHeight) + 1;
  }

  /** `top` for a place of the scroll bar. */
  topAt(scrollTop: number): number {
    const lastScroll = this.surface - this.bodyHeight;
    if (lastScroll <= 0) return 0;
    return this.clamp(this.isScaled ? (scrollTop / lastScroll) * this.lastTop : scrollTop);
  }

  /** Place of the scroll bar for `top`. */
  scrollAt(top: number): number {
    if (!this.isScaled) return this.clamp(top);
    return (this.clamp(top) / this.lastTop) * (this.surface - this.bodyHeight);
  }

  /** `top` within its limits. */
  clamp(top: number): number {
    return Math.min(Math.max(0, top), this.lastTop);
  }

  /** First row that is at least partly visible at `top`. */
  firstRow(top: number): number {
    return Math.min(Math.floor(top / this.rowHeight), Math.max(0, this.rows - 1));
  }

  /** Rows that fit whole: how far Page Up and Page Down go. */
  get pageRows(): number {
    return Math.max(1, Math.floor(this.bodyHeight / this.rowHeight) - 1);
  }

  /** The `top` nearest to the present one at which `row` is wholly visible. */
  topShowing(row: number, top: number): number {
    const rowTop = row * this.rowHeight;
    if (rowTop < top) return this.clamp(rowTop);
    const rowEnd = rowTop + this.rowHeight;
    return rowEnd > top + this.bodyHeight ? this.clamp(rowEnd - this.bodyHeight) : top;
  }
}
