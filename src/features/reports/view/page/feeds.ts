import type { Chart } from '../../../../contract/pages/chartFigure.ts';
import type { CellRectangle, SelectionFigures } from '../../../../contract/pages/resultCells.ts';

/** Time between two charts of one view while its rows come. */
const pauseMs = 400;

/** Keeps the chart of the view shown up to date: one question at a time, and none while no chart is shown. */
export class ChartFeed {
  readonly #ask: (view: number) => Promise<Chart | null>;
  readonly #changed: (chart: Chart) => void;
  #view: number | undefined;
  #isAsking = false;
  #isStale = false;
  /** Ends the pause between two charts of a view. */
  #wake: () => void = () => undefined;

  /** @param ask asks the host; null when there is no such view any more. */
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
      // The latest wish counts, but a growing result must not be drawn at every row.
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
