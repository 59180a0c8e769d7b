/**
 * Maximum height of the scrolling surface in pixels. Browsers support 16 to 33 million; for more rows the scroll bar is
 * scaled.
 */
export const tallestSurface = 8_000_000;

/**
 * Maps between the scroll bar position and the position in the rows. All lengths in pixels; `top` is the distance of
 * the first visible pixel from the top of the first row, as if all rows were laid out.
 */
export class ScrollScale {
  readonly rowHeight: number;
  readonly rows: number;
  /** Height of the visible area for rows. */
  readonly bodyHeight: number;
  /** Height of the scrolling surface. */
  readonly surface: number;

  constructor(rowHeight: number, rows: number, bodyHeight: number) {
    this.rowHeight = rowHeight;
    this.rows = rows;
    this.bodyHeight = bodyHeight;
    this.surface = Math.max(bodyHeight, Math.min(rows * rowHeight, tallestSurface));
  }

  /** Whether the surface is shorter than the rows, so that the scroll bar moves less than the rows. */
  get isScaled(): boolean {
    return this.rows * this.rowHeight > tallestSurface;
  }

  /** Largest valid `top`. */
  get lastTop(): number {
    return Math.max(0, this.rows * this.rowHeight - this.bodyHeight);
  }

  /** Maximum number of rows that are at least partly visible. */
  get rowsInView(): number {
    return Math.ceil(this.bodyHeight / this.rowHeight) + 1;
  }

  /** `top` for a scroll bar position. */
  topAt(scrollTop: number): number {
    const lastScroll = this.surface - this.bodyHeight;
    if (lastScroll <= 0) return 0;
    return this.clamp(this.isScaled ? (scrollTop / lastScroll) * this.lastTop : scrollTop);
  }

  /** Scroll bar position for `top`. */
  scrollAt(top: number): number {
    if (!this.isScaled) return this.clamp(top);
    return (this.clamp(top) / this.lastTop) * (this.surface - this.bodyHeight);
  }

  /** `top` limited to its valid range. */
  clamp(top: number): number {
    return Math.min(Math.max(0, top), this.lastTop);
  }

  /** First row that is at least partly visible at `top`. */
  firstRow(top: number): number {
    return Math.min(Math.floor(top / this.rowHeight), Math.max(0, this.rows - 1));
  }

  /** Number of fully visible rows: the distance of Page Up and Page Down. */
  get pageRows(): number {
    return Math.max(1, Math.floor(this.bodyHeight / this.rowHeight) - 1);
  }

  /** The `top` nearest to the current one that makes `row` fully visible. */
  topShowing(row: number, top: number): number {
    const rowTop = row * this.rowHeight;
    if (rowTop < top) return this.clamp(rowTop);
    const rowEnd = rowTop + this.rowHeight;
    return rowEnd > top + this.bodyHeight ? this.clamp(rowEnd - this.bodyHeight) : top;
  }
}
