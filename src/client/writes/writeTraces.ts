import type { JournalledWrite } from './writeJournal.ts';

/** How to find out afterwards what became of a write. */
export interface Traces<T> extends JournalledWrite {
  /**
   * Reads what has the natural key of the object now: for a change the object itself, for a create all that carry the
   * name in that place, for a deletion likewise.
   */
  read(signal: AbortSignal | undefined): Promise<readonly T[]>;
  /** Identifies one of them: a create is recognised by an id that was not there before, a deletion by one that was. */
  idOf(found: T): string;
  /** Whether `found` has the content that was written. */
  hasContent(found: T): boolean;
  /** For a change: whether `found` is as it was before; then a denial is believed. Default: when it lacks the content. */
  isAsBefore?(found: T): boolean;
}

/** A write that a look at the server has found; a deletion leaves nothing to find. */
export interface Reconciled<T> {
  kind: 'reconciled';
  found: T | undefined;
}

/** What reading shows of a write. */
export class SeenTraces<T> {
  readonly write: Traces<T>;
  /** Whether the last look showed no trace of it, not even one with another content; a look that failed shows nothing. */
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

/** Whether what is there shows no trace of a write, not even one that reads back with another content. */
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
    // What could not be seen before the deletion proves nothing by not being seen after it.
    const isGone = known.size > 0 && !present.some((found) => known.has(write.idOf(found)));
    return isGone ? { kind: 'reconciled', found: undefined } : undefined;
  }
  const mine = present.filter((found) => !known.has(write.idOf(found)) && write.hasContent(found));
  // Two that are alike: somebody else made one at the same moment, and which is ours cannot be told.
  return mine.length === 1 ? { kind: 'reconciled', found: mine[0] } : undefined;
}
