import type { CellKind, GridColumn } from '../../../contract/pages/resultsPage.ts';
import type { RowCells } from '../../../contract/pages/rowWindow.ts';
import { columnWidth } from './format/columnWidth.ts';
import { columnNames } from './gridSource.ts';
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
  typeName: (column: ShownColumn['source']) => string,
  leadsOn: (key: string | undefined, kind: CellKind) => boolean,
): GridColumn[] {
  const sample = source.cells(0, sampledRows);
  const names = columnNames(source.columns);
  return source.columns.map(({ title, kind, key, ofResult = null, typed }, column) => ({
    key: names[column] ?? title,
    title,
    kind,
    ofResult,
    leadsOn: leadsOn(key, kind),
    typeName: typed === undefined ? '' : typeName(typed),
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
