import { afterEach, describe, expect, it, vi } from 'vitest';
import { Pacer } from '../../../../../src/client/results/pacer.ts';
import { readResult } from '../../../../../src/client/results/readResult.ts';
import { unpackRows } from '../../../../../src/contract/pages/resultCells.ts';
import { ResultView } from '../../../../../src/features/reports/view/resultView.ts';
import {
  copyLines,
  lineWindow,
  linkAt,
  resultRow,
  tableSource,
} from '../../../../../src/features/reports/view/displayedRows.ts';
import type { CopyParams } from '../../../../../src/contract/pages/resultCells.ts';
import { chunksOf, replyText, storeOf, type TestColumn } from './results.ts';
import { outputWords } from '../charts/outputWords.ts';

const locale = { language: 'en', timeZone: 'UTC' };
const columns: TestColumn[] = [
  { key: 'city', yurbitype: 'cha', headerText: 'City' },
  { key: 'site', yurbitype: 'lnk', headerText: 'Site', width: 300 },
];

const options = { locale, words: { typeName: () => 'text', output: outputWords }, output: undefined, isTable: false };

/** Rows of view `view`; null if it is gone. */
function windowOf(screen: ResultView, view: number, start: number, count: number) {
  const shown = screen.at(view);
  return shown === undefined ? null : lineWindow(shown, start, count);
}

async function copyOf(screen: ResultView, params: CopyParams, isSafe?: boolean) {
  const shown = screen.at(params.view);
  return shown === undefined ? null : copyLines(shown, params, isSafe);
}

function drillRowOf(screen: ResultView, view: number, row: number) {
  const shown = screen.at(view);
  return shown && resultRow(shown, row);
}

function linkOf(screen: ResultView, view: number, row: number, column: number) {
  const shown = screen.at(view);
  return shown && linkAt(shown, row, column);
}

function listen() {
  const told: string[] = [];
  return { told, listener: { gridChanged: () => void told.push('changed'), gridGrew: () => void told.push('grew') } };
}

async function screenOf(rows: object[]) {
  const { told, listener } = listen();
  return { told, screen: new ResultView(await storeOf(columns, rows), options, listener) };
}

describe('the view of a result', () => {
  it('packs windows, and no larger ones than a page may want', async () => {
    const { screen } = await screenOf(Array.from({ length: 3_000 }, (_, n) => ({ city: `c${n}` })));
    const { view } = screen.shape;
    const window = windowOf(screen, view, 2_998, 100);
    expect(window === null ? null : unpackRows(window)).toEqual([
      ['c2998', null],
      ['c2999', null],
    ]);
    expect(windowOf(screen, view, 0, 1e9)?.count).toBe(1_000);
  });

  it('packs the beginning of long texts, and lines in one; a cell and a copy have all of it', async () => {
    const long = `${'x'.repeat(999)}😀 and more`;
    const { screen } = await screenOf([{ city: long, site: 'one\r\ntwo\nthree' }]);
    const { view, first } = screen.shape;
    expect(unpackRows(first)).toEqual([[`${'x'.repeat(999)}…`, 'one↵two↵three']]);
    expect(screen.cell(view, 0, 0)?.shown).toBe(long);
    expect(screen.cell(view, 0, 1)?.shown).toBe('one\r\ntwo\nthree');
    expect(await copyOf(screen, { view, firstRow: 0, lastRow: 0, columns: [0], withHeaders: false })).toBe(long);
  });

  it('lays out JSON in a whole cell with the digits, keys and texts that it has', async () => {
    const tree = '{"id":12345678901234567890,"1":1.10,"a":{"b":[],"c":[1,{"d":"x,{\\"y\\""}]},"e":{}}';
    const text = `{"Columns":[{"key":"tree"}],"Data":[{"tree":${tree}}]}`;
    const { store, done } = readResult(chunksOf(text, 1e6));
    await done;
    const screen = new ResultView(store, options, listen().listener);
    expect(screen.cell(screen.shape.view, 0, 0)?.stored).toBe(`{
  "id": 12345678901234567890,
  "1": 1.10,
  "a": {
    "b": [],
    "c": [
      1,
      {
        "d": "x,{\\"y\\""
      }
    ]
  },
  "e": {}
}`);
  });

  it('tells the first and the last of the dates that are selected, and adds up none', async () => {
    const moments: TestColumn[] = [
      { key: 'unix', yurbitype: 'udt' },
      { key: 'day', yurbitype: 'doz' },
      { key: 'utc', yurbitype: 'dat' },
      { key: 'odd', yurbitype: 'tsp' },
      { key: 'n', yurbitype: 'num' },
    ];
    const rows = [
      { unix: 978_352_200, day: '2001-01-01T00:00:00', utc: '2001-03-25T00:30:00', odd: '01-JAN-01', n: 4 },
      { unix: '86400', day: '1999-12-31', utc: '2001-03-25T03:30:00+02:00', odd: '02-JAN-00', n: 5 },
      { unix: null, day: null, utc: '2001-03-25T01:00:00Z', odd: null, n: null },
    ];
    const berlin = { ...options, locale: { language: 'en', timeZone: 'Europe/Berlin' } };
    const screen = new ResultView(await storeOf(moments, rows), berlin, listen().listener);
    const { view } = screen.shape;
    const figures = (...selected: number[]) => screen.figures({ view, firstRow: 0, lastRow: 2, columns: selected });
    expect(await figures(0)).toMatchObject({
      nulls: 1,
      numbers: 0,
      min: '1970-01-02 01:00:00',
      max: '2001-01-01 13:30:00',
    });
    expect(await figures(0)).not.toHaveProperty('sum.text');
    expect(await figures(1)).toMatchObject({ min: '1999-12-31', max: '2001-01-01' });
    // The clocks are put forward between the first two.
    expect(await figures(2)).toMatchObject({ min: '2001-03-25 01:30:00', max: '2001-03-25 03:30:00' });
    expect(await figures(1, 0)).toMatchObject({ min: '1970-01-02 01:00:00', max: '2001-01-01 13:30:00' });
    expect((await figures(3))?.min).toBeUndefined();
    expect(await figures(0, 4)).toMatchObject({ numbers: 2, sum: { text: '9' }, min: '4', max: '5' });
  });

  it('has columns with titles, kinds and widths, and the first rows', async () => {
    const { screen } = await screenOf([{ city: 'Oslo', site: 'https://oslo.no' }]);
    const { columns: shown, rows, totalRows, first } = screen.shape;
    expect(shown.map(({ title, kind, leastWidth = 0 }) => ({ title, kind, isWide: leastWidth >= 300 }))).toEqual([
      { title: 'City', kind: 'text', isWide: false },
      { title: 'Site', kind: 'link', isWide: true },
    ]);
    expect({ rows, totalRows, first: unpackRows(first) }).toEqual({
      rows: 1,
      totalRows: 1,
      first: [['Oslo', 'https://oslo.no']],
    });
  });

  it('shows a pivot whose first column is one of the result, with its distribution; the others have none', async () => {
    const { listener } = listen();
    const rows = [
      { city: 'Oslo', year: 1, flights: 1 },
      { city: 'Oslo', year: 2, flights: 2 },
      { city: 'Bergen', year: 1, flights: 3 },
    ];
    const numbers: TestColumn[] = [
      { key: 'year', yurbitype: 'num' },
      { key: 'flights', yurbitype: 'num' },
    ];
    const store = await storeOf([{ key: 'city', yurbitype: 'cha' }, ...numbers], rows);
    const screen = new ResultView(store, { ...options, output: 'pivot' }, listener);
    await screen.arrange({ sort: [], filters: { 1: '1' }, search: '' });
    const { view, columns: shown, filteredRows } = screen.shape;
    expect(shown.map(({ key, ofResult }) => [key, ofResult])).toEqual([
      ['city', 0],
      ['1', null],
    ]);
    expect(filteredRows).toBe(2);
    expect(await screen.profile(view, 0)).toMatchObject({ column: 0, rows: 2, distinct: 2 });
    expect(await screen.profile(view, 1)).toBeNull();
  });

  it('gives no rows of a view that is gone', async () => {
    const { screen, told } = await screenOf([{ city: 'B' }, { city: 'A' }]);
    const { view } = screen.shape;
    expect(windowOf(screen, view, 0, 5)?.count).toBe(2);
    await screen.arrange({ sort: [{ column: 0, isDescending: false }], filters: {}, search: '' });
    expect(told).toEqual(['changed']);
    expect(windowOf(screen, view, 0, 5)).toBeNull();
    const next = windowOf(screen, screen.shape.view, 0, 5);
    expect(next && unpackRows(next)).toEqual([
      ['A', null],
      ['B', null],
    ]);
  });

  it('shows only the arrangement that was asked for last', async () => {
    const { screen, told } = await screenOf(Array.from({ length: 100_000 }, (_, i) => ({ city: `c${i}` })));
    const first = screen.arrange({ sort: [], filters: {}, search: 'c1' });
    const second = screen.arrange({ sort: [], filters: {}, search: 'c99999' });
    await Promise.all([first, second]);
    expect(told).toEqual(['changed']);
    expect(screen.shape.rows).toBe(1);
  });

  it('copies a rectangle as it is shown, with titles when wanted', async () => {
    const { screen } = await screenOf([
      { city: 'Oslo', site: 'https://oslo.no' },
      { city: 'a\tb "c"', site: null },
    ]);
    const { view } = screen.shape;
    const copy = { view, firstRow: 0, lastRow: 1, columns: [1, 0], withHeaders: true };
    expect(await copyOf(screen, copy)).toBe('Site\tCity\nhttps://oslo.no\tOslo\n\t"a\tb ""c"""');
    expect(await copyOf(screen, { ...copy, columns: [0, 7], lastRow: 500, withHeaders: false })).toBe(
      'Oslo\n"a\tb ""c"""',
    );
    expect(await copyOf(screen, { ...copy, view: view - 1 })).toBeNull();
  });

  it('copies text that begins like a formula as text, when wanted, and leaves numbers as they are', async () => {
    const texts = ['=1+1', '+1-cmd|x', '@SUM(A1)', '-1,234.50', '+5 %', '-2\u00a0000', 'Oslo', '＝x', '', '\t=1'];
    const { screen } = await screenOf(texts.map((city) => ({ city })));
    const copy = { view: screen.shape.view, firstRow: 0, lastRow: 20, columns: [0], withHeaders: false };
    expect((await copyOf(screen, copy, true))?.split('\n')).toEqual([
      ...["'=1+1", "'+1-cmd|x", "'@SUM(A1)", '-1,234.50', '+5 %', '-2\u00a0000', 'Oslo', "'＝x", ''],
      `"'\t=1"`,
    ]);
    expect((await copyOf(screen, copy))?.split('\n')[0]).toBe('=1+1');
  });

  it('leads on from the columns that linked reports take, and hands over the row as it is stored', async () => {
    const { listener } = listen();
    const store = await storeOf(columns, [{ city: 'Oslo', site: 'https://oslo.no' }, { city: 'Bergen' }]);
    const screen = new ResultView(store, { ...options, linked: new Set(['city', 'site']) }, listener);
    // A link of its own is followed to where it leads.
    expect(screen.shape.columns.map(({ leadsOn }) => leadsOn)).toEqual([true, false]);
    await screen.arrange({ sort: [{ column: 0, isDescending: false }], filters: {}, search: '' });
    const { view } = screen.shape;
    expect(drillRowOf(screen, view, 1)).toEqual({ city: 'Oslo', site: 'https://oslo.no' });
    expect([drillRowOf(screen, view, 2), drillRowOf(screen, view - 1, 0)]).toEqual([undefined, undefined]);
  });

  it('leads on as the result says, which may come last', async () => {
    const leading = async (ContainsDrilldown: boolean, linked: string[]) => {
      const store = await storeOf(columns, [{ city: 'Oslo' }], { ContainsDrilldown });
      const screen = new ResultView(store, { ...options, linked: new Set(linked) }, listen().listener);
      return screen.shape.columns.map(({ leadsOn }) => leadsOn);
    };
    expect(await leading(false, ['city'])).toEqual([false, false]);
    expect(await leading(true, ['city'])).toEqual([true, false]);
    // Nothing says by which column.
    expect(await leading(true, [])).toEqual([true, false]);
  });

  it('finds the next cell in the order shown, either way and round the ends, in the columns shown', async () => {
    const rows = ['Oslo', 'Rome', 'Solna', 'Lima'].map((city, at) => ({ city, site: at === 1 ? 'so' : null }));
    const { screen } = await screenOf(rows);
    await screen.arrange({ sort: [{ column: 0, isDescending: true }], filters: {}, search: '' });
    const { view } = screen.shape;
    const from = (row: number, place: number, change: object = {}) =>
      screen.find(view, {
        text: 'SO',
        row,
        place,
        columns: [1, 0],
        ...{ isBackward: false, isFromHere: false },
        ...change,
      });
    // Solna, Rome, Oslo, Lima.
    expect(await from(-1, 0)).toEqual({ row: 0, place: 1, rows: 2 });
    expect(await from(0, 1)).toEqual({ row: 1, place: 0, rows: 2 });
    expect(await from(0, 1, { isFromHere: true })).toEqual({ row: 0, place: 1, rows: 2 });
    expect(await from(1, 0)).toEqual({ row: 0, place: 1, rows: 2 });
    expect(await from(0, 1, { isBackward: true })).toEqual({ row: 1, place: 0, rows: 2 });
    expect(await from(3, 0, { isBackward: true, columns: [0] })).toEqual({ row: 0, place: 0, rows: 1 });
    expect(await from(0, 0, { columns: [0] })).toEqual({ row: 0, place: 0, rows: 1 });
    expect(await from(0, 0, { text: 'nowhere' })).toBeNull();
    expect(
      await screen.find(view - 1, { text: 'o', row: 0, place: 0, columns: [0], isBackward: false, isFromHere: true }),
    ).toBeNull();
  });

  it('exports the columns that are shown, in their order', async () => {
    const { screen } = await screenOf([{ city: 'Oslo', site: null }]);
    expect(tableSource(screen.displayed, 'Cities', [1]).columns).toEqual([1]);
    expect(tableSource(screen.displayed, 'Cities', [1, 0, 9]).columns).toEqual([1, 0]);
    expect(tableSource(screen.displayed, 'Cities').columns).toEqual([0, 1]);
  });

  it('opens addresses of link cells only', async () => {
    const { screen } = await screenOf([{ city: 'https://oslo.no', site: 'https://oslo.no' }, { site: 'javascript:1' }]);
    const { view } = screen.shape;
    expect(linkOf(screen, view, 0, 1)?.href).toBe('https://oslo.no/');
    expect([
      linkOf(screen, view, 0, 0),
      linkOf(screen, view, 1, 1),
      linkOf(screen, view, 9, 1),
      linkOf(screen, 0, 0, 1),
    ]).toEqual(Array.from({ length: 4 }, () => undefined));
  });
});

describe('a result that still comes', () => {
  afterEach(() => vi.restoreAllMocks());

  /** A screen on a reply that arrives in two halves; `finish` lets the second one come. */
  async function growing(text: string, firstHalf: number) {
    let finish = (): void => undefined;
    const gate = new Promise<void>((resolve) => (finish = resolve));
    const { store, done } = readResult(chunksOf(text, firstHalf, () => gate));
    await new Promise<void>((resolve) => {
      const listening = store.onDidGrow(() => {
        listening.dispose();
        resolve();
      });
    });
    const { told, listener } = listen();
    const screen = new ResultView(store, options, listener);
    return { screen, told, store, finish: async () => (finish(), await done) };
  }

  const rows = Array.from({ length: 1_000 }, (_, i) => ({ city: `c${i}`, site: i % 2 === 0 ? 'even' : 'odd' }));

  it('grows in place, filtered or not', async () => {
    const text = replyText(columns, rows);
    const { screen, told, store, finish } = await growing(text, Math.floor(text.length / 2));
    await screen.arrange({ sort: [], filters: { 1: 'odd' }, search: '' });
    const { view, rows: before } = screen.shape;
    expect(before).toBe(Math.floor(store.rowCount / 2));
    await finish();
    await screen.follow();
    expect(told).toEqual(['changed', 'grew']);
    expect(screen.growth).toEqual({ view, rows: 500, totalRows: 1_000 });
    const last = windowOf(screen, view, 499, 1);
    expect(last && unpackRows(last)).toEqual([['c999', 'odd']]);
  });

  it('is sorted again once all rows have arrived', async () => {
    const text = replyText(columns, rows);
    const { screen, finish } = await growing(text, Math.floor(text.length / 2));
    await screen.arrange({ sort: [{ column: 0, isDescending: true }], filters: {}, search: '' });
    const { view } = screen.shape;
    await finish();
    await screen.follow();
    expect(screen.shape.view).not.toBe(view);
    expect(unpackRows(screen.shape.first)[0]).toEqual(['c999', 'odd']);
  });

  /** Holds the work that is cut into slices at its next pause, until `open` is called. */
  function holdWork() {
    let open = (): void => undefined;
    let reached = (): void => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    const atPause = new Promise<void>((resolve) => (reached = resolve));
    vi.spyOn(Pacer.prototype, 'isDue', 'get').mockReturnValue(true);
    const pause = vi.spyOn(Pacer.prototype, 'pause').mockImplementationOnce(async () => {
      reached();
      await gate;
    });
    pause.mockResolvedValue(undefined);
    return { atPause, open };
  }

  const byCity = { sort: [{ column: 0, isDescending: true }], filters: {}, search: '' };

  it.each([
    ['sorted', byCity, 1_000],
    ['filtered', { sort: [], filters: { 1: 'odd' }, search: '' }, 500],
  ])('holds the rows that came while it was being %s', async (_, arrangement, expected) => {
    const text = replyText(columns, rows);
    const { screen, finish } = await growing(text, Math.floor(text.length / 2));
    const { atPause, open } = holdWork();
    const arranging = screen.arrange(arrangement);
    await atPause;
    const following = screen.follow();
    await finish();
    const last = screen.follow();
    open();
    await Promise.all([arranging, following, last]);
    expect(screen.shape.rows).toBe(expected);
    expect(screen.shape.arrangement).toEqual(arrangement);
  });

  it('looks once more at what came while it was following', async () => {
    const text = replyText(columns, rows);
    const { screen, finish } = await growing(text, Math.floor(text.length / 2));
    await screen.arrange(byCity);
    // More than twice as many rows, or the last ones, are sorted again.
    await finish();
    const { atPause, open } = holdWork();
    const following = screen.follow();
    await atPause;
    const shown = screen.arrange({ ...byCity, filters: { 1: 'even' } });
    open();
    await Promise.all([following, shown]);
    expect(screen.shape).toMatchObject({ rows: 500, totalRows: 1_000, arrangement: { filters: { 1: 'even' } } });
  });

  it('keeps its arrangement by key when the columns change under it', async () => {
    const data = JSON.stringify(rows).slice(1, -1);
    const listed = JSON.stringify([{ key: 'site' }, { key: 'city' }]);
    const text = `{"HasError":false,"Data":[${data}],"Columns":${listed}}`;
    const { screen, finish } = await growing(text, Math.floor(text.length / 2));
    expect(screen.shape.columns.map(({ title }) => title)).toEqual(['city', 'site']);
    await screen.arrange({ sort: [{ column: 0, isDescending: true }], filters: { 1: 'odd' }, search: '' });
    await finish();
    await screen.follow();
    expect(screen.shape.columns.map(({ title }) => title)).toEqual(['site', 'city']);
    expect(screen.shape.arrangement).toEqual({
      sort: [{ column: 1, isDescending: true }],
      filters: { 0: 'odd' },
      search: '',
    });
    expect(unpackRows(screen.shape.first)[0]).toEqual(['odd', 'c999']);
  });
});
