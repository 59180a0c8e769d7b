import type { ReportMetadata } from '../../../contract/resources/report.ts';
import type { ResultStore } from '../../../client/results/resultStore.ts';
import type { ResultsState, RunPhase } from '../../../contract/pages/resultsPage.ts';
import type { LastRun } from '../run/runOptions.ts';
import type { ReportTarget } from '../../../editor/commands/services.ts';

/** How a run stands, or how it ended. */
type PastRunState = 'running' | 'done' | 'cancelled' | 'failed';

/** One run of a report, in this window or, without its rows, in an earlier one. Replaced whole at every change; texts of the server are not cleaned for display. */
export interface PastRun extends LastRun {
  id: string;
  target: ReportTarget;
  server: string;
  user: string;
  state: PastRunState;
  startedAt: Date;
  /** Milliseconds from asking for the rows to the last row so far. */
  elapsedMs: number;
  rows: number;
  isCached: boolean;
  /** Whether it stays, with its rows, until it is let go. */
  isPinned: boolean;
  /** Whether its rows are still there, to be compared. */
  hasRows: boolean;
}

/** Rows of a run, and the report as it was run, with the prompts' values in it. */
export interface KeptRows {
  store: ResultStore;
  prepared: ReportMetadata | undefined;
}

const mostRuns = 100;
/** Memory that the rows of runs that are not pinned may take, in bytes; those of the newest run are kept in any case. */
const mostHeldBytes = 256 * 1024 ** 2;

/**
 * The runs of this window and of earlier ones (see runStore.ts), pinned ones first, then newest first; beyond a hundred the oldest ended ones are forgotten. Rows
 * are kept for comparing as long as memory allows, and those of pinned runs always. The sidebar shows it through this shape:
 * `runs`, `onDidChange`, and the commands that call ReportRunner's `reveal`, `rerun`, `cancel` and `remove` with a run's id.
 */
export class RunHistory {
  #runs: readonly PastRun[] = [];
  #lastId = 0;
  /** Rows by run, oldest first. */
  readonly #rows = new Map<string, KeptRows>();
  readonly #mostHeldBytes: number;
  readonly #listeners = new Set<() => void>();

  /** @param heldBytes memory for the rows of runs that are not pinned. */
  constructor(heldBytes = mostHeldBytes) {
    this.#mostHeldBytes = heldBytes;
  }

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
  add(run: Omit<PastRun, 'id' | 'isPinned' | 'hasRows'>): string {
    const id = String(++this.#lastId);
    const isKept = ({ state, isPinned }: PastRun, index: number) =>
      state === 'running' || isPinned || index < mostRuns - 1;
    const older = this.#runs.filter(isKept);
    for (const run of this.#runs) if (!older.includes(run)) this.#rows.delete(run.id);
    this.#set([{ ...run, id, isPinned: false, hasRows: false }, ...older]);
    return id;
  }

  /** Adds runs of earlier windows behind those that are there, without their rows. */
  restore(runs: readonly Omit<PastRun, 'id' | 'hasRows'>[]): void {
    const older = runs.map((run) => ({ ...run, id: String(++this.#lastId), hasRows: false }));
    this.#set([...this.#runs, ...older].slice(0, mostRuns));
  }

  /** Changes a run; one that was removed stays away. */
  update(id: string, change: Partial<Omit<PastRun, 'id'>>): void {
    if (this.find(id) === undefined) return;
    this.#set(this.#runs.map((run) => (run.id === id ? { ...run, ...change } : run)));
  }

  /** The rows of a run; undefined where they are no longer kept. */
  rowsOf(id: string): KeptRows | undefined {
    return this.#rows.get(id);
  }

  /** Keeps the rows of a run that has ended, to be compared and shown again as `prepared` says. */
  keepRows(id: string, store: ResultStore, prepared?: ReportMetadata): void {
    if (this.find(id) === undefined) return;
    this.#rows.delete(id);
    this.#rows.set(id, { store, prepared });
    this.#trim();
  }

  /** Lets a run stay at the top, with its rows, or lets it go again. */
  pin(id: string, isPinned: boolean): void {
    this.update(id, { isPinned });
    this.#trim();
  }

  remove(id: string): void {
    this.#rows.delete(id);
    if (this.find(id) !== undefined) this.#set(this.#runs.filter((run) => run.id !== id));
  }

  /** Gives up the oldest rows of runs that are not pinned until what is left fits; the newest stay. */
  #trim(): void {
    const free = [...this.#rows].filter(([id]) => this.find(id)?.isPinned !== true).toReversed();
    let held = 0;
    for (const [index, [id, { store }]] of free.entries()) {
      held += store.heldBytes;
      if (index > 0 && held > this.#mostHeldBytes) this.#rows.delete(id);
    }
    this.#set(this.#runs.map((run) => ({ ...run, hasRows: this.#rows.has(run.id) })));
  }

  #set(runs: readonly PastRun[]): void {
    this.#runs = runs.toSorted((one, other) => Number(other.isPinned) - Number(one.isPinned));
    for (const listener of [...this.#listeners]) listener();
  }
}

/** Writes the runs of one panel into the history, from the states it goes through. */
export class RunRecorder {
  readonly #history: RunHistory;
  readonly #target: ReportTarget;
  readonly #now: () => Date;
  #current: string | undefined;

  constructor(history: RunHistory, target: ReportTarget, now: () => Date) {
    this.#history = history;
    this.#target = target;
    this.#now = now;
  }

  /** Takes in the panel's state; `lastRun` holds the values it runs with, `rows` what has come of the report `prepared`. */
  follow(state: ResultsState, lastRun: LastRun | undefined, rows?: ResultStore, prepared?: ReportMetadata): void {
    const { phase } = state;
    if (phase.kind === 'waiting' || phase.kind === 'preparing' || phase.kind === 'asking') this.end();
    if (phase.kind === 'waiting') this.#current = this.#add(state, lastRun);
    // A run that failed before anything was sent is a run, too.
    if (phase.kind === 'failed' && this.#current === undefined) this.#current = this.#add(state, lastRun);
    if (this.#current === undefined) return;
    const change = changeOf(phase);
    if (change === undefined) return;
    this.#history.update(this.#current, change);
    if (change.state === 'running') return;
    if (rows !== undefined && change.state !== 'failed') this.#history.keepRows(this.#current, rows, prepared);
    this.#current = undefined;
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
      asked: lastRun?.asked,
      chips,
      isUnprompted: lastRun?.isUnprompted,
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
