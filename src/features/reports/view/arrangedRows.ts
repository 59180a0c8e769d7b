import { sortRows } from '../../../client/results/sort/resultSort.ts';
import type { ResultStore } from '../../../client/results/resultStore.ts';
import type { ResultColumn } from '../../../client/results/resultColumn.ts';
import type { RowCells } from '../../../contract/pages/resultCells.ts';
import type { Arrangement } from '../../../contract/pages/resultsPage.ts';
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

/** Display name of a column's type, with the zone that its values are shown in. */
export type TypeName = (column: ResultColumn, locale: CellLocale) => string;

/**
 * The rows of a result, sorted and filtered. The rows stay in the store; this only holds their numbers, or none while
 * nothing is sorted or filtered.
 */
export interface ArrangedRows {
  readonly store: ResultStore;
  readonly columns: readonly DisplayedColumn[];
  readonly arrangement: Arrangement;
  readonly locale: CellLocale;
  /** Store numbers of the rows, in display order; undefined for all rows in order of arrival. */
  readonly order: Uint32Array | undefined;
  /** Number of store rows that `order` was made from. */
  readonly ordered: number;
}

/** The rows in order of arrival. */
export function plainRows(store: ResultStore, locale: CellLocale): ArrangedRows {
  return unordered(store, noArrangement, locale);
}

/** The sorted and filtered rows. @throws the signal's reason if aborted. */
export async function arrangeRows(
  store: ResultStore,
  arrangement: Arrangement,
  locale: CellLocale,
  signal: AbortSignal,
): Promise<ArrangedRows> {
  const all = unordered(store, arrangement, locale);
  const { sort } = arrangement;
  if (sort.length === 0 && !isFiltered(all)) return all;
  const ordered = store.rowCount;
  const rows = isFiltered(all) ? await passingRows(all, 0, signal) : undefined;
  const known = sort.filter(({ column }) => column < all.columns.length);
  const order = known.length === 0 ? rows : await sortRows(store, known, { rows, signal });
  return { ...all, order, ordered };
}

/** The same rows and those that have arrived since, if they {@link canGrow}. @throws the signal's reason if aborted. */
export async function growRows(arranged: ArrangedRows, signal: AbortSignal): Promise<ArrangedRows> {
  const { store, order } = arranged;
  if (order === undefined || !canGrow(arranged) || arranged.ordered === store.rowCount) return arranged;
  const ordered = store.rowCount;
  const added = await passingRows(arranged, arranged.ordered, signal);
  const grown = new Uint32Array(order.length + added.length);
  grown.set(order);
  grown.set(added, order.length);
  return { ...arranged, order: grown, ordered };
}

function unordered(store: ResultStore, arrangement: Arrangement, locale: CellLocale): ArrangedRows {
  return { store, columns: displayedColumns(store, locale), arrangement, locale, order: undefined, ordered: 0 };
}

/** Number of displayed rows. */
export function rowCount({ store, order }: ArrangedRows): number {
  return order?.length ?? store.rowCount;
}

/** Number of store rows that were considered. */
export function consideredRows({ store, order, ordered }: ArrangedRows): number {
  return order === undefined ? store.rowCount : ordered;
}

/** Whether rows may be hidden. */
export function isFiltered({ arrangement: { filters, search } }: Pick<ArrangedRows, 'arrangement'>): boolean {
  return Object.keys(filters).length > 0 || search.trim() !== '';
}

/** Whether later rows can be added without moving the displayed ones. */
export function canGrow({ arrangement }: ArrangedRows): boolean {
  return arrangement.sort.length === 0;
}

/** Whether both show the same rows of a result, in any order. */
export function hasSameRows(one: ArrangedRows, other: ArrangedRows): boolean {
  const { search, filters } = one.arrangement;
  return (
    consideredRows(one) === consideredRows(other) &&
    search === other.arrangement.search &&
    JSON.stringify(filters) === JSON.stringify(other.arrangement.filters)
  );
}

/** Store number of the row displayed at `row`. */
export function storeRow({ order }: ArrangedRows, row: number): number {
  return order === undefined ? row : (order[row] ?? -1);
}

/** Store numbers of the rows displayed from `first` to `last`, both included. */
export function rowsBetween(arranged: ArrangedRows, first: number, last: number): Uint32Array {
  const start = Math.max(0, first);
  const length = Math.max(0, Math.min(last, rowCount(arranged) - 1) - start + 1);
  return Uint32Array.from({ length }, (_, i) => storeRow(arranged, start + i));
}

/** Cell texts of up to `count` rows from `start`, as {@link RowCells}. `columns` selects and orders the columns. */
export function cellTexts(
  arranged: ArrangedRows,
  start: number,
  count: number,
  columns: readonly number[] = arranged.columns.map((_, column) => column),
): RowCells {
  const first = Math.max(0, start);
  const length = Math.max(0, Math.min(count, rowCount(arranged) - first));
  return Array.from({ length }, (_, i) => {
    const row = storeRow(arranged, first + i);
    return columns.map((column) => arranged.columns[column]?.format.write(arranged.store.cell(row, column)) ?? null);
  });
}

/** Store numbers from `from` on of the rows that pass the filters and the search. */
function passingRows(arranged: ArrangedRows, from: number, signal: AbortSignal): Promise<Uint32Array> {
  const { filters, search } = arranged.arrangement;
  const every = Object.entries(filters).flatMap(([key, text]) => columnTests(arranged, Number(key), text));
  const needle = search.trim();
  const some =
    needle === ''
      ? undefined
      : arranged.columns.flatMap((_, column) => columnTests(arranged, column, { kind: 'contains', text: needle }));
  return filterRows(arranged.store, from, { every, some }, signal);
}

/** The test of a column; none if the column does not exist or the filter is invalid. */
function columnTests({ store, columns }: ArrangedRows, column: number, filter: ColumnFilter | string): ColumnTest[] {
  const shown = columns[column];
  if (shown === undefined) return [];
  const read = typeof filter === 'string' ? readColumnFilter(filter, shown.format) : filter;
  if (typeof read === 'string') return [];
  return [{ column, ...cellPredicate(read, store.columnData(column), shown.format) }];
}

/** Columns as last displayed: their formats cache results from `Intl`. */
const lastShown = new WeakMap<
  ResultStore,
  { schema: number; locale: CellLocale; columns: readonly DisplayedColumn[] }
>();

function displayedColumns(store: ResultStore, locale: CellLocale): readonly DisplayedColumn[] {
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
