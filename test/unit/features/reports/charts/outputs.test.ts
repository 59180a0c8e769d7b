import { describe, expect, it } from 'vitest';
import type { ChartFigure, OutputKind } from '../../../../../src/contract/pages/chartFigure.ts';
import { buildChart, roundRange, chartText } from '../../../../../src/features/reports/charts/buildChart.ts';
import { columnRoles, outputKind } from '../../../../../src/features/reports/charts/chartContext.ts';
import { groupedSource } from '../../../../../src/features/reports/charts/groupedSource.ts';
import { pivotSource } from '../../../../../src/features/reports/charts/pivotSource.ts';
import { arrangeRows } from '../../../../../src/features/reports/view/arrangedRows.ts';
import type { Arrangement } from '../../../../../src/contract/pages/resultsPage.ts';
import { hostileTexts } from '../../../../support/webview/hostileTexts.ts';
import { outputWords } from './outputWords.ts';
import { storeOf, type TestColumn } from '../view/results.ts';

const locale = { language: 'en', timeZone: 'UTC' };
const { signal } = new AbortController();
const state: TestColumn = { key: 'state', yurbitype: 'cha', headerText: 'State' };
const year: TestColumn = { key: 'year', yurbitype: 'num', headerText: 'Year' };
const flights: TestColumn = { key: 'flights', yurbitype: 'num', headerText: 'Flights' };
const share: TestColumn = { key: 'share', yurbitype: 'per', headerText: 'Share' };

async function viewOf(columns: TestColumn[], rows: object[], arrangement: Partial<Arrangement> = {}, rest = {}) {
  const store = await storeOf(columns, rows, rest);
  return arrangeRows(store, { sort: [], filters: {}, search: '', ...arrangement }, locale, signal);
}

async function figureOf<K extends ChartFigure['kind']>(kind: OutputKind, as: K, ...view: Parameters<typeof viewOf>) {
  const chart = await buildChart(kind, await viewOf(...view), outputWords, signal);
  if (chart.figure.kind !== as) throw new Error(`drawn as ${chart.figure.kind}`);
  return { figure: chart.figure as Extract<ChartFigure, { kind: K }>, notes: chart.notes };
}

describe('what a report is shown as', () => {
  it('is decided by its output type; a data grid is the table itself', () => {
    expect([1, 2, 14, 12, '9', null, 5, 99].map(outputKind)).toEqual([
      undefined,
      'chart',
      'chart2',
      'groups',
      'treemap',
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('takes leading texts as categories, trailing numbers as measures, and numbers where categories lack', () => {
    const roles = (kind: OutputKind, ...kinds: ('text' | 'number')[]) =>
      columnRoles(
        kind,
        kinds.map((each) => ({
          format: { kind: each, isPlain: true, write: () => null, isFoundAsStored: () => true },
        })),
      );
    expect(roles('chart', 'text', 'number', 'number')).toEqual({ categories: [0], measures: [1, 2] });
    expect(roles('chart2', 'number', 'text', 'number')).toEqual({ categories: [0, 1], measures: [2] });
    expect(roles('skyline', 'number', 'number', 'number')).toEqual({ categories: [0, 1], measures: [2] });
    expect(roles('kpi', 'number')).toEqual({ categories: [], measures: [0] });
    expect(roles('chart', 'number')).toEqual({ categories: [], measures: [0] });
  });
});

describe('charts', () => {
  it('add up rows of one category, average shares, and say so', async () => {
    const rows = [
      { state: 'NY', flights: 2, share: 40 },
      { state: 'CA', flights: 5, share: 10 },
      { state: 'NY', flights: 3, share: 60 },
      { state: null, flights: null, share: null },
    ];
    const { figure, notes } = await figureOf('chart', 'axes', [state, flights, share], rows);
    expect(figure.category).toEqual({ title: 'State', labels: ['NY', 'CA', '(none)'] });
    expect(figure.series.map(({ name, axis, mark }) => [name, axis, mark])).toEqual([
      ['Flights', 0, 'bar'],
      ['Share', 1, 'bar'],
    ]);
    expect(figure.series.map(({ values }) => [...values])).toEqual([
      [5, 5, NaN],
      [50, 10, NaN],
    ]);
    expect(notes).toEqual(['averaged']);
  });

  it('add up numbers that come as text in columns of numbers', async () => {
    const rows = [
      { state: 'NY', flights: '2.50' },
      { state: 'NY', flights: 3 },
      { state: 'NY', flights: 'n/a' },
      { state: 'CA', flights: '-1' },
    ];
    const { figure } = await figureOf('chart', 'axes', [state, flights], rows);
    expect(figure.series.map(({ values }) => [...values])).toEqual([[5.5, -1]]);
  });

  it('follow the order and the filters of the view', async () => {
    const rows = [4, 9, 1].map((count, index) => ({ state: 'ABC'[index], flights: count }));
    const sort = [{ column: 1, isDescending: true }];
    const { figure } = await figureOf('chart', 'axes', [state, flights], rows, { sort, filters: { 0: '<>C' } });
    expect(figure.category.labels).toEqual(['B', 'A']);
  });

  it('draw lines along days and years in their order, however the rows come; backwards where all of them do', async () => {
    const day: TestColumn = { key: 'day', yurbitype: 'doz', headerText: 'Day' };
    const rows = [
      { day: '2024-03-10', state: 'NY', flights: 1 },
      { day: '2024-03-20', state: 'NY', flights: 2 },
      { day: null, state: 'NY', flights: 3 },
      { day: '2024-01-01', state: 'CA', flights: 4 },
      { day: '2024-03-11', state: 'CA', flights: 5 },
    ];
    const { figure } = await figureOf('chart', 'axes', [day, state, flights], rows);
    expect(figure.category.labels).toEqual(['2024-01-01', '2024-03-10', '2024-03-11', '2024-03-20', '(none)']);
    expect(figure.series.map(({ values }) => [...values])).toEqual([
      [NaN, 1, NaN, 2, 3],
      [4, NaN, 5, NaN, NaN],
    ]);
    const labels = async (kind: OutputKind, column: TestColumn, ...all: (string | number)[]) => {
      const sent = all.map((each) => ({ [column.key]: each, flights: 1 }));
      return (await figureOf(kind, 'axes', [column, flights], sent)).figure.category.labels;
    };
    expect(await labels('chart2', year, 10, 9, 11)).toEqual(['9', '10', '11']);
    expect(await labels('chart', year, 10, 9, 11)).toEqual(['10', '9', '11']);
    expect(await labels('chart', day, '2024-03-02', '2024-03-01')).toEqual(['2024-03-02', '2024-03-01']);
    const oracle: TestColumn = { key: 'at', yurbitype: 'tsp' };
    expect(await labels('chart', oracle, '02-MAR-24', '01-JAN-24', '03-FEB-24')).toHaveLength(3);
  });

  it('have names that can be drawn and told apart: in one line, forth, and a series for each of two equal titles', async () => {
    const rows = [{ state: 'a\r\nb\tc\u0001\u202ed\ud800', flights: 1, more: 2 }];
    const more: TestColumn = { key: 'more', yurbitype: 'num', headerText: 'Flights' };
    const { figure } = await figureOf('chart', 'axes', [state, flights, more], rows);
    expect(figure.category.labels).toEqual(['a↵b cd']);
    expect(figure.series.map(({ name }) => name)).toEqual(['Flights', 'Flights (2)']);
    const tree = await figureOf('treemap', 'tree', [state, flights], rows);
    expect(tree.figure.parts[0]?.name).toBe('a↵b cd');
  });

  it('hold nothing that the file of a picture cannot, whatever a server sends', () => {
    const drawn = [...hostileTexts, '\u0000\u0008\ufffe\uffff\udc00x'].map(chartText);
    expect(drawn.filter((text) => /[\u0000-\u001f\ufffe\uffff]/.test(text) || !text.isWellFormed())).toEqual([]);
    expect(chartText('Größe 👩‍💻 नमस्ते')).toBe('Größe 👩‍💻 नमस्ते');
  });

  it('draw a line per value of the second category along years, and bars beside lines for combos', async () => {
    const rows = [
      { year: 1990, state: 'NY', flights: 2 },
      { year: 1991, state: 'CA', flights: 5 },
    ];
    const { figure } = await figureOf('chart2', 'axes', [year, state, flights], rows);
    expect(figure.series.map(({ name, mark, values }) => [name, mark, ...values])).toEqual([
      ['NY', 'line', 2, NaN],
      ['CA', 'line', NaN, 5],
    ]);
    const combo = await figureOf('combo', 'axes', [state, flights, year], [{ state: 'NY', flights: 1, year: 1990 }]);
    expect(combo.figure.series.map(({ mark, axis }) => [mark, axis])).toEqual([
      ['bar', 0],
      ['line', 1],
    ]);
  });

  it('set the houses of a skyline side by side, a colour for each value of the first category', async () => {
    const rows = [1, 2].flatMap((day) => [8, 9].map((hour) => ({ year: day, hour, flights: day * hour })));
    const hour: TestColumn = { key: 'hour', yurbitype: 'num', headerText: 'Hour' };
    const { figure } = await figureOf('skyline', 'axes', [year, hour, flights], rows);
    expect(figure.isSkyline).toBe(true);
    expect(figure.category.labels).toEqual(['8', '9', '8', '9']);
    expect(figure.series.map(({ name, values }) => [name, ...values])).toEqual([
      ['Year 1', 8, 9, NaN, NaN],
      ['Year 2', NaN, NaN, 16, 18],
    ]);
  });

  it('give a skyline of many streets no more memory than one of few', async () => {
    const rows = Array.from({ length: 3000 }, (_, i) => ({ year: i, hour: i % 24, flights: i }));
    const hour: TestColumn = { key: 'hour', yurbitype: 'num', headerText: 'Hour' };
    const { figure } = await figureOf('skyline', 'axes', [year, hour, flights], rows);
    expect(figure.series).toHaveLength(60);
    expect(figure.series.at(-1)?.name).toBe('Others');
    const drawn = figure.series.flatMap(({ values }) => [...values]).filter((value) => !Number.isNaN(value));
    expect(drawn.reduce((sum, value) => sum + value, 0)).toBe((3000 * 2999) / 2);
  });

  it('add up groups that are shown under one text', async () => {
    const moment: TestColumn = { key: 'at', yurbitype: 'dat', headerText: 'At' };
    const rows = [
      { at: '2001-03-01T08:00:00.125', flights: 2 },
      { at: '2001-03-01T08:00:00.250', flights: 3 },
      { at: null, flights: 5 },
      { flights: 7 },
    ];
    const { figure } = await figureOf('chart', 'axes', [moment, flights], rows);
    expect(figure.series.map(({ values }) => [...values])).toEqual([[5, 12]]);
    const pivot = await pivotSource(
      await viewOf(
        [state, moment, flights],
        rows.map((row) => ({ ...row, state: 'NY' })),
      ),
      outputWords,
      signal,
    );
    expect(pivot.cells(0, 1)[0]?.slice(1)).toEqual(['12', '5']);
  });

  it('say that a second category leaves room for one measure', async () => {
    const rows = [{ state: 'NY', year: 1990, flights: 1, share: 5 }];
    const { notes } = await figureOf('chart2', 'axes', [year, state, flights, share], rows);
    expect(notes).toContain('only Flights');
  });

  it('put the smallest slices of a pie together, and leave out what has no size', async () => {
    const rows = Array.from({ length: 20 }, (_, i) => ({ state: `S${i}`, flights: i }));
    const { figure, notes } = await figureOf('pie', 'pie', [state, flights], rows);
    expect(figure.slices).toHaveLength(12);
    expect(figure.slices[0]).toEqual({ name: 'S19', value: 19 });
    expect(figure.slices[11]).toEqual({ name: 'Others', value: 36 });
    expect(figure.slices.reduce((sum, { value }) => sum + value, 0)).toBe(190);
    expect(notes).toEqual(['11 of 19', '1 not positive']);
  });

  it('nest the rectangles of a tree map, and keep names apart that only join alike', async () => {
    const city: TestColumn = { key: 'city', yurbitype: 'cha', headerText: 'City' };
    const rows = [
      { state: 'a', city: 'b:c', flights: 1 },
      { state: 'a:b', city: 'c', flights: 2 },
      { state: 'a', city: 'd', flights: 3 },
    ];
    const { figure } = await figureOf('treemap', 'tree', [state, city, flights], rows);
    expect(figure.parts.map(({ name, value, parts }) => [name, value, parts.length])).toEqual([
      ['a', 4, 2],
      ['a:b', 2, 1],
    ]);
  });

  it('show the first row of a KPI in words, and a share on a dial from 0 to 100', async () => {
    const kpi = await figureOf(
      'kpi',
      'kpi',
      [flights, share],
      [
        { flights: 1234, share: 80 },
        { flights: 1, share: 1 },
      ],
    );
    expect(kpi.figure.figures).toEqual([
      { label: 'Flights', text: '1,234' },
      { label: 'Share', text: '80%' },
    ]);
    expect(kpi.notes).toEqual(['1 of 2']);
    const sent: [unknown, string][] = [
      [null, '(none)'],
      ['', '(empty)'],
      ['12345678901234567890.50', '12,345,678,901,234,567,890.50'],
      [1e-12, '1E-12'],
      [-1.5e300, '-1.5E300'],
      ['n/a', 'n/a'],
    ];
    for (const [value, text] of sent) {
      const { figure } = await figureOf('kpi', 'kpi', [flights], [{ flights: value }]);
      expect(figure.figures[0]?.text).toBe(text);
    }
    const { figure } = await figureOf('gauge', 'gauge', [share], [{ share: 80 }]);
    expect(figure).toMatchObject({ value: 80, low: 0, high: 100, text: '80%' });
    expect((await figureOf('gauge', 'gauge', [flights], [{ flights: -1234.5 }])).figure.text).toBe('-1,234.5');
    expect([3, 70, 100, -4, 0].map(roundRange)).toEqual([
      [0, 5],
      [0, 100],
      [0, 200],
      [-5, 0],
      [0, 2],
    ]);
  });

  it('count rows where no column holds numbers, and say what is missing', async () => {
    const { figure } = await figureOf('chart', 'axes', [state], [{ state: 'NY' }, { state: 'NY' }]);
    expect(figure.series.map(({ name, values }) => [name, ...values])).toEqual([['Rows', 2]]);
    expect((await figureOf('pie', 'none', [state, flights], [])).figure.lack).toBe('noRows');
    expect((await figureOf('gauge', 'none', [state], [{ state: 'NY' }])).figure.lack).toBe('noMeasure');
    expect((await figureOf('map', 'none', [flights], [{ flights: 1 }])).figure.lack).toBe('noCategory');
  });

  it('say that there is no number, in place of a frame around nothing', async () => {
    const rows = [
      { state: 'NY', flights: null },
      { state: 'CA', flights: null },
    ];
    for (const kind of ['chart', 'chart2', 'combo', 'pie', 'treemap', 'map', 'gauge'] as const) {
      expect((await figureOf(kind, 'none', [state, flights], rows)).figure.lack).toBe('noNumber');
    }
    const columns = [state, { key: 'city', yurbitype: 'cha' }, flights];
    expect((await figureOf('skyline', 'none', columns, rows)).figure.lack).toBe('noNumber');
    const owed = [{ state: 'NY', flights: -1 }];
    for (const kind of ['pie', 'treemap'] as const) {
      const { figure, notes } = await figureOf(kind, 'none', [state, flights], owed);
      expect([figure.lack, notes]).toEqual(['noNumber', ['1 not positive']]);
    }
    expect((await figureOf('chart', 'axes', [state, flights], owed)).figure.series[0]?.values[0]).toBe(-1);
  });

  it('give a category without a character a name of its own, beside that of one without a value', async () => {
    const rows = ['', null, 'NY', '  '].map((name, at) => ({ state: name, flights: at + 1 }));
    const { figure } = await figureOf('pie', 'pie', [state, flights], rows);
    expect(figure.slices).toEqual([
      { name: '(empty)', value: 5 },
      { name: 'NY', value: 3 },
      { name: '(none)', value: 2 },
    ]);
  });

  it('hand on 100,000 points and say when there are more', async () => {
    const rows = Array.from({ length: 100_500 }, (_, i) => ({ state: `${i}`, flights: i }));
    const { figure, notes } = await figureOf('chart', 'axes', [state, flights], rows);
    expect(figure.series[0]?.values).toHaveLength(100_000);
    expect(figure.series[0]?.mark).toBe('line');
    expect(notes).toEqual(['100000 of 100500']);
  });
});

describe('a pivot', () => {
  it('has a row per value of the first category and columns in the order of their values', async () => {
    const rows = [
      { state: 'NY', year: 10, flights: 0.1 },
      { state: 'CA', year: 9, flights: 2 },
      { state: 'NY', year: 10, flights: 0.2 },
      { state: 'NY', year: 9, flights: null },
    ];
    const source = await pivotSource(await viewOf([state, year, flights], rows), outputWords, signal);
    expect(source.columns.map(({ title }) => title)).toEqual(['State', '9', '10']);
    expect(source.cells(0, 10)).toEqual([
      ['NY', '', '0.3'],
      ['CA', '2', ''],
    ]);
    expect(source.cells(1, 1, [1, 0])).toEqual([['2', 'CA']]);
    expect(source.notes).toEqual(['added']);
  });

  it('names each measure under the categories across it', async () => {
    const rows = [{ state: 'NY', size: 'Small', time: 'Day', flights: 1, share: 2 }];
    const columns = [state, { key: 'size', yurbitype: 'cha' }, { key: 'time', yurbitype: 'cha' }, flights, share];
    const source = await pivotSource(await viewOf(columns, rows), outputWords, signal);
    expect(source.columns.map(({ title }) => title)).toEqual(['State', 'Small · Day · Flights', 'Small · Day · Share']);
    expect(source.cells(0, 1)).toEqual([['NY', '1', '2%']]);
  });
});

describe('a sorted pivot', () => {
  const rows = [
    { state: 'NY', year: 10, flights: 1 },
    { state: 'CA', year: 9, flights: 2 },
    { state: 'TX', year: 10, flights: 3 },
  ];
  const linesOf = async (arrangement: Partial<Arrangement>) => {
    const source = await pivotSource(await viewOf([state, year, flights], rows, arrangement), outputWords, signal);
    return source.cells(0, 10).map(([name]) => name);
  };

  it('has its lines in the order of a column of its own; those without a number come last', async () => {
    expect(await linesOf({ lines: { key: '10', isDescending: true } })).toEqual(['TX', 'NY', 'CA']);
    expect(await linesOf({ lines: { key: '10', isDescending: false } })).toEqual(['NY', 'TX', 'CA']);
  });

  it('follows its rows where there is no such column', async () => {
    expect(await linesOf({ lines: { key: '1999', isDescending: true } })).toEqual(['NY', 'CA', 'TX']);
    expect(await linesOf({ sort: [{ column: 0, isDescending: true }] })).toEqual(['TX', 'NY', 'CA']);
  });
});

describe('sorted groups', () => {
  const month: TestColumn = { key: 'month', yurbitype: 'num', headerText: 'Month' };
  const rows = [
    { state: 'CA', month: 1, flights: 5 },
    { state: 'CA', month: 2, flights: 1 },
    { state: 'NY', month: 1, flights: 7 },
    { state: 'NY', month: 2, flights: 8 },
    { state: 'TX', month: 1, flights: 20 },
  ];
  const total = (val: number | string | null, ...values: (string | number)[]) => ({
    level: values.length,
    keys: values.map((each, at) => ({ key: at === 0 ? 'state' : 'month', val: each })),
    totals: [{ key: 'flights', func: 'SUM', val }],
  });
  const byState = { groups: ['state'], GroupMetadata: [total(6, 'CA'), total('15', 'NY'), total(20, 'TX')] };
  const linesOf = async (arrangement: Partial<Arrangement>, rest: object = byState) => {
    const view = await viewOf([state, month, flights], rows, arrangement, rest);
    const source = await groupedSource(view, outputWords, signal);
    const levels = source?.levels(0, 20) ?? [];
    return source?.cells(0, 20).map((cells, line) => cells[levels[line] === 0 ? 2 : (levels[line] ?? 0) - 1]);
  };
  const by = (column: number, isDescending: boolean) => ({ sort: [{ column, isDescending }] });

  it('have their values in the direction asked for', async () => {
    expect(await linesOf(by(0, true))).toEqual(['TX (1)', '20', 'NY (2)', '7', '8', 'CA (2)', '5', '1']);
  });

  it('follow the totals of the column sorted by, and their rows its cells', async () => {
    expect(await linesOf(by(2, true))).toEqual(['TX (1)', '20', 'NY (2)', '8', '7', 'CA (2)', '5', '1']);
    expect(await linesOf(by(2, false))).toEqual(['CA (2)', '1', '5', 'NY (2)', '7', '8', 'TX (1)', '20']);
  });

  it('do so on each level; groups without a total come last', async () => {
    const groups = {
      groups: ['state', 'month'],
      GroupMetadata: [
        ...[total(6, 'CA'), total(15, 'NY'), total(null, 'TX')],
        ...[total(5, 'CA', 1), total(1, 'CA', 2), total(7, 'NY', 1), total(8, 'NY', 2)],
      ],
    };
    expect(await linesOf(by(2, true), groups)).toEqual([
      ...['NY (2)', '2 (1)', '8', '1 (1)', '7'],
      ...['CA (2)', '1 (1)', '5', '2 (1)', '1'],
      ...['TX (1)', '1 (1)', '20'],
    ]);
  });

  it('are in the order of their values where filters leave no totals', async () => {
    expect(await linesOf({ ...by(2, true), filters: { 2: '>1' } })).toEqual([
      ...['CA (1)', '5', 'NY (2)', '8', '7', 'TX (1)', '20'],
    ]);
  });
});

describe('groups', () => {
  const rows = [
    { state: 'CA', flights: 5 },
    { state: 'CA', flights: 7 },
    { state: null, flights: 1 },
  ];
  const total = (level: number, val: number, keys: object[], percent: number | null = null) => ({
    level,
    keys,
    totals: [{ key: 'flights', func: 'SUM', val, percent }],
  });
  const rest = {
    groups: ['state', 'gone'],
    GroupMetadata: [
      total(0, 13, []),
      total(1, 12, [{ key: 'state', val: 'CA' }], 92.31),
      total(1, 1, [{ key: 'state', val: null }]),
      { level: 'odd' },
    ],
  };

  it('have headings with the totals that the server sent, and the totals of all at the end', async () => {
    const source = await groupedSource(await viewOf([state, flights], rows, {}, rest), outputWords, signal);
    expect(source?.cells(0, 10)).toEqual([
      ['CA (2)', '12 (92.3 %)'],
      ['CA', '5'],
      ['CA', '7'],
      ['(none) (1)', '1'],
      [null, '1'],
      ['All', '13'],
    ]);
    expect(source?.levels(0, 10)).toEqual([1, 0, 0, 1, 0, -1]);
    expect(source?.rows).toBe(6);
    expect([0, 1, 2, 3, 4, 5].map((line) => source?.storeRow?.(line))).toEqual([
      undefined,
      0,
      1,
      undefined,
      2,
      undefined,
    ]);
  });

  it('count in plain numbers, whatever the column holds', async () => {
    const seen: TestColumn = { key: 'seen', yurbitype: 'udt' };
    const counts = ['share', 'seen'].map((key) => ({ key, func: 'COUNT', val: 1200 }));
    const metadata = [{ level: 0, keys: [], totals: counts }];
    const view = await viewOf(
      [state, share, seen],
      [{ state: 'CA', share: 5, seen: 1e9 }],
      {},
      { GroupMetadata: metadata },
    );
    const source = await groupedSource(view, outputWords, signal);
    expect(source?.cells(1, 1)).toEqual([['All', 'count 1,200', 'count 1,200']]);
  });

  it('may be missing while there are totals of all', async () => {
    const { GroupMetadata } = rest;
    const view = await viewOf([state, flights], rows, {}, { GroupMetadata });
    const source = await groupedSource(view, outputWords, signal);
    expect(source?.cells(2, 10)).toEqual([
      [null, '1'],
      ['All', '13'],
    ]);
  });

  it('stay together when sorted, and have no totals while filtered', async () => {
    const mixed = [rows[0], rows[2], rows[1]].map((row) => ({ ...row }));
    const sort = [{ column: 1, isDescending: true }];
    const sorted = await groupedSource(await viewOf([state, flights], mixed, { sort }, rest), outputWords, signal);
    expect(sorted?.cells(0, 10).map(([first, second]) => `${first} ${second}`)).toEqual([
      'CA (2) 12 (92.3 %)',
      'CA 7',
      'CA 5',
      '(none) (1) 1',
      'null 1',
      'All 13',
    ]);
    const filtered = await viewOf([state, flights], rows, { filters: { 1: '>5' } }, rest);
    const source = await groupedSource(filtered, outputWords, signal);
    expect(source?.cells(0, 10)).toEqual([
      ['CA (1)', ''],
      ['CA', '7'],
    ]);
    expect(source?.notes).toEqual(['no totals']);
  });

  it('are none where the server names none', async () => {
    expect(await groupedSource(await viewOf([state, flights], rows), outputWords, signal)).toBeUndefined();
  });
});
