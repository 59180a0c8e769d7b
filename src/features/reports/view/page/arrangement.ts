import type { SortKey, Arrangement } from '../../../../contract/pages/resultsPage.ts';

/**
 * What a click on a title makes of the sorting: ascending, then descending, then none. Adding keeps the other levels;
 * otherwise the column becomes the only one.
 */
export function nextSort(sort: readonly SortKey[], column: number, isAdding: boolean): SortKey[] {
  const level = sort.findIndex((key) => key.column === column);
  const present = sort[level];
  const next =
    present === undefined
      ? [{ column, isDescending: false }]
      : present.isDescending
        ? []
        : [{ column, isDescending: true }];
  if (!isAdding) return next;
  if (level < 0) return [...sort, ...next];
  return sort.flatMap((key, index) => (index === level ? next : [key]));
}

/** The filters after `text` was typed for `column`; an empty text takes the filter away. */
export function withFilter(
  filters: Readonly<Record<number, string>>,
  column: number,
  text: string,
): Record<number, string> {
  const rest = Object.entries(filters).filter(([key]) => Number(key) !== column);
  if (text.trim() !== '') rest.push([String(column), text]);
  return Object.fromEntries(rest);
}

/** Sorting and filters as the user wants them, which may be ahead of what the host shows. */
export class PendingViewState {
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
