import { describe, expect, it } from 'vitest';
import { columnProfile, mostBars } from '../../../src/reports/columnProfile.ts';
import { ResultView } from '../../../src/reports/resultView.ts';
import { storeOf } from './results.ts';
import type { TestColumn } from './results.ts';

const locale = { language: 'en', timeZone: 'UTC' };
const columns: TestColumn[] = [
  { key: 'city', yurbitype: 'cha' },
  { key: 'delay', yurbitype: 'num' },
  { key: 'day', yurbitype: 'dtz' },
];
const never = new AbortController().signal;

async function profileOf(rows: object[], column: number, filters: Record<number, string> = {}) {
  const store = await storeOf(columns, rows);
  const view = await ResultView.arranged(store, { sort: [], filters, search: '' }, locale, never);
  return columnProfile(view, column, never);
}

const counts = ({ bars }: { bars: readonly { count: number }[] }) => bars.map(({ count }) => count);

describe('the profile of a column', () => {
  it('counts rows, missing and different values, and the most frequent ones', async () => {
    const rows = [{ city: 'Oslo' }, { city: 'Rome' }, { city: 'Oslo' }, { city: null }, {}];
    expect(await profileOf(rows, 0)).toMatchObject({
      rows: 5,
      missing: 2,
      distinct: 2,
      isCapped: false,
      kind: 'values',
      others: 0,
      bars: [
        { label: 'Oslo', count: 2 },
        { label: 'Rome', count: 1 },
      ],
    });
  });

  it('adds what has no bar to the rest', async () => {
    const rows = Array.from({ length: 40 }, (_, n) => ({ city: n < 10 ? 'Oslo' : `c${n}` }));
    const profile = await profileOf(rows, 0);
    expect(profile.bars).toHaveLength(mostBars);
    expect(profile.bars[0]).toEqual({ label: 'Oslo', count: 10 });
    expect(profile.others).toBe(40 - 10 - (mostBars - 1));
  });

  it('cuts numbers into ranges of equal width, ends included, whether sent as numbers or as text', async () => {
    const rows = Array.from({ length: 120 }, (_, n) => ({ delay: n % 2 === 0 ? n : String(n) }));
    const profile = await profileOf(rows, 1);
    expect(profile).toMatchObject({ kind: 'ranges', least: '0', greatest: '119', mean: '59.5', others: 0 });
    expect(counts(profile)).toEqual(new Array<number>(mostBars).fill(10));
  });

  it('shows few different numbers as themselves, in their order', async () => {
    const rows = [3, 1, 1, 2, 3, 3].map((delay) => ({ delay }));
    const { kind, bars } = await profileOf(rows, 1);
    expect(kind).toBe('values');
    expect(bars).toEqual([
      { label: '1', count: 2 },
      { label: '2', count: 1 },
      { label: '3', count: 3 },
    ]);
  });

  it('cuts moments into ranges of equal length', async () => {
    const rows = Array.from({ length: 24 }, (_, n) => ({ day: `2001-01-${String(n + 1).padStart(2, '0')}` }));
    const profile = await profileOf(rows, 2);
    expect(profile).toMatchObject({ kind: 'ranges', least: '2001-01-01 00:00:00', greatest: '2001-01-24 00:00:00' });
    expect(counts(profile)).toEqual(new Array<number>(mostBars).fill(2));
  });

  it('looks at the rows shown only', async () => {
    const rows = [
      { city: 'Oslo', delay: 1 },
      { city: 'Rome', delay: 2 },
    ];
    expect(await profileOf(rows, 1, { 0: 'Rome' })).toMatchObject({ rows: 1, bars: [{ label: '2', count: 1 }] });
  });

  it('has nothing to show of no rows', async () => {
    expect(await profileOf([], 0)).toMatchObject({ rows: 0, missing: 0, distinct: 0, bars: [], others: 0 });
  });

  it('ends when it is no longer wanted', async () => {
    const store = await storeOf(
      columns,
      Array.from({ length: 60_000 }, (_, n) => ({ city: `c${n}`, delay: n })),
    );
    const stop = new AbortController();
    const counting = columnProfile(ResultView.plain(store, locale), 1, stop.signal);
    stop.abort(new Error('no longer wanted'));
    await expect(counting).rejects.toThrow('no longer wanted');
  });
});
