import { Pacer } from '../pacer.ts';
import { sortByKeys } from './radixSort.ts';
import type { ResultStore } from '../resultStore.ts';
import { sortKeysOf } from './sortKeys.ts';
import { isNumberColumn } from '../textNumbers.ts';

/** One level of sorting. */
export interface ResultSortKey {
  /** Column number. */
  readonly column: number;
  readonly isDescending: boolean;
}

/**
 * Row numbers in sorted order. Numbers order by value, exactly, also those that a column of numbers has as text; texts naturally (case and accents aside, digits as
 * numbers); false before true. Null, then missing, come last in either direction; equal rows keep their order. Works in
 * slices of some 8 ms; while the store grows, it sorts the rows there are at the beginning.
 * @param keys the most significant first.
 * @param options.rows row numbers to sort; all without it.
 * @throws the signal's reason once it has fired.
 */
export async function sortRows(
  store: ResultStore,
  keys: readonly ResultSortKey[],
  options: { readonly rows?: Uint32Array; readonly signal?: AbortSignal } = {},
): Promise<Uint32Array> {
  const rowCount = store.rowCount;
  const levels = keys.map(({ column, isDescending }) => ({
    data: store.columnData(column),
    isNumeric: isNumberColumn(store.columns[column]),
    isDescending,
  }));
  const pacer = new Pacer(options.signal);
  const rows = options.rows?.slice() ?? allRows(rowCount);
  const spare = new Uint32Array(rows.length);
  for (const { data, isNumeric, isDescending } of levels.reverse()) {
    const { words, classes } = await sortKeysOf(store.table, data, isNumeric, rowCount, pacer);
    for (const { keys, greatest } of words) await sortByKeys(rows, keys, spare, pacer, { greatest, isDescending });
    if (classes !== undefined) {
      await sortByKeys(rows, classes.keys, spare, pacer, { greatest: classes.greatest });
    }
  }
  return rows;
}

/** The row numbers from 0 to `rowCount`. */
export function allRows(rowCount: number): Uint32Array {
  const rows = new Uint32Array(rowCount);
  for (let row = 0; row < rowCount; row++) rows[row] = row;
  return rows;
}
