import type { ResultsState, RunPhase } from '../protocol/resultsPage.ts';
import type { LastRun, RunTarget } from './runOptions.ts';

/** How a run stands, or how it ended. */
export type PastRunState = 'running' | 'done' | 'cancelled' | 'failed';

/** One run of a report in this window. Replaced whole at every change; texts of the server are not cleaned for display. */
export interface PastRun extends LastRun {
  id: string;
  target: RunTarget;
  server: string;
  user: string;
  state: PastRunState;
  startedAt: Date;
  /** Milliseconds from asking for the rows to the last row so far. */
  elapsedMs: number;
  rows: number;
  isCached: boolean;
}

const mostRuns = 100;

/**
 * The runs of this window, newest first; the oldest ended ones are forgotten beyond a hundred. Rows are not kept here. The
 * sidebar shows it through this shape: `runs`, `onDidChange`, and the commands that call ReportRunner's `reveal`, `rerun`,
 * `cancel` and `remove` with a run's id.
 */
export class RunHistory {
  #runs: readonly PastRun[] = [];
  #lastId = 0;
  readonly #listeners = new Set<() => void>();

  get runs(): readonly PastRun[] {
    return this.#runs;
  }

  find(id: string): PastRun | undefined {
    return this.#runs.find((run) => run.id === id);
  }

  /** Calls `listener` after every change; fits where an event of the editor is wanted. */
  readonly onDidChange = (listener: () => void): { dispose(): void } => {
    const own = () => listener();
    this.#listeners.add(own);
    return { dispose: () => void this.#listeners.delete(own) };
  };

  /** Adds a run and gives it an id. */
  add(run: Omit<PastRun, 'id'>): string {
    const id = String(++this.#lastId);
    const older = this.#runs.filter(({ state }, index) => state === 'running' || index < mostRuns - 1);
    this.#set([{ ...run, id }, ...older]);
    return id;
  }

  /** Changes a run; one that was removed stays away. */
  update(id: string, change: Partial<Omit<PastRun, 'id'>>): void {
    if (this.find(id) === undefined) return;
    this.#set(this.#runs.map((run) => (run.id === id ? { ...run, ...change } : run)));
  }

  remove(id: string): void {
    if (this.find(id) !== undefined) this.#set(this.#runs.filter((run) => run.id !== id));
  }

  #set(runs: readonly PastRun[]): void {
    this.#runs = runs;
    for (const listener of [...this.#listeners]) listener();
  }
}

/** Writes the runs of one panel into the history, from the states it goes through. */
export class RunRecorder {
  readonly #history: RunHistory;
  readonly #target: RunTarget;
  readonly #now: () => Date;
  #current: string | undefined;

  constructor(history: RunHistory, target: RunTarget, now: () => Date) {
    this.#history = history;
    this.#target = target;
    this.#now = now;
  }

  /** Takes in the panel's state; `lastRun` holds the values it runs with. */
  follow(state: ResultsState, lastRun: LastRun | undefined): void {
    const { phase } = state;
    if (phase.kind === 'waiting' || phase.kind === 'preparing' || phase.kind === 'asking') this.end();
    if (phase.kind === 'waiting') this.#current = this.#add(state, lastRun);
    // A run that failed before anything was sent is a run, too.
    if (phase.kind === 'failed' && this.#current === undefined) this.#current = this.#add(state, lastRun);
    if (this.#current === undefined) return;
    const change = changeOf(phase);
    if (change === undefined) return;
    this.#history.update(this.#current, change);
    if (change.state !== 'running') this.#current = undefined;
  }

  /** The panel has gone, or something else begins in it: what still ran was cancelled. */
  end(): void {
    if (this.#current !== undefined) this.#history.update(this.#current, { state: 'cancelled' });
    this.#current = undefined;
  }

  #add({ server, user, chips }: ResultsState, lastRun: LastRun | undefined): string {
    return this.#history.add({
      target: this.#target,
      server,
      user,
      values: lastRun?.values ?? [],
      chips,
      state: 'running',
      startedAt: this.#now(),
      elapsedMs: 0,
      rows: 0,
      isCached: false,
    });
  }
}

function changeOf(phase: RunPhase): Partial<PastRun> | undefined {
  switch (phase.kind) {
    case 'streaming':
      return { state: 'running', rows: phase.progress.rows, elapsedMs: phase.progress.elapsedMs };
    case 'done':
    case 'cancelled':
    case 'failed':
      return {
        state: phase.kind,
        rows: phase.progress.rows,
        elapsedMs: phase.progress.elapsedMs,
        isCached: phase.kind === 'done' && phase.isCached,
      };
    default:
      return undefined;
  }
}
