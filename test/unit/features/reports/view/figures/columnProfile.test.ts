import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { CellReader } from '../../../../../../src/client/results/cellReader.ts';
import { Pacer } from '../../../../../../src/client/results/pacer.ts';
import { blockRows } from '../../../../../../src/client/results/resultCell.ts';
import { ValueCounts } from '../../../../../../src/client/results/valueCounts.ts';
import { columnProfile, mostBars } from '../../../../../../src/features/reports/view/figures/columnProfile.ts';
import { arrangeRows, plainRows } from '../../../../../../src/features/reports/view/arrangedRows.ts';
import { storeOf } from '../results.ts';
import type { TestColumn } from '../results.ts';

const locale = { language: 'en', timeZone: 'UTC' };
const columns: TestColumn[] = [
  { key: 'city', yurbitype: 'cha' },
  { key: 'delay', yurbitype: 'num' },
  { key: 'day', yurbitype: 'dtz' },
];
const never = new AbortController().signal;

async function profileOf(rows: object[], column: number, filters: Record<number, string> = {}) {
  const store = await storeOf(columns, rows);
  const view = await arrangeRows(store, { sort: [], filters, search: '' }, locale, never);
  return columnProfile(view, column, never);
}

const counts = ({ bars }: { bars: readonly { count: number }[] }) => bars.map(({ count }) => count);

describe('the profile of a column', () => {
  it('lets what a person asks for come in between at every turn', async () => {
    const blocks = 6;
    const store = await storeOf(
      columns,
      Array.from({ length: blocks * blockRows }, (_, n) => ({ city: `city ${n % 9}` })),
    );
    const view = plainRows(store, locale);
    let now = 0;
    // Each block takes longer than the work may that nobody waits for, and less than other work.
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 3));
    const pauses = vi.spyOn(Pacer.prototype, 'pause');
    try {
      await columnProfile(view, 0, never);
      expect(pauses).toHaveBeenCalledTimes(blocks);
    } finally {
      clock.mockRestore();
      pauses.mockRestore();
    }
  });

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

  it('counts a text once that is kept in two ways, because its column held too many different ones', async () => {
    // Texts are looked up until most of a block turn out to be new: those in front are kept in another way than later ones.
    const rows = Array.from({ length: 20_000 }, (_, n) => ({ city: n % 4 === 0 ? `c${(n / 4) % 50}` : `single ${n}` }));
    const profile = await profileOf(rows, 0);
    expect(profile.distinct).toBe(new Set(rows.map(({ city }) => city)).size);
    for (const { label, count } of profile.bars) expect([label, count]).toEqual([expect.stringMatching(/^c\d+$/), 100]);
  });

  it('tells apart whatever JSON can hold, as often as it occurs', async () => {
    const cell = fc.oneof(
      ...[fc.string({ maxLength: 2 }), fc.integer({ min: -3, max: 3 }), fc.boolean(), fc.constant(null)],
      ...[fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constantFrom(-0, 0, '0', 'true', 'x'.repeat(300))],
    );
    await fc.assert(
      fc.asyncProperty(fc.array(cell, { minLength: 1, maxLength: 300 }), async (cells) => {
        const store = await storeOf(
          columns,
          cells.map((city) => ({ city })),
        );
        const reader = new CellReader(store, [0], undefined);
        const counts = new ValueCounts(reader.runs[0]!, 200_000);
        counts.add(reader.read(0));
        const expected = new Map<string | number, number>();
        for (const value of JSON.parse(JSON.stringify(cells)) as (string | number | boolean | null)[]) {
          const known = typeof value === 'boolean' ? String(value) : value;
          if (known !== null) expected.set(known, (expected.get(known) ?? 0) + 1);
        }
        const entries = [...counts.values()].map(({ value, count }) => [value, count] as const);
        expect(counts.nulls).toBe(cells.filter((value) => value === null).length);
        // A text such as "true" and the boolean may be told apart: both are shown alike.
        const sums = new Map<string | number, number>();
        for (const [value, count] of entries) sums.set(value, (sums.get(value) ?? 0) + count);
        expect(sums).toEqual(expected);
        const most = [...expected.values()].toSorted((one, other) => other - one);
        if (entries.length === expected.size) {
          expect(counts.frequent(5).map(({ count }) => count)).toEqual(most.slice(0, 5));
        }
      }),
      { numRuns: 100 },
    );
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
    const counting = columnProfile(plainRows(store, locale), 1, stop.signal);
    stop.abort(new Error('no longer wanted'));
    await expect(counting).rejects.toThrow('no longer wanted');
  });
});
