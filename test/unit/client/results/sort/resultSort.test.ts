import { describe, expect, test } from 'vitest';
import { groupRows } from '../../../../../src/client/results/resultGroups.ts';
import { sortRows } from '../../../../../src/client/results/sort/resultSort.ts';
import { readReply } from '../../../../property/results/resultsOracle.ts';

/** Numbers that look random and are the same every time. */
const scramble = (i: number) => (Math.imul(i + 1, 2_654_435_761) >>> 0) % 100_003;

async function storeOf(column: (i: number) => unknown, count = 20_000) {
  const values = Array.from({ length: count }, (_, i) => column(i));
  const { store } = await readReply(JSON.stringify({ Data: values.map((a) => ({ a })) }), [65_536]);
  return { store, values };
}

const sorted = async (column: (i: number) => unknown, isDescending = false) => {
  const { store, values } = await storeOf(column);
  const order = await sortRows(store, [{ column: 0, isDescending }]);
  expect(new Set(order).size).toBe(values.length);
  return Array.from(order, (row) => values[row]);
};

describe('sorting many rows', () => {
  test('of whole numbers, of fractions, of far-apart numbers', async () => {
    for (const column of [
      (i: number) => scramble(i),
      (i: number) => (scramble(i) - 50_000) / 7,
      (i: number) => (scramble(i) - 50_000) * 1e12,
    ]) {
      const ascending = Array.from({ length: 20_000 }, (_, i) => column(i)).sort((one, other) => one - other);
      expect(await sorted(column)).toEqual(ascending);
      expect(await sorted(column, true)).toEqual([...ascending].reverse());
    }
  });

  test('of texts that differ late, more than a dictionary takes', async () => {
    const column = (i: number) => `a rather long beginning, ticket ${scramble(i)} (${i % 2 === 0 ? 'Q' : 'q'})`;
    const natural = (text: unknown) => Number(/ticket (\d+)/.exec(String(text))?.[1]);
    const result = await sorted(column);
    expect(result.map(natural)).toEqual(Array.from({ length: 20_000 }, (_, i) => scramble(i)).sort((a, b) => a - b));
  });

  test('of many equal texts outside the dictionary keeps their order', async () => {
    const { store } = await storeOf((i) => 'x'.repeat(300) + String(i % 3));
    const order = await sortRows(store, [{ column: 0, isDescending: true }]);
    const expected = [2, 1, 0].flatMap((last) =>
      Array.from({ length: 20_000 }, (_, i) => i).filter((i) => i % 3 === last),
    );
    expect([...order]).toEqual(expected);
  });

  test('of few texts, in both directions, keeps the order of equal ones', async () => {
    const words = ['b', 'a10', 'a9', 'C'];
    const { store } = await storeOf((i) => words[i % words.length]);
    for (const isDescending of [false, true]) {
      const order = await sortRows(store, [{ column: 0, isDescending }]);
      const places = isDescending ? [3, 0, 1, 2] : [2, 1, 0, 3];
      const rows = Array.from({ length: 20_000 }, (_, i) => i);
      expect([...order]).toEqual(places.flatMap((place) => rows.filter((i) => i % words.length === place)));
    }
  });

  test('puts empty cells last in both directions', async () => {
    const column = (i: number) => (i % 10 === 0 ? null : scramble(i));
    for (const isDescending of [false, true]) {
      const result = await sorted(column, isDescending);
      expect(result.slice(-2000)).toEqual(Array.from({ length: 2000 }, () => null));
    }
  });

  test('takes only the rows it is given', async () => {
    const { store, values } = await storeOf(scramble);
    const rows = Uint32Array.of(17_000, 3, 9999, 4);
    const order = await sortRows(store, [{ column: 0, isDescending: false }], { rows });
    expect([...order]).toEqual([...rows].sort((one, other) => Number(values[one]) - Number(values[other])));
    expect([...rows]).toEqual([17_000, 3, 9999, 4]);
  });
});

describe('views', () => {
  test('name a column that is not there', async () => {
    const { store } = await storeOf((i) => i, 3);
    await expect(sortRows(store, [{ column: 7, isDescending: false }])).rejects.toThrow('no column 7');
    await expect(groupRows(store, [7], [])).rejects.toThrow('no column 7');
  });

  test('end when the signal has fired', async () => {
    const { store } = await storeOf((i) => `unique ${scramble(i)} ${i}`, 200_000);
    const signal = AbortSignal.abort(new Error('another sort began'));
    await expect(sortRows(store, [{ column: 0, isDescending: false }], { signal })).rejects.toThrow('another sort');
    await expect(groupRows(store, [0], [], { signal })).rejects.toThrow('another sort');
  });

  test('group by several columns, with the values they share', async () => {
    const text =
      '{"Data":[{"a":"x","b":1,"n":1},{"a":"y","b":1,"n":2},{"a":"x","b":1,"n":"no"},{"a":"x","b":null},{"a":"x"}]}';
    const { store } = await readReply(text);
    const groups = await groupRows(store, [0, 1], [2]);
    expect(groups.map(({ values, rowCount }) => [...values, rowCount])).toEqual([
      ['x', 1, 2],
      ['y', 1, 1],
      ['x', null, 1],
      ['x', undefined, 1],
    ]);
    expect(groups[0]?.figures).toEqual([{ count: 1, sum: 1, min: 1, max: 1 }]);
    expect(groups[3]?.figures).toEqual([{ count: 0, sum: 0, min: undefined, max: undefined }]);
    expect(await groupRows(store, [], [])).toMatchObject([{ values: [], rowCount: 5 }]);
    expect(await groupRows(store, [0], [], { rows: new Uint32Array(0) })).toEqual([]);
  });
});
