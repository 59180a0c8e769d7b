import type { ColumnProfile } from '../../../contract/pages/resultCells.ts';

/** Asks the host for a column's profile; null or undefined when there is none any more. */
export type AskProfile = (column: number) => Promise<ColumnProfile | null | undefined>;

/** Whoever scrolls, or types a filter, is not to wait for profiles that nobody looks at yet, in milliseconds. */
const restMs = 250;

/** Gets the profiles of the columns in view, one at a time, each once for as long as the rows stay the same. */
export class ColumnProfiles {
  readonly #arrived: (profile: ColumnProfile) => void;
  #ask: AskProfile | undefined;
  /** Columns whose profile came, and those that there was none for when they were last asked for. */
  readonly #known = new Set<number>();
  readonly #refused = new Set<number>();
  #wanted: readonly number[] = [];
  #isAsking = false;
  #rest: ReturnType<typeof setTimeout> | undefined;

  /** @param arrived told of every profile of the present rows. */
  constructor(arrived: (profile: ColumnProfile) => void) {
    this.#arrived = arrived;
  }

  /** Other rows are shown: what is known of those before is forgotten, and nothing is asked for until {@link begin}. */
  forget(): void {
    this.#known.clear();
    this.begin(undefined);
  }

  /** Asks by `ask` from now on, once things rest; undefined while rows come, or there are none to ask about. */
  begin(ask: AskProfile | undefined): void {
    this.#ask = ask;
    this.#refused.clear();
    this.#wait();
  }

  /** Says which columns are in view, whenever something moved. */
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

  /** The first column in view that nothing is known of. */
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
