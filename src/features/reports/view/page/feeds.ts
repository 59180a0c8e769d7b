import type { Chart } from '../../../../contract/pages/chartFigure.ts';
import type { CellRectangle, SelectionFigures } from '../../../../contract/pages/resultCells.ts';

/** Minimum time between two charts of a view while rows arrive. */
const pauseMs = 400;

/** Keeps the chart of the displayed view up to date: one request at a time, and none while no chart is shown. */
export class ChartFeed {
  readonly #ask: (view: number) => Promise<Chart | null>;
  readonly #changed: (chart: Chart) => void;
  #view: number | undefined;
  #isAsking = false;
  #isStale = false;
  /** Ends the pause between two charts of a view. */
  #wake: () => void = () => undefined;

  /** @param ask requests the chart from the host; null if the view no longer exists. */
  constructor(ask: (view: number) => Promise<Chart | null>, changed: (chart: Chart) => void) {
    this.#ask = ask;
    this.#changed = changed;
  }

  /** Shows the chart of a view; undefined for none. */
  show(view: number | undefined): void {
    this.#view = view;
    this.#wake();
    this.refresh();
  }

  /** The rows of the view have changed. */
  refresh(): void {
    if (this.#view === undefined) return;
    this.#isStale = true;
    if (!this.#isAsking) void this.#update();
  }

  async #update(): Promise<void> {
    this.#isAsking = true;
    while (this.#isStale && this.#view !== undefined) {
      this.#isStale = false;
      const view = this.#view;
      const chart = await this.#ask(view);
      if (chart !== null && view === this.#view) this.#changed(chart);
      // The latest request counts, but do not redraw a growing result for every row.
      if (view === this.#view) await this.#pause();
    }
    this.#isAsking = false;
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, pauseMs);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

/** A rectangle of cells in the displayed view. */
export type SelectedCells = Omit<CellRectangle, 'view'>;

const restMs = 150;

/** Requests the figures of the selected cells once the selection is stable. Drops those of earlier selections. */
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

  /** The selected cells. */
  get cells(): SelectedCells | undefined {
    return this.#cells;
  }

  /** Whether these cells are the current selection. */
  holds(cells: SelectedCells | undefined): boolean {
    const own = this.#cells;
    if (own === undefined || cells === undefined) return own === cells;
    if (own.firstRow !== cells.firstRow || own.lastRow !== cells.lastRow) return false;
    return (
      own.columns.length === cells.columns.length && own.columns.every((column, at) => column === cells.columns[at])
    );
  }

  /** The selection has changed. A single cell has no figures. */
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
