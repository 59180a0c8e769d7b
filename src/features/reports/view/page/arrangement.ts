import type { SortKey } from '../../../../contract/pages/resultsPage.ts';

/**
 * What a click on a title makes of the sorting: ascending, then descending, then none. Adding keeps the other levels;
 * otherwise the column becomes the only one.
 */
export function nextSort(sort: readonly SortKey[], column: number, isAdding: boolean): SortKey[] {
  const level = sort.findIndex((key) => key.column === column);
  const present = sort[level];
  const next =
    present === undefined
      ? [{ column, isDescending: false }]
      : present.isDescending
        ? []
        : [{ column, isDescending: true }];
  if (!isAdding) return next;
  if (level < 0) return [...sort, ...next];
  return sort.flatMap((key, index) => (index === level ? next : [key]));
}

/** The filters after `text` was typed for `column`; an empty text takes the filter away. */
export function withFilter(
  filters: Readonly<Record<number, string>>,
  column: number,
  text: string,
): Record<number, string> {
  const rest = Object.entries(filters).filter(([key]) => Number(key) !== column);
  if (text.trim() !== '') rest.push([String(column), text]);
  return Object.fromEntries(rest);
}
