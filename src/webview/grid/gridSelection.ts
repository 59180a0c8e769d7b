/** Position in the grid: row of the view, and position of the column in the order shown. */
export interface CellPlace {
  row: number;
  place: number;
}

/** A rectangle of cells, inclusive. */
export interface CellRange {
  firstRow: number;
  lastRow: number;
  firstPlace: number;
  lastPlace: number;
}

/** Row number of the header, which the keyboard can reach above the first row. */
export const headerRow = -1;

/** Size of the grid. */
export interface GridExtent {
  rows: number;
  places: number;
  pageRows: number;
}

/** The selection: one active cell, and a rectangle from the anchor to it. */
export class GridSelection {
  #active: CellPlace = { row: headerRow, place: 0 };
  #anchor: CellPlace = { row: headerRow, place: 0 };

  get active(): CellPlace {
    return this.#active;
  }

  /** The selected rectangle; undefined while the header is active. */
  get range(): CellRange | undefined {
    if (this.#active.row === headerRow) return undefined;
    return {
      firstRow: Math.max(0, Math.min(this.#active.row, this.#anchor.row)),
      lastRow: Math.max(this.#active.row, this.#anchor.row),
      firstPlace: Math.min(this.#active.place, this.#anchor.place),
      lastPlace: Math.max(this.#active.place, this.#anchor.place),
    };
  }

  /** Number of selected cells. */
  get count(): number {
    const range = this.range;
    if (range === undefined) return 0;
    return (range.lastRow - range.firstRow + 1) * (range.lastPlace - range.firstPlace + 1);
  }

  contains(row: number, place: number): boolean {
    const range = this.range;
    if (range === undefined) return false;
    const { firstRow, lastRow, firstPlace, lastPlace } = range;
    return row >= firstRow && row <= lastRow && place >= firstPlace && place <= lastPlace;
  }

  isActive(row: number, place: number): boolean {
    return this.#active.row === row && this.#active.place === place;
  }

  /**
   * Makes a cell active. With `extend` the rectangle is extended to it from the anchor, but not above the first row.
   */
  moveTo(cell: CellPlace, extend: boolean): void {
    const isGrowing = extend && this.#anchor.row !== headerRow;
    // A held key may repeat too often: moving to the header would clear the selection.
    this.#active = isGrowing ? { ...cell, row: Math.max(cell.row, 0) } : cell;
    if (!isGrowing) this.#anchor = cell;
  }

  /** Selects whole rows; the first one becomes the anchor. */
  selectRows(from: number, to: number, places: number): void {
    this.#anchor = { row: from, place: 0 };
    this.#active = { row: to, place: Math.max(0, places - 1) };
  }

  selectAll(extent: GridExtent): void {
    if (extent.rows === 0) return;
    // The active cell is the first one, so that the view does not scroll.
    this.#anchor = { row: extent.rows - 1, place: Math.max(0, extent.places - 1) };
    this.#active = { row: 0, place: 0 };
  }

  /**
   * Restricts the selection to the grid's current size; resets it to the header if the active cell no longer exists.
   */
  fit({ rows, places }: Pick<GridExtent, 'rows' | 'places'>): void {
    if (this.#active.row >= rows) this.reset();
    const fitted = ({ row, place }: CellPlace): CellPlace => ({
      row: Math.min(row, rows - 1),
      place: Math.max(0, Math.min(place, places - 1)),
    });
    this.#active = fitted(this.#active);
    this.#anchor = fitted(this.#anchor);
  }

  /** Resets the selection to the header, as when the rows were replaced. */
  reset(): void {
    this.moveTo({ row: headerRow, place: Math.max(0, this.#active.place) }, false);
  }

  /**
   * Target of a key from the active cell; undefined for keys that do not move. `isJump` (Ctrl or ⌘) moves to the edge.
   */
  target(key: string, isJump: boolean, extent: GridExtent): CellPlace | undefined {
    const { row, place } = this.#active;
    const lastRow = extent.rows - 1;
    const lastPlace = extent.places - 1;
    const at = (nextRow: number, nextPlace: number): CellPlace => ({
      row: Math.min(Math.max(headerRow, nextRow), lastRow),
      place: Math.min(Math.max(0, nextPlace), lastPlace),
    });
    switch (key) {
      case 'ArrowUp':
        return isJump ? at(Math.min(row, 0), place) : at(row - 1, place);
      case 'ArrowDown':
        return isJump ? at(lastRow, place) : at(row + 1, place);
      case 'ArrowLeft':
        return isJump ? at(row, 0) : at(row, place - 1);
      case 'ArrowRight':
        return isJump ? at(row, lastPlace) : at(row, place + 1);
      case 'Home':
        return isJump ? at(Math.min(lastRow, 0), 0) : at(row, 0);
      case 'End':
        return isJump ? at(lastRow, lastPlace) : at(row, lastPlace);
      case 'PageUp':
        return at(Math.max(Math.min(row, 0), row - extent.pageRows), place);
      case 'PageDown':
        return at(row + extent.pageRows, place);
      default:
        return undefined;
    }
  }
}
