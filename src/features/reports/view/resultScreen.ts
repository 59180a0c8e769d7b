import type { ResultStore } from '../../../client/results/resultStore.ts';
import {
  type CellDetail,
  type CellRectangle,
  type ColumnProfile,
  type CopyParams,
  type FoundCell,
  type SelectionFigures,
  windowRows,
  type RowWindow,
} from '../../../contract/pages/resultCells.ts';
import type { Arrangement, GridShape } from '../../../contract/pages/resultsPage.ts';
import type { Chart, OutputKind } from '../../../contract/pages/chartFigure.ts';
import type { FilterFault } from './filter/columnFilter.ts';
import type { DerivedLines } from './gridSource.ts';
import type { ExportSource } from '../export/exportSource.ts';
import { FollowedView, type ScreenListener, type ScreenOptions } from './followedView.ts';
import { type KeyedArrangement, filterFaults, type ResultView } from './resultView.ts';
import { isDrillDown } from './drillLinks.ts';
import type { DisplayedView, TypeName } from './displayedView.ts';
import { ViewFinder, type FindWish } from './filter/viewFinder.ts';
import type { CellLocale } from './format/cellFormat.ts';
import { buildChart } from '../charts/buildChart.ts';
import type { ChartTexts } from '../charts/chartContext.ts';
import { ProfileCache } from './figures/columnProfile.ts';
import { selectionFigures } from './figures/selectionFigures.ts';

/** Minimum number of rows sent along with a new view: about one screen. */
const fewestFirstRows = 48;

/** The display of a result: the current view of its rows, updated while it grows. */
export class ResultScreen {
  readonly #store: ResultStore;
  readonly #options: ScreenOptions;
  readonly #followed: FollowedView;
  readonly #figures = new ScreenFigures();
  readonly #finder = new ViewFinder();

  constructor(store: ResultStore, options: ScreenOptions, listener: ScreenListener) {
    this.#store = store;
    this.#options = options;
    this.#followed = new FollowedView(store, options, listener);
  }

  /** All rows, whatever is displayed. */
  get store(): ResultStore {
    return this.#store;
  }

  /** Whether there are columns to show. */
  get hasColumns(): boolean {
    return this.#view.columns.length > 0;
  }

  /** Data that the page needs to show the view. */
  get shape(): GridShape {
    const { locale, words, linked = new Set() } = this.#options;
    const { source } = this.#shown;
    const columns = this.#shown.columns(locale, words.typeName, (key, kind) =>
      isDrillDown(this.#view, linked, key, kind),
    );
    return {
      view: this.#followed.number,
      rowSet: this.#followed.rowSet,
      columns,
      rows: this.#shown.rows,
      totalRows: this.#store.rowCount,
      arrangement: this.#view.arrangement,
      isDerived: source !== undefined,
      filteredRows: source !== undefined && this.#view.isFiltered ? this.#view.rows : undefined,
      notes: source?.notes ?? [],
      first: this.#shown.window(0, Math.max(fewestFirstRows, windowRows(columns.length))),
    };
  }

  get growth(): { view: number; rows: number; totalRows: number } {
    return { view: this.#followed.number, rows: this.#shown.rows, totalRows: this.#store.rowCount };
  }

  /** The current or pending arrangement, by column key. */
  get arrangement(): KeyedArrangement {
    return this.#followed.arrangement;
  }

  /** Problems with the filters of an arrangement, by column. */
  filterFaults(arrangement: Arrangement): Record<number, FilterFault> {
    return filterFaults(arrangement, this.#view.columns);
  }

  /** Shows the table, or the view of the report's output type. */
  present(isTable: boolean): Promise<void> {
    return this.#followed.present(isTable);
  }

  /** Applies another arrangement, including rows that arrive meanwhile. A later call cancels this one. */
  arrange(arrangement: Arrangement): Promise<void> {
    return this.#followed.arrange(arrangement);
  }

  /** Applies what the store has received since the last call. A call during an update makes it repeat once. */
  follow(): Promise<void> {
    return this.#followed.follow();
  }

  /** The chart of view `view`; null if it is no longer displayed, or another chart was requested meanwhile. */
  async chart(view: number): Promise<Chart | null> {
    const { output, words } = this.#options;
    if (view !== this.#followed.number || output === undefined) return null;
    return this.#figures.chart(this.#shown, output, words.output);
  }

  /** Rows of view `view`; null if it is no longer displayed. */
  window(view: number, start: number, count: number): RowWindow | null {
    return view === this.#followed.number ? this.#shown.window(start, count) : null;
  }

  /**
   * A rectangle of cells as text for the clipboard; null if the view no longer exists.
   * @param isSafe whether to prefix text that a spreadsheet would treat as a formula with an apostrophe.
   */
  async copy(params: CopyParams, isSafe = false): Promise<string | null> {
    return params.view === this.#followed.number ? this.#shown.copy(params, isSafe) : null;
  }

  /**
   * The table's rows for an export, whatever is shown instead of the table.
   * @param columns column numbers in export order; all if undefined.
   */
  exportSource(title: string, columns?: readonly number[]): ExportSource {
    return this.#shown.exportSource(title, columns);
  }

  /** The lines shown instead of the table, if any. `make` creates them for an export. */
  derived(title: string): DerivedLines | undefined {
    const shown = this.#shown;
    if (shown.source === undefined) return undefined;
    return { rows: shown.rows, make: (signal) => shown.derivedSource(title, signal) };
  }

  /** The cells of a rectangle for copying; undefined if the view no longer exists. */
  async rectangle(cells: CellRectangle, title: string): Promise<ExportSource | undefined> {
    return cells.view === this.#followed.number ? this.#shown.rectangle(cells, title) : undefined;
  }

  /** Figures of a rectangle of cells; null if the view no longer exists or other figures were requested meanwhile. */
  async figures(selected: CellRectangle): Promise<SelectionFigures | null> {
    if (selected.view !== this.#followed.number) return null;
    return this.#figures.selection(this.#shown, selected, this.#options.locale);
  }

  /**
   * Distribution of a column's values over the rows of the table; null if the view no longer exists. Cached until the
   * rows are rearranged or more arrive.
   */
  async profile(view: number, column: number): Promise<ColumnProfile | null> {
    if (view !== this.#followed.number) return null;
    const found = await this.#figures.profile(this.#shown, column, this.#options.words.typeName, this.#followed.signal);
    return view === this.#followed.number ? found : null;
  }

  /** The next cell of view `view` that contains a text; null if there is none, or the view no longer exists. */
  async find(view: number, wish: FindWish): Promise<FoundCell | null> {
    const found = view === this.#followed.number ? await this.#finder.find(this.#shown, wish) : null;
    return view === this.#followed.number ? found : null;
  }

  /** Full contents of a cell; null if the view no longer exists. */
  cell(view: number, row: number, column: number): CellDetail | null {
    return view === this.#followed.number ? this.#shown.cell(row, column, this.#options.words.typeName) : null;
  }

  /** Key of a table column. */
  columnKey(column: number): string | undefined {
    return this.#view.columns[column]?.source.key;
  }

  /** The row of a cell that links to another report, by column key; undefined if there is none. */
  drillRow(view: number, row: number): Record<string, unknown> | undefined {
    return view === this.#followed.number ? this.#shown.row(row) : undefined;
  }

  /** The URL in a cell of the view, if it may be opened. */
  link(view: number, row: number, column: number): URL | undefined {
    return view === this.#followed.number ? this.#shown.link(row, column) : undefined;
  }

  dispose(): void {
    this.#followed.dispose();
    this.#figures.dispose();
    this.#finder.dispose();
  }

  get #shown(): DisplayedView {
    return this.#followed.shown;
  }

  get #view(): ResultView {
    return this.#shown.view;
  }
}

/** Calculations on the displayed view: its chart, selection figures, and column profiles. */
class ScreenFigures {
  #charting = new AbortController();
  #counting = new AbortController();
  readonly #profiles = new ProfileCache();

  /** The chart of the displayed view; null if another one was requested meanwhile. */
  async chart({ view }: DisplayedView, output: OutputKind, words: ChartTexts): Promise<Chart | null> {
    this.#charting.abort();
    this.#charting = new AbortController();
    const { signal } = this.#charting;
    return unlessAborted(signal, () => buildChart(output, view, words, signal));
  }

  /** Figures of a rectangle of cells; null if others were requested meanwhile. */
  async selection(shown: DisplayedView, selected: CellRectangle, locale: CellLocale): Promise<SelectionFigures | null> {
    this.#counting.abort();
    this.#counting = new AbortController();
    const { signal } = this.#counting;
    return unlessAborted(signal, async () => {
      const { view, rows, columns } = await shown.counted(selected, locale, signal);
      return selectionFigures(view, rows, columns, signal);
    });
  }

  /** Distribution of a column's values over the result's rows. Cached until rows are rearranged or more arrive. */
  async profile(
    shownView: DisplayedView,
    column: number,
    typeName: TypeName,
    signal: AbortSignal,
  ): Promise<ColumnProfile | null> {
    const { view } = shownView;
    const ofResult = shownView.ofResult(column) ?? -1;
    const shown = view.columns[ofResult];
    if (shown === undefined) return null;
    return unlessAborted(signal, async () => ({
      ...(await this.#profiles.of(view, ofResult, signal)),
      column,
      title: shown.source.header,
      typeName: typeName(shown.source),
    }));
  }

  dispose(): void {
    this.#charting.abort();
    this.#counting.abort();
  }
}

async function unlessAborted<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (signal.aborted) return null;
    throw error;
  }
}
