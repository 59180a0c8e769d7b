import { describe, expect, it } from 'vitest';
import type { ResultsState, RunPhase } from '../../../../../src/contract/pages/resultsPage.ts';
import { RunHistory, RunRecorder } from '../../../../../src/features/reports/history/runHistory.ts';
import { storeOf } from '../view/results.ts';

const target = { connectionId: 'c', reportId: '7', name: 'Delays' };
const state = (phase: RunPhase): ResultsState => ({
  reportId: 'r1',
  title: 'Delays',
  server: 'Local',
  user: 'ada',
  hasPrompts: true,
  trail: [],
  output: null,
  isTable: false,
  chips: [{ label: 'State', text: '= CA' }],
  phase,
});
const progress = (rows: number) => ({ rows, bytes: rows * 10, elapsedMs: rows * 2 });
const values = [{ low: 'CA', high: '', list: [], isSkipped: false }];
const failure = { kind: 'other' as const, title: 'Could not run', cause: '', remedy: '' };

function setUp() {
  const history = new RunHistory();
  const recorder = new RunRecorder(history, target, () => new Date(0));
  const pass = (...phases: RunPhase[]) => {
    for (const phase of phases) recorder.follow(state(phase), { values, chips: [] });
  };
  return { history, recorder, pass };
}

describe('the history of runs', () => {
  it('holds a run with its prompts, rows and times, from its beginning on', () => {
    const { history, pass } = setUp();
    const counts: number[] = [];
    const listening = history.onDidChange(() => counts.push(history.runs[0]?.rows ?? -1));
    pass({ kind: 'preparing' }, { kind: 'asking' });
    expect(history.runs).toEqual([]);
    pass({ kind: 'waiting' }, { kind: 'streaming', progress: progress(5) });
    expect(history.runs).toMatchObject([{ state: 'running', rows: 5 }]);
    pass({ kind: 'done', progress: progress(9), isCached: true, isLimited: false, notice: '' });
    expect(history.runs).toEqual([
      {
        ...{ id: '1', target, server: 'Local', user: 'ada', values, chips: [{ label: 'State', text: '= CA' }] },
        ...{ state: 'done', startedAt: new Date(0), elapsedMs: 18, rows: 9, isCached: true },
        ...{ isPinned: false, hasRows: false },
      },
    ]);
    expect(counts).toEqual([0, 5, 9]);
    listening.dispose();
    history.remove('1');
    expect(counts).toHaveLength(3);
  });

  it('lists the newest first, and every way to end', () => {
    const { history, recorder, pass } = setUp();
    pass({ kind: 'waiting' }, { kind: 'cancelled', progress: progress(1) });
    pass({ kind: 'preparing' }, { kind: 'failed', progress: progress(0), failure });
    pass({ kind: 'waiting' }, { kind: 'preparing' }, { kind: 'waiting' });
    expect(history.runs.map((run) => run.state)).toEqual(['running', 'cancelled', 'failed', 'cancelled']);
    recorder.end();
    expect(history.runs[0]?.state).toBe('cancelled');
  });

  it('does not bring back a run that was removed', () => {
    const { history, pass } = setUp();
    pass({ kind: 'waiting' });
    history.remove('1');
    pass({ kind: 'streaming', progress: progress(3) });
    expect(history.runs).toEqual([]);
  });

  it('forgets the oldest beyond a hundred, but none that is under way', () => {
    const { history, pass } = setUp();
    const other = new RunRecorder(history, target, () => new Date(0));
    other.follow(state({ kind: 'waiting' }), undefined);
    for (let run = 0; run < 150; run++) pass({ kind: 'waiting' }, { kind: 'cancelled', progress: progress(1) });
    expect(history.runs).toHaveLength(101);
    expect(history.runs.at(-1)).toMatchObject({ id: '1', state: 'running' });
  });
});

describe('the rows of past runs', () => {
  const done: RunPhase = { kind: 'done', progress: progress(1), isCached: false, isLimited: false, notice: '' };
  const rows = async () => {
    const store = await storeOf([{ key: 'city' }], [{ city: 'Oslo' }]);
    return { store, prepared: undefined, zones: { timeZone: 'UTC' } };
  };

  async function runs(count: number, history: RunHistory): Promise<void> {
    const recorder = new RunRecorder(history, target, () => new Date(0));
    for (let run = 0; run < count; run++) {
      recorder.follow(state({ kind: 'waiting' }), undefined);
      recorder.follow(state(done), undefined, await rows());
    }
  }

  it('are kept when a run ends, and go with it', async () => {
    const history = new RunHistory();
    await runs(2, history);
    expect(history.runs.map(({ id, hasRows }) => [id, hasRows])).toEqual([
      ['2', true],
      ['1', true],
    ]);
    expect(history.rowsOf('1')?.store.rowCount).toBe(1);
    history.remove('1');
    expect(history.rowsOf('1')).toBeUndefined();
  });

  it('are given up beyond the memory allowed, the oldest first; the newest and pinned ones stay', async () => {
    const { store } = await rows();
    const history = new RunHistory(store.heldBytes * 2);
    await runs(3, history);
    expect(history.runs.map(({ hasRows }) => hasRows)).toEqual([true, true, false]);
    history.pin('2', true);
    expect(history.runs.map(({ id }) => id)).toEqual(['2', '3', '1']);
    await runs(2, history);
    expect(history.runs.map(({ id, hasRows }) => [id, hasRows])).toEqual([
      ['2', true],
      ['5', true],
      ['4', true],
      ['3', false],
      ['1', false],
    ]);
    history.pin('2', false);
    expect(history.rowsOf('2')).toBeUndefined();
    const small = new RunHistory(0);
    await runs(2, small);
    expect(small.runs.map(({ hasRows }) => hasRows)).toEqual([true, false]);
  });

  it('are not kept of a run that failed', async () => {
    const history = new RunHistory();
    const recorder = new RunRecorder(history, target, () => new Date(0));
    recorder.follow(state({ kind: 'waiting' }), undefined);
    recorder.follow(state({ kind: 'failed', progress: progress(1), failure }), undefined, await rows());
    expect(history.runs).toMatchObject([{ state: 'failed', hasRows: false }]);
  });

  it('keep a pinned run in the list beyond a hundred', async () => {
    const history = new RunHistory();
    await runs(1, history);
    history.pin('1', true);
    await runs(150, history);
    expect(history.runs[0]).toMatchObject({ id: '1', isPinned: true, hasRows: true });
    expect(history.runs).toHaveLength(100);
  });
});
