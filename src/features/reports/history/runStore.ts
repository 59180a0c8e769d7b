import type { ValueStore } from '../prompts/promptMemory.ts';
import type { PastRun, RunHistory } from './runHistory.ts';
import type { ReportTarget } from '../../../editor/commands/services.ts';

/** Where the runs are kept. */
const key = 'analytics.runs';

/**
 * Brings back the runs of earlier windows and keeps those of this one, without their rows. Runs that are still under way, of
 * reports that are not saved, and of servers that are gone are not kept; what cannot be read is passed over.
 * @param isKnown whether a connection is still there.
 * The schema is loaded only where there is something to bring back.
 * @returns `serversChanged`, to be called when a server may have been removed: its runs go; `restored` settles when earlier runs
 *   are back, and rejects where they cannot be read.
 */
export function persistRuns(
  history: RunHistory,
  store: ValueStore,
  isKnown: (connectionId: string) => boolean,
): { restored: Promise<void>; serversChanged(): void; dispose(): void } {
  const isKept = ({ target }: Pick<PastRun, 'target'>) => isKnown(target.connectionId) && !isDraft(target);
  const value = store.get(key);
  const kept: readonly unknown[] = Array.isArray(value) ? value : [];
  let isRestored = kept.length === 0;
  let last = JSON.stringify(kept);
  const save = () => {
    if (!isRestored) return;
    const runs = history.runs.filter((run) => run.state !== 'running' && isKept(run)).map(plain);
    const text = JSON.stringify(runs);
    // Most changes are rows that came.
    if (text === last) return;
    last = text;
    void store.update(key, runs);
  };
  const listening = history.onDidChange(save);
  const serversChanged = () => {
    for (const { id, target } of history.runs) if (!isKnown(target.connectionId)) history.remove(id);
    save();
  };
  const restore = async () => {
    if (isRestored) return;
    const { parseRuns } = await import('./runStoreSchema.ts');
    isRestored = true;
    history.restore(parseRuns(kept).filter(isKept));
  };
  return { restored: restore(), serversChanged, dispose: () => listening.dispose() };
}

function plain({ id: _id, hasRows: _hasRows, startedAt, ...run }: PastRun): object {
  return { ...run, startedAt: startedAt.toISOString() };
}

/** What starts the id of a report that is not saved. */
const draftPrefix = 'draft ';

/** The target of a report that is written in an editor and need not be saved. */
export function draftTarget({ connectionId, reportId }: ReportTarget, name: string): ReportTarget {
  return { connectionId, reportId: `${draftPrefix}${connectionId} ${reportId}`, name };
}

/** Whether a target is a report that is not saved: it is gone with the window. */
export function isDraft({ reportId }: Pick<ReportTarget, 'reportId'>): boolean {
  return reportId.startsWith(draftPrefix);
}
