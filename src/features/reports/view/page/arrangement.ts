import type { SortKey, Arrangement } from '../../../../contract/pages/resultsPage.ts';

/**
 * The sorting after a click on a title: ascending, descending, then none. Adding keeps the other levels; otherwise the
 * column becomes the only one.
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

/** The filters after `text` was typed for `column`. An empty text removes the filter. */
export function withFilter(
  filters: Readonly<Record<number, string>>,
  column: number,
  text: string,
): Record<number, string> {
  const rest = Object.entries(filters).filter(([key]) => Number(key) !== column);
  if (text.trim() !== '') rest.push([String(column), text]);
  return Object.fromEntries(rest);
}

/** Sorting and filters that the user wants, which may be ahead of what the host shows. */
export class PendingViewState {
  readonly #send: (wanted: Arrangement) => Promise<void>;
  #wanted: Arrangement | undefined;
  #isDue = false;

  /** @param send requests an arrangement from the host, which cancels the previous one; settles when it is shown. */
  constructor(send: (wanted: Arrangement) => Promise<void>) {
    this.#send = send;
  }

  /** The pending arrangement, if any. */
  get wanted(): Arrangement | undefined {
    return this.#wanted;
  }

  /** Requests `wanted`. Changes within one event are sent together. */
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
