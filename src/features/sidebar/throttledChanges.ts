/** The editor delays events for this long after an event, in milliseconds (200), and again after each delayed one. */
const keptBackMs = 205;

/**
 * Fires change events so that the editor handles them immediately: the first at once, later ones combined when the
 * editor no longer delays them. If each were fired separately, continuous typing would update the rows only after it
 * ends.
 */
export class ThrottledChanges<Row extends object> {
  readonly #tell: (rows: Row[] | undefined) => void;
  readonly #waiting = new Set<Row>();
  #isAll = false;
  #timer: NodeJS.Timeout | undefined;
  #lastTold = -Infinity;

  /** @param tell fires an event for rows to redraw, including their children; undefined for all. */
  constructor(tell: (rows: Row[] | undefined) => void) {
    this.#tell = tell;
  }

  /** Fires an event for changed rows now or soon; undefined for all. */
  fire(rows: readonly Row[] | undefined): void {
    if (rows === undefined) this.#isAll = true;
    else for (const row of rows) this.#waiting.add(row);
    if (this.#timer !== undefined) return;
    const left = this.#lastTold + keptBackMs - performance.now();
    if (left <= 0) this.#tellNow();
    else this.#timer = setTimeout(() => this.#tellNow(), Math.ceil(left));
  }

  /** Stops firing events. */
  dispose(): void {
    clearTimeout(this.#timer);
  }

  #tellNow(): void {
    const rows = this.#isAll ? undefined : [...this.#waiting];
    this.#waiting.clear();
    this.#isAll = false;
    this.#timer = undefined;
    this.#lastTold = performance.now();
    this.#tell(rows);
  }
}
