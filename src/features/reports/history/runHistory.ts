import type { ReportMetadata } from '../../../contract/resources/report.ts';
import type { ResultStore } from '../../../client/results/resultStore.ts';
import type { ResultsState, RunPhase } from '../../../contract/pages/resultsPage.ts';
import type { LastRun } from '../run/runOptions.ts';
import type { CellZones } from '../run/reportZones.ts';
import type { ReportTarget } from '../../../editor/commands/services.ts';

/** State of a run. */
type PastRunState = 'running' | 'done' | 'cancelled' | 'failed';

/**
 * A run of a report in this window or, without its rows, in an earlier one. Immutable: replaced on every change. Texts
 * from the server are not sanitized for display.
 */
export interface PastRun extends LastRun {
  id: string;
  target: ReportTarget;
  server: string;
  user: string;
  state: PastRunState;
  startedAt: Date;
  /** Milliseconds from the request to the latest row. */
  elapsedMs: number;
  rows: number;
  isCached: boolean;
  /** Whether the run and its rows stay until it is unpinned. */
  isPinned: boolean;
  /** Whether the rows are available for comparing. */
  hasRows: boolean;
}

/** Rows of a run, and the report as it was run, including prompt values. */
export interface KeptRows {
  store: ResultStore;
  prepared: ReportMetadata | undefined;
  zones: CellZones;
}

const mostRuns = 100;
/** Maximum memory for the rows of unpinned runs, in bytes. The newest run's rows are always kept. */
const mostHeldBytes = 256 * 1024 ** 2;

/**
 * Runs of this window and earlier ones (see runStore.ts), pinned ones first, then newest first. Keeps up to a hundred
 * runs; removes the oldest finished ones beyond that. Keeps rows for comparing while memory allows, and always those of
 * pinned runs. The sidebar uses `runs`, `onDidChange`, and the commands that call ReportRunner's `reveal`, `rerun`,
 * `cancel` and `remove` with a run id.
 */
export class RunHistory {
  #runs: readonly PastRun[] = [];
  #lastId = 0;
  /** Rows by run, oldest first. */
  readonly #rows = new Map<string, KeptRows>();
  readonly #mostHeldBytes: number;
  readonly #listeners = new Set<() => void>();

  /** @param heldBytes maximum memory for the rows of unpinned runs. */
  constructor(heldBytes = mostHeldBytes) {
    this.#mostHeldBytes = heldBytes;
  }

  get runs(): readonly PastRun[] {
    return this.#runs;
  }

  find(id: string): PastRun | undefined {
    return this.#runs.find((run) => run.id === id);
  }

  /** Calls `listener` after every change. Compatible with VS Code's `Event`. */
  readonly onDidChange = (listener: () => void): { dispose(): void } => {
    const own = () => listener();
    this.#listeners.add(own);
    return { dispose: () => void this.#listeners.delete(own) };
  };

  /** Adds a run and returns its new id. */
  add(run: Omit<PastRun, 'id' | 'isPinned' | 'hasRows'>): string {
    const id = String(++this.#lastId);
    const isKept = ({ state, isPinned }: PastRun, index: number) =>
      state === 'running' || isPinned || index < mostRuns - 1;
    const older = this.#runs.filter(isKept);
    for (const run of this.#runs) if (!older.includes(run)) this.#rows.delete(run.id);
    this.#set([{ ...run, id, isPinned: false, hasRows: false }, ...older]);
    return id;
  }

  /** Adds runs of earlier windows after the existing ones, without rows. */
  restore(runs: readonly Omit<PastRun, 'id' | 'hasRows'>[]): void {
    const older = runs.map((run) => ({ ...run, id: String(++this.#lastId), hasRows: false }));
    this.#set([...this.#runs, ...older].slice(0, mostRuns));
  }

  /** Updates a run. Ignores removed runs. */
  update(id: string, change: Partial<Omit<PastRun, 'id'>>): void {
    if (this.find(id) === undefined) return;
    this.#set(this.#runs.map((run) => (run.id === id ? { ...run, ...change } : run)));
  }

  /** The rows of a run; undefined if they are no longer stored. */
  rowsOf(id: string): KeptRows | undefined {
    return this.#rows.get(id);
  }

  /** Stores the rows of a finished run for comparing and for showing them again as `prepared` describes. */
  keepRows(id: string, rows: KeptRows): void {
    if (this.find(id) === undefined) return;
    this.#rows.delete(id);
    this.#rows.set(id, rows);
    this.#trim();
  }

  /** Pins or unpins a run and its rows. */
  pin(id: string, isPinned: boolean): void {
    this.update(id, { isPinned });
    this.#trim();
  }

  remove(id: string): void {
    this.#rows.delete(id);
    if (this.find(id) !== undefined) this.#set(this.#runs.filter((run) => run.id !== id));
  }

  /** Removes the oldest rows of unpinned runs until the rest fits. Keeps the newest run's rows. */
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

/** Records the runs of a panel in the history, based on the panel's states. */
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

  /** Applies the panel's state. `lastRun` holds the values in use, `rows` the rows so far. */
  follow(state: ResultsState, lastRun: LastRun | undefined, rows?: KeptRows): void {
    const { phase } = state;
    if (phase.kind === 'waiting' || phase.kind === 'preparing' || phase.kind === 'asking') this.end();
    if (phase.kind === 'waiting') this.#current = this.#add(state, lastRun);
    // A run that failed before anything was sent counts, too.
    if (phase.kind === 'failed' && this.#current === undefined) this.#current = this.#add(state, lastRun);
    if (this.#current === undefined) return;
    const change = changeOf(phase);
    if (change === undefined) return;
    this.#history.update(this.#current, change);
    if (change.state === 'running') return;
    if (rows !== undefined && change.state !== 'failed') this.#history.keepRows(this.#current, rows);
    this.#current = undefined;
  }

  /** Called when the panel closes or starts something else: marks an active run as cancelled. */
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
