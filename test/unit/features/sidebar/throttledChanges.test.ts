import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ThrottledChanges } from '../../../../src/features/sidebar/throttledChanges.ts';

/** For how long the editor keeps back what it is told of after something else. */
const windowMs = 200;

const a = { name: 'a' };
const b = { name: 'b' };
const c = { name: 'c' };

let told: { at: number; rows: object[] | undefined }[] = [];
let start = 0;
let changes: ThrottledChanges<object>;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  told = [];
  start = performance.now();
  changes = new ThrottledChanges((rows) => told.push({ at: performance.now() - start, rows }));
});
afterEach(() => {
  changes.dispose();
  vi.useRealTimers();
});

describe('PacedChanges', () => {
  it('tells of the first change at once and of the next ones together, each row once', () => {
    changes.fire([a]);
    vi.advanceTimersByTime(50);
    changes.fire([b]);
    vi.advanceTimersByTime(50);
    changes.fire([c, b]);
    expect(told).toEqual([{ at: 0, rows: [a] }]);
    vi.advanceTimersByTime(1_000);
    expect(told).toHaveLength(2);
    expect(told[1]?.rows).toEqual([b, c]);
  });

  it('keeps the editor from keeping back what steady typing changes', () => {
    for (let key = 0; key < 20; key++) {
      changes.fire([a]);
      vi.advanceTimersByTime(90);
    }
    vi.advanceTimersByTime(1_000);
    const gaps = told.slice(1).map(({ at }, index) => at - (told[index]?.at ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThan(windowMs);
    expect(Math.max(...gaps)).toBeLessThan(windowMs + 90);
  });

  it('tells of all rows where one change was of all', () => {
    changes.fire([a]);
    changes.fire([b]);
    changes.fire(undefined);
    changes.fire([c]);
    vi.advanceTimersByTime(1_000);
    expect(told.map(({ rows }) => rows)).toEqual([[a], undefined]);
    changes.fire([b]);
    vi.advanceTimersByTime(1_000);
    expect(told.at(-1)?.rows).toEqual([b]);
  });

  it('tells of nothing after its end', () => {
    changes.fire([a]);
    changes.fire([b]);
    changes.dispose();
    vi.advanceTimersByTime(1_000);
    expect(told).toHaveLength(1);
  });
});
