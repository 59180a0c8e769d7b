import type { ColumnProfile } from '../../../contract/pages/resultCells.ts';

/** Requests a column's profile from the host; null or undefined if it is not available. */
export type AskProfile = (column: number) => Promise<ColumnProfile | null | undefined>;

/** Delay before profiles are requested, in milliseconds, so that they do not slow down scrolling or typing a filter. */
const restMs = 250;

/** Requests the profiles of the visible columns, one at a time, each once for the same rows. */
export class ColumnProfiles {
  readonly #arrived: (profile: ColumnProfile) => void;
  #ask: AskProfile | undefined;
  /** Columns whose profile was received or is not available. */
  readonly #known = new Set<number>();
  readonly #refused = new Set<number>();
  #wanted: readonly number[] = [];
  #isAsking = false;
  #rest: ReturnType<typeof setTimeout> | undefined;

  /** @param arrived called for each profile of the current rows. */
  constructor(arrived: (profile: ColumnProfile) => void) {
    this.#arrived = arrived;
  }

  /** Clears the profiles because other rows are shown; requests nothing until {@link begin}. */
  forget(): void {
    this.#known.clear();
    this.begin(undefined);
  }

  /** Starts requesting profiles by `ask` after the delay; undefined while rows are arriving or if there are none. */
  begin(ask: AskProfile | undefined): void {
    this.#ask = ask;
    this.#refused.clear();
    this.#wait();
  }

  /** Sets the visible columns, after each movement. */
  want(columns: readonly number[]): void {
    this.#wanted = columns;
    this.#wait();
  }

  dispose(): void {
    this.begin(undefined);
  }

  #wait(): void {
    clearTimeout(this.#rest);
    this.#rest = undefined;
    if (this.#ask === undefined || this.#next === undefined) return;
    this.#rest = setTimeout(() => {
      this.#rest = undefined;
      void this.#work();
    }, restMs);
  }

  /** The first visible column without a known profile. */
  get #next(): number | undefined {
    return this.#wanted.find((each) => !this.#known.has(each) && !this.#refused.has(each));
  }

  async #work(): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    try {
      while (this.#rest === undefined) {
        const ask = this.#ask;
        const column = this.#next;
        if (ask === undefined || column === undefined) return;
        const profile = await ask(column);
        if (ask !== this.#ask) continue;
        if (profile == null) this.#refused.add(column);
        else {
          this.#known.add(column);
          this.#arrived(profile);
        }
      }
    } finally {
      this.#isAsking = false;
    }
  }
}
