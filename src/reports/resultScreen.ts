import type { ResultStore } from '../client/results/resultStore.ts';
import type {
  Arrangement,
  CellDetail,
  CellKind,
  CellRectangle,
  ColumnProfile,
  CopyParams,
  FoundCell,
  GridShape,
  SelectionFigures,
} from '../protocol/resultsPage.ts';
import { windowRows } from '../protocol/rowWindow.ts';
import type { RowWindow } from '../protocol/rowWindow.ts';
import type { Chart } from '../protocol/chartFigure.ts';
import type { FilterFault } from './columnFilter.ts';
import type { DerivedLines } from './derivedRows.ts';
import type { ExportSource } from './export/exportSource.ts';
import type { GridSource } from './gridSource.ts';
import { arrangementOf, isPlain, keyedArrangement } from './keyedArrangement.ts';
import type { KeyedArrangement } from './keyedArrangement.ts';
import { groupedSource } from './output/groupedSource.ts';
import { isGridOutput } from './output/outputKind.ts';
import { pivotSource } from './output/pivotSource.ts';
import { filterFaults, ResultView } from './resultView.ts';
import { ScreenFigures } from './screenFigures.ts';
import type { ScreenListener, ScreenOptions } from './screenOptions.ts';
import { ShownView } from './shownView.ts';
import { ViewFinder } from './viewFinder.ts';
import type { FindWish } from './viewFinder.ts';

/** Rows sent along with a new view, at least: as many as are in view. */
const fewestFirstRows = 48;

let lastView = 0;
let lastRowSet = 0;

/** What is shown of one result: the present view of its rows, following it while it grows. */
export class ResultScreen {
  readonly #store: ResultStore;
  readonly #options: ScreenOptions;
  readonly #listener: ScreenListener;
  #isTable: boolean;
  #shown: ShownView;
  #number = ++lastView;
  #rowSet = ++lastRowSet;
  #schema: number;
  /** Ends the arranging that is under way. */
  #arranging = new AbortController();
  readonly #figures = new ScreenFigures();
  readonly #finder = new ViewFinder();
  /** The arrangement that was handed over, until the user asks for another. */
  #handedOver: KeyedArrangement | undefined;
  #following: Promise<void> | undefined;
  /** Whether the store was to be looked at again while that was being done. */
  #isFollowDue = false;
  #isDisposed = false;
  /** The arranging that is under way, and what it will show. */
  #underWay: { arrangement: Arrangement; done: Promise<void> } | undefined;
  /** Rows that the view shown was arranged from, and whether these were all that there would be. */
  #source = { rows: 0, isWhole: false };

  constructor(store: ResultStore, options: ScreenOptions, listener: ScreenListener) {
    this.#store = store;
    this.#options = options;
    this.#isTable = options.isTable;
    this.#listener = listener;
    this.#shown = new ShownView(store, ResultView.plain(store, options.locale));
    const { arrangement } = options;
    this.#handedOver = arrangement === undefined || isPlain(arrangement) ? undefined : arrangement;
    // The first rows are shown as they come; the first look at the columns arranges them.
    this.#schema = this.#handedOver === undefined ? store.schemaVersion : -1;
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
    const { locale, words } = this.#options;
    const { source } = this.#shown;
    const columns = this.#shown.columns(locale, words.typeName, (key, kind) => this.#leadsOn(key, kind));
    return {
      view: this.#number,
      rowSet: this.#rowSet,
      columns,
      rows: this.#shown.rows,
      totalRows: this.#store.rowCount,
      arrangement: this.#view.arrangement,
      isDerived: source !== undefined,
      notes: source?.notes ?? [],
      first: this.#shown.window(0, Math.max(fewestFirstRows, windowRows(columns.length))),
    };
  }

  get growth(): { view: number; rows: number; totalRows: number } {
    return { view: this.#number, rows: this.#shown.rows, totalRows: this.#store.rowCount };
  }

  /** How the rows are arranged, or are about to be, by the keys of the columns. */
  get arrangement(): KeyedArrangement {
    return (
      this.#handedOver ??
      keyedArrangement(
        this.#intended,
        this.#view.columns.map(({ source }) => source),
      )
    );
  }

  /** What is wrong with the filters of an arrangement, by column. */
  filterFaults(arrangement: Arrangement): Record<number, FilterFault> {
    return filterFaults(arrangement, this.#view.columns);
  }

  /** Shows the table, or what the report's output type asks for. */
  async present(isTable: boolean): Promise<void> {
    this.#isTable = isTable;
    if (this.#needsSource !== (this.#shown.source !== undefined)) await this.arrange(this.#intended);
  }

  /** The chart of view `view`; null when it is no longer the one shown, or another chart was asked for meanwhile. */
  async chart(view: number): Promise<Chart | null> {
    const { output, words } = this.#options;
    if (view !== this.#number || output === undefined) return null;
    return this.#figures.chart(this.#shown, output, words.output);
  }

  /** Shows the rows in another arrangement, those that come meanwhile included. A later call ends this one, which then does nothing. */
  async arrange(arrangement: Arrangement): Promise<void> {
    this.#handedOver = undefined;
    await this.#arrange(arrangement);
    if (this.#isBehind) await this.follow();
  }

  /** Takes in what the store has received since. A call meanwhile lets the one under way look once more. */
  follow(): Promise<void> {
    this.#isFollowDue = true;
    this.#following ??= this.#followAll();
    return this.#following;
  }

  /** Rows of view `view`; null when it is no longer the one shown. */
  window(view: number, start: number, count: number): RowWindow | null {
    return view === this.#number ? this.#shown.window(start, count) : null;
  }

  /**
   * A rectangle of cells as text for the clipboard; null when the view is gone.
   * @param isSafe whether text that a spreadsheet would take for a formula gets an apostrophe.
   */
  async copy(params: CopyParams, isSafe = false): Promise<string | null> {
    return params.view === this.#number ? this.#shown.copy(params, isSafe) : null;
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
    return cells.view === this.#number ? this.#shown.rectangle(cells, title) : undefined;
  }

  /** Figures of a rectangle of what is shown; null when the view is gone or others were asked for meanwhile. */
  async figures(selected: CellRectangle): Promise<SelectionFigures | null> {
    if (selected.view !== this.#number) return null;
    return this.#figures.selection(this.#shown, selected, this.#options.locale);
  }

  /**
   * How a column's values are distributed over the rows of the table; null when the view is gone. Kept until the rows are
   * arranged anew or more of them come.
   */
  async profile(view: number, column: number): Promise<ColumnProfile | null> {
    if (view !== this.#number) return null;
    const found = await this.#figures.profile(
      this.#shown,
      column,
      this.#options.words.typeName,
      this.#arranging.signal,
    );
    return view === this.#number ? found : null;
  }

  /** The next cell of view `view` that contains a text; null where there is none, or the view is gone. */
  async find(view: number, wish: FindWish): Promise<FoundCell | null> {
    const found = view === this.#number ? await this.#finder.find(this.#shown, wish) : null;
    return view === this.#number ? found : null;
  }

  /** One cell, whole; null when the view is gone. */
  cell(view: number, row: number, column: number): CellDetail | null {
    return view === this.#number ? this.#shown.cell(row, column, this.#options.words.typeName) : null;
  }

  /** Key of a column of the table. */
  columnKey(column: number): string | undefined {
    return this.#view.columns[column]?.source.key;
  }

  /** The row of a cell that leads to another report, by the keys of its columns; undefined where there is none. */
  drillRow(view: number, row: number): Record<string, unknown> | undefined {
    return view === this.#number ? this.#shown.row(row) : undefined;
  }

  /** The address in a cell of the view, if it may be opened. */
  link(view: number, row: number, column: number): URL | undefined {
    return view === this.#number ? this.#shown.link(row, column) : undefined;
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#arranging.abort();
    this.#figures.dispose();
    this.#finder.dispose();
  }

  get #view(): ResultView {
    return this.#shown.view;
  }

  get #needsSource(): boolean {
    const { output } = this.#options;
    return !this.#isTable && output !== undefined && isGridOutput(output);
  }

  /** The arrangement shown, or the one that is about to be. */
  get #intended(): Arrangement {
    return this.#underWay?.arrangement ?? this.#view.arrangement;
  }

  /** Whether what is shown moves when rows are added to it. */
  get #isRearranged(): boolean {
    return !this.#view.canGrow || this.#needsSource;
  }

  /** Whether all rows have come and the view shown was made without some of them. */
  get #isBehind(): boolean {
    const { hasEnded, rowCount } = this.#store;
    if (!hasEnded || this.#isDisposed) return false;
    if (!this.#isRearranged) return this.#view.seen < rowCount;
    // The totals of groups come behind the last row.
    return this.#source.rows < rowCount || (this.#needsSource && !this.#source.isWhole);
  }

  async #arrange(arrangement: Arrangement): Promise<void> {
    this.#arranging.abort();
    this.#arranging = new AbortController();
    const work = this.#arrangeRows(arrangement, this.#arranging.signal);
    const underWay = { arrangement, done: work.catch(() => undefined) };
    this.#underWay = underWay;
    try {
      await work;
    } finally {
      if (this.#underWay === underWay) this.#underWay = undefined;
    }
  }

  async #arrangeRows(arrangement: Arrangement, signal: AbortSignal): Promise<void> {
    const from = { rows: this.#store.rowCount, isWhole: this.#store.hasEnded };
    try {
      const view = await ResultView.arranged(this.#store, arrangement, this.#options.locale, signal);
      const source = await this.#sourceOf(view, signal);
      if (!signal.aborted) this.#show(view, source, from);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  async #followAll(): Promise<void> {
    try {
      while (!this.#isDisposed && (this.#isFollowDue || this.#isBehind)) {
        this.#isFollowDue = false;
        await this.#follow();
      }
    } finally {
      this.#following = undefined;
    }
  }

  async #follow(): Promise<void> {
    if (this.#schema !== this.#store.schemaVersion) return this.#takeColumns();
    // Once all rows have come nobody asks again: what is being arranged is looked at when it is shown.
    if (this.#store.hasEnded) await this.#underWay?.done;
    if (this.#isRearranged) {
      // Sorting or grouping anew moves every row under the reader's eyes: rarely while rows come, and once they all have.
      const { hasEnded, rowCount } = this.#store;
      const isDue = this.#underWay === undefined && this.#source.rows < rowCount && rowCount >= this.#source.rows * 2;
      if (hasEnded ? this.#isBehind : isDue) await this.#arrange(this.#intended);
      else this.#listener.gridGrew();
      return;
    }
    const view = this.#view;
    const { signal } = this.#arranging;
    try {
      await view.grow(signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
    if (view === this.#view) this.#listener.gridGrew();
  }

  /** The columns have changed: the arrangement follows them by key. */
  async #takeColumns(): Promise<void> {
    this.#schema = this.#store.schemaVersion;
    await this.#arrange(arrangementOf(this.arrangement, this.#store));
  }

  #show(view: ResultView, source: GridSource | undefined, from: { rows: number; isWhole: boolean }): void {
    if (!hasSameRows(view, this.#view)) this.#rowSet = ++lastRowSet;
    this.#shown = new ShownView(this.#store, view, source);
    this.#source = from;
    this.#number = ++lastView;
    this.#listener.gridChanged();
  }

  /** What is shown in the place of the view's rows; nothing while the table is wanted, or there is nothing to group. */
  async #sourceOf(view: ResultView, signal: AbortSignal): Promise<GridSource | undefined> {
    const { output, words } = this.#options;
    if (!this.#needsSource || view.rows === 0) return undefined;
    return output === 'groups' ? groupedSource(view, words.output, signal) : pivotSource(view, words.output, signal);
  }

  /** Columns whose values are handed to linked reports lead on, of whatever type they are; so do those of that type. */
  #leadsOn(key: string | undefined, kind: CellKind): boolean {
    return kind === 'drill' || (kind !== 'link' && (this.#options.linked?.has(key?.toLowerCase() ?? '') ?? false));
  }
}

/** Whether two views of a result show the same rows, in whatever order. */
function hasSameRows(one: ResultView, other: ResultView): boolean {
  const { search, filters } = one.arrangement;
  return (
    one.seen === other.seen &&
    search === other.arrangement.search &&
    JSON.stringify(filters) === JSON.stringify(other.arrangement.filters)
  );
}
