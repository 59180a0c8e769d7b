import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { readResult } from '../../../../../src/client/results/readResult.ts';
import { blockRows } from '../../../../../src/client/results/resultCell.ts';
import type { ScanEngine } from '../../../../../src/client/results/scan/resultScanner.ts';
import { csvFormat, jsonFormat } from '../../../../../src/editor/csv.ts';
import { writeText } from '../../../../../src/features/reports/export/writeText.ts';
import type { TextEngine } from '../../../../../src/features/reports/export/writeText.ts';
import { writeWorkbook } from '../../../../../src/features/reports/export/writeWorkbook.ts';
import { readWorkbook } from '../../../../support/readWorkbook.ts';
import { chunksOf } from '../view/results.ts';

/*
 * Rows beyond one block, through each scanner and each writer, in order and not, read back by JSON.parse, which shares
 * nothing with them. Numbers that a double does not hold are compared as they are written, digit by digit.
 */

const count = blockRows + 1;
const keys = ['id', 'big', 'edge', 'low', 'some', 'text'];

/** Whole numbers of 16 to 19 digits: what a double holds, what it does not, and the ends of what databases keep. */
const large = [
  '1234567890123456',
  '9007199254740991',
  '9007199254740992',
  '9007199254740993',
  '-9007199254740993',
  '12345678901234567',
  '-99999999999999999',
  '123456789012345678',
  '1000000000000000001',
  '9223372036854775807',
  '-9223372036854775808',
];
/** Around what 32 bits hold, beside zero. */
const edges = ['0', '4294967295', '4294967296', '4294967297', '1'];

/** The cells of a row as JSON writes them; undefined where the row has none. */
function cellsOf(row: number): (string | undefined)[] {
  const some = row % 5 === 0 ? undefined : row % 7 === 0 ? 'null' : String(row % 3 === 0);
  return [
    String(row),
    large[row % large.length],
    edges[row % edges.length],
    row === blockRows ? '-1' : String(2 ** 32 - 1 - (row % 2)),
    some,
    JSON.stringify(row % 2 === 0 ? `same "${row % 4}"` : `é ${row}\n`),
  ];
}

function rowText(row: number): string {
  const cells = cellsOf(row).flatMap((cell, at) => (cell === undefined ? [] : [`${JSON.stringify(keys[at])}:${cell}`]));
  return `{${cells.join(',')}}`;
}

const reply = `{"HasError":false,"Columns":${JSON.stringify(
  keys.map((key) => ({ key, headerText: key, yurbitype: key === 'text' || key === 'some' ? 'cha' : 'num' })),
)},"Data":[${Array.from({ length: count }, (_, row) => rowText(row)).join(',')}]}`;

async function storeBy(engine: ScanEngine) {
  const { store, done } = readResult(chunksOf(reply, 64 * 1024), { engine });
  expect(await done).toEqual({ kind: 'complete' });
  expect(store.rowCount).toBe(count);
  return store;
}

/** A number by its digits, so that no two are taken for one another. */
const digits = (_: string, value: unknown, { source }: { source?: string } = {}): unknown =>
  typeof value === 'number' ? `number ${source}` : value;
/** Every row once, by a step that has no divisor with their number. */
const shuffled = Uint32Array.from({ length: count }, (_, at) => (at * 2_731) % count);
const some = Uint32Array.from([blockRows, 0, blockRows - 1, 1, blockRows]);

const ways = (['wasm', 'js'] as const).flatMap((scan) =>
  (['wasm', 'js'] as const).map((write) => [scan, write] as const),
);

describe.each(ways)('rows beyond one block, read by %s and written by %s', (scan, write) => {
  const written = async (format: typeof jsonFormat, rows: Uint32Array | undefined, engine: TextEngine = write) => {
    const parts: Buffer[] = [];
    const source = { store: await storeBy(scan), columns: keys.map((_, at) => at), rows, title: 't' };
    await writeText(source, format, async (bytes) => void parts.push(Buffer.from(bytes)), {}, engine);
    return Buffer.concat(parts).toString('utf8');
  };

  it.each([
    ['as they came', undefined],
    ['in another order', shuffled],
    ['some of them, one twice', some],
  ])('are the same in JSON %s', async (_, order) => {
    expect(new Set(shuffled).size).toBe(count);
    const rows = JSON.parse(await written(jsonFormat, order), digits) as unknown[];
    const wanted = [...(order ?? Array.from({ length: count }, (__, row) => row))];
    expect(rows).toHaveLength(wanted.length);
    for (const [at, row] of wanted.entries()) {
      expect(rows[at], `row ${at}`).toEqual(JSON.parse(rowText(row), digits));
    }
  });

  it.each([
    ['as they came', undefined],
    ['in another order', shuffled],
  ])('are the same in CSV %s', async (_, order) => {
    const [titles, ...rows] = parse(await written(csvFormat, order), { record_delimiter: '\r\n' });
    expect(titles).toEqual(keys);
    const wanted = [...(order ?? Array.from({ length: count }, (__, row) => row))];
    const expected = wanted.map((row) =>
      cellsOf(row).map((cell, at) => {
        if (cell === undefined || cell === 'null') return '';
        return keys[at] === 'text' ? (JSON.parse(cell) as string) : cell;
      }),
    );
    expect(rows).toEqual(expected);
  });
});

describe('a column of two numbers', () => {
  // Cells are kept as distances from the least: these need one byte, two, four, and more than 32 bits.
  const ends = [8, 16, 32, 53]
    .flatMap((bits) => [-2, -1, 0, 1].map((by) => 2 ** bits + by))
    .filter(Number.isSafeInteger);

  it.each(ends)('holds 0 and %d, above and below zero and beside it', async (end) => {
    for (const [low, high] of [
      [0, end],
      [-end, 0],
      [1, end],
      [-1, end - 1],
    ] as const) {
      const rows = Array.from({ length: count }, (_, row) => (row % 3 === 0 ? low : high));
      const data = rows.map((n) => `{"n":${n}}`).join(',');
      const text = `{"HasError":false,"Columns":[{"key":"n","yurbitype":"num"}],"Data":[${data}]}`;
      for (const engine of ['wasm', 'js'] as const) {
        const { store, done } = readResult(chunksOf(text, 64 * 1024), { engine });
        expect(await done).toEqual({ kind: 'complete' });
        expect(rows.filter((n, row) => !Object.is(store.cell(row, 0), n))).toEqual([]);
        const parts: Buffer[] = [];
        const source = { store, columns: [0], rows: undefined, title: 't' };
        await writeText(source, jsonFormat, async (bytes) => void parts.push(Buffer.from(bytes)), {});
        expect(JSON.parse(Buffer.concat(parts).toString('utf8'))).toEqual(rows.map((n) => ({ n })));
      }
    }
  });
});

describe('a workbook of some columns, moved and hidden', () => {
  it.each([
    ['as they came', undefined],
    ['in another order', shuffled],
  ])('has each value below its title, rows %s', async (_, order) => {
    const parts: Buffer[] = [];
    const columns = ['text', 'low', 'id'].map((key) => keys.indexOf(key));
    const source = { store: await storeBy('wasm'), columns, rows: order, title: 't' };
    await writeWorkbook(source, async (bytes) => void parts.push(Buffer.from(bytes)), {});
    const [sheet] = readWorkbook(Buffer.concat(parts));
    const wanted = [...(order ?? Array.from({ length: count }, (__, row) => row))];
    const expected = wanted.map((row) =>
      columns.map((column) => JSON.parse(cellsOf(row)[column] ?? 'null') as unknown),
    );
    expect(sheet?.rows).toEqual([['text', 'low', 'id'], ...expected]);
  });
});
