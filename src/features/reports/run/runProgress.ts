import type { ResultOutcome } from '../../../client/results/readResult.ts';
import type { ResultStore } from '../../../client/results/resultStore.ts';
import type { Progress, RunPhase } from '../../../contract/pages/resultsPage.ts';
import type { RunWords } from './runOptions.ts';

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
  words: Pick<RunWords, 'failure' | 'refused' | 'limitNotice'>,
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
