import type { JournalledWrite } from './writeJournal.ts';

/** How to find out the outcome of a write afterwards. */
export interface Traces<T> extends JournalledWrite {
  /**
   * Reads the objects with the natural key of the written one: for a change the object itself; for a create or a
   * deletion all with that name in that location.
   */
  read(signal: AbortSignal | undefined): Promise<readonly T[]>;
  /** Id of such an object: a create is recognized by an id that did not exist before, a deletion by one that did. */
  idOf(found: T): string;
  /** Whether `found` has the written content. */
  hasContent(found: T): boolean;
  /** For a change: whether `found` is unchanged, which confirms a denial. Default: whether it lacks the content. */
  isAsBefore?(found: T): boolean;
}

/** A write that was found on the server; empty for a deletion. */
export interface Reconciled<T> {
  kind: 'reconciled';
  found: T | undefined;
}

/** Traces of a write that were read from the server. */
export class SeenTraces<T> {
  readonly write: Traces<T>;
  /** Whether the last check found no trace of the write, not even with other content; false after a failed check. */
  isUntouched = false;
  readonly #known: ReadonlySet<string>;

  constructor(write: Traces<T>, known: ReadonlySet<string>) {
    this.write = write;
    this.#known = known;
  }

  async look(signal?: AbortSignal): Promise<Reconciled<T> | undefined> {
    this.isUntouched = false;
    const present = await this.write.read(signal);
    this.isUntouched = showsNothing(this.write, present, this.#known);
    return matchOf(this.write, present, this.#known);
  }
}

/** Whether the objects present show no trace of a write, not even with other content. */
function showsNothing<T>(write: Traces<T>, present: readonly T[], known: ReadonlySet<string>): boolean {
  const { kind } = write;
  if (kind === 'change') return present.every((found) => write.isAsBefore?.(found) ?? !write.hasContent(found));
  if (kind === 'create') return present.every((found) => known.has(write.idOf(found)));
  return present.some((found) => known.has(write.idOf(found)));
}

function matchOf<T>(
  write: Pick<Traces<T>, 'kind' | 'idOf' | 'hasContent'>,
  present: readonly T[],
  known: ReadonlySet<string>,
): Reconciled<T> | undefined {
  if (write.kind === 'delete') {
    // An object that was not visible before the deletion proves nothing by its absence.
    const isGone = known.size > 0 && !present.some((found) => known.has(write.idOf(found)));
    return isGone ? { kind: 'reconciled', found: undefined } : undefined;
  }
  const mine = present.filter((found) => !known.has(write.idOf(found)) && write.hasContent(found));
  // Two matches: another user created one at the same time, and ours cannot be told apart.
  return mine.length === 1 ? { kind: 'reconciled', found: mine[0] } : undefined;
}
