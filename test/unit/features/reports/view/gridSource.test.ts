import { describe, expect, it } from 'vitest';
import { syntheticResult } from '../../../../../src/client/results/syntheticResult.ts';
import { copyText } from '../../../../../src/features/reports/view/copy/copyForms.ts';
import { derivedLines, rectangleSource, tableSource } from '../../../../../src/features/reports/view/displayedRows.ts';
import { ResultView } from '../../../../../src/features/reports/view/resultView.ts';
import { outputWords } from '../charts/outputWords.ts';
import { storeOf } from './results.ts';

const columns = [
  { key: 'state', yurbitype: 'cha', headerText: 'State' },
  { key: 'year', yurbitype: 'cha', headerText: 'Year' },
  { key: 'flights', yurbitype: 'num', headerText: 'Flights' },
];
const rows = [
  { state: 'CA', year: 'a', flights: 5 },
  { state: 'CA', year: 'b', flights: 7 },
  { state: 'NY', year: 'a', flights: 1 },
];
const total = (level: number, val: number, keys: object[]) => ({
  level,
  keys,
  totals: [{ key: 'flights', func: 'SUM', val }],
});
const grouping = {
  groups: ['state'],
  GroupMetadata: [
    total(0, 13, []),
    total(1, 12, [{ key: 'state', val: 'CA' }]),
    total(1, 1, [{ key: 'state', val: 'NY' }]),
  ],
};

async function screenOf(output: 'groups' | 'pivot') {
  const options = { locale: { language: 'en', timeZone: 'UTC' }, isTable: false, output };
  const words = { typeName: () => '', output: outputWords };
  const store = await storeOf(columns, rows, grouping);
  const listener = { gridChanged: () => undefined, gridGrew: () => undefined };
  const screen = new ResultView(store, { ...options, words }, listener);
  await screen.follow();
  const select = (firstRow: number, lastRow: number, of: number[]) => ({
    view: screen.shape.view,
    firstRow,
    lastRow,
    columns: of,
  });
  const csv = async (first: number, last: number, of: number[]) => {
    return copyText(await rectangleSource(screen.displayed, select(first, last, of), 'Flights'), 'csv');
  };
  return { screen, select, csv };
}

describe('rows with the headings of their groups', () => {
  it('are copied in any form as they are shown, with numbers as numbers', async () => {
    const { csv } = await screenOf('groups');
    expect(await csv(0, 9, [0, 2])).toBe(
      'State,Flights\r\nCA (2),12\r\nCA,5\r\nCA,7\r\nNY (1),1\r\nNY,1\r\nAll,13\r\n',
    );
    expect(await csv(1, 2, [2, 1])).toBe('Flights,Year\r\n5,a\r\n7,b\r\n');
  });

  it('are summed up without their totals, unless these are all that is selected', async () => {
    const { screen, select } = await screenOf('groups');
    const sum = async (...cells: Parameters<typeof select>) => {
      const { numbers, sum: figure } = (await screen.figures(select(...cells))) ?? {};
      return [numbers, figure?.text];
    };
    expect(await sum(0, 5, [2])).toEqual([3, '13']);
    expect(await sum(0, 2, [0, 2])).toEqual([2, '12']);
    expect(await sum(5, 5, [2])).toEqual([1, '13']);
    expect(await sum(0, 0, [2])).toEqual([1, '12']);
  });

  it('are exported as they are shown, or as the rows that they are made from', async () => {
    const { screen } = await screenOf('groups');
    const { signal } = new AbortController();
    const shown = derivedLines(screen.displayed, 'Flights');
    expect(shown?.rows).toBe(6);
    const lines = await shown?.make(signal);
    expect(lines?.store.rowCount).toBe(6);
    expect(lines?.store.columns.map(({ key, fieldType }) => [key, fieldType])).toEqual([
      ['state', 'cha'],
      ['year', 'cha'],
      ['flights', 'num'],
    ]);
    expect(tableSource(screen.displayed, 'Flights').store.rowCount).toBe(3);
    await screen.present(true);
    expect(derivedLines(screen.displayed, 'Flights')).toBeUndefined();
  });

  it('end being made when nobody wants them any more', async () => {
    const { screen } = await screenOf('groups');
    const stop = new AbortController();
    stop.abort(new Error('no longer wanted'));
    await expect(derivedLines(screen.displayed, 'Flights')?.make(stop.signal)).rejects.toThrow('no longer wanted');
  });
});

describe('a pivot', () => {
  it('is copied with numbers, and with nothing where nothing occurs', async () => {
    const { csv } = await screenOf('pivot');
    expect(await csv(0, 9, [0, 1, 2])).toBe('State,a,b\r\nCA,5,7\r\nNY,1,\r\n');
  });

  it('is summed up', async () => {
    const { screen, select } = await screenOf('pivot');
    const figures = await screen.figures(select(0, 1, [1, 2]));
    expect(figures).toMatchObject({ cells: 4, numbers: 3, nulls: 1, sum: { text: '13' }, max: '7' });
  });
});

describe('a result made here', () => {
  it('holds every kind of value as it is', async () => {
    const odd = [
      'a "b"\n',
      -0,
      1e300,
      true,
      null,
      undefined,
      { kind: 'exact', text: '0.10000000000000000001' },
    ] as const;
    const keys = odd.map((_, at) => ({ key: `k"${at}`, header: `h${at}` }));
    const store = await syntheticResult(keys, [[odd], [odd.toReversed()]]);
    expect([store.rowCount, store.columns.map(({ header }) => header)]).toEqual([2, keys.map(({ header }) => header)]);
    expect(odd.map((_, column) => store.cell(0, column))).toEqual(odd);
    expect(odd.map((_, column) => store.cell(1, column))).toEqual(odd.toReversed());
  });

  it('may be empty', async () => {
    const store = await syntheticResult([{ key: 'a', header: 'A' }], []);
    expect([store.rowCount, store.columns.length]).toEqual([0, 1]);
  });
});
