import type { CellRectangle, SelectionFigures } from '../../../../contract/pages/resultCells.ts';

/** A rectangle of cells in the view shown. */
export type SelectedCells = Omit<CellRectangle, 'view'>;

const restMs = 150;

/** Gets the figures of the selected cells when the selection rests; those of an earlier one are dropped. */
export class SelectionFeed {
  readonly #ask: (cells: SelectedCells) => Promise<SelectionFigures | null | undefined>;
  readonly #arrived: (figures: SelectionFigures) => void;
  #pause: ReturnType<typeof setTimeout> | undefined;
  #cells: SelectedCells | undefined;

  constructor(
    ask: (cells: SelectedCells) => Promise<SelectionFigures | null | undefined>,
    arrived: (figures: SelectionFigures) => void,
  ) {
    this.#ask = ask;
    this.#arrived = arrived;
  }

  /** The cells that are selected. */
  get cells(): SelectedCells | undefined {
    return this.#cells;
  }

  /** Whether these are the cells that are selected. */
  holds(cells: SelectedCells | undefined): boolean {
    const own = this.#cells;
    if (own === undefined || cells === undefined) return own === cells;
    if (own.firstRow !== cells.firstRow || own.lastRow !== cells.lastRow) return false;
    return (
      own.columns.length === cells.columns.length && own.columns.every((column, at) => column === cells.columns[at])
    );
  }

  /** Other cells are selected; a single one has no figures. */
  select(count: number, cells: SelectedCells | undefined): void {
    this.#cells = cells;
    clearTimeout(this.#pause);
    if (count > 1 && cells !== undefined) this.#pause = setTimeout(() => void this.#work(cells), restMs);
  }

  async #work(cells: SelectedCells): Promise<void> {
    const figures = await this.#ask(cells);
    if (figures != null && cells === this.#cells) this.#arrived(figures);
  }
}
