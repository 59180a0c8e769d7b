import { isDeepStrictEqual } from 'node:util';

/**
 * The rows of a view without levels. As in the sidebar (shownRows.ts), a row stays the object that the editor was first given
 * for it, so that the editor need not forget every row because one looks different.
 */
export class FlatRows<Row> {
  readonly #idOf: (row: Row) => string;
  /** Rows in order, by id: the object that the editor has, and what the row was drawn from. */
  #given = new Map<string, { readonly element: Row; readonly row: Row }>();

  constructor(idOf: (row: Row) => string) {
    this.#idOf = idOf;
  }

  /** What the editor is to be given for these rows. */
  give(rows: readonly Row[]): Row[] {
    this.#take(rows);
    return [...this.#given.values()].map(({ element }) => element);
  }

  /** What a row is drawn from now. */
  current(element: Row): Row {
    return this.#given.get(this.#idOf(element))?.row ?? element;
  }

  /** What the editor is to draw anew now that these are the rows: some rows, or everything where they are others or moved. */
  changed(rows: readonly Row[]): Row[] | undefined {
    const ids = rows.map(this.#idOf);
    if (!isDeepStrictEqual(ids, [...this.#given.keys()])) return undefined;
    const before = this.#given;
    this.#take(rows);
    return [...this.#given].flatMap(([id, { element, row }]) =>
      isDeepStrictEqual(row, before.get(id)?.row) ? [] : [element],
    );
  }

  #take(rows: readonly Row[]): void {
    const before = this.#given;
    this.#given = new Map(
      rows.map((row) => [this.#idOf(row), { element: before.get(this.#idOf(row))?.element ?? row, row }]),
    );
  }
}
