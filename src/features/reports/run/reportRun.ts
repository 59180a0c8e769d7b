import { performance } from 'node:perf_hooks';
import type { Report, ReportMetadata } from '../../../contract/resources/report.ts';
import type { PromptProblem, PromptValue } from '../../../contract/pages/promptForm.ts';
import type { Progress, PromptChip, ResultsState, RunPhase } from '../../../contract/pages/resultsPage.ts';
import { ReportReader, type RunHow } from './reportCalls.ts';
import {
  BoundUser,
  failedPhase,
  lastRunOf,
  openView,
  runDetails,
  type RowsOrigin,
  endPhase,
  followStore,
  isUnderWay,
  noProgress,
} from './runState.ts';
import { zonesOf } from '../view/format/cellFormat.ts';
import type { CellZones } from './reportZones.ts';
import type { KeyedArrangement } from '../view/keyedArrangement.ts';
import { outputKind } from '../charts/chartContext.ts';
import type { ResultView } from '../view/resultView.ts';
import type { ResultStore } from '../../../client/results/resultStore.ts';
import type { StoredResult, LastRun, RunOptions, RunPlace } from './runOptions.ts';
import type { ReportTarget } from '../../../editor/commands/services.ts';
import { RunPrompts } from '../prompts/runPrompts.ts';

/**
 * Runs a report repeatedly: asks for prompt values, runs it, and follows the rows as they arrive. Does not depend on VS
 * Code; notifies {@link RunListener} of every change. API description, Report run sequence.
 */
export class ReportRun {
  readonly #options: RunOptions;
  #phase: RunPhase = { kind: 'preparing' };
  /** The prompts and their answers. */
  readonly prompts: RunPrompts;
  #prepared: ReportMetadata | undefined;
  #place: RunPlace;
  #zones: CellZones = { timeZone: 'UTC' };
  /** The request behind the rows that are, or may still be, displayed: the next run may fail or be cancelled. */
  #origin: RowsOrigin | undefined;
  #view: ResultView | undefined;
  /** Whether rows are shown as a table, whatever the report's output type. */
  #isTable = false;
  /** Arrangement of the last displayed rows. */
  #lastArrangement: KeyedArrangement | undefined;
  readonly #bound: BoundUser;
  readonly #reader: ReportReader;
  /** Progress of the active work. */
  #progress: () => Progress = () => noProgress;
  /** Cancels the active work. Replaced whenever new work starts. */
  #current = new AbortController();

  /** @param restored the last run, restored after a window reload without its rows, or with its stored rows. */
  constructor(options: RunOptions, restored?: LastRun & { kept?: StoredResult }) {
    this.#options = options;
    this.#place = options.place();
    this.#bound = new BoundUser(options.user);
    this.prompts = new RunPrompts(options);
    this.#reader = new ReportReader(options.calls);
    if (restored === undefined) return;
    this.#restore(restored);
    const { kept } = restored;
    this.#phase = kept?.phase ?? { kind: 'restored' };
    if (kept === undefined) return;
    const { startedAt, phase, prepared, zones } = kept;
    this.#zones = zones;
    this.#origin = {
      ...this.#asked,
      place: { ...this.#place, user: restored.user ?? this.#place.user },
      startedAt,
      phase,
    };
    this.#prepared = prepared;
    this.#take(kept.store);
  }

  /** The report and its connection. */
  get target(): ReportTarget {
    return this.#options.target;
  }

  /** The displayed state. Server, user and values are those of the displayed rows, if any, whatever was tried since. */
  get state(): ResultsState {
    const { place, chips } = this.#shownOrigin;
    return {
      reportId: this.#options.target.reportId,
      title: this.#options.target.name,
      trail: [...(this.#options.trail ?? []), this.#options.target.name],
      ...place,
      hasPrompts: this.prompts.isAsking,
      output: outputKind(this.report?.OutputType) ?? null,
      isTable: this.#isTable,
      chips,
      phase: this.#phase,
      ...(this.#options.calls.hasNoSql && { hasNoSql: true }),
    };
  }

  /** Where and with which values the last run was tried, even if it failed and earlier rows are displayed. */
  get tried(): RunPlace & { chips: PromptChip[] } {
    return { ...this.#place, chips: this.prompts.chips };
  }

  /** The report as last sent to run, including prompt values; undefined before the first run. */
  get report(): Report | undefined {
    return this.#prepared?.Report ?? undefined;
  }

  /** The zones of the report as last read. */
  get zones(): CellZones {
    return this.#zones;
  }

  /** The report as last run, for drilling down from its rows. */
  get prepared(): ReportMetadata | undefined {
    return this.#prepared;
  }

  /** How the rows were created, for the details of an export. If the server provides no SQL, contains the reason. */
  details(): Promise<object> {
    const { target, calls } = this.#options;
    const { arrangement } = this.view ?? {};
    return runDetails({ target, ...this.#shownOrigin, arrangement, report: this.report }, calls);
  }

  /** The rows' database type; undefined if the server does not provide it. @throws {ClientError} */
  async platform(): Promise<string | undefined> {
    return this.report && this.#options.calls.platform(this.report);
  }

  /** The displayed rows; undefined while there are no columns. */
  get view(): ResultView | undefined {
    return this.#view?.hasColumns === true ? this.#view : undefined;
  }

  /** The last run and its values; undefined before the first run. */
  get lastRun(): LastRun | undefined {
    return lastRunOf(this.prompts.last, this.#arrangement, this.#bound.name);
  }

  /** Reloads the report, then asks for its prompts if it has any, or else runs it. */
  async start(): Promise<void> {
    // A new run uses the current user.
    this.#bound.bind(this.#options.user);
    this.prompts.forget();
    await this.#attempt((signal) => this.#prepare(signal, { hasValues: false, isCacheOk: true }));
  }

  /** Runs with the last values, or without skipped prompts. Asks if no values fit. Bypasses the cache by default. */
  async run(isCacheOk = false): Promise<void> {
    if (this.prompts.isLeftOut) return this.runUnprompted(isCacheOk);
    this.prompts.close();
    await this.#attempt((signal) => this.#prepare(signal, { hasValues: true, isCacheOk }));
  }

  /** Runs with all prompts skipped, so that none filters. Bypasses the server's cache by default. */
  async runUnprompted(isCacheOk = false): Promise<void> {
    this.prompts.close();
    await this.#attempt(async (signal) => {
      const metadata = await this.#readReport(signal);
      this.prompts.leaveOut();
      await this.#execute(metadata, { isCacheOk, isUnprompted: true }, signal);
    });
  }

  /** Runs with the values of an earlier run, and asks if they no longer fit. Bypasses the server's cache. */
  async runWith(run: LastRun): Promise<void> {
    this.#restore(run);
    await this.run();
  }

  /** Cancels the active work and keeps the rows received so far. */
  cancel(): void {
    if (this.#current.signal.aborted || !isUnderWay(this.#phase)) return;
    this.#current.abort();
    this.#set({ kind: 'cancelled', progress: this.#progress() });
  }

  /** Opens the form. Loads the report first if needed. */
  async openPrompts(): Promise<void> {
    if (!this.prompts.isRead) {
      // The stored rows of an earlier run keep that run's final state.
      const before: RunPhase = isUnderWay(this.#phase) ? { kind: 'restored' } : this.#phase;
      await this.#attempt(async (signal) => void (await this.#readReport(signal)));
      if (!this.prompts.isRead) return;
      if (this.#phase.kind === 'preparing') this.#set(before);
    }
    this.prompts.open();
  }

  /** Closes the form. Returns false if there is nothing behind it, so that the panel can be closed. */
  closePrompts(): boolean {
    this.prompts.close();
    return this.#phase.kind !== 'asking';
  }

  /** Validates the values and starts the run. Returns the problems found. */
  submit(values: PromptValue[]): PromptProblem[] {
    const problems = this.prompts.submit(values);
    if (problems.length > 0) return problems;
    this.prompts.close();
    void this.#attempt((signal) => this.#prepare(signal, { hasValues: true, isCacheOk: true }));
    return [];
  }

  /** Shows the table, or the view of the report's output type, for this and further runs. */
  async present(isTable: boolean): Promise<void> {
    this.#isTable = isTable;
    this.#options.listener.stateChanged();
    await this.#view?.present(isTable);
  }

  dispose(): void {
    this.#current.abort();
    this.#view?.dispose();
  }

  /** Applies the settings of an earlier run. */
  #restore(run: LastRun): void {
    this.#lastArrangement = run.arrangement ?? this.#lastArrangement;
    if (run.user !== undefined) this.#bound.bind(run.user);
    this.prompts.take(run);
  }

  /** Runs `work` in place of the active work. A failure becomes the phase. */
  async #attempt(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    this.#current.abort();
    this.#current = new AbortController();
    const { signal } = this.#current;
    this.#progress = () => noProgress;
    this.#set({ kind: 'preparing' });
    try {
      await work(signal);
    } catch (error) {
      if (signal.aborted) return;
      this.#set(failedPhase(error, this.#options.words));
    }
  }

  async #readReport(signal: AbortSignal): Promise<ReportMetadata> {
    const { target, drill, place } = this.#options;
    const { metadata, zones } = await this.#reader.read(target.reportId, signal, drill !== undefined);
    signal.throwIfAborted();
    // The signed-in user is known only after the first call.
    this.#place = place();
    this.#bound.meet(this.#place.user);
    this.#zones = zones;
    this.prompts.read(metadata, zonesOf(this.#zones));
    return metadata;
  }

  async #prepare(signal: AbortSignal, how: { hasValues: boolean; isCacheOk: boolean }): Promise<void> {
    const early = how.hasValues ? this.prompts.answeredAhead(this.#reader, signal) : undefined;
    const metadata = await this.#readReport(signal);
    const answers = await this.prompts.answers(how.hasValues);
    signal.throwIfAborted();
    if (answers === undefined) {
      this.#clear();
      this.#set({ kind: 'asking' });
      this.prompts.open();
      return;
    }
    const ready = answers.length === 0 ? metadata : await this.prompts.answered(metadata, answers, signal, early);
    if (ready !== undefined) return this.#execute(ready, how, signal);
    this.#clear();
    this.#set({ kind: 'asking' });
  }

  async #execute(metadata: ReportMetadata, how: RunHow, signal: AbortSignal): Promise<void> {
    this.#prepared = metadata;
    this.#options.listener.valuesChanged();
    this.#clear();
    const origin = { ...this.#asked, startedAt: this.#options.now() };
    this.#origin = origin;
    this.#set({ kind: 'waiting' });
    const started = performance.now();
    const { calls, drill } = this.#options;
    const { store, done } = await calls.run(metadata, { ...how, drill }, { signal });
    const progress = () => ({ rows: store.rowCount, bytes: store.bytes, elapsedMs: performance.now() - started });
    if (!signal.aborted) this.#progress = progress;
    let view: ResultView | undefined;
    const fail = (error: unknown) =>
      this.#set({ kind: 'failed', failure: this.#options.words.failure(error), progress: progress() });
    const following = followStore(store, fail, async () => {
      if (signal.aborted) return;
      if (view === undefined) view = this.#open(store);
      else await view.follow();
      if (!signal.aborted && !store.hasEnded) this.#set({ kind: 'streaming', progress: progress() });
    });
    const outcome = await done;
    following.stop();
    if (signal.aborted && view === undefined) return;
    view ??= this.#open(store);
    await view.follow();
    if (signal.aborted) return;
    const ended = endPhase(outcome, store, progress(), metadata.Report?.TopN, this.#options.words);
    this.#origin = { ...origin, phase: ended };
    this.#set(ended);
  }

  /** Arrangement of the rows, or of the next rows if there are none. */
  get #arrangement(): KeyedArrangement | undefined {
    return this.view?.arrangement ?? this.#lastArrangement;
  }

  /** Sets the rows of the report, which may still be arriving, without notifying the listener. */
  #take(store: ResultStore): ResultView {
    const locale = { language: this.#options.language, ...this.#zones };
    const display = { locale, isTable: this.#isTable, arrangement: this.#arrangement };
    const view: ResultView = openView(store, this.report, this.#options, display, () => this.#view === view);
    this.#replace(view);
    return view;
  }

  #open(store: ResultStore): ResultView {
    const view = this.#take(store);
    this.#options.listener.gridChanged();
    return view;
  }

  /** Removes the displayed rows. */
  #clear(): void {
    if (this.#view === undefined) return;
    this.#replace(undefined);
    this.#options.listener.gridChanged();
  }

  #replace(view: ResultView | undefined): void {
    this.#lastArrangement = this.#arrangement;
    this.#view?.dispose();
    this.#view = view;
  }

  get #asked(): RowsOrigin {
    const { chips, values } = this.prompts;
    return { place: this.#place, chips, values, startedAt: undefined, phase: undefined };
  }

  /** Origin of the displayed rows, or else of the current run. */
  get #shownOrigin(): RowsOrigin {
    return (this.view && this.#origin) ?? this.#asked;
  }

  #set(phase: RunPhase): void {
    this.#phase = phase;
    this.#options.listener.stateChanged();
  }
}
