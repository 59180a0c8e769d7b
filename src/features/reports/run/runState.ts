import type { ResultOutcome } from '../../../client/results/readResult.ts';
import type { ResultStore } from '../../../client/results/resultStore.ts';
import type { Progress, RunPhase, PromptChip } from '../../../contract/pages/resultsPage.ts';
import type { RunTexts, RunPlace } from './runOptions.ts';
import { isClientError } from '../../../client/clientError.ts';
import type { Report } from '../../../contract/resources/report.ts';
import type { PromptValue } from '../../../contract/pages/promptForm.ts';
import type { KeyedArrangement } from '../view/resultView.ts';
import type { ReportCalls } from './reportCalls.ts';
import type { ReportTarget } from '../../../editor/commands/services.ts';

/** How long a look at a run waits for further rows, in milliseconds: as long as rows have come so far, within these bounds. */
const progressPause = { leastMs: 100, mostMs: 300 };

/** Nothing has come. */
export const noProgress: Progress = { rows: 0, bytes: 0, elapsedMs: 0 };

/** Whether there is something to cancel. */
export function isUnderWay(phase: RunPhase): boolean {
  return phase.kind === 'preparing' || phase.kind === 'waiting' || phase.kind === 'streaming';
}

/** `etime` and `dbtime` are milliseconds as text. API description, Report result. */
function milliseconds(value: unknown): number | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const number = Number(value);
  return value !== '' && Number.isFinite(number) ? number : undefined;
}

/** Rows that come. */
interface GrowingRows {
  readonly rowCount: number;
  readonly columns: { readonly length: number };
  onDidGrow(listener: () => void): { dispose(): void };
}

/** Calls `look` when the first rows are there, and then every so often while more come: each look takes time from those. */
export function followStore(
  store: GrowingRows,
  fail: (error: unknown) => void,
  look: () => Promise<void>,
): { stop(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let firstRowsAt: number | undefined;
  const listening = store.onDidGrow(() => {
    if (firstRowsAt === undefined) {
      if (store.rowCount === 0 || store.columns.length === 0) return;
      firstRowsAt = performance.now();
      look().catch(fail);
    } else if (timer === undefined) {
      const pauseMs = Math.max(performance.now() - firstRowsAt, progressPause.leastMs);
      timer = setTimeout(
        () => {
          timer = undefined;
          look().catch(fail);
        },
        Math.min(pauseMs, progressPause.mostMs),
      );
    }
  });
  return {
    stop: () => {
      listening.dispose();
      clearTimeout(timer);
    },
  };
}

/** The phase that a run has come to. `limit` is the report's own row limit. */
export function endPhase(
  outcome: ResultOutcome,
  store: ResultStore,
  progress: Progress,
  limit: number | null | undefined,
  words: Pick<RunTexts, 'failure' | 'refused' | 'limitNotice'>,
): RunPhase {
  switch (outcome.kind) {
    case 'complete':
      return {
        kind: 'done',
        progress,
        serverMs: milliseconds(store.envelope.etime),
        databaseMs: milliseconds(store.envelope.dbtime),
        isCached: store.envelope.IsFromCache === true,
        isLimited: progress.rows > 0 && progress.rows === limit,
        notice: words.limitNotice(progress.rows),
      };
    case 'cancelled':
      return { kind: 'cancelled', progress };
    case 'refused':
      return { kind: 'failed', progress, failure: words.refused(outcome.message, outcome.code) };
    case 'failed':
      return { kind: 'failed', progress, failure: words.failure(outcome.error) };
  }
}

/** What rows were asked for with. */
export interface RowsOrigin {
  place: RunPlace;
  chips: PromptChip[];
  values: readonly PromptValue[] | undefined;
  startedAt: Date | undefined;
  /** How the run ended that gave them; undefined where it did not, or was cancelled. */
  phase: RunPhase | undefined;
}

/** What is known of a run that has ended. */
interface EndedRun extends RowsOrigin {
  target: ReportTarget;
  arrangement: KeyedArrangement | undefined;
  report: Report | undefined;
}

/** What rows were made from, for whoever keeps them; where the server gives no SQL, why. */
export async function runDetails(run: EndedRun, calls: Pick<ReportCalls, 'sql'>): Promise<object> {
  const { target, place, chips, values, startedAt, phase, arrangement, report } = run;
  return {
    report: target.name,
    reportId: target.reportId,
    ...place,
    // The words are cut for display: what was sent stands beside them.
    prompts: chips.map((chip, index) => ({ ...chip, sent: values?.[index] })),
    ranAt: startedAt?.toISOString(),
    isFromCache: phase?.kind === 'done' && phase.isCached,
    arrangement,
    ...(report && (await sqlOf(report, calls))),
  };
}

async function sqlOf(
  report: Report,
  calls: Pick<ReportCalls, 'sql'>,
): Promise<{ sql: string } | { sqlUnavailable: string }> {
  try {
    return { sql: await calls.sql(report) };
  } catch (error) {
    if (!isClientError(error)) throw error;
    // The rows were shown and are still worth taking away.
    return { sqlUnavailable: error.message };
  }
}

/** A run that is bound to one user would go on as another one. */
export class OtherUserError extends Error {
  readonly bound: string;
  readonly user: string;

  constructor(bound: string, user: string) {
    super(`The run is bound to ${bound}, not to ${user}.`);
    this.bound = bound;
    this.user = user;
  }
}

/** The user whom a panel's runs are bound to: somebody else sees other rows, and must have wanted to. */
export class BoundUser {
  #name: string | undefined;

  /** @param name of the user; undefined binds to whoever runs first. */
  constructor(name?: string) {
    this.#name = name;
  }

  get name(): string | undefined {
    return this.#name;
  }

  /** Binds to another user, or to whoever runs next. */
  bind(name: string | undefined): void {
    this.#name = name;
  }

  /**
   * Notes who is signed in. Binds to that user from then on, so that it is asked once.
   * @throws {OtherUserError} where that is somebody else.
   */
  meet(user: string): void {
    const bound = this.#name;
    if (user === '') return;
    this.#name = user;
    if (bound === undefined || bound === '' || bound.toLowerCase() === user.toLowerCase()) return;
    throw new OtherUserError(bound, user);
  }
}
