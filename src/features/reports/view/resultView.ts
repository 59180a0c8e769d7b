import { sortRows } from '../../../client/results/sort/resultSort.ts';
import type { ResultStore } from '../../../client/results/resultStore.ts';
import type { ResultColumn } from '../../../client/results/resultColumn.ts';
import type { RowCells } from '../../../contract/pages/resultCells.ts';
import type { Arrangement, LineSort } from '../../../contract/pages/resultsPage.ts';
import { cellFormat, type CellFormat, type CellLocale } from './format/cellFormat.ts';
import { cellPredicate, readColumnFilter, type ColumnFilter, type FilterFault } from './filter/columnFilter.ts';
import { filterRows, type ColumnTest } from './filter/filterRows.ts';

/** An arrangement without sorting or filters. */
export const noArrangement: Arrangement = { sort: [], filters: {}, search: '' };

/** A column as displayed. */
export interface DisplayedColumn {
  source: ResultColumn;
  format: CellFormat;
}

/**
 * An arrangement of a result's rows: which are shown, and in which order. The rows stay in the store; a view only holds
 * their numbers, or none while nothing is sorted or filtered.
 */
export class ResultView {
  readonly store: ResultStore;
  readonly columns: readonly DisplayedColumn[];
  readonly arrangement: Arrangement;
  readonly locale: CellLocale;
  /** Row numbers in display order; undefined for the store's order. */
  #rows: Uint32Array | undefined;
  /** Number of store rows processed. */
  #seen = 0;

  private constructor(store: ResultStore, arrangement: Arrangement, locale: CellLocale) {
    this.store = store;
    this.arrangement = arrangement;
    this.locale = locale;
    this.columns = shownColumns(store, locale);
  }

  /** The rows in order of arrival. */
  static plain(store: ResultStore, locale: CellLocale): ResultView {
    return new ResultView(store, noArrangement, locale);
  }

  /** The arranged rows. @throws the signal's reason if aborted. */
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

  /** Number of displayed rows. */
  get rows(): number {
    return this.#rows?.length ?? this.store.rowCount;
  }

  /** Whether rows may be hidden. */
  get isFiltered(): boolean {
    const { filters, search } = this.arrangement;
    return Object.keys(filters).length > 0 || search.trim() !== '';
  }

  /** Whether later rows can be added without moving the displayed ones. */
  get canGrow(): boolean {
    return this.arrangement.sort.length === 0;
  }

  /** Number of store rows that this view has processed. */
  get seen(): number {
    return this.#rows === undefined ? this.store.rowCount : this.#seen;
  }

  /** Adds the rows that have arrived since, if {@link canGrow}. */
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

  /** Store numbers of the displayed rows, in order; undefined for all rows in order of arrival. */
  get shownRows(): Uint32Array | undefined {
    return this.#rows;
  }

  /** Store number of the row displayed at `row`. */
  storeRow(row: number): number {
    return this.#rows === undefined ? row : (this.#rows[row] ?? -1);
  }

  /** Store numbers of the rows displayed from `first` to `last`, both included. */
  rowsBetween(first: number, last: number): Uint32Array {
    const start = Math.max(0, first);
    const length = Math.max(0, Math.min(last, this.rows - 1) - start + 1);
    return Uint32Array.from({ length }, (_, i) => this.storeRow(start + i));
  }

  /** Cell texts of up to `count` rows from `start`, as {@link RowCells}. `columns` selects and orders the columns. */
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

  /** The test of a column; none if the column does not exist or the filter is invalid. */
  #test(column: number, filter: ColumnFilter | string): ColumnTest[] {
    const shown = this.columns[column];
    if (shown === undefined) return [];
    const read = typeof filter === 'string' ? readColumnFilter(filter, shown.format) : filter;
    if (typeof read === 'string') return [];
    return [{ column, ...cellPredicate(read, this.store.columnData(column), shown.format) }];
  }
}

/** Columns as last displayed: their formats cache results from `Intl`. */
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

/** Problems with the filters of an arrangement of these columns, by column. */
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

/** An arrangement by column keys. It also applies to the next run, whose columns may have other numbers. */
export interface KeyedArrangement {
  sort: { key: string; isDescending: boolean }[];
  lines?: LineSort | undefined;
  filters: { key: string; text: string }[];
  search: string;
}

/** The arrangement of `columns`, by column keys. */
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

/** The arrangement for a result's rows. Drops references to missing columns. */
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

/** Whether it leaves the rows in order of arrival, without filters. */
export function isPlain({ sort, lines, filters, search }: KeyedArrangement): boolean {
  return sort.length === 0 && lines === undefined && filters.length === 0 && search.trim() === '';
}
