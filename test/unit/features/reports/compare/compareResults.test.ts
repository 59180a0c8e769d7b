import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  cellsEqual,
  compareResults,
  noTolerance,
  type Comparison,
  guessKeys,
  readTolerance,
} from '../../../../../src/features/reports/compare/compareResults.ts';
import { cellFormat } from '../../../../../src/features/reports/view/format/cellFormat.ts';
import { ComparisonSource } from '../../../../../src/features/reports/compare/comparisonSource.ts';
import { derivedStore } from '../../../../../src/features/reports/view/gridSource.ts';
import { arrangeRows, cellTexts } from '../../../../../src/features/reports/view/arrangedRows.ts';
import { storeOf, type TestColumn } from '../view/results.ts';

const locale = { language: 'en', timeZone: 'UTC' };
const columns: TestColumn[] = [
  { key: 'state', yurbitype: 'cha', headerText: 'State' },
  { key: 'city', yurbitype: 'cha', headerText: 'City' },
  { key: 'delay', yurbitype: 'num', headerText: 'Delay' },
];
const row = (state: string, city: string, delay: number | null) => ({ state, city, delay });
const byCity = { keys: ['city'], tolerance: noTolerance };

/** A comparison in plain arrays. */
function plain({ added, removed, changed, ...rest }: Comparison) {
  const pairs = Array.from(changed.before, (before, at) => ({ before, after: changed.after[at] ?? -1 }));
  return { ...rest, added: [...added], removed: [...removed], changed: pairs };
}

describe('comparing two results', () => {
  it('finds rows that were added, removed and changed, wherever they stand', async () => {
    const before = await storeOf(columns, [row('N', 'Oslo', 1), row('N', 'Bergen', 2), row('I', 'Rome', 3)]);
    const after = await storeOf(columns, [row('I', 'Rome', 3), row('N', 'Oslo', 9), row('I', 'Milan', 4)]);
    expect(plain(await compareResults(before, after, byCity))).toMatchObject({
      added: [2],
      removed: [1],
      changed: [{ before: 0, after: 1 }],
      equal: 1,
      hasDuplicates: false,
    });
  });

  it('takes a missing value for null, and neither for an empty text', async () => {
    const before = await storeOf(columns, [{ city: 'Oslo' }, { city: 'Rome', state: '' }]);
    const after = await storeOf(columns, [
      { city: 'Oslo', state: null },
      { city: 'Rome', state: null },
    ]);
    const { changed, equal } = plain(await compareResults(before, after, byCity));
    expect({ changed, equal }).toEqual({ changed: [{ before: 1, after: 1 }], equal: 1 });
  });

  it('pairs rows with the same key in their order', async () => {
    const before = await storeOf(columns, [row('N', 'Oslo', 1), row('N', 'Oslo', 2)]);
    const after = await storeOf(columns, [row('N', 'Oslo', 1), row('N', 'Oslo', 5), row('N', 'Oslo', 6)]);
    expect(plain(await compareResults(before, after, byCity))).toMatchObject({
      added: [2],
      removed: [],
      changed: [{ before: 1, after: 1 }],
      hasDuplicates: true,
    });
  });

  it('says so, too, where only the later result has rows that the keys do not tell apart', async () => {
    const [one, two] = [
      await storeOf(columns, [row('N', 'Oslo', 1)]),
      await storeOf(columns, [row('N', 'Oslo', 1), row('N', 'Oslo', 2)]),
    ];
    expect(plain(await compareResults(one, two, byCity))).toMatchObject({ added: [1], hasDuplicates: true });
    expect(plain(await compareResults(two, one, byCity))).toMatchObject({ removed: [1], hasDuplicates: true });
    expect(plain(await compareResults(one, one, byCity))).toMatchObject({ equal: 1, hasDuplicates: false });
  });

  it('aligns by number without keys, and tells which columns only one has', async () => {
    const before = await storeOf([columns[1]!, { key: 'old', headerText: 'Old' }], [{ city: 'Oslo', old: 1 }]);
    const after = await storeOf([columns[1]!, { key: 'new', headerText: 'New' }], [{ city: 'Rome' }, { city: 'Bari' }]);
    expect(plain(await compareResults(before, after, { keys: [], tolerance: noTolerance }))).toMatchObject({
      changed: [{ before: 0, after: 0 }],
      added: [1],
      onlyBefore: ['Old'],
      onlyAfter: ['New'],
    });
  });

  it('does not mix up keys whose values only join to the same text', async () => {
    const before = await storeOf(columns, [row('a', 'bc', 1)]);
    const after = await storeOf(columns, [row('ab', 'c', 1)]);
    const { added, removed } = plain(await compareResults(before, after, { ...byCity, keys: ['state', 'city'] }));
    expect([added, removed]).toEqual([[0], [0]]);
  });

  it('says of any two results what leads from one to the other', async () => {
    const record = fc.record({ city: fc.string(), delay: fc.integer() });
    const rows = fc.uniqueArray(record, { selector: ({ city }) => city });
    await fc.assert(
      fc.asyncProperty(rows, rows, async (old, now) => {
        const [before, after] = [await storeOf(columns, old), await storeOf(columns, now)];
        const found = plain(await compareResults(before, after, byCity));
        const names = (of: object[], at: readonly number[]) => at.map((each) => of[each]);
        const known = new Map(old.map((each) => [each.city, each]));
        const kept = now.filter(({ city }) => known.has(city));
        expect(names(now, found.added)).toEqual(now.filter(({ city }) => !known.has(city)));
        expect(names(old, found.removed)).toEqual(old.filter(({ city }) => !now.some((each) => each.city === city)));
        const changed = kept.filter(({ city, delay }) => known.get(city)?.delay !== delay);
        expect(found.changed.map((pair) => now[pair.after])).toEqual(changed);
        expect(found.equal).toBe(kept.length - changed.length);
      }),
      { numRuns: 50 },
    );
  });

  it('ends when it is no longer wanted', async () => {
    const many = await storeOf(
      columns,
      Array.from({ length: 50_000 }, (_, n) => row('N', `c${n}`, n)),
    );
    const reason = new Error('no longer wanted');
    await expect(compareResults(many, many, { ...byCity, signal: AbortSignal.abort(reason) })).rejects.toThrow(reason);
  });
});

describe('numbers that count as equal', () => {
  it.each([
    [1, 1.005, '0.01', true],
    [1, 1.02, '0.01', false],
    ['1.50', 1.5, '', true],
    [1.1, 1.11, '0.01', true],
    [1.1, 1.1101, '0.01', false],
    ['1.50', '1.5', '0.001', true],
    [200, 201, '1%', true],
    [200, 203, '1 %', false],
    ['Oslo', 'Rome', '100', false],
    [null, 0, '1', false],
    [null, undefined, '', true],
  ])('%j and %j within "%s": %s', (one, other, text, isEqual) => {
    expect(cellsEqual(one, other, { ...(readTolerance(text) ?? noTolerance), hasTextNumbers: true })).toBe(isEqual);
  });

  it('are numbers: digits in a column of texts are names', async () => {
    const years: TestColumn[] = [{ key: 'id', yurbitype: 'num' }, { key: 'zip', yurbitype: 'cha' }, columns[2]!];
    const before = await storeOf(years, [{ id: 1, zip: '100234', delay: '2.50' }]);
    const after = await storeOf(years, [{ id: 1, zip: '100235', delay: '2.5' }]);
    const within = { keys: ['id'], tolerance: readTolerance('1%')! };
    expect(plain(await compareResults(before, after, within)).changed).toHaveLength(1);
    const same = await storeOf(years, [{ id: 1, zip: '100234', delay: '2.5' }]);
    expect((await compareResults(before, same, { ...within, tolerance: noTolerance })).equal).toBe(1);
  });

  it.each(['-1', 'a', '1%%', '1e3'])('cannot be given as "%s"', (text) => expect(readTolerance(text)).toBeUndefined());
});

describe('the columns that tell rows apart', () => {
  it('are as few as needed from the left, and never numbers', async () => {
    const rows = [row('N', 'Oslo', 1), row('N', 'Bergen', 2), row('I', 'Rome', 3)];
    const store = await storeOf(columns, rows);
    expect(await guessKeys(store, store, locale)).toEqual(['state', 'city']);
    const states = await storeOf(columns, rows.slice(1));
    expect(await guessKeys(states, states, locale)).toEqual(['state']);
    const figures = await storeOf([columns[2]!], [{ delay: 1 }]);
    expect(await guessKeys(figures, figures, locale)).toEqual([]);
  });
});

const zones = { before: 'UTC', after: 'UTC' };
const shownAs = { tolerance: noTolerance, zones, locale };

describe('what is shown of a comparison', () => {
  it('has changed rows with both values, then added, then removed ones', async () => {
    const before = await storeOf(columns, [row('N', 'Oslo', 1), row('N', 'Bergen', null), row('I', 'Rome', 3)]);
    const after = await storeOf(columns, [row('N', 'Bergen', 2), row('I', 'Rome', 3), row('I', 'Milan', 4)]);
    const comparison = await compareResults(before, after, byCity);
    const kinds = { changed: 'changed', added: 'added', removed: 'removed' };
    const words = { ...kinds, change: 'Change', nullText: 'null' };
    const source = new ComparisonSource({ before, after }, comparison, shownAs, words);
    expect(source.columns.map(({ title }) => title)).toEqual(['Change', 'City', 'State', 'Delay']);
    expect(source.values(0, 10, [0, 1, 2, 3])).toEqual([
      ['changed', 'Bergen', 'N', 'null → 2'],
      ['added', 'Milan', 'I', 4],
      ['removed', 'Oslo', 'N', 1],
    ]);
    expect(source.values(1, 1, [1, 0])).toEqual([['Milan', 'added']]);
    // It is shown as any result is: sorted and filtered, with numbers as numbers.
    const view = await arrangeRows(
      await derivedStore(source),
      { sort: [{ column: 3, isDescending: true }], filters: { 0: '!=changed' }, search: '' },
      locale,
      new AbortController().signal,
    );
    expect(cellTexts(view, 0, 9)).toEqual([
      ['added', 'Milan', 'I', '4'],
      ['removed', 'Oslo', 'N', '1'],
    ]);
    expect(view.columns.map(({ format }) => format.kind)).toEqual(['text', 'text', 'text', 'number']);
  });
});

describe('times of two servers', () => {
  const times = [
    { key: 'at', yurbitype: 'dat' },
    { key: 'n', yurbitype: 'num' },
  ];
  const apart = { before: 'America/New_York', after: 'Asia/Kolkata' };
  const earlier = [
    { at: '2026-01-05T08:30:00', n: 1 },
    { at: '2026-07-05T08:30:00', n: 2 },
    { at: '2026-07-06T08:30:00', n: 3 },
  ];
  const later = [
    { at: '2026-01-05T19:00:00', n: 1 },
    { at: '2026-07-05T18:00:00', n: 5 },
  ];

  it('are compared as moments, as keys and as values, and shown in one zone', async () => {
    const [before, after] = [await storeOf(times, earlier), await storeOf(times, later)];
    const how = { tolerance: noTolerance, zones: apart };
    const byTime = await compareResults(before, after, { keys: ['at'], ...how });
    expect([byTime.equal, byTime.changed.after.length, byTime.added.length, byTime.removed.length]).toEqual([
      1, 1, 0, 1,
    ]);
    const byNumber = await compareResults(before, after, { keys: ['n'], ...how });
    expect([byNumber.equal, byNumber.changed.after.length]).toEqual([1, 0]);
    const words = { changed: 'changed', added: 'added', removed: 'removed', change: 'Change', nullText: 'null' };
    const shown = { language: 'en', timeZone: 'UTC', storedZone: apart.after };
    const source = new ComparisonSource({ before, after }, byTime, { ...how, locale: shown }, words);
    const { write } = cellFormat({ fieldType: 'dat', format: '', dataType: '' }, shown);
    expect(source.values(0, 9, [1]).map(([at]) => write(at))).toEqual(['2026-07-05 12:30:00', '2026-07-06 12:30:00']);
  });
});
