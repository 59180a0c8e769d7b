import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Arrangement } from '../../../../../src/contract/pages/resultsPage.ts';
import {
  arrangeRows,
  cellTexts,
  filterFaults,
  noArrangement,
  plainRows,
  rowCount,
  storeRow,
} from '../../../../../src/features/reports/view/arrangedRows.ts';
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
  const view = await arrangeRows(store, { ...noArrangement, ...change }, locale, signal);
  return Array.from({ length: rowCount(view) }, (_, row) => storeRow(view, row));
}

it('compares texts of digits whole, also with what could be a year', async () => {
  const store = await storeOf([{ key: 'zip', yurbitype: 'cha' }], [{ zip: '20015' }, { zip: '2001' }, { zip: '1999' }]);
  const rowsOf = async (filter: string) => {
    const { signal } = new AbortController();
    const view = await arrangeRows(store, { ...noArrangement, filters: { 0: filter } }, locale, signal);
    return cellTexts(view, 0, 9).flat();
  };
  expect(await rowsOf('>2001')).toEqual(['20015']);
  expect(await rowsOf('<=2001')).toEqual(['2001', '1999']);
});

describe('a view of a result', () => {
  it('shows rows as they came', async () => {
    const view = plainRows(await storeOf(columns, rows), locale);
    expect(rowCount(view)).toBe(5);
    expect(cellTexts(view, 0, 2)).toEqual([
      ['Oslo', '5', '1,234.50', '2001-01-05'],
      ['lima', null, '20.00', '2001-02-01'],
    ]);
    expect(cellTexts(view, 4, 10, [3, 0])).toEqual([['2002-01-01', null]]);
    expect(cellTexts(view, -5, 1)).toHaveLength(1);
    expect(cellTexts(view, 5, 1)).toEqual([]);
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
    [3, '=2001-01', [0, 2]],
    [3, '<>2001-01', [1, 3, 4]],
    [3, '=2001-01-05', [0]],
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

  it.each(['q7', 'ticket-q', 'ärger', 'nowhere at all', '-qzz', 'a'])(
    'finds %j among texts of which no two are alike',
    async (text) => {
      const names: (string | null)[] = Array.from(
        { length: 20_000 },
        (_, row) => `Ticket-${((row * 7919) % 46_656).toString(36)}-${row}`,
      );
      names[4_711] = 'Viel ÄRGER';
      names[12_345] = null;
      const store = await storeOf(
        [{ key: 'name', yurbitype: 'cha' }],
        names.map((name) => ({ name })),
      );
      const expected = names.flatMap((name, row) => (name?.toLowerCase().includes(text) ? [row] : []));
      for (const change of [{ search: text }, { filters: { 0: text } }]) {
        const { signal } = new AbortController();
        const view = await arrangeRows(store, { ...noArrangement, ...change }, locale, signal);
        expect([...(view.order ?? [])]).toEqual(expected);
      }
    },
  );

  it('passes over columns and filters that make no sense', async () => {
    expect(await arranged({ filters: { 9: 'x', 0: '>' }, sort: [{ column: 9, isDescending: false }] })).toEqual([
      0, 1, 2, 3, 4,
    ]);
    const { columns: shown } = plainRows(await storeOf(columns, rows), locale);
    const faults = (filters: Record<number, string>) => filterFaults({ ...noArrangement, filters }, shown);
    expect(faults({ 0: '>', 1: '5', 9: '>' })).toEqual({ 0: 'noValue' });
    expect(faults({ 0: '>b', 1: '>b', 2: '1..x', 3: '>b' })).toEqual({ 1: 'notANumber', 2: 'notANumber' });
    expect(await arranged({ filters: { 1: '>b' } })).toEqual([0, 1, 2, 3, 4]);
  });

  it('sorts numbers that come as text as numbers, in columns of numbers', async () => {
    const texts = ['-5', '1.5', '-10', '1.25', 'n/a', '9007199254740993', '9007199254740992', ' +2 '];
    const types = [
      { key: 'cost', yurbitype: 'cur' },
      { key: 'name', yurbitype: 'cha' },
    ];
    const store = await storeOf(types, [...texts.map((text) => ({ cost: text, name: text })), { cost: 3 }]);
    const sorted = async (column: number, isDescending: boolean) => {
      const arrangement = { ...noArrangement, sort: [{ column, isDescending }] };
      const view = await arrangeRows(store, arrangement, locale, new AbortController().signal);
      return [...(view.order ?? [])];
    };
    expect(await sorted(0, false)).toEqual([2, 0, 3, 1, 7, 8, 6, 5, 4]);
    expect(await sorted(0, true)).toEqual([5, 6, 8, 7, 1, 3, 0, 2, 4]);
    expect((await sorted(1, false)).at(-1)).toBe(8);
  });

  it.each([
    ['en', 'cur', '>1,000', [1, 3]],
    ['en', 'cur', '>= $1,000.00', [1, 2, 3]],
    ['en', 'cur', '<1,000', [0]],
    ['en', 'cur', '=9,007,199,254,740,993', [3]],
    ['en', 'cur', '<>9007199254740993', [0, 1, 2, 4]],
    ['en', 'cur', '999.99..1,000', [2]],
    ['en', 'per', '>1,000%', [1, 3]],
    ['de', 'cur', '>1.000', [1, 3]],
    ['de', 'cur', '=1.234,5', [1]],
    ['de', 'cur', '>999.5', [1, 2, 3]],
    ['fr', 'cur', '= 1 234,50 €', [1]],
    ['de-CH', 'cur', "=1'234.5", [1]],
  ] as const)(
    'compares in %s, %s, with numbers as the column shows them: %j',
    async (language, type, text, expected) => {
      const values = ['5.00', '1234.50', 1000, '9007199254740993', null];
      const store = await storeOf(
        [{ key: 'n', yurbitype: type }],
        values.map((n) => ({ n })),
      );
      const arrangement = { ...noArrangement, filters: { 0: text } };
      const signal = new AbortController().signal;
      const view = await arrangeRows(store, arrangement, { language, timeZone: 'UTC' }, signal);
      expect([...(view.order ?? [])]).toEqual(expected);
      expect(filterFaults(arrangement, view.columns)).toEqual({});
    },
  );

  it.each(['en', 'de'])(
    'finds what a search of the shown text finds in %s, whatever the rows hold',
    async (language) => {
      const own = { language, timeZone: 'Europe/Berlin' };
      const types = ['cha', 'num', 'cur', 'per', 'dat', 'dtz', 'doz', 'udt', 'lnk'];
      const digits = fc.string({ unit: fc.constantFrom(...'0123456789.,- '), maxLength: 6 });
      const day = fc.date({ min: new Date('1990-01-01'), max: new Date('2030-01-01'), noInvalidDate: true });
      const moment = fc
        .tuple(day, fc.constantFrom(10, 16, 19, 24))
        .map(([date, end]) => date.toISOString().slice(0, end));
      const cell = fc.oneof(
        ...[fc.string({ maxLength: 4 }), digits, moment, moment.map((text) => text.replace('T', ' '))],
        ...[fc.integer(), fc.integer({ min: -99, max: 9_999 }), fc.boolean(), fc.constant(null)],
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.integer({ min: -99_999, max: 9_999_999 }).map((number) => number / 100),
      );
      const row = fc.record(Object.fromEntries(types.map((type) => [type, cell])), { requiredKeys: [] });
      const wanted = fc.oneof(
        fc.string({ minLength: 1, maxLength: 2 }),
        digits,
        fc.constantFrom('e', 'T0', '1 0', 'alse', '%'),
      );
      await fc.assert(
        fc.asyncProperty(
          fc.array(row, { minLength: 1, maxLength: 40 }),
          wanted,
          fc.tuple(fc.nat(39), fc.nat(8), fc.nat(5), fc.integer({ min: 0, max: 4 })),
          async (data, text, [from, column, start, length]) => {
            const store = await storeOf(
              types.map((type) => ({ key: type, yurbitype: type })),
              data,
            );
            const all = cellTexts(plainRows(store, own), 0, data.length);
            // Half of the searches are for a part of what is there.
            const part = all[from % data.length]?.[column]?.slice(start, start + length).trim() ?? '';
            const search = part === '' ? text : part;
            fc.pre(search.trim() !== '');
            const signal = new AbortController().signal;
            const view = await arrangeRows(store, { ...noArrangement, search }, own, signal);
            const needle = search.trim().toLowerCase();
            const expected = all.flatMap((cells, each) =>
              cells.some((shown) => shown?.toLowerCase().includes(needle)) ? [each] : [],
            );
            expect(Array.from({ length: rowCount(view) }, (_, each) => storeRow(view, each))).toEqual(expected);
          },
        ),
        { numRuns: 200 },
      );
    },
  );

  it('passes over blocks of numbers that cannot hold a text, and looks at those that are mixed', async () => {
    const mixed = Array.from({ length: 9_000 }, (_, i) => ({ city: i, delay: i === 8_500 ? 'x' : i }));
    const store = await storeOf(columns, mixed);
    const signal = new AbortController().signal;
    const rowsFor = async (change: Partial<Arrangement>) => {
      const view = await arrangeRows(store, { ...noArrangement, ...change }, locale, signal);
      return Array.from({ length: rowCount(view) }, (_, each) => storeRow(view, each));
    };
    expect(await rowsFor({ search: 'x' })).toEqual([8_500]);
    expect(await rowsFor({ filters: { 1: 'x' } })).toEqual([8_500]);
    expect(await rowsFor({ filters: { 0: 'x' } })).toEqual([]);
    expect(await rowsFor({ filters: { 1: '<>x' } })).toHaveLength(8_999);
    expect(await rowsFor({ filters: { 1: '!null' } })).toHaveLength(9_000);
  });

  it('is given up when the signal fires', async () => {
    const store = await storeOf(
      columns,
      Array.from({ length: 200_000 }, (_, i) => ({ city: `c${i}`, delay: i })),
    );
    const stop = new AbortController();
    const view = arrangeRows(store, { ...noArrangement, search: 'zz' }, locale, stop.signal);
    stop.abort(new Error('enough'));
    await expect(view).rejects.toThrow('enough');
  });
});
