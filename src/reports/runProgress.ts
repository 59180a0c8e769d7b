import type { ResultStore } from '../client/results/resultStore.ts';
import type { Progress, RunPhase } from '../protocol/resultsPage.ts';

const progressPauseMs = 100;

/** Nothing has come. */
export const noProgress: Progress = { rows: 0, bytes: 0, elapsedMs: 0 };

/** Whether there is something to cancel. */
export function isUnderWay(phase: RunPhase): boolean {
  return phase.kind === 'preparing' || phase.kind === 'waiting' || phase.kind === 'streaming';
}

/** How far a phase has come. */
export function progressOf(phase: RunPhase): Progress {
  return 'progress' in phase ? phase.progress : noProgress;
}

/** `etime` and `dbtime` are milliseconds as text. API description, Report result. */
export function milliseconds(value: unknown): number | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const number = Number(value);
  return value !== '' && Number.isFinite(number) ? number : undefined;
}

/** Calls `look` when the first rows are there, and then every so often while more come. */
export function followStore(
  store: ResultStore,
  fail: (error: unknown) => void,
  look: () => Promise<void>,
): { stop(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let hasRows = false;
  const listening = store.onDidGrow(() => {
    if (!hasRows && store.rowCount > 0 && store.columns.length > 0) {
      hasRows = true;
      look().catch(fail);
    } else if (hasRows && timer === undefined) {
      timer = setTimeout(() => {
        timer = undefined;
        look().catch(fail);
      }, progressPauseMs);
    }
  });
  return {
    stop: () => {
      listening.dispose();
      clearTimeout(timer);
    },
  };
}
