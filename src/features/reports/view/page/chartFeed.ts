import type { Chart } from '../../../../contract/pages/chartFigure.ts';

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
