import type { ResultStore } from '../../../client/results/resultStore.ts';
import type { Arrangement, LineSort } from '../../../contract/pages/resultsPage.ts';

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
