import type { ResultStore } from '../../../client/results/resultStore.ts';
import type { Report } from '../../../contract/resources/report.ts';
import { linkedColumns } from '../view/drillLinks.ts';
import type { KeyedArrangement } from '../view/resultView.ts';
import { outputKind } from '../charts/chartContext.ts';
import { ResultScreen } from '../view/resultScreen.ts';
import type { RunOptions } from './runOptions.ts';

/**
 * Where the rows of a report's runs are shown, those of one run after those of another: whether as a table, and how they are
 * arranged, stays from one to the next.
 */
export class RunScreen {
  readonly #options: Pick<RunOptions, 'locale' | 'words' | 'listener'>;
  #shown: ResultScreen | undefined;
  #isTable = false;
  /** How the rows were arranged that were last shown. */
  #last: KeyedArrangement | undefined;

  constructor(options: Pick<RunOptions, 'locale' | 'words' | 'listener'>) {
    this.#options = options;
  }

  /** The rows that are shown; undefined while there are no columns to show. */
  get shown(): ResultScreen | undefined {
    return this.#shown?.hasColumns === true ? this.#shown : undefined;
  }

  /** Whether rows are shown as a table, whatever the report's output type. */
  get isTable(): boolean {
    return this.#isTable;
  }

  /** How rows are arranged, or will be when there are some. */
  get arrangement(): KeyedArrangement | undefined {
    return this.shown?.arrangement ?? this.#last;
  }

  /** Arranges the rows that come next, where an earlier run says how. */
  arrangeNext(arrangement: KeyedArrangement | undefined): void {
    this.#last = arrangement ?? this.#last;
  }

  /** Takes the rows of a run of `report`, which may still come, without telling anybody. */
  take(store: ResultStore, report: Report | undefined): ResultScreen {
    const { locale, words, listener } = this.#options;
    const own = { output: outputKind(report?.OutputType), linked: linkedColumns(report) };
    const screen: ResultScreen = new ResultScreen(
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

  /** Shows the rows of a run of `report` from now on. */
  open(store: ResultStore, report: Report | undefined): ResultScreen {
    const screen = this.take(store, report);
    this.#options.listener.gridChanged();
    return screen;
  }

  /** Shows no rows. */
  clear(): void {
    if (this.#shown === undefined) return;
    this.#replace(undefined);
    this.#options.listener.gridChanged();
  }

  /** Shows the table, or what the report's output type asks for; further runs do the same. */
  async present(isTable: boolean): Promise<void> {
    this.#isTable = isTable;
    this.#options.listener.stateChanged();
    await this.#shown?.present(isTable);
  }

  dispose(): void {
    this.#shown?.dispose();
  }

  #replace(screen: ResultScreen | undefined): void {
    this.#last = this.arrangement;
    this.#shown?.dispose();
    this.#shown = screen;
  }
}
