import { isDeepStrictEqual } from 'node:util';

/**
 * The rows of a flat view. Like in the sidebar (displayedRows.ts), a row keeps the element object first passed to the
 * editor, so that a change of one row does not make the editor discard all of them.
 */
export class FlatRows<Row> {
  readonly #idOf: (row: Row) => string;
  /** Rows in order, by id: the editor's element and the row it was rendered from. */
  #given = new Map<string, { readonly element: Row; readonly row: Row }>();

  constructor(idOf: (row: Row) => string) {
    this.#idOf = idOf;
  }

  /** Returns the elements to pass to the editor for these rows. */
  give(rows: readonly Row[]): Row[] {
    this.#take(rows);
    return [...this.#given.values()].map(({ element }) => element);
  }

  /** Returns the row that an element currently stands for. */
  current(element: Row): Row {
    return this.#given.get(this.#idOf(element))?.row ?? element;
  }

  /** Returns the elements to refresh for these rows, or undefined (everything) if rows were added, removed or moved. */
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
