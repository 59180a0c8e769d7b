import { expect, it, vi } from 'vitest';
import { RunHistory, type PastRun } from '../../../../../src/features/reports/history/runHistory.ts';
import { shareValues } from '../../../../../src/features/reports/run/reportsTogether.ts';

const listening = new Map<string, () => void>();

/** A panel of report `id` that asks for values. */
function panel(id: string, isAsking = true) {
  return {
    target: { connectionId: 'c', reportId: id, name: id },
    isAsking,
    fill: vi.fn(async (_run: PastRun) => undefined),
    onDidDispose: (listener: () => void) => {
      listening.set(id, listener);
      return { dispose: () => void listening.delete(id) };
    },
  };
}

function run(id: string): Omit<PastRun, 'id' | 'isPinned' | 'hasRows'> {
  return {
    ...{ target: { connectionId: 'c', reportId: id, name: id }, server: 'Local', user: 'ada', chips: [] },
    values: [{ low: 'CA', high: '', list: [], isSkipped: false }],
    ...{ state: 'running', startedAt: new Date(0), elapsedMs: 0, rows: 0, isCached: false },
  };
}

it('uses the values given for one report for the others that still ask, once', () => {
  const history = new RunHistory();
  history.add(run('1'));
  const [first, second, third] = [panel('1'), panel('2'), panel('3')];
  shareValues([first, second, third], history);
  history.add(run('other'));
  expect(second.fill).not.toHaveBeenCalled();
  third.isAsking = false;
  history.add(run('1'));
  history.add(run('2'));
  expect(second.fill).toHaveBeenCalledTimes(1);
  expect(second.fill.mock.calls[0]?.[0].values[0]?.low).toBe('CA');
  expect([first.fill, third.fill].map((fill) => fill.mock.calls.length)).toEqual([0, 0]);
});

it('does not fill a panel that was closed', () => {
  const history = new RunHistory();
  const [first, second, third] = [panel('1'), panel('2'), panel('3')];
  shareValues([first, second, third], history);
  listening.get('2')?.();
  history.add(run('1'));
  expect([second, third].map(({ fill }) => fill.mock.calls.length)).toEqual([0, 1]);
});

it('leaves a single report alone', () => {
  const history = new RunHistory();
  const only = panel('1');
  shareValues([only], history);
  history.add(run('1'));
  expect(only.fill).not.toHaveBeenCalled();
});
