import type { ResultStore } from '../client/results/resultStore.ts';
import type { Arrangement, CellKind, GridColumn } from '../protocol/resultsPage.ts';
import type { RowCells } from '../protocol/rowWindow.ts';
import { columnWidth } from './columnWidth.ts';
import type { GridSource } from './gridSource.ts';
import type { ShownColumn } from './resultView.ts';

/** Rows by whose texts the columns' widths are chosen. */
export const sampledRows = 50;

/**
 * Columns of a grid that is made from a result.
 * @param leadsOn whether a column's cells open another report.
 */
export function sourceColumns(
  source: GridSource,
  leadsOn: (key: string | undefined, kind: CellKind) => boolean = () => false,
): GridColumn[] {
  const sample = source.cells(0, sampledRows);
  return source.columns.map(({ title, kind, key }, column) => ({
    key: key ?? String(column),
    title,
    kind,
    leadsOn: leadsOn(key, kind),
    typeName: '',
    width: widthOf(title, sample, column),
  }));
}

/** Width that suits a column, by some of its cells. */
export function widthOf(title: string, sample: RowCells, column: number): number {
  return columnWidth(
    title,
    sample.map((cells) => cells[column] ?? null),
  );
}

/** An arrangement by the keys of its columns, whose numbers have changed; what names a column that is gone falls away. */
export function movedArrangement(
  { sort, filters, search }: Arrangement,
  before: readonly ShownColumn[],
  store: ResultStore,
): Arrangement {
  const places = new Map(store.columns.map(({ key }, column) => [key, column]));
  const moved = (column: number) => places.get(before[column]?.source.key ?? '');
  return {
    sort: sort.flatMap((key) => {
      const column = moved(key.column);
      return column === undefined ? [] : [{ ...key, column }];
    }),
    filters: Object.fromEntries(
      Object.entries(filters).flatMap(([key, text]) => {
        const column = moved(Number(key));
        return column === undefined ? [] : [[column, text] as const];
      }),
    ),
    search,
  };
}
