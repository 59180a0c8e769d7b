import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Arrangement } from '../../../src/protocol/resultsPage.ts';
import { filterFaults, noArrangement, ResultView } from '../../../src/reports/resultView.ts';
import { storeOf } from './results.ts';

const locale = { language: 'en', timeZone: 'UTC' };
const columns = [
  { key: 'city', yurbitype: 'cha' },
  { key: 'delay', yurbitype: 'num' },
  { key: 'cost', yurbitype: 'cur' },
  { key: 'day', yurbitype: 'doz' },
];
const rows = [
  { city: 'Oslo', delay: 5, cost: 1234.5, day: '2001-01-05' },
  { city: 'lima', delay: null, cost: 20, day: '2001-02-01' },
  { city: 'Rome', delay: -3, cost: null, day: '2001-01-20' },
  { city: null, delay: 5, cost: 999, day: null },
  { delay: 12, cost: 5, day: '2002-01-01' },
];

async function arranged(change: Partial<Arrangement>) {
  const store = await storeOf(columns, rows);
  const signal = new AbortController().signal;
  const view = await ResultView.arranged(store, { ...noArrangement, ...change }, locale, signal);
  return Array.from({ length: view.rows }, (_, row) => view.storeRow(row));
}

describe('a view of a result', () => {
  it('shows rows as they came', async () => {
    const view = ResultView.plain(await storeOf(columns, rows), locale);
    expect(view.rows).toBe(5);
    expect(view.cells(0, 2)).toEqual([
      ['Oslo', '5', '1,234.50', '2001-01-05'],
      ['lima', null, '20.00', '2001-02-01'],
    ]);
    expect(view.cells(4, 10, [3, 0])).toEqual([['2002-01-01', null]]);
    expect(view.cells(-5, 1)).toHaveLength(1);
    expect(view.cells(5, 1)).toEqual([]);
  });

  it('sorts by several columns, and puts what has no value last in either direction', async () => {
    expect(await arranged({ sort: [{ column: 1, isDescending: false }] })).toEqual([2, 0, 3, 4, 1]);
    expect(await arranged({ sort: [{ column: 1, isDescending: true }] })).toEqual([4, 0, 3, 2, 1]);
    const both = [
      { column: 1, isDescending: false },
      { column: 2, isDescending: false },
    ];
    expect(await arranged({ sort: both })).toEqual([2, 3, 0, 4, 1]);
  });

  it.each([
    [0, 'o', [0, 2]],
    [0, 'LIMA', [1]],
    [0, '=oslo', [0]],
    [0, '<>oslo', [1, 2, 3, 4]],
    [0, 'null', [3, 4]],
    [0, '!null', [0, 1, 2]],
    [1, '>4', [0, 3, 4]],
    [1, '>= 5', [0, 3, 4]],
    [1, '<5', [2]],
    [1, '=5', [0, 3]],
    [1, '=5.0', [0, 3]],
    [1, '-3..5', [0, 2, 3]],
    [1, '2', [4]],
    [2, '1,234', [0]],
    [2, '>=999', [0, 3]],
    [3, '2001', [0, 1, 2]],
    [3, '2001-01', [0, 2]],
    [3, '>2001-01', [1, 4]],
    [3, '2001-01..2001-02', [0, 1, 2]],
  ])('filters column %i by %j', async (column, text, expected) => {
    expect(await arranged({ filters: { [column]: text } })).toEqual(expected);
  });

  it('filters by several columns and by text anywhere, and sorts what is left', async () => {
    expect(await arranged({ search: '20' })).toEqual([0, 1, 2, 4]);
    expect(await arranged({ search: '20', filters: { 1: '>0' }, sort: [{ column: 1, isDescending: true }] })).toEqual([
      4, 0,
    ]);
    expect(await arranged({ search: 'nowhere' })).toEqual([]);
  });

  it('passes over columns and filters that make no sense', async () => {
    expect(await arranged({ filters: { 9: 'x', 0: '>' }, sort: [{ column: 9, isDescending: false }] })).toEqual([
      0, 1, 2, 3, 4,
    ]);
    expect(filterFaults({ ...noArrangement, filters: { 0: '>', 1: '5' } })).toEqual({ 0: 'noValue' });
  });

  it('finds what a search of the shown text finds, whatever the rows hold', async () => {
    const cell = fc.oneof(
      fc.string({ maxLength: 4 }),
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.constant(null),
    );
    const cases = fc.array(fc.record({ a: cell, b: cell }), { minLength: 1, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(cases, fc.string({ minLength: 1, maxLength: 2 }), async (data, search) => {
        fc.pre(search.trim() !== '');
        const store = await storeOf(
          [
            { key: 'a', yurbitype: 'cha' },
            { key: 'b', yurbitype: 'num' },
          ],
          data,
        );
        const signal = new AbortController().signal;
        const view = await ResultView.arranged(store, { ...noArrangement, search }, locale, signal);
        const found = Array.from({ length: view.rows }, (_, row) => view.storeRow(row));
        const needle = search.trim().toLowerCase();
        const all = ResultView.plain(store, locale).cells(0, data.length);
        const expected = all.flatMap((cells, row) =>
          cells.some((text) => text?.toLowerCase().includes(needle)) ? [row] : [],
        );
        expect(found).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });

  it('is given up when the signal fires', async () => {
    const store = await storeOf(
      columns,
      Array.from({ length: 200_000 }, (_, i) => ({ city: `c${i}`, delay: i })),
    );
    const stop = new AbortController();
    const view = ResultView.arranged(store, { ...noArrangement, search: 'zz' }, locale, stop.signal);
    stop.abort(new Error('enough'));
    await expect(view).rejects.toThrow('enough');
  });
});
