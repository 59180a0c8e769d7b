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

/** The view of a result that is shown: arranged as the user asks, and following the rows while they come. */
export class FollowedView {
  readonly #store: ResultStore;
  readonly #options: ScreenOptions;
  readonly #listener: ScreenListener;
  #isTable: boolean;
  #shown: DisplayedView;
  #number = ++lastView;
  #rowSet = ++lastRowSet;
  #schema: number;
  /** Ends the arranging that is under way. */
  #arranging = new AbortController();
  /** The arrangement that was handed over, until the user asks for another. */
  #handedOver: KeyedArrangement | undefined;
  #following: Promise<void> | undefined;
  /** Whether the store was to be looked at again while that was being done. */
  #isFollowDue = false;
  #isDisposed = false;
  #toldDrilldown: unknown;
  /** The arranging that is under way, and what it will show. */
  #underWay: { arrangement: Arrangement; done: Promise<void> } | undefined;
  /** Rows that the view shown was arranged from, and whether these were all that there would be. */
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
    // The first rows are shown as they come; the first look at the columns arranges them.
    this.#schema = this.#handedOver === undefined ? store.schemaVersion : -1;
  }

  get shown(): DisplayedView {
    return this.#shown;
  }

  /** Number of the view; another one means that every row may have moved. */
  get number(): number {
    return this.#number;
  }

  /** @see GridShape */
  get rowSet(): number {
    return this.#rowSet;
  }

  /** Fires when the rows are arranged anew. */
  get signal(): AbortSignal {
    return this.#arranging.signal;
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

  /** Shows the table, or what the report's output type asks for. */
  async present(isTable: boolean): Promise<void> {
    this.#isTable = isTable;
    if (this.#needsSource !== (this.#shown.source !== undefined)) await this.arrange(this.#intended);
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
      this.#followDrilldown();
    } finally {
      this.#following = undefined;
    }
  }

  /** Tells the columns anew where the end of the result says something else of its rows than its beginning did. */
  #followDrilldown(): void {
    const said = rowsDrillDown(this.#store);
    if (this.#isDisposed || !this.#store.hasEnded || this.#toldDrilldown === said) return;
    this.#toldDrilldown = said;
    this.#number = ++lastView;
    this.#listener.gridChanged();
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
    this.#shown = new DisplayedView(this.#store, view, source);
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

/** What a screen tells. */
export interface ScreenListener {
  /** Another view is shown, or none. */
  gridChanged(): void;
  /** The view has more rows. */
  gridGrew(): void;
}

/** Words of what a screen shows, translated by whoever shows it. */
export interface ViewTexts {
  typeName: TypeName;
  output: GroupTexts;
}

/** How a screen shows its result. */
export interface ScreenOptions {
  locale: CellLocale;
  words: ViewTexts;
  /** What the report asks to be shown as besides as a table. */
  output: OutputKind | undefined;
  isTable: boolean;
  /** Keys, in small letters, of the columns whose values are handed to linked reports. */
  linked?: ReadonlySet<string>;
  /** How the rows of the run before were arranged: these are arranged so as soon as their columns are known. */
  arrangement?: KeyedArrangement;
}
