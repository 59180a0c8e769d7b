import { Pacer } from '../client/results/pacer.ts';
import type { ResultStore } from '../client/results/resultStore.ts';
import type { Arrangement, CopyParams, GridColumn, GridShape } from '../protocol/resultsPage.ts';
import type { RowWindow } from '../protocol/rowWindow.ts';
import type { CellLocale } from './cellFormat.ts';
import { linkTarget } from './cellFormat.ts';
import { tabSeparated } from './clipboardText.ts';
import { columnWidth } from './columnWidth.ts';
import { ResultView } from './resultView.ts';
import type { ShownColumn } from './resultView.ts';

/** Rows sent along with a new view. */
const firstRows = 128;
/** Rows by whose texts the columns' widths are chosen. */
const sampledRows = 50;
const rowsPerCopyStep = 2_000;
/** Cells that are copied at most; beyond, the clipboard and whatever is pasted into give up. */
export const copyLimit = 2_000_000;

/** What a screen tells. */
export interface ScreenListener {
  /** Another view is shown, or none. */
  gridChanged(): void;
  /** The view has more rows. */
  gridGrew(): void;
}

/** Names for a column's type, to show. */
export type TypeName = (column: ShownColumn['source']) => string;

let lastView = 0;

/** What is shown of one result: the present view of its rows, following it while it grows. */
export class ResultScreen {
  readonly #store: ResultStore;
  readonly #locale: CellLocale;
  readonly #typeName: TypeName;
  readonly #listener: ScreenListener;
  #view: ResultView;
  #number = ++lastView;
  #schema: number;
  /** Ends the arranging that is under way. */
  #arranging = new AbortController();
  #following: Promise<void> | undefined;

  constructor(store: ResultStore, locale: CellLocale, typeName: TypeName, listener: ScreenListener) {
    this.#store = store;
    this.#locale = locale;
    this.#typeName = typeName;
    this.#listener = listener;
    this.#view = ResultView.plain(store, locale);
    this.#schema = store.schemaVersion;
  }

  /** Whether there are columns to show. */
  get hasColumns(): boolean {
    return this.#view.columns.length > 0;
  }

  /** What the page needs to show the view. */
  get shape(): GridShape {
    return {
      view: this.#number,
      columns: this.#columns(),
      rows: this.#view.rows,
      totalRows: this.#store.rowCount,
      arrangement: this.#view.arrangement,
      first: this.#view.window(0, firstRows),
    };
  }

  get growth(): { view: number; rows: number; totalRows: number } {
    return { view: this.#number, rows: this.#view.rows, totalRows: this.#store.rowCount };
  }

  /** Shows the rows in another arrangement. A later call ends this one, which then does nothing. */
  async arrange(arrangement: Arrangement): Promise<void> {
    this.#arranging.abort();
    this.#arranging = new AbortController();
    const { signal } = this.#arranging;
    try {
      const view = await ResultView.arranged(this.#store, arrangement, this.#locale, signal);
      if (!signal.aborted) this.#show(view);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  /** Takes in what the store has received since. Calls meanwhile wait for the one under way. */
  follow(): Promise<void> {
    this.#following ??= this.#follow().finally(() => {
      this.#following = undefined;
    });
    return this.#following;
  }

  /** Rows of view `view`; null when it is no longer the one shown. */
  window(view: number, start: number, count: number): RowWindow | null {
    return view === this.#number ? this.#view.window(start, count) : null;
  }

  /** A rectangle of cells as text for the clipboard; null when the view is gone. */
  async copy({ view, firstRow, lastRow, columns, withHeaders }: CopyParams): Promise<string | null> {
    if (view !== this.#number) return null;
    const shown = this.#view;
    const known = columns.filter((column) => shown.columns[column] !== undefined);
    const parts = withHeaders
      ? [tabSeparated([known.map((column) => shown.columns[column]?.source.header ?? '')])]
      : [];
    const pacer = new Pacer(undefined);
    for (let row = firstRow; row <= lastRow; row += rowsPerCopyStep) {
      const count = Math.min(rowsPerCopyStep, lastRow - row + 1);
      const cells = shown.cells(row, count, known);
      if (cells.length === 0) break;
      parts.push(tabSeparated(cells));
      if (pacer.isDue) await pacer.pause();
    }
    return parts.join('\n');
  }

  /** The address in a cell of the view, if it may be opened. */
  link(view: number, row: number, column: number): URL | undefined {
    if (view !== this.#number || this.#view.columns[column]?.format.kind !== 'link') return undefined;
    return linkTarget(this.#store.cell(this.#view.storeRow(row), column));
  }

  dispose(): void {
    this.#arranging.abort();
  }

  async #follow(): Promise<void> {
    if (this.#schema !== this.#store.schemaVersion) return this.#takeColumns();
    const { arrangement } = this.#view;
    if (!this.#view.canGrow) {
      // Sorting anew moves every row under the reader's eyes: rarely while rows come, and once they all have.
      const isDue = this.#store.hasEnded || this.#store.rowCount >= this.#view.seen * 2;
      if (isDue && this.#view.seen < this.#store.rowCount) await this.arrange(arrangement);
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
    const before = this.#view.columns;
    this.#schema = this.#store.schemaVersion;
    const places = new Map(this.#store.columns.map(({ key }, column) => [key, column]));
    const moved = (column: number) => places.get(before[column]?.source.key ?? '');
    const { sort, filters, search } = this.#view.arrangement;
    await this.arrange({
      sort: sort.flatMap((key) => {
        const column = moved(key.column);
        return column === undefined ? [] : [{ ...key, column }];
      }),
      filters: Object.fromEntries(
        Object.entries(filters).flatMap(([key, text]) => {
          const column = moved(Number(key));
          return column === undefined ? [] : [[column, text] as const];
        }),
      ),
      search,
    });
  }

  #show(view: ResultView): void {
    this.#view = view;
    this.#number = ++lastView;
    this.#listener.gridChanged();
  }

  #columns(): GridColumn[] {
    const sample = ResultView.plain(this.#store, this.#locale).cells(0, sampledRows);
    return this.#view.columns.map(({ source, format }, column) => ({
      title: source.header,
      kind: format.kind,
      typeName: this.#typeName(source),
      width: Math.max(
        source.width ?? 0,
        columnWidth(
          source.header,
          sample.map((cells) => cells[column] ?? null),
        ),
      ),
    }));
  }
}
