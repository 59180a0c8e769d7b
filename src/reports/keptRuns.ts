import * as z from 'zod';
import { promptValue } from './promptMemory.ts';
import type { ValueStore } from './promptMemory.ts';
import type { PastRun, RunHistory } from './runHistory.ts';
import { isDraft } from './runTarget.ts';

/** Where the runs are kept. */
const key = 'analytics.runs';

const keptRun = z.object({
  target: z.object({ connectionId: z.string(), reportId: z.string(), name: z.string() }),
  server: z.string(),
  user: z.string(),
  values: z.array(promptValue),
  chips: z.array(z.object({ label: z.string(), text: z.string() })),
  isUnprompted: z.boolean().optional(),
  state: z.enum(['done', 'cancelled', 'failed']),
  startedAt: z.iso.datetime().transform((text) => new Date(text)),
  elapsedMs: z.number(),
  rows: z.number(),
  isCached: z.boolean(),
  isPinned: z.boolean(),
});

/**
 * Brings back the runs of earlier windows and keeps those of this one, without their rows. Runs that are still under way, of
 * reports that are not saved, and of servers that are gone are not kept; what cannot be read is passed over.
 * @param isKnown whether a connection is still there.
 * @returns `serversChanged`, to be called when a server may have been removed: its runs go.
 */
export function keepRuns(
  history: RunHistory,
  store: ValueStore,
  isKnown: (connectionId: string) => boolean,
): { serversChanged(): void; dispose(): void } {
  const isKept = ({ target }: Pick<PastRun, 'target'>) => isKnown(target.connectionId) && !isDraft(target);
  const kept = z.array(z.unknown()).safeParse(store.get(key)).data ?? [];
  history.restore(kept.flatMap((each) => keptRun.safeParse(each).data ?? []).filter(isKept));
  let last = JSON.stringify(kept);
  const save = () => {
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
  return { serversChanged, dispose: () => listening.dispose() };
}

function plain({ id: _id, hasRows: _hasRows, startedAt, ...run }: PastRun): object {
  return { ...run, startedAt: startedAt.toISOString() };
}
