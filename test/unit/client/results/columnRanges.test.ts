import { describe, expect, test } from 'vitest';
import { CellReader } from '../../../../src/client/results/cellReader.ts';
import { blockRows } from '../../../../src/client/results/resultCell.ts';
import { sortRows } from '../../../../src/client/results/sort/resultSort.ts';
import { engines, readReply } from '../../../property/results/resultsOracle.ts';

/*
 * Whole numbers of a block are kept as distances from the lowest, in as few bytes as they need: each number of bytes at
 * the last distance that fits and the first that does not.
 */
const distances = [8, 16, 32, 53].flatMap((bits) => [2 ** bits - 2, 2 ** bits - 1, 2 ** bits, 2 ** bits + 1]);
const lows = [0, 1, -1, -(2 ** 31), 2 ** 31, 4_999_999_999];
const cases = distances.flatMap((distance) =>
  lows
    .filter((low) => Number.isSafeInteger(low + distance) && low + distance !== low)
    .map((low) => ({ low, distance, high: low + distance })),
);

/** A full block and one row more, of which most hold one of both ends. */
function valuesOf(low: number, high: number): number[] {
  const middle = low + Math.floor((high - low) / 2);
  return Array.from({ length: blockRows + 1 }, (_, i) => [low, high, high, low, middle, low][i % 6] ?? low);
}

describe.each(engines)('whole numbers that %s reads', (engine) => {
  test.each(cases)('from $low over a distance of $distance are the same again', async ({ low, high }) => {
    const values = valuesOf(low, high);
    const text = `{"Data":[${values.map((value) => `{"n":${value}}`).join(',')}]}`;
    const { store } = await readReply(text, [70_000], { engine });
    const cells = values.map((_, row) => store.cell(row, 0));
    expect(cells.filter((cell, row) => cell !== values[row])).toEqual([]);

    const reader = new CellReader(store, [0], undefined);
    const [run] = reader.runs;
    const read: number[] = [];
    for (let start = 0; start < reader.rowCount; start += blockRows) {
      read.push(...(run?.slots.subarray(0, reader.read(start)) ?? []));
    }
    expect(read.filter((slot, row) => slot !== values[row])).toEqual([]);

    const order = await sortRows(store, [{ column: 0, isDescending: false }]);
    expect(Array.from(order, (row) => values[row])).toEqual(values.toSorted((one, other) => one - other));
  });
});
