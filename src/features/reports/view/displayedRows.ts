import {
  linkAddress,
  type CellDetail,
  type CellRectangle,
  type CopyParams,
  largestWindow,
  packRows,
  type RowCells,
  type RowWindow,
} from '../../../contract/pages/resultCells.ts';
import type { CellValue } from '../../../client/results/resultCell.ts';
import { copyCells } from './copy/copyForms.ts';
import type { ExportSource } from '../export/exportSource.ts';
import { zonesOf } from './format/cellFormat.ts';
import { derivedRows, type DerivedLines, type GridSource } from './gridSource.ts';
import {
  cellTexts,
  plainRows,
  rowCount,
  rowsBetween,
  storeRow,
  type ArrangedRows,
  type TypeName,
} from './arrangedRows.ts';

/**
 * Maximum number of characters of a cell sent to a grid: more than a column can show. The full text is available on
 * demand and when copying.
 */
const longestShown = 1_000;

/** The lines of the grid: the arranged rows of a result, or what is derived from them. */
export interface DisplayedRows {
  readonly arranged: ArrangedRows;
  /** What is shown instead of the rows themselves, if anything. */
  readonly source?: GridSource | undefined;
}

/** A rectangle of cells of the displayed view. */
type Rectangle = Omit<CellRectangle, 'view'>;

/** Number of grid lines. */
export function lineCount({ arranged, source }: DisplayedRows): number {
  return source?.rows ?? rowCount(arranged);
}

/** Cell texts of up to `count` lines from `start`. `columns` selects and orders the columns. */
export function lineTexts(
  { arranged, source }: DisplayedRows,
  start: number,
  count: number,
  columns?: readonly number[],
): RowCells {
  return source === undefined ? cellTexts(arranged, start, count, columns) : source.cells(start, count, columns);
}

/** Lines for the grid, at most as many as a page may request at once. */
export function lineWindow(shown: DisplayedRows, start: number, count: number): RowWindow {
  const lines = Math.min(count, largestWindow);
  return packRows(start, clipped(lineTexts(shown, start, lines)), shown.source?.levels(start, lines));
}

/**
 * A rectangle of cells as text for the clipboard.
 * @param isSafe whether to prefix text that a spreadsheet would treat as a formula with an apostrophe.
 */
export function copyLines(shown: DisplayedRows, params: CopyParams, isSafe = false): Promise<string> {
  const cells = (...range: [number, number, readonly number[]]) => lineTexts(shown, ...range);
  return copyCells({ cells }, titlesOf(shown), params, isSafe);
}

/**
 * The table's rows for an export, whatever is shown instead of the table.
 * @param wanted column numbers in export order; all if undefined.
 */
export function tableSource({ arranged }: DisplayedRows, title: string, wanted?: readonly number[]): ExportSource {
  const known = wanted?.filter((column) => arranged.columns[column] !== undefined) ?? [];
  const columns = known.length > 0 ? known : arranged.columns.map((_, column) => column);
  return { store: arranged.store, columns, rows: arranged.order, title, zones: zonesOf(arranged.locale) };
}

/** What is shown instead of the table, for an export; undefined while the table is shown. */
export function derivedLines({ arranged, source }: DisplayedRows, title: string): DerivedLines | undefined {
  if (source === undefined) return undefined;
  const columns = source.columns.map((_, column) => column);
  const all = { firstRow: 0, lastRow: source.rows - 1, columns };
  const zones = zonesOf(arranged.locale);
  const make = async (signal: AbortSignal) => ({ ...(await derivedRows(source, all, signal)), title, zones });
  return { rows: source.rows, make };
}

/** The cells of a rectangle for copying. @throws as derivedRows. */
export async function rectangleSource(
  { arranged, source }: DisplayedRows,
  cells: Rectangle,
  title: string,
  signal?: AbortSignal,
): Promise<ExportSource> {
  const zones = zonesOf(arranged.locale);
  if (source !== undefined) return { ...(await derivedRows(source, cells, signal)), title, zones };
  const { firstRow, lastRow, columns } = cells;
  const known = columns.filter((column) => arranged.columns[column] !== undefined);
  return { store: arranged.store, columns: known, rows: rowsBetween(arranged, firstRow, lastRow), title, zones };
}

/**
 * The cells of a rectangle that figures are calculated from. Excludes headings and totals if the rectangle also
 * contains rows, which would be counted twice.
 */
export async function countedRows(
  shown: DisplayedRows,
  cells: Rectangle,
  signal: AbortSignal,
): Promise<{ arranged: ArrangedRows; rows: Uint32Array | undefined; columns: readonly number[] }> {
  const { source, arranged } = shown;
  if (source !== undefined) {
    const rows = storeRows(source, cells);
    if (rows.length > 0) return { arranged, rows, columns: cells.columns };
  }
  const { store, columns, rows } = await rectangleSource(shown, cells, '', signal);
  return { arranged: source === undefined ? arranged : plainRows(store, arranged.locale), rows, columns };
}

/** Full contents of a cell: as displayed, and as stored if that differs. */
export function cellDetail(shown: DisplayedRows, row: number, column: number, typeName: TypeName): CellDetail {
  const text = lineTexts(shown, row, 1, [column])[0]?.[0] ?? null;
  const { arranged, source } = shown;
  if (source !== undefined) return { title: titlesOf(shown)[column] ?? '', typeName: '', shown: text, stored: null };
  const own = arranged.columns[column];
  if (own === undefined) return { title: '', typeName: '', shown: text, stored: null };
  const stored = storedText(arranged.store.cell(storeRow(arranged, row), column));
  return {
    title: own.source.header,
    typeName: typeName(own.source, arranged.locale),
    shown: text,
    stored: stored === text ? null : stored,
  };
}

/** The result row that a line shows, by column key; undefined if it shows none. */
export function resultRow(shown: DisplayedRows, line: number): Record<string, unknown> | undefined {
  const row = line < lineCount(shown) ? storeRowOf(shown, line) : undefined;
  if (row === undefined) return undefined;
  const { columns, store } = shown.arranged;
  const cells = columns.map(({ source }, column) => {
    const value = store.cell(row, column);
    return [source.key, typeof value === 'object' && value !== null ? value.text : (value ?? null)] as const;
  });
  return Object.fromEntries(cells);
}

/** The result column whose values a column shows; undefined if it combines several. */
export function resultColumn({ source }: DisplayedRows, column: number): number | undefined {
  return source === undefined ? column : source.columns[column]?.ofResult;
}

/** The URL in a cell, if it may be opened. */
export function linkAt(shown: DisplayedRows, line: number, column: number): URL | undefined {
  const row = storeRowOf(shown, line);
  const { columns, store } = shown.arranged;
  if (row === undefined || columns[column]?.format.kind !== 'link') return undefined;
  const value = store.cell(row, column);
  return typeof value === 'string' ? linkAddress(value) : undefined;
}

function storeRowOf({ arranged, source }: DisplayedRows, line: number): number | undefined {
  return source === undefined ? storeRow(arranged, line) : source.storeRow?.(line);
}

function titlesOf({ arranged, source }: DisplayedRows): string[] {
  return source?.columns.map(({ title }) => title) ?? arranged.columns.map((column) => column.source.header);
}

/** Result rows that the lines of a source show; none for headings and totals. */
function storeRows(source: GridSource, { firstRow, lastRow }: Rectangle): Uint32Array {
  const last = Math.min(lastRow, source.rows - 1);
  const rows = new Uint32Array(Math.max(0, last - firstRow + 1));
  let count = 0;
  for (let line = firstRow; line <= last; line++) {
    const row = source.storeRow?.(line);
    if (row !== undefined) rows[count++] = row;
  }
  return rows.subarray(0, count);
}

/**
 * Converts cells to single lines for a grid: draws line breaks, so that the text after them is not missed, and
 * truncates long texts, which would slow down scrolling.
 */
function clipped(rows: RowCells): RowCells {
  return rows.map((cells) =>
    cells.some(needsClipping) ? cells.map((cell) => (needsClipping(cell) ? clip(cell) : cell)) : cells,
  );
}

function needsClipping(cell: string | null): cell is string {
  return cell !== null && (cell.length > longestShown || cell.includes('\n') || cell.includes('\r'));
}

function clip(text: string): string {
  // Do not split a surrogate pair.
  const start = text.length > longestShown ? `${text.slice(0, longestShown).replace(/[\ud800-\udbff]$/, '')}…` : text;
  return start.replace(/\r\n|[\r\n]/g, '↵');
}

/** A value as stored. JSON is formatted for reading. */
function storedText(value: CellValue): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value !== 'object') return String(value);
  return value.kind === 'json' ? formatJson(value.text) : value.text;
}

/** A string, a punctuation character, or a run of other non-blank characters: a number or a word. */
const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;
const opening = new Set(['{', '[']);
const closing = new Set(['}', ']']);

/** Formats JSON on several lines. Keeps keys, numbers and texts as written: parsing would change an id of 19 digits. */
function formatJson(json: string): string {
  const parts: string[] = [];
  let depth = 0;
  let last = '';
  const newLine = () => parts.push(`\n${'  '.repeat(depth)}`);
  for (const [token] of json.matchAll(tokens)) {
    if (closing.has(token)) {
      depth--;
      if (!opening.has(last)) newLine();
    } else if (opening.has(last) || last === ',') newLine();
    parts.push(token === ':' ? ': ' : token);
    if (opening.has(token)) depth++;
    last = token;
  }
  return parts.join('');
}
