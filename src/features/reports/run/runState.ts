import type { ResultOutcome } from '../../../client/results/readResult.ts';
import type { ResultStore } from '../../../client/results/resultStore.ts';
import type { Progress, RunPhase, PromptChip } from '../../../contract/pages/resultsPage.ts';
import type { LastRun, RunOptions, RunTexts, RunPlace } from './runOptions.ts';
import { isClientError } from '../../../client/clientError.ts';
import type { Report } from '../../../contract/resources/report.ts';
import type { PromptValue } from '../../../contract/pages/promptForm.ts';
import { isPlain, type KeyedArrangement } from '../view/keyedArrangement.ts';
import { weekdayNames } from '../view/weekdayNames.ts';
import { drillLinks, linkedColumns } from '../view/drillLinks.ts';
import type { CellLocale } from '../view/format/cellFormat.ts';
import { ResultView } from '../view/resultView.ts';
import { outputKind } from '../charts/chartContext.ts';
import type { ReportCalls } from './reportCalls.ts';
import type { ReportTarget } from '../../../editor/commands/services.ts';

/**
 * Delay between progress updates of a run, in milliseconds: the time since the first rows arrived, within these bounds.
 */
const progressPause = { leastMs: 100, mostMs: 300 };

/** No progress yet. */
export const noProgress: Progress = { rows: 0, bytes: 0, elapsedMs: 0 };

/** Whether a run can be cancelled. */
export function isUnderWay(phase: RunPhase): boolean {
  return phase.kind === 'preparing' || phase.kind === 'waiting' || phase.kind === 'streaming';
}

/** `etime` and `dbtime` are milliseconds as text. API description, Report result. */
function milliseconds(value: unknown): number | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const number = Number(value);
  return value !== '' && Number.isFinite(number) ? number : undefined;
}

/** A growing result. */
interface GrowingRows {
  readonly rowCount: number;
  readonly columns: { readonly length: number };
  onDidGrow(listener: () => void): { dispose(): void };
}

/**
 * Calls `look` when the first rows arrive, then at intervals while more arrive: each call slows down receiving rows.
 */
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

/** The final phase of a run. `limit` is the report's own row limit. */
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

/** The request that rows came from. */
export interface RowsOrigin {
  place: RunPlace;
  chips: PromptChip[];
  values: readonly PromptValue[] | undefined;
  startedAt: Date | undefined;
  /** Final phase of the run that returned the rows; undefined if it has not ended or was cancelled. */
  phase: RunPhase | undefined;
}

/** Data of a finished run. */
interface EndedRun extends RowsOrigin {
  target: ReportTarget;
  arrangement: KeyedArrangement | undefined;
  report: Report | undefined;
}

/** How the rows were created, for the details of an export. If the server provides no SQL, contains the reason. */
export async function runDetails(run: EndedRun, calls: Pick<ReportCalls, 'sql'>): Promise<object> {
  const { target, place, chips, values, startedAt, phase, arrangement, report } = run;
  return {
    report: target.name,
    reportId: target.reportId,
    ...place,
    // Chip texts are truncated for display, so include the values as sent.
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
    // Missing SQL must not prevent an export of the displayed rows.
    return { sqlUnavailable: error.message };
  }
}

/** The data of a run to save across window reloads; undefined before its first values. */
export function lastRunOf(
  last: Pick<LastRun, 'values' | 'asked' | 'chips' | 'isUnprompted'> | undefined,
  arrangement: KeyedArrangement | undefined,
  user: string | undefined,
): LastRun | undefined {
  return (
    last && {
      ...last,
      ...(arrangement !== undefined && !isPlain(arrangement) && { arrangement }),
      ...(user !== undefined && { user }),
    }
  );
}

/** The view of the rows of a run of `report`. Notifies the listener only while it is shown. */
export function openView(
  store: ResultStore,
  report: Report | undefined,
  { words: texts, listener, isLocal }: Pick<RunOptions, 'words' | 'listener' | 'isLocal'>,
  display: { locale: CellLocale; isTable: boolean; arrangement: KeyedArrangement | undefined },
  isShown: () => boolean,
): ResultView {
  const linkedReports = drillLinks(report).map(({ name }) => name);
  const nameOf = isLocal() ? weekdayNames(report, display.locale.language) : undefined;
  const words = { ...texts, output: { ...texts.output, ...(nameOf && { nameOf }) } };
  const own = { output: outputKind(report?.OutputType), linked: linkedColumns(report), linkedReports };
  return new ResultView(
    store,
    { words, ...own, ...display },
    {
      gridChanged: () => isShown() && listener.gridChanged(),
      gridGrew: () => isShown() && listener.gridGrew(),
    },
  );
}

/** The phase after work that threw `error`. */
export function failedPhase(error: unknown, words: Pick<RunTexts, 'failure' | 'otherUser'>): RunPhase {
  if (isClientError(error, 'cancelled')) return { kind: 'cancelled', progress: noProgress };
  const isOther = error instanceof OtherUserError;
  const failure = isOther ? words.otherUser(error.bound, error.user) : words.failure(error);
  return { kind: 'failed', failure, progress: noProgress };
}

/** Prevents a run that is bound to one user from continuing as another. */
export class OtherUserError extends Error {
  readonly bound: string;
  readonly user: string;

  constructor(bound: string, user: string) {
    super(`The run is bound to ${bound}, not to ${user}.`);
    this.bound = bound;
    this.user = user;
  }
}

/** The user that a panel's runs are bound to: another user sees different rows, and must choose that explicitly. */
export class BoundUser {
  #name: string | undefined;

  /** @param name of the user; undefined binds to the first user who runs it. */
  constructor(name?: string) {
    this.#name = name;
  }

  get name(): string | undefined {
    return this.#name;
  }

  /** Binds to another user, or to the next user who runs it. */
  bind(name: string | undefined): void {
    this.#name = name;
  }

  /**
   * Checks the signed-in user and binds to that user, so that the question is asked only once.
   * @throws {OtherUserError} if it is a different user.
   */
  meet(user: string): void {
    const bound = this.#name;
    if (user === '') return;
    this.#name = user;
    if (bound === undefined || bound === '' || bound.toLowerCase() === user.toLowerCase()) return;
    throw new OtherUserError(bound, user);
  }
}
