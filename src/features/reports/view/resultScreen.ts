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

/** Rows sent along with a new view, at least: as many as are in view. */
const fewestFirstRows = 48;

/** What is shown of one result: the present view of its rows, following it while it grows. */
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

  /** All rows, whatever is shown of them. */
  get store(): ResultStore {
    return this.#store;
  }

  /** Whether there are columns to show. */
  get hasColumns(): boolean {
    return this.#view.columns.length > 0;
  }

  /** What the page needs to show the view. */
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

  /** How the rows are arranged, or are about to be, by the keys of the columns. */
  get arrangement(): KeyedArrangement {
    return this.#followed.arrangement;
  }

  /** What is wrong with the filters of an arrangement, by column. */
  filterFaults(arrangement: Arrangement): Record<number, FilterFault> {
    return filterFaults(arrangement, this.#view.columns);
  }

  /** Shows the table, or what the report's output type asks for. */
  present(isTable: boolean): Promise<void> {
    return this.#followed.present(isTable);
  }

  /** Shows the rows in another arrangement, those that come meanwhile included. A later call ends this one, which then does nothing. */
  arrange(arrangement: Arrangement): Promise<void> {
    return this.#followed.arrange(arrangement);
  }

  /** Takes in what the store has received since. A call meanwhile lets the one under way look once more. */
  follow(): Promise<void> {
    return this.#followed.follow();
  }

  /** The chart of view `view`; null when it is no longer the one shown, or another chart was asked for meanwhile. */
  async chart(view: number): Promise<Chart | null> {
    const { output, words } = this.#options;
    if (view !== this.#followed.number || output === undefined) return null;
    return this.#figures.chart(this.#shown, output, words.output);
  }

  /** Rows of view `view`; null when it is no longer the one shown. */
  window(view: number, start: number, count: number): RowWindow | null {
    return view === this.#followed.number ? this.#shown.window(start, count) : null;
  }

  /**
   * A rectangle of cells as text for the clipboard; null when the view is gone.
   * @param isSafe whether text that a spreadsheet would take for a formula gets an apostrophe.
   */
  async copy(params: CopyParams, isSafe = false): Promise<string | null> {
    return params.view === this.#followed.number ? this.#shown.copy(params, isSafe) : null;
  }

  /**
   * The rows that are shown, for an export: those of the table, whatever is shown in its place.
   * @param columns numbers of the columns wanted, in order; all without it.
   */
  exportSource(title: string, columns?: readonly number[]): ExportSource {
    return this.#shown.exportSource(title, columns);
  }

  /** The lines that are shown in the place of the table, if they are; `make` gives them to an export. */
  derived(title: string): DerivedLines | undefined {
    const shown = this.#shown;
    if (shown.source === undefined) return undefined;
    return { rows: shown.rows, make: (signal) => shown.derivedSource(title, signal) };
  }

  /** The cells of a rectangle for a copy; undefined when the view is gone. */
  async rectangle(cells: CellRectangle, title: string): Promise<ExportSource | undefined> {
    return cells.view === this.#followed.number ? this.#shown.rectangle(cells, title) : undefined;
  }

  /** Figures of a rectangle of what is shown; null when the view is gone or others were asked for meanwhile. */
  async figures(selected: CellRectangle): Promise<SelectionFigures | null> {
    if (selected.view !== this.#followed.number) return null;
    return this.#figures.selection(this.#shown, selected, this.#options.locale);
  }

  /**
   * How a column's values are distributed over the rows of the table; null when the view is gone. Kept until the rows are
   * arranged anew or more of them come.
   */
  async profile(view: number, column: number): Promise<ColumnProfile | null> {
    if (view !== this.#followed.number) return null;
    const found = await this.#figures.profile(this.#shown, column, this.#options.words.typeName, this.#followed.signal);
    return view === this.#followed.number ? found : null;
  }

  /** The next cell of view `view` that contains a text; null where there is none, or the view is gone. */
  async find(view: number, wish: FindWish): Promise<FoundCell | null> {
    const found = view === this.#followed.number ? await this.#finder.find(this.#shown, wish) : null;
    return view === this.#followed.number ? found : null;
  }

  /** One cell, whole; null when the view is gone. */
  cell(view: number, row: number, column: number): CellDetail | null {
    return view === this.#followed.number ? this.#shown.cell(row, column, this.#options.words.typeName) : null;
  }

  /** Key of a column of the table. */
  columnKey(column: number): string | undefined {
    return this.#view.columns[column]?.source.key;
  }

  /** The row of a cell that leads to another report, by the keys of its columns; undefined where there is none. */
  drillRow(view: number, row: number): Record<string, unknown> | undefined {
    return view === this.#followed.number ? this.#shown.row(row) : undefined;
  }

  /** The address in a cell of the view, if it may be opened. */
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

/** What is worked out of the view that a screen shows: its chart, figures of a selection, profiles of columns. */
class ScreenFigures {
  #charting = new AbortController();
  #counting = new AbortController();
  readonly #profiles = new ProfileCache();

  /** The chart of what is shown; null when another one was asked for meanwhile. */
  async chart({ view }: DisplayedView, output: OutputKind, words: ChartTexts): Promise<Chart | null> {
    this.#charting.abort();
    this.#charting = new AbortController();
    const { signal } = this.#charting;
    return unlessAborted(signal, () => buildChart(output, view, words, signal));
  }

  /** Figures of a rectangle of what is shown; null when others were asked for meanwhile. */
  async selection(shown: DisplayedView, selected: CellRectangle, locale: CellLocale): Promise<SelectionFigures | null> {
    this.#counting.abort();
    this.#counting = new AbortController();
    const { signal } = this.#counting;
    return unlessAborted(signal, async () => {
      const { view, rows, columns } = await shown.counted(selected, locale, signal);
      return selectionFigures(view, rows, columns, signal);
    });
  }

  /** How a column's values are distributed over the rows of the result; kept until they are arranged anew or more come. */
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
