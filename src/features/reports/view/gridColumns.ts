import type { RowCells } from '../../../contract/pages/resultCells.ts';
import { cellTexts, plainRows, type TypeName } from './arrangedRows.ts';
import type { CellKind, GridColumn } from '../../../contract/pages/resultsPage.ts';
import type { DisplayedRows } from './displayedRows.ts';
import { columnNames, type GridSource } from './gridSource.ts';
import type { ResultColumn } from '../../../client/results/resultColumn.ts';
import { zoneTitle } from '../../../contract/zones/zoneNames.ts';
import type { CellLocale } from './format/cellFormat.ts';

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
  const { locale } = arranged;
  const nameOf = (column: ResultColumn) => typeName(column, locale);
  if (derived !== undefined) return sourceColumns(derived, locale, nameOf, leadsOn);
  const sample = cellTexts(plainRows(arranged.store, locale), 0, sampledRows);
  return arranged.columns.map(({ source, format }, column) => ({
    key: source.key,
    title: source.header,
    kind: format.kind,
    ofResult: column,
    leadsOn: leadsOn(source.key, format.kind),
    typeName: nameOf(source),
    ...zoneOf(source, locale),
    width: widthOf(titleText(source.header, source, locale), sample, column),
    leastWidth: source.width,
  }));
}

/** Columns of a grid derived from a result. */
function sourceColumns(
  source: GridSource,
  locale: CellLocale,
  typeName: (column: ResultColumn) => string,
  leadsOn: DrillDownColumns,
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
    ...zoneOf(typed, locale),
    width: widthOf(titleText(title, typed, locale), sample, column),
  }));
}

/** The time zone of a column whose values are shown in one. */
function zoneOf(column: ResultColumn | undefined, { timeZone }: CellLocale): Pick<GridColumn, 'zone'> {
  return column?.fieldType === 'dat' || column?.fieldType === 'udt' ? { zone: zoneTitle(timeZone) } : {};
}

function titleText(title: string, column: ResultColumn | undefined, locale: CellLocale): string {
  return [title, zoneOf(column, locale).zone ?? ''].join(' ').trimEnd();
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
