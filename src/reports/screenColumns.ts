import type { CellValue } from '../client/results/resultCell.ts';
import type { GridColumn } from '../protocol/resultsPage.ts';
import type { RowCells } from '../protocol/rowWindow.ts';
import { columnWidth } from './columnWidth.ts';
import type { GridSource } from './gridSource.ts';

/** Rows by whose texts the columns' widths are chosen. */
export const sampledRows = 50;

/** Columns of a grid that is made from a result. */
export function sourceColumns(source: GridSource): GridColumn[] {
  const sample = source.cells(0, sampledRows);
  return source.columns.map(({ title, kind }, column) => ({
    title,
    kind,
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

/** A value as it is stored; JSON is laid out for reading. */
export function storedText(value: CellValue): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value !== 'object') return String(value);
  return value.kind === 'json' ? JSON.stringify(JSON.parse(value.text), undefined, 2) : value.text;
}
