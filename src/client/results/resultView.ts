import { filterRows } from './resultFilter.ts';
import type { ResultFilter } from './resultFilter.ts';
import { sortRows } from './resultSort.ts';
import type { ResultSortKey } from './resultSort.ts';
import type { ResultStore } from './resultStore.ts';

/**
 * The rows to show, by number: those that `filter` keeps, in the order of `sort`; the store's own order where that is
 * empty. Give parts of it to `ResultStore.rows`. See `filterRows` and `sortRows`.
 * @throws the signal's reason once it has fired.
 */
export async function viewRows(
  store: ResultStore,
  filter: ResultFilter,
  sort: readonly ResultSortKey[],
  options: { readonly signal?: AbortSignal } = {},
): Promise<Uint32Array> {
  const rows = await filterRows(store, filter, options);
  return sort.length === 0 ? rows : sortRows(store, sort, { ...options, rows });
}
