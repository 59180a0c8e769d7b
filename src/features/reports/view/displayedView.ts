import type { ResultStore } from '../../../client/results/resultStore.ts';
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
import type { CellKind, GridColumn } from '../../../contract/pages/resultsPage.ts';
import type { CellLocale } from './format/cellFormat.ts';
import { copyCells } from './copy/copyForms.ts';
import type { ExportSource } from '../export/exportSource.ts';
import { derivedRows, type GridSource } from './gridSource.ts';
import { ResultView, type DisplayedColumn } from './resultView.ts';
import { cellDetail, storedRow, sampledRows, sourceColumns, widthOf } from './screenCells.ts';

/** Display name of a column's type. */
export type TypeName = (column: DisplayedColumn['source']) => string;

/** Whether the cells of a column, by its key and kind, open another report. */
type DrillDownColumns = (key: string | undefined, kind: CellKind) => boolean;

/**
 * Maximum number of characters of a cell sent to a grid: more than a column can show. The full text is available on
 * demand and when copying.
 */
const longestShown = 1_000;

/** A view of a result as the grid shows it: its rows, or content derived from them. */
export class DisplayedView {
  readonly view: ResultView;
  /** What is shown instead of the view's own rows, if anything. */
  readonly source: GridSource | undefined;
  readonly #store: ResultStore;

  constructor(store: ResultStore, view: ResultView, source?: GridSource) {
    this.#store = store;
    this.view = view;
    this.source = source;
  }

  /** Number of grid rows. */
  get rows(): number {
    return this.source?.rows ?? this.view.rows;
  }

  window(start: number, count: number): RowWindow {
    const rows = Math.min(count, largestWindow);
    const shown = this.source ?? this.view;
    return packRows(start, clipped(shown.cells(start, rows)), this.source?.levels(start, rows));
  }

  columns(locale: CellLocale, typeName: TypeName, leadsOn: DrillDownColumns): GridColumn[] {
    if (this.source !== undefined) return sourceColumns(this.source, typeName, leadsOn);
    const sample = ResultView.plain(this.#store, locale).cells(0, sampledRows);
    return this.view.columns.map(({ source, format }, column) => ({
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

  /** A rectangle of cells as text for the clipboard. */
  copy(params: CopyParams, isSafe: boolean): Promise<string> {
    return copyCells(this.source ?? this.view, this.#titles(), params, isSafe);
  }

  /** The table's rows for an export, whatever is shown instead of the table. */
  exportSource(title: string, wanted?: readonly number[]): ExportSource {
    const known = wanted?.filter((column) => this.view.columns[column] !== undefined) ?? [];
    const columns = known.length > 0 ? known : this.view.columns.map((_, column) => column);
    return { store: this.#store, columns, rows: this.view.shownRows, title };
  }

  /** What is shown instead of the table, for an export; undefined while the table is shown. @throws as derivedRows. */
  async derivedSource(title: string, signal?: AbortSignal): Promise<ExportSource | undefined> {
    if (this.source === undefined) return undefined;
    const columns = this.source.columns.map((_, column) => column);
    return { ...(await derivedRows(this.source, { firstRow: 0, lastRow: this.rows - 1, columns }, signal)), title };
  }

  /** The cells of a rectangle for copying. @throws as derivedRows. */
  async rectangle(cells: Omit<CellRectangle, 'view'>, title: string, signal?: AbortSignal): Promise<ExportSource> {
    if (this.source !== undefined) return { ...(await derivedRows(this.source, cells, signal)), title };
    const { firstRow, lastRow, columns } = cells;
    const known = columns.filter((column) => this.view.columns[column] !== undefined);
    return { store: this.#store, columns: known, rows: this.view.rowsBetween(firstRow, lastRow), title };
  }

  /**
   * The cells of a rectangle that figures are calculated from. Excludes headings and totals if the rectangle also
   * contains rows, which would be counted twice.
   */
  async counted(
    cells: Omit<CellRectangle, 'view'>,
    locale: CellLocale,
    signal: AbortSignal,
  ): Promise<{ view: ResultView; rows: Uint32Array | undefined; columns: readonly number[] }> {
    const { source, view } = this;
    if (source !== undefined) {
      const rows = storeRows(source, cells);
      if (rows.length > 0) return { view, rows, columns: cells.columns };
    }
    const { store, columns, rows } = await this.rectangle(cells, '', signal);
    return { view: source === undefined ? view : ResultView.plain(store, locale), rows, columns };
  }

  /** Full contents of a cell. */
  cell(row: number, column: number, typeName: TypeName): CellDetail {
    if (this.source === undefined) return cellDetail(this.view, row, column, typeName);
    const shown = this.source.cells(row, 1, [column])[0]?.[0] ?? null;
    return { title: this.#titles()[column] ?? '', typeName: '', shown, stored: null };
  }

  /** The result row that a line shows, by column key; undefined if it shows none. */
  row(line: number): Record<string, unknown> | undefined {
    if (line >= this.rows) return undefined;
    const stored = this.source ? this.source.storeRow?.(line) : this.view.storeRow(line);
    return stored === undefined ? undefined : storedRow(this.view, stored);
  }

  /** The result column whose values a column shows; undefined if it combines several. */
  ofResult(column: number): number | undefined {
    return this.source === undefined ? column : this.source.columns[column]?.ofResult;
  }

  /** The URL in a cell, if it may be opened. */
  link(row: number, column: number): URL | undefined {
    const stored = this.source ? this.source.storeRow?.(row) : this.view.storeRow(row);
    if (stored === undefined || this.view.columns[column]?.format.kind !== 'link') return undefined;
    const value = this.#store.cell(stored, column);
    return typeof value === 'string' ? linkAddress(value) : undefined;
  }

  #titles(): string[] {
    return this.source?.columns.map(({ title }) => title) ?? this.view.columns.map(({ source }) => source.header);
  }
}

/** Result rows that the lines of a source show; none for headings and totals. */
function storeRows(
  source: GridSource,
  { firstRow, lastRow }: Pick<CellRectangle, 'firstRow' | 'lastRow'>,
): Uint32Array {
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
    cells.some(isUneasy) ? cells.map((cell) => (isUneasy(cell) ? clip(cell) : cell)) : cells,
  );
}

function isUneasy(cell: string | null): cell is string {
  return cell !== null && (cell.length > longestShown || cell.includes('\n') || cell.includes('\r'));
}

function clip(text: string): string {
  // Do not split a surrogate pair.
  const start = text.length > longestShown ? `${text.slice(0, longestShown).replace(/[\ud800-\udbff]$/, '')}…` : text;
  return start.replace(/\r\n|[\r\n]/g, '↵');
}
