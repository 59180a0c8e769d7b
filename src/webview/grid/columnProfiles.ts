import type { ColumnProfile } from '../../protocol/resultsPage.ts';

/** Asks the host for a column's profile; null or undefined when there is none any more. */
export type AskProfile = (column: number) => Promise<ColumnProfile | null | undefined>;

/** Gets the profiles of the columns in view, one at a time, each once for as long as the view stays. */
export class ColumnProfiles {
  readonly #arrived: (profile: ColumnProfile) => void;
  #ask: AskProfile | undefined;
  readonly #asked = new Set<number>();
  #wanted: readonly number[] = [];
  #isAsking = false;

  /** @param arrived told of every profile of the present view. */
  constructor(arrived: (profile: ColumnProfile) => void) {
    this.#arrived = arrived;
  }

  /** Another view is shown, or its rows begin or end to come: forgets everything. Without `ask` nothing is asked for. */
  reset(ask: AskProfile | undefined): void {
    this.#ask = ask;
    this.#asked.clear();
    void this.#work();
  }

  /** Says which columns are in view. */
  want(columns: readonly number[]): void {
    this.#wanted = columns;
    void this.#work();
  }

  async #work(): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    try {
      for (;;) {
        const ask = this.#ask;
        const column = this.#wanted.find((each) => !this.#asked.has(each));
        if (ask === undefined || column === undefined) return;
        this.#asked.add(column);
        const profile = await ask(column);
        if (ask === this.#ask && profile != null) this.#arrived(profile);
      }
    } finally {
      this.#isAsking = false;
    }
  }
}
