import type { RowCells } from '../../../contract/pages/resultCells.ts';
import { cellTexts, plainRows, type TypeName } from './arrangedRows.ts';
import type { CellKind, GridColumn } from '../../../contract/pages/resultsPage.ts';
import type { DisplayedRows } from './displayedRows.ts';
import { columnNames, type GridSource } from './gridSource.ts';

/** Whether the cells of a column, by its key and kind, open another report. */
type DrillDownColumns = (key: string | undefined, kind: CellKind) => boolean;

/** Number of rows sampled to choose the column widths. */
const sampledRows = 50;

/** Columns of the grid. */
export function gridColumns(
  { arranged, source: derived }: DisplayedRows,
  typeName: TypeName,
  leadsOn: DrillDownColumns,
): GridColumn[] {
  if (derived !== undefined) return sourceColumns(derived, typeName, leadsOn);
  const sample = cellTexts(plainRows(arranged.store, arranged.locale), 0, sampledRows);
  return arranged.columns.map(({ source, format }, column) => ({
    key: source.key,
    title: source.header,
    kind: format.kind,
    ofResult: column,
    leadsOn: leadsOn(source.key, format.kind),
    typeName: typeName(source),
    width: widthOf(source.header, sample, column),
    leastWidth: source.width,
  }));
}

/** Columns of a grid derived from a result. */
function sourceColumns(source: GridSource, typeName: TypeName, leadsOn: DrillDownColumns): GridColumn[] {
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

const narrowest = 64;
const widest = 360;
/** Widths of an average character and of the padding around text, in pixels, at VS Code's default font size. */
const titleCharacter = 7.6;
const cellCharacter = 7.1;
const titleSpace = 38;
const cellSpace = 24;

/** Suitable width of a column, based on some of its cells. */
function widthOf(title: string, sample: RowCells, column: number): number {
  return columnWidth(
    title,
    sample.map((cells) => cells[column] ?? null),
  );
}

/** Suitable width in pixels for a column with this title and these texts. The first texts are sufficient. */
export function columnWidth(title: string, texts: Iterable<string | null>): number {
  let longest = 0;
  for (const text of texts) longest = Math.max(longest, (text ?? '').length);
  const needed = Math.max(title.length * titleCharacter + titleSpace, longest * cellCharacter + cellSpace);
  return Math.round(Math.min(Math.max(narrowest, needed), widest));
}
