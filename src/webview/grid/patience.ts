import type { AvailableRows } from './rowWindows.ts';

/** How long rows may take to come until their places are drawn empty, in milliseconds. */
const patienceMs = 80;

/**
 * Lets the rows before stay for a moment, when none of those scrolled to is here: drawing all of them twice takes longer.
 */
export class Patience {
  readonly #ended: () => void;
  /** Runs while rows are on their way, and those before stay. */
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Whether they did not come in time. */
  #isOver = false;

  /** @param ended called when it is over, to draw what is there. */
  constructor(ended: () => void) {
    this.#ended = ended;
  }

  /**
   * Whether the rows before are to stay.
   * @param there how many of the rows in view are here.
   * @param canStay whether the rows before are of the same view.
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

  /** Waits no longer. */
  end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
