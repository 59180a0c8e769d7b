import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { followStore } from '../../../../../src/features/reports/run/runState.ts';

/** Times, in milliseconds after the first rows, at which a run is looked at whose rows come every `everyMs` for `forMs`. */
function looks(everyMs: number, forMs: number): number[] {
  const listeners: (() => void)[] = [];
  const store = {
    rowCount: 0,
    columns: { length: 1 },
    onDidGrow: (listener: () => void) => {
      listeners.push(listener);
      return { dispose: () => void listeners.pop() };
    },
  };
  const times: number[] = [];
  const started = performance.now();
  const look = () => Promise.resolve(void times.push(Math.round(performance.now() - started)));
  const following = followStore(store, (error) => expect(error).toBeUndefined(), look);
  // Before there are rows, there may be columns.
  for (const listener of listeners) listener();
  for (let at = 0; at <= forMs; at += everyMs) {
    store.rowCount += 1;
    for (const listener of listeners) listener();
    vi.advanceTimersByTime(everyMs);
  }
  following.stop();
  return times;
}

describe('followStore', () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
  afterEach(() => vi.useRealTimers());

  it('looks at the first rows at once, soon again, and ever more rarely, but three times a second', () => {
    const times = looks(10, 3_000);
    expect(times[0]).toBe(0);
    expect(times[1]).toBeLessThanOrEqual(120);
    expect(times.filter((at) => at <= 600).length).toBeLessThanOrEqual(4);
    const gaps = times.slice(1).map((at, index) => at - (times[index] ?? 0));
    expect(Math.max(...gaps)).toBeLessThanOrEqual(320);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(100);
  });

  it('does not look while there are no rows', () => {
    expect(looks(10, -1)).toEqual([]);
  });
});
