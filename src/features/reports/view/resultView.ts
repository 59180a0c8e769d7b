import type { ResultStore } from '../../../client/results/resultStore.ts';
import {
  type CellDetail,
  type CellRectangle,
  type ColumnProfile,
  type FoundCell,
  type SelectionFigures,
  windowRows,
} from '../../../contract/pages/resultCells.ts';
import type { Arrangement, GridShape } from '../../../contract/pages/resultsPage.ts';
import type { Chart, GridOutput } from '../../../contract/pages/chartFigure.ts';
import { buildChart, buildGrid } from '../charts/buildChart.ts';
import { isGridOutput } from '../charts/chartContext.ts';
import type { FilterFault } from './filter/columnFilter.ts';
import { ViewFinder, type FindWish } from './filter/viewFinder.ts';
import { ProfileCache } from './figures/columnProfile.ts';
import { selectionFigures } from './figures/selectionFigures.ts';
import {
  arrangeRows,
  canGrow,
  consideredRows,
  filterFaults,
  growRows,
  hasSameRows,
  isFiltered,
  plainRows,
  rowCount,
  type ArrangedRows,
} from './arrangedRows.ts';
import { cellDetail, countedRows, lineCount, lineWindow, resultColumn, type DisplayedRows } from './displayedRows.ts';
import { isDrillDown, rowsDrillDown } from './drillLinks.ts';
import { gridColumns } from './gridColumns.ts';
import { arrangementOf, isPlain, keyedArrangement, type KeyedArrangement } from './keyedArrangement.ts';
import { LatestTask, unlessAborted } from './latestTask.ts';
import type { ViewListener, ViewOptions } from './viewOptions.ts';

/** Minimum number of rows sent along with a new view: about one screen. */
const fewestFirstRows = 48;

let lastView = 0;
let lastRowSet = 0;

/** What a page shows of a result: its rows as the user arranged them, updated while they arrive. */
export class ResultView {
  /** All rows, whatever is displayed. */
  readonly store: ResultStore;
  readonly #options: ViewOptions;
  readonly #listener: ViewListener;
  #isTable: boolean;
  #shown: DisplayedRows;
  /** Number of the view. If it changes, every row may have moved. */
  #number = ++lastView;
  #rowSet = ++lastRowSet;
  #schema: number;
  /** Cancels the active arranging. */
  #arranging = new AbortController();
  /** The active arranging, and its arrangement. */
  #underWay: { arrangement: Arrangement; done: Promise<void> } | undefined;
  /** The arrangement carried over from the previous run, until the user chooses another. */
  #handedOver: KeyedArrangement | undefined;
  /** Number of rows that the view was arranged from, and whether the result was complete. */
  #arrangedFrom = { rows: 0, isWhole: false };
  #following: Promise<void> | undefined;
  /** Whether another update was requested during the current one. */
  #isFollowDue = false;
  #isDisposed = false;
  #toldDrilldown: unknown;
  readonly #charting = new LatestTask();
  readonly #counting = new LatestTask();
  readonly #profiles = new ProfileCache();
  readonly #finder = new ViewFinder();

  constructor(store: ResultStore, options: ViewOptions, listener: ViewListener) {
    this.store = store;
    this.#options = options;
    this.#isTable = options.isTable;
    this.#listener = listener;
    this.#shown = { arranged: plainRows(store, options.locale) };
    this.#toldDrilldown = rowsDrillDown(store);
    const { arrangement } = options;
    this.#handedOver = arrangement === undefined || isPlain(arrangement) ? undefined : arrangement;
    // Show the first rows as they arrive. The first look at the columns arranges them.
    this.#schema = this.#handedOver === undefined ? store.schemaVersion : -1;
  }

  /** What is displayed now. */
  get displayed(): DisplayedRows {
    return this.#shown;
  }

  /** The rows of view `view`; undefined if another view is displayed. */
  at(view: number): DisplayedRows | undefined {
    return view === this.#number ? this.#shown : undefined;
  }

  /** Whether there are columns to show. */
  get hasColumns(): boolean {
    return this.#arranged.columns.length > 0;
  }

  /** Data that the page needs to show the view. */
  get shape(): GridShape {
    const { words, linked = new Set(), linkedReports = [] } = this.#options;
    const { arranged, source } = this.#shown;
    const columns = gridColumns(this.#shown, words.typeName, (key, kind) => isDrillDown(arranged, linked, key, kind));
    return {
      view: this.#number,
      rowSet: this.#rowSet,
      columns,
      rows: lineCount(this.#shown),
      totalRows: this.store.rowCount,
      arrangement: arranged.arrangement,
      isDerived: source !== undefined,
      ...(linkedReports.length > 0 && { opens: linkedReports.join(', ') }),
      filteredRows: source !== undefined && isFiltered(arranged) ? rowCount(arranged) : undefined,
      notes: source?.notes ?? [],
      first: lineWindow(this.#shown, 0, Math.max(fewestFirstRows, windowRows(columns.length))),
    };
  }

  get growth(): { view: number; rows: number; totalRows: number } {
    return { view: this.#number, rows: lineCount(this.#shown), totalRows: this.store.rowCount };
  }

  /** The current or pending arrangement, by column key. */
  get arrangement(): KeyedArrangement {
    const columns = this.#arranged.columns.map(({ source }) => source);
    return this.#handedOver ?? keyedArrangement(this.#intended, columns);
  }

  /** Problems with the filters of an arrangement, by column. */
  filterFaults(arrangement: Arrangement): Record<number, FilterFault> {
    return filterFaults(arrangement, this.#arranged.columns);
  }

  /** Shows the table, or the view of the report's output type. */
  async present(isTable: boolean): Promise<void> {
    this.#isTable = isTable;
    if (this.#needsSource !== (this.#shown.source !== undefined)) await this.arrange(this.#intended);
  }

  /** Applies another arrangement, including rows that arrive meanwhile. A later call cancels this one. */
  async arrange(arrangement: Arrangement): Promise<void> {
    this.#handedOver = undefined;
    await this.#arrange(arrangement);
    if (this.#isBehind) await this.follow();
  }

  /** Applies what the store has received since the last call. A call during an update makes it repeat once. */
  follow(): Promise<void> {
    this.#isFollowDue = true;
    this.#following ??= this.#followAll();
    return this.#following;
  }

  /** The chart of view `view`; null if another view is displayed or another chart was requested. */
  async chart(view: number): Promise<Chart | null> {
    const { output, words } = this.#options;
    if (view !== this.#number || output === undefined) return null;
    return this.#charting.run((signal) => buildChart(output, this.#arranged, words.output, signal));
  }

  /** Figures of a rectangle of cells; null if the view no longer exists or other figures were requested meanwhile. */
  async figures(selected: CellRectangle): Promise<SelectionFigures | null> {
    if (selected.view !== this.#number) return null;
    return this.#counting.run(async (signal) => {
      const { arranged, rows, columns } = await countedRows(this.#shown, selected, signal);
      return selectionFigures(arranged, rows, columns, signal);
    });
  }

  /**
   * Distribution of a column's values over the rows of the table; null if the view no longer exists. Cached until the
   * rows are rearranged or more arrive.
   */
  async profile(view: number, column: number): Promise<ColumnProfile | null> {
    if (view !== this.#number) return null;
    const arranged = this.#arranged;
    const { signal } = this.#arranging;
    const ofResult = resultColumn(this.#shown, column) ?? -1;
    const source = arranged.columns[ofResult]?.source;
    if (source === undefined) return null;
    const figures = await unlessAborted(signal, () => this.#profiles.of(arranged, ofResult, signal));
    if (figures === null || view !== this.#number) return null;
    return {
      ...figures,
      column,
      title: source.header,
      typeName: this.#options.words.typeName(source, this.#options.locale),
    };
  }

  /** The next cell of view `view` that contains a text; null if there is none, or the view no longer exists. */
  async find(view: number, wish: FindWish): Promise<FoundCell | null> {
    const found = view === this.#number ? await this.#finder.find(this.#shown, wish) : null;
    return view === this.#number ? found : null;
  }

  /** Full contents of a cell; null if the view no longer exists. */
  cell(view: number, row: number, column: number): CellDetail | null {
    return view === this.#number ? cellDetail(this.#shown, row, column, this.#options.words.typeName) : null;
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#arranging.abort();
    this.#charting.cancel();
    this.#counting.cancel();
    this.#finder.dispose();
  }

  get #arranged(): ArrangedRows {
    return this.#shown.arranged;
  }

  /** The grid to show instead of the table, if any. */
  get #gridOutput(): GridOutput | undefined {
    const { output } = this.#options;
    return !this.#isTable && output !== undefined && isGridOutput(output) ? output : undefined;
  }

  get #needsSource(): boolean {
    return this.#gridOutput !== undefined;
  }

  /** The current or pending arrangement. */
  get #intended(): Arrangement {
    return this.#underWay?.arrangement ?? this.#arranged.arrangement;
  }

  /** Whether adding rows moves the displayed rows. */
  get #isRearranged(): boolean {
    return !canGrow(this.#arranged) || this.#needsSource;
  }

  /** Whether all rows have arrived and the view lacks some of them. */
  get #isBehind(): boolean {
    const { hasEnded, rowCount: all } = this.store;
    if (!hasEnded || this.#isDisposed) return false;
    if (!this.#isRearranged) return consideredRows(this.#arranged) < all;
    // The totals of groups arrive after the last row.
    return this.#arrangedFrom.rows < all || (this.#needsSource && !this.#arrangedFrom.isWhole);
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
    const from = { rows: this.store.rowCount, isWhole: this.store.hasEnded };
    await unlessAborted(signal, async () => {
      const arranged = await arrangeRows(this.store, arrangement, this.#options.locale, signal);
      const output = this.#gridOutput;
      const source = output && (await buildGrid(output, arranged, this.#options.words.output, signal));
      if (signal.aborted) return;
      if (!hasSameRows(arranged, this.#arranged)) this.#rowSet = ++lastRowSet;
      this.#shown = { arranged, source };
      this.#arrangedFrom = from;
      this.#showAnotherView();
    });
  }

  #showAnotherView(): void {
    this.#number = ++lastView;
    this.#listener.gridChanged();
  }

  async #followAll(): Promise<void> {
    try {
      while (!this.#isDisposed && (this.#isFollowDue || this.#isBehind)) {
        this.#isFollowDue = false;
        await this.#follow();
      }
      this.#followDrilldown();
    } finally {
      this.#following = undefined;
    }
  }

  /** Refreshes the columns if the end of the result contradicts its start about drill-down rows. */
  #followDrilldown(): void {
    const said = rowsDrillDown(this.store);
    if (this.#isDisposed || !this.store.hasEnded || this.#toldDrilldown === said) return;
    this.#toldDrilldown = said;
    this.#showAnotherView();
  }

  async #follow(): Promise<void> {
    const { hasEnded, rowCount: all, schemaVersion } = this.store;
    if (this.#schema !== schemaVersion) {
      this.#schema = schemaVersion;
      // Adapt the arrangement to the changed columns, by key.
      return this.#arrange(arrangementOf(this.arrangement, this.store));
    }
    // Once all rows have arrived, no further update follows, so wait for the active arranging and check its result.
    if (hasEnded) await this.#underWay?.done;
    if (!this.#isRearranged) return this.#grow();
    // Sorting or grouping moves every row on screen: do it rarely while rows arrive, and once at the end.
    const { rows } = this.#arrangedFrom;
    const isDue = this.#underWay === undefined && rows < all && all >= rows * 2;
    if (hasEnded ? this.#isBehind : isDue) await this.#arrange(this.#intended);
    else this.#listener.gridGrew();
  }

  /** Adds the rows that have arrived below the displayed ones. */
  async #grow(): Promise<void> {
    const before = this.#shown;
    const { signal } = this.#arranging;
    const arranged = await unlessAborted(signal, () => growRows(before.arranged, signal));
    if (this.#shown !== before) return;
    if (arranged !== null) this.#shown = { ...before, arranged };
    this.#listener.gridGrew();
  }
}
