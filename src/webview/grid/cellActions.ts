import type { GridModel } from './gridModel.ts';
import { headerRow } from './gridSelection.ts';
import type { CellPlace, CellRange } from './gridSelection.ts';

/** What is done with cells. Columns are named by their number in the result. */
export interface CellEvents {
  /** Copy a rectangle: its columns in the order shown. */
  onCopy(range: CellRange, columns: number[], withHeaders: boolean): void;
  /** Copy a rectangle in a form that the user is asked for. */
  onCopyAs(range: CellRange, columns: number[]): void;
  onOpenLink(row: number, column: number): void;
  /** Open the report that a cell leads to. */
  onDrill(row: number, column: number): void;
  /** Cells are selected: how many, and the rectangle with its columns in the order shown. */
  onSelect(cells: number, range: CellRange | undefined, columns: number[]): void;
  /** Show the whole cell. */
  onOpenCell(row: number, column: number): void;
}

/** What the user does with cells, told with the numbers of their columns. */
export class CellActions {
  readonly #model: GridModel;
  readonly #events: CellEvents;

  constructor(model: GridModel, events: CellEvents) {
    this.#model = model;
    this.#events = events;
  }

  tellSelection(): void {
    const { selection } = this.#model;
    this.#events.onSelect(selection.count, selection.range, this.#selectedColumns());
  }

  copy(withHeaders: boolean): void {
    const { range } = this.#model.selection;
    if (range !== undefined) this.#events.onCopy(range, this.#selectedColumns(), withHeaders);
  }

  copyAs(): void {
    const { range } = this.#model.selection;
    if (range !== undefined) this.#events.onCopyAs(range, this.#selectedColumns());
  }

  /** Shows a whole cell. */
  open({ row, place }: CellPlace): void {
    if (row !== headerRow) this.#events.onOpenCell(row, this.#model.layout.columnAt(place));
  }

  /** Follows what a cell leads to: a link, or a report. */
  follow({ row, place }: CellPlace): void {
    const { layout, columns, windows } = this.#model;
    const column = layout.columnAt(place);
    if (windows.row(row)?.[column] == null) return;
    if (columns[column]?.kind === 'link') this.#events.onOpenLink(row, column);
    if (columns[column]?.leadsOn) this.#events.onDrill(row, column);
  }

  #selectedColumns(): number[] {
    const { selection, layout } = this.#model;
    const { range } = selection;
    return range === undefined ? [] : layout.shown.slice(range.firstPlace, range.lastPlace + 1);
  }
}
