import { sortRows } from '../../../client/results/sort/resultSort.ts';
import type { ResultStore } from '../../../client/results/resultStore.ts';
import type { ResultColumn } from '../../../client/results/resultColumn.ts';
import type { RowCells } from '../../../contract/pages/resultCells.ts';
import type { Arrangement, LineSort } from '../../../contract/pages/resultsPage.ts';
import { cellFormat, type CellFormat, type CellLocale } from './format/cellFormat.ts';
import { cellPredicate, readColumnFilter, type ColumnFilter, type FilterFault } from './filter/columnFilter.ts';
import { filterRows, type ColumnTest } from './filter/filterRows.ts';

/** An arrangement that does nothing. */
export const noArrangement: Arrangement = { sort: [], filters: {}, search: '' };

/** A column as it is shown. */
export interface DisplayedColumn {
  source: ResultColumn;
  format: CellFormat;
}

/**
 * One arrangement of a result's rows: which are shown, and in which order. The rows stay in the store; a view only holds
 * their numbers, and none while nothing is sorted or filtered.
 */
export class ResultView {
  readonly store: ResultStore;
  readonly columns: readonly DisplayedColumn[];
  readonly arrangement: Arrangement;
  readonly locale: CellLocale;
  /** Row numbers in the order shown; undefined when that is the store's own. */
  #rows: Uint32Array | undefined;
  /** Rows of the store that were looked at. */
  #seen = 0;

  private constructor(store: ResultStore, arrangement: Arrangement, locale: CellLocale) {
    this.store = store;
    this.arrangement = arrangement;
    this.locale = locale;
    this.columns = shownColumns(store, locale);
  }

  /** The rows as they came. */
  static plain(store: ResultStore, locale: CellLocale): ResultView {
    return new ResultView(store, noArrangement, locale);
  }

  /** The rows arranged. @throws the signal's reason when aborted. */
  static async arranged(
    store: ResultStore,
    arrangement: Arrangement,
    locale: CellLocale,
    signal: AbortSignal,
  ): Promise<ResultView> {
    const view = new ResultView(store, arrangement, locale);
    await view.#arrange(signal);
    return view;
  }

  /** Rows shown. */
  get rows(): number {
    return this.#rows?.length ?? this.store.rowCount;
  }

  /** Whether rows may be left out. */
  get isFiltered(): boolean {
    const { filters, search } = this.arrangement;
    return Object.keys(filters).length > 0 || search.trim() !== '';
  }

  /** Whether rows that come later can be added without moving those that are shown. */
  get canGrow(): boolean {
    return this.arrangement.sort.length === 0;
  }

  /** Rows of the store that this view has taken in. */
  get seen(): number {
    return this.#rows === undefined ? this.store.rowCount : this.#seen;
  }

  /** Takes in the rows that have come since, if {@link canGrow}. */
  async grow(signal: AbortSignal): Promise<void> {
    const rows = this.#rows;
    if (rows === undefined || !this.canGrow || this.#seen === this.store.rowCount) return;
    const seen = this.store.rowCount;
    const added = await this.#filtered(this.#seen, signal);
    const grown = new Uint32Array(rows.length + added.length);
    grown.set(rows);
    grown.set(added, rows.length);
    this.#rows = grown;
    this.#seen = seen;
  }

  /** Numbers in the store of the rows shown, in order; undefined where these are all rows as they came. */
  get shownRows(): Uint32Array | undefined {
    return this.#rows;
  }

  /** Number in the store of the row shown at `row`. */
  storeRow(row: number): number {
    return this.#rows === undefined ? row : (this.#rows[row] ?? -1);
  }

  /** Numbers in the store of the rows shown from `first` to `last`, both included. */
  rowsBetween(first: number, last: number): Uint32Array {
    const start = Math.max(0, first);
    const length = Math.max(0, Math.min(last, this.rows - 1) - start + 1);
    return Uint32Array.from({ length }, (_, i) => this.storeRow(start + i));
  }

  /** Text of the cells of rows from `start`, `count` at most, as {@link RowCells}; `columns` picks and orders them. */
  cells(start: number, count: number, columns: readonly number[] = this.columns.map((_, column) => column)): RowCells {
    const first = Math.max(0, start);
    const length = Math.max(0, Math.min(count, this.rows - first));
    return Array.from({ length }, (_, i) => {
      const row = this.storeRow(first + i);
      return columns.map((column) => this.columns[column]?.format.write(this.store.cell(row, column)) ?? null);
    });
  }

  async #arrange(signal: AbortSignal): Promise<void> {
    const { sort } = this.arrangement;
    if (sort.length === 0 && !this.isFiltered) return;
    const seen = this.store.rowCount;
    const rows = this.isFiltered ? await this.#filtered(0, signal) : undefined;
    const known = sort.filter(({ column }) => column < this.columns.length);
    this.#rows = known.length === 0 ? rows : await sortRows(this.store, known, { rows, signal });
    this.#seen = seen;
  }

  #filtered(from: number, signal: AbortSignal): Promise<Uint32Array> {
    const { filters, search } = this.arrangement;
    const every = Object.entries(filters).flatMap(([key, text]) => this.#test(Number(key), text));
    const needle = search.trim();
    const some =
      needle === ''
        ? undefined
        : this.columns.flatMap((_, column) => this.#test(column, { kind: 'contains', text: needle }));
    return filterRows(this.store, from, { every, some }, signal);
  }

  /** The test of one column; none where there is no such column, or the filter cannot be read. */
  #test(column: number, filter: ColumnFilter | string): ColumnTest[] {
    const shown = this.columns[column];
    if (shown === undefined) return [];
    const read = typeof filter === 'string' ? readColumnFilter(filter, shown.format) : filter;
    if (typeof read === 'string') return [];
    return [{ column, ...cellPredicate(read, this.store.columnData(column), shown.format) }];
  }
}

/** Columns as they were last shown: formats remember what they asked the language. */
const lastShown = new WeakMap<
  ResultStore,
  { schema: number; locale: CellLocale; columns: readonly DisplayedColumn[] }
>();

function shownColumns(store: ResultStore, locale: CellLocale): readonly DisplayedColumn[] {
  const last = lastShown.get(store);
  const schema = store.schemaVersion;
  if (last?.schema === schema && last.locale === locale) return last.columns;
  const columns = store.columns.map((source) => ({ source, format: cellFormat(source, locale) }));
  lastShown.set(store, { schema, locale, columns });
  return columns;
}

/** What is wrong with the filters of an arrangement of these columns, by column. */
export function filterFaults(
  arrangement: Arrangement,
  columns: readonly Pick<DisplayedColumn, 'format'>[],
): Record<number, FilterFault> {
  const faults = Object.entries(arrangement.filters).flatMap(([column, text]) => {
    const format = columns[Number(column)]?.format;
    const filter = format && readColumnFilter(text, format);
    return typeof filter === 'string' ? [[column, filter] as const] : [];
  });
  return Object.fromEntries(faults);
}

/** An arrangement by the keys of its columns: it holds for the next run, too, whose columns may have other numbers. */
export interface KeyedArrangement {
  sort: { key: string; isDescending: boolean }[];
  lines?: LineSort | undefined;
  filters: { key: string; text: string }[];
  search: string;
}

/** An arrangement of `columns` by their keys. */
export function keyedArrangement(
  { sort, lines, filters, search }: Arrangement,
  columns: readonly { readonly key: string }[],
): KeyedArrangement {
  const keyed = <T>(column: number, entry: T) => {
    const key = columns[column]?.key;
    return key === undefined ? [] : [{ ...entry, key }];
  };
  return {
    sort: sort.flatMap(({ column, isDescending }) => keyed(column, { isDescending })),
    ...(lines && { lines }),
    filters: Object.entries(filters).flatMap(([column, text]) => keyed(Number(column), { text })),
    search,
  };
}

/** The arrangement of a result's rows; what names a column that it does not have falls away. */
export function arrangementOf({ sort, lines, filters, search }: KeyedArrangement, store: ResultStore): Arrangement {
  const places = new Map(store.columns.map(({ key }, column) => [key, column]));
  return {
    sort: sort.flatMap(({ key, isDescending }) => {
      const column = places.get(key);
      return column === undefined ? [] : [{ column, isDescending }];
    }),
    ...(lines && { lines }),
    filters: Object.fromEntries(
      filters.flatMap(({ key, text }) => {
        const column = places.get(key);
        return column === undefined ? [] : [[column, text] as const];
      }),
    ),
    search,
  };
}

/** Whether it leaves the rows as they come. */
export function isPlain({ sort, lines, filters, search }: KeyedArrangement): boolean {
  return sort.length === 0 && lines === undefined && filters.length === 0 && search.trim() === '';
}
