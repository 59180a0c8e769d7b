/**
 * For so long after a change that it was told of, in milliseconds, the editor keeps further ones back (200), and for as long
 * again after each of those.
 */
const keptBackMs = 205;

/**
 * Tells the editor of changed rows as soon as it draws them at once: the first one immediately, what follows together when the
 * editor no longer keeps it back. Told of each by itself, it would draw those of steady typing after its end only.
 */
export class ThrottledChanges<Row extends object> {
  readonly #tell: (rows: Row[] | undefined) => void;
  readonly #waiting = new Set<Row>();
  #isAll = false;
  #timer: NodeJS.Timeout | undefined;
  #lastTold = -Infinity;

  /** @param tell tells the editor of rows to be drawn anew, with what is below them; undefined for all. */
  constructor(tell: (rows: Row[] | undefined) => void) {
    this.#tell = tell;
  }

  /** Notes changed rows, undefined for all, and tells of them now or soon. */
  fire(rows: readonly Row[] | undefined): void {
    if (rows === undefined) this.#isAll = true;
    else for (const row of rows) this.#waiting.add(row);
    if (this.#timer !== undefined) return;
    const left = this.#lastTold + keptBackMs - performance.now();
    if (left <= 0) this.#tellNow();
    else this.#timer = setTimeout(() => this.#tellNow(), Math.ceil(left));
  }

  /** Tells of nothing more. */
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
