import type { CellValue } from '../../../client/results/resultCell.ts';
import type { CellDetail } from '../../../contract/pages/resultCells.ts';
import { laidOutJson } from './format/laidOutJson.ts';
import type { ResultView, ShownColumn } from './resultView.ts';

/** One cell of a view, whole: as shown, and as stored where that differs. */
export function cellDetail(
  view: ResultView,
  row: number,
  column: number,
  typeName: (column: ShownColumn['source']) => string,
): CellDetail {
  const own = view.columns[column];
  const shown = view.cells(row, 1, [column])[0]?.[0] ?? null;
  if (own === undefined) return { title: '', typeName: '', shown, stored: null };
  const stored = storedText(view.store.cell(view.storeRow(row), column));
  return {
    title: own.source.header,
    typeName: typeName(own.source),
    shown,
    stored: stored === shown ? null : stored,
  };
}

/** The values of a row of a view's store by the keys of its columns. */
export function storedRow(view: ResultView, stored: number): Record<string, unknown> {
  const cells = view.columns.map(({ source }, column) => {
    const value = view.store.cell(stored, column);
    return [source.key, typeof value === 'object' && value !== null ? value.text : (value ?? null)] as const;
  });
  return Object.fromEntries(cells);
}

/** A value as it is stored; JSON is laid out for reading. */
function storedText(value: CellValue): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value !== 'object') return String(value);
  return value.kind === 'json' ? laidOutJson(value.text) : value.text;
}
