import { StoredState, type StateStore } from '../../../connections/storedState.ts';
import type { PastRun, RunHistory } from './runHistory.ts';
import type { ReportTarget } from '../../../editor/commands/services.ts';

/** Storage key for the runs. */
const key = 'analytics.runs';

/**
 * Restores the runs of earlier windows and saves those of this one, without rows. Does not save active runs, runs of
 * unsaved reports, or runs on removed servers. Skips unreadable entries. Loads the schema only if there is something to
 * restore.
 * @param isKnown whether a connection still exists.
 * @returns `serversChanged`, to be called when a server may have been removed, to remove its runs; `restored`, which
 *   settles when earlier runs are restored and rejects if they cannot be read.
 */
export function persistRuns(
  history: RunHistory,
  store: StateStore,
  isKnown: (connectionId: string) => boolean,
): { restored: Promise<void>; serversChanged(): void; dispose(): void } {
  const isKept = ({ target }: Pick<PastRun, 'target'>) => isKnown(target.connectionId) && !isDraft(target);
  const stored = new StoredState<readonly unknown[]>(store, { version: 1, parse: asList });
  const kept = stored.get(key) ?? [];
  let isRestored = kept.length === 0;
  let last = JSON.stringify(kept);
  const save = () => {
    if (!isRestored) return;
    const runs = history.runs.filter((run) => run.state !== 'running' && isKept(run)).map(plain);
    const text = JSON.stringify(runs);
    // Most changes are new rows.
    if (text === last) return;
    last = text;
    void stored.update(key, runs);
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

/** The entries are parsed by {@link parseRuns}. */
function asList(value: unknown): readonly unknown[] | undefined {
  return Array.isArray(value) ? value : undefined;
}

function plain({ id: _id, hasRows: _hasRows, startedAt, ...run }: PastRun): object {
  return { ...run, startedAt: startedAt.toISOString() };
}

/** Prefix of the id of an unsaved report. */
const draftPrefix = 'draft ';

/** Target of a report in an editor, which may be unsaved. */
export function draftTarget({ connectionId, reportId }: ReportTarget, name: string): ReportTarget {
  return { connectionId, reportId: `${draftPrefix}${connectionId} ${reportId}`, name };
}

/** Whether a target is an unsaved report, which is lost when the window closes. */
export function isDraft({ reportId }: Pick<ReportTarget, 'reportId'>): boolean {
  return reportId.startsWith(draftPrefix);
}
