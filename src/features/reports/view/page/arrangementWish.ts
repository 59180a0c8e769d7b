import type { Arrangement } from '../../../../contract/pages/resultsPage.ts';

/** Sorting and filters as the user wants them, which may be ahead of what the host shows. */
export class ArrangementWish {
  readonly #send: (wanted: Arrangement) => Promise<void>;
  #wanted: Arrangement | undefined;
  #isDue = false;

  /** @param send asks the host for an arrangement, which gives up the one it is at; settles when that is shown. */
  constructor(send: (wanted: Arrangement) => Promise<void>) {
    this.#send = send;
  }

  /** The arrangement that is on its way to the host, if any. */
  get wanted(): Arrangement | undefined {
    return this.#wanted;
  }

  /** Asks for `wanted`. What is changed by one event of the page is asked for at once, together. */
  change(wanted: Arrangement): void {
    this.#wanted = wanted;
    if (this.#isDue) return;
    this.#isDue = true;
    queueMicrotask(() => {
      this.#isDue = false;
      if (this.#wanted !== undefined) void this.#ask(this.#wanted);
    });
  }

  async #ask(wanted: Arrangement): Promise<void> {
    await this.#send(wanted);
    if (this.#wanted === wanted) this.#wanted = undefined;
  }
}
