import type { AvailableRows } from './rowWindows.ts';

/** Delay until missing rows are drawn empty, in milliseconds. */
const patienceMs = 80;

/**
 * Keeps the previous rows briefly while none of the rows scrolled to are loaded: drawing all of them twice is slower.
 */
export class Patience {
  readonly #ended: () => void;
  /** Runs while rows are loading and the previous ones are kept. */
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Whether the delay has passed. */
  #isOver = false;

  /** @param ended called after the delay, to draw the loaded rows. */
  constructor(ended: () => void) {
    this.#ended = ended;
  }

  /**
   * Whether to keep the previous rows.
   * @param there how many of the visible rows are loaded.
   * @param canStay whether the previous rows belong to the same view.
   */
  holds(there: AvailableRows, canStay: boolean): boolean {
    if (there === 'none' && canStay && !this.#isOver) {
      this.#timer ??= setTimeout(() => {
        this.#isOver = true;
        this.#ended();
      }, patienceMs);
      return true;
    }
    this.end();
    this.#isOver &&= there === 'none';
    return false;
  }

  /** Stops waiting. */
  end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
