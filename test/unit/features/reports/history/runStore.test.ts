import { describe, expect, it } from 'vitest';
import { persistRuns, draftTarget, isDraft } from '../../../../../src/features/reports/history/runStore.ts';
import { RunHistory, type PastRun } from '../../../../../src/features/reports/history/runHistory.ts';
import { storeOf } from '../view/results.ts';

const target = { connectionId: 'c', reportId: '7', name: 'Delays' };
const run: Omit<PastRun, 'id' | 'isPinned' | 'hasRows'> = {
  ...{ target, server: 'Local', user: 'ada', chips: [{ label: 'State', text: '= CA' }] },
  values: [{ low: 'CA', high: '', list: [], isSkipped: false }],
  ...{ state: 'done', startedAt: new Date('2026-01-02T03:04:05.678Z'), elapsedMs: 18, rows: 9, isCached: true },
};

/** What the editor keeps: plain data, as it would be after a reload. */
class Store {
  text: string | undefined;
  writes = 0;
  get = (): unknown => (this.text === undefined ? undefined : JSON.parse(this.text));
  update = async (_key: string, value: unknown) => {
    this.writes++;
    this.text = JSON.stringify(value);
  };
}

async function open(store: Store, known = ['c']) {
  const history = new RunHistory();
  const kept = persistRuns(history, store, (id) => known.includes(id));
  await kept.restored;
  return { history, kept };
}

describe('runs of earlier windows', () => {
  it('come back as they were, without their rows, pinned ones first', async () => {
    const store = new Store();
    const { history } = await open(store);
    const id = history.add(run);
    const rows = await storeOf([{ key: 'a' }], [{ a: 1 }]);
    history.keepRows(id, { store: rows, prepared: undefined, zones: { timeZone: 'UTC' } });
    history.pin(id, true);
    history.add({ ...run, rows: 10, isUnprompted: true });
    const later = (await open(store)).history;
    const plain = ({ id: _id, ...rest }: PastRun) => rest;
    expect(later.runs.map(plain)).toEqual(history.runs.map((each) => ({ ...plain(each), hasRows: false })));
    expect(new Set(later.runs.map((each) => each.id)).size).toBe(2);
    // A new run gets an id of its own.
    expect(later.runs.map((each) => each.id)).not.toContain(later.add(run));
  });

  it('are written when a run has ended, not at every row', async () => {
    const store = new Store();
    const { history } = await open(store);
    const id = history.add({ ...run, state: 'running' });
    for (let rows = 0; rows < 50; rows++) history.update(id, { rows });
    expect(store.writes).toBe(0);
    history.update(id, { state: 'failed' });
    expect(store.writes).toBe(1);
    history.remove(id);
    expect(store.text).toBe('[]');
  });

  it('are those of servers that are known and reports that are saved', async () => {
    const store = new Store();
    const known = ['c', 'other'];
    const { history, kept } = await open(store, known);
    history.add(run);
    history.add({ ...run, target: { ...target, connectionId: 'other' } });
    history.add({ ...run, target: draftTarget(target, 'Delays (preview)') });
    expect((await open(store, known)).history.runs.map((each) => each.target.connectionId)).toEqual(['other', 'c']);
    known.pop();
    kept.serversChanged();
    expect(store.text).not.toContain('other');
    expect(history.runs.map((each) => each.target.connectionId)).not.toContain('other');
    expect([isDraft(target), isDraft(draftTarget(target, ''))]).toEqual([false, true]);
  });

  it('are passed over where they cannot be read', async () => {
    const store = new Store();
    (await open(store)).history.add(run);
    const [good] = store.get() as object[];
    store.text = JSON.stringify([{ ...good, startedAt: 'soon' }, 7, good, { ...good, state: 'running' }]);
    expect((await open(store)).history.runs).toHaveLength(1);
    store.text = '"?"';
    expect((await open(store)).history.runs).toEqual([]);
  });
});
