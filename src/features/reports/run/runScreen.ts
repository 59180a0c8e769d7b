import type { ResultStore } from '../../../client/results/resultStore.ts';
import type { Report } from '../../../contract/resources/report.ts';
import { linkedColumns } from '../view/drillLinks.ts';
import type { KeyedArrangement } from '../view/keyedArrangement.ts';
import { outputKind } from '../charts/chartContext.ts';
import { ResultView } from '../view/resultView.ts';
import type { RunOptions } from './runOptions.ts';

/**
 * The screen for the rows of a report's consecutive runs. Keeps the choice of table or other output, and the
 * arrangement of rows, across runs.
 */
export class RunScreen {
  readonly #options: Pick<RunOptions, 'locale' | 'words' | 'listener'>;
  #shown: ResultView | undefined;
  #isTable = false;
  /** Arrangement of the last displayed rows. */
  #last: KeyedArrangement | undefined;

  constructor(options: Pick<RunOptions, 'locale' | 'words' | 'listener'>) {
    this.#options = options;
  }

  /** The displayed rows; undefined while there are no columns. */
  get shown(): ResultView | undefined {
    return this.#shown?.hasColumns === true ? this.#shown : undefined;
  }

  /** Whether rows are shown as a table, whatever the report's output type. */
  get isTable(): boolean {
    return this.#isTable;
  }

  /** Arrangement of the rows, or of the next rows if there are none. */
  get arrangement(): KeyedArrangement | undefined {
    return this.shown?.arrangement ?? this.#last;
  }

  /** Arranges the next rows as in an earlier run, if it specifies an arrangement. */
  arrangeNext(arrangement: KeyedArrangement | undefined): void {
    this.#last = arrangement ?? this.#last;
  }

  /** Sets the rows of a run of `report`, which may still be arriving, without notifying the listener. */
  take(store: ResultStore, report: Report | undefined): ResultView {
    const { locale, words, listener } = this.#options;
    const own = { output: outputKind(report?.OutputType), linked: linkedColumns(report) };
    const screen: ResultView = new ResultView(
      store,
      { locale, words, ...own, isTable: this.#isTable, arrangement: this.arrangement },
      {
        gridChanged: () => this.#shown === screen && listener.gridChanged(),
        gridGrew: () => this.#shown === screen && listener.gridGrew(),
      },
    );
    this.#replace(screen);
    return screen;
  }

  /** Shows the rows of a run of `report`. */
  open(store: ResultStore, report: Report | undefined): ResultView {
    const screen = this.take(store, report);
    this.#options.listener.gridChanged();
    return screen;
  }

  /** Removes the displayed rows. */
  clear(): void {
    if (this.#shown === undefined) return;
    this.#replace(undefined);
    this.#options.listener.gridChanged();
  }

  /** Shows the table, or the view of the report's output type, for this and further runs. */
  async present(isTable: boolean): Promise<void> {
    this.#isTable = isTable;
    this.#options.listener.stateChanged();
    await this.#shown?.present(isTable);
  }

  dispose(): void {
    this.#shown?.dispose();
  }

  #replace(screen: ResultView | undefined): void {
    this.#last = this.arrangement;
    this.#shown?.dispose();
    this.#shown = screen;
  }
}
