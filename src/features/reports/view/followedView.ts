import type { ResultStore } from '../../../client/results/resultStore.ts';
import type { Arrangement } from '../../../contract/pages/resultsPage.ts';
import type { GridSource } from './gridSource.ts';
import { arrangementOf, isPlain, keyedArrangement, type KeyedArrangement, ResultView } from './resultView.ts';
import { rowsDrillDown } from './drillLinks.ts';
import { groupedSource, type GroupTexts } from '../charts/groupedSource.ts';
import { isGridOutput } from '../charts/chartContext.ts';
import { pivotSource } from '../charts/pivotSource.ts';
import { DisplayedView, type TypeName } from './displayedView.ts';
import type { OutputKind } from '../../../contract/pages/chartFigure.ts';
import type { CellLocale } from './format/cellFormat.ts';

let lastView = 0;
let lastRowSet = 0;

/** The displayed view of a result: arranged as the user asked, and updated while rows arrive. */
export class FollowedView {
  readonly #store: ResultStore;
  readonly #options: ScreenOptions;
  readonly #listener: ScreenListener;
  #isTable: boolean;
  #shown: DisplayedView;
  #number = ++lastView;
  #rowSet = ++lastRowSet;
  #schema: number;
  /** Cancels the active arranging. */
  #arranging = new AbortController();
  /** The arrangement carried over from the previous run, until the user chooses another. */
  #handedOver: KeyedArrangement | undefined;
  #following: Promise<void> | undefined;
  /** Whether another update was requested during the current one. */
  #isFollowDue = false;
  #isDisposed = false;
  #toldDrilldown: unknown;
  /** The active arranging, and its arrangement. */
  #underWay: { arrangement: Arrangement; done: Promise<void> } | undefined;
  /** Number of rows that the view was arranged from, and whether the result was complete. */
  #source = { rows: 0, isWhole: false };

  constructor(store: ResultStore, options: ScreenOptions, listener: ScreenListener) {
    this.#store = store;
    this.#options = options;
    this.#isTable = options.isTable;
    this.#listener = listener;
    this.#shown = new DisplayedView(store, ResultView.plain(store, options.locale));
    this.#toldDrilldown = rowsDrillDown(store);
    const { arrangement } = options;
    this.#handedOver = arrangement === undefined || isPlain(arrangement) ? undefined : arrangement;
    // Show the first rows as they arrive. The first look at the columns arranges them.
    this.#schema = this.#handedOver === undefined ? store.schemaVersion : -1;
  }

  get shown(): DisplayedView {
    return this.#shown;
  }

  /** Number of the view. If it changes, every row may have moved. */
  get number(): number {
    return this.#number;
  }

  /** @see GridShape */
  get rowSet(): number {
    return this.#rowSet;
  }

  /** Aborts when the rows are rearranged. */
  get signal(): AbortSignal {
    return this.#arranging.signal;
  }

  /** The current or pending arrangement, by column key. */
  get arrangement(): KeyedArrangement {
    return (
      this.#handedOver ??
      keyedArrangement(
        this.#intended,
        this.#view.columns.map(({ source }) => source),
      )
    );
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

  dispose(): void {
    this.#isDisposed = true;
    this.#arranging.abort();
  }

  get #view(): ResultView {
    return this.#shown.view;
  }

  get #needsSource(): boolean {
    const { output } = this.#options;
    return !this.#isTable && output !== undefined && isGridOutput(output);
  }

  /** The current or pending arrangement. */
  get #intended(): Arrangement {
    return this.#underWay?.arrangement ?? this.#view.arrangement;
  }

  /** Whether adding rows moves the displayed rows. */
  get #isRearranged(): boolean {
    return !this.#view.canGrow || this.#needsSource;
  }

  /** Whether all rows have arrived and the view lacks some of them. */
  get #isBehind(): boolean {
    const { hasEnded, rowCount } = this.#store;
    if (!hasEnded || this.#isDisposed) return false;
    if (!this.#isRearranged) return this.#view.seen < rowCount;
    // The totals of groups arrive after the last row.
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
      this.#followDrilldown();
    } finally {
      this.#following = undefined;
    }
  }

  /** Refreshes the columns if the end of the result contradicts its start about drill-down rows. */
  #followDrilldown(): void {
    const said = rowsDrillDown(this.#store);
    if (this.#isDisposed || !this.#store.hasEnded || this.#toldDrilldown === said) return;
    this.#toldDrilldown = said;
    this.#number = ++lastView;
    this.#listener.gridChanged();
  }

  async #follow(): Promise<void> {
    if (this.#schema !== this.#store.schemaVersion) return this.#takeColumns();
    // Once all rows have arrived, no further update follows, so wait for the active arranging and check its result.
    if (this.#store.hasEnded) await this.#underWay?.done;
    if (this.#isRearranged) {
      // Sorting or grouping moves every row on screen: do it rarely while rows arrive, and once at the end.
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

  /** Adapts the arrangement to changed columns, by key. */
  async #takeColumns(): Promise<void> {
    this.#schema = this.#store.schemaVersion;
    await this.#arrange(arrangementOf(this.arrangement, this.#store));
  }

  #show(view: ResultView, source: GridSource | undefined, from: { rows: number; isWhole: boolean }): void {
    if (!hasSameRows(view, this.#view)) this.#rowSet = ++lastRowSet;
    this.#shown = new DisplayedView(this.#store, view, source);
    this.#source = from;
    this.#number = ++lastView;
    this.#listener.gridChanged();
  }

  /** What is shown instead of the view's rows; undefined if the table is wanted or there is nothing to group. */
  async #sourceOf(view: ResultView, signal: AbortSignal): Promise<GridSource | undefined> {
    const { output, words } = this.#options;
    if (!this.#needsSource || view.rows === 0) return undefined;
    return output === 'groups' ? groupedSource(view, words.output, signal) : pivotSource(view, words.output, signal);
  }
}

/** Whether two views of a result show the same rows, in any order. */
function hasSameRows(one: ResultView, other: ResultView): boolean {
  const { search, filters } = one.arrangement;
  return (
    one.seen === other.seen &&
    search === other.arrangement.search &&
    JSON.stringify(filters) === JSON.stringify(other.arrangement.filters)
  );
}

/** Receives the events of a screen. */
export interface ScreenListener {
  /** A different view is shown, or none. */
  gridChanged(): void;
  /** The view has more rows. */
  gridGrew(): void;
}

/** Localized texts for a screen, supplied by the caller. */
export interface ViewTexts {
  typeName: TypeName;
  output: GroupTexts;
}

/** Display options of a screen. */
export interface ScreenOptions {
  locale: CellLocale;
  words: ViewTexts;
  /** The view that the report asks for in addition to the table. */
  output: OutputKind | undefined;
  isTable: boolean;
  /** Lower-case keys of the columns whose values are passed to linked reports. */
  linked?: ReadonlySet<string>;
  /** Arrangement of the previous run's rows, applied as soon as the columns are known. */
  arrangement?: KeyedArrangement;
}
