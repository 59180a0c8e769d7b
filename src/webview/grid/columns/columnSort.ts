import type { Arrangement, GridColumn, SortKey } from '../../../contract/pages/resultsPage.ts';

/** The sort keys of an arrangement, as columns of a grid. */
export function shownSort(
  columns: readonly GridColumn[],
  { sort, lines }: Pick<Arrangement, 'sort' | 'lines'>,
): SortKey[] {
  const keys =
    lines === undefined
      ? sort.map((key) => ({ ...key, column: columns.findIndex(({ ofResult }) => ofResult === key.column) }))
      : [{ column: columns.findIndex(({ key }) => key === lines.key), isDescending: lines.isDescending }];
  return keys.filter(({ column }) => column >= 0);
}

/**
 * The arrangement for the given sort of a grid after `column` changed: sorts rows by columns of the result, or the
 * lines of a pivot by a column that is not one of the result.
 */
export function sortArrangement(
  columns: readonly GridColumn[],
  sort: readonly SortKey[],
  column: number,
): Partial<Pick<Arrangement, 'sort' | 'lines'>> {
  const { key = '', ofResult = null } = columns[column] ?? {};
  if (ofResult === null) {
    const own = sort.find((each) => each.column === column);
    return { lines: own && { key, isDescending: own.isDescending } };
  }
  const ofRows = sort.flatMap((each) => {
    const own = columns[each.column]?.ofResult ?? null;
    return own === null ? [] : [{ column: own, isDescending: each.isDescending }];
  });
  return { sort: ofRows, lines: undefined };
}
