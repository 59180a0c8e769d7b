import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readResult } from '../../../../../src/client/results/readResult.ts';
import { blockRows } from '../../../../../src/client/results/resultCell.ts';
import type { ResultStore } from '../../../../../src/client/results/resultStore.ts';
import type { FieldTypeCode } from '../../../../../src/contract/fieldTypes.ts';
import { exportFile, exportFormats } from '../../../../../src/features/reports/export/exportFile.ts';
import { type ForeignCell, otherReaders } from '../../../../support/exports/otherReaders.ts';
import { chunksOf, storeOf } from '../view/results.ts';

/*
 * Exported files, read by pandas, openpyxl, pyarrow and Python's JSON: every value with its type, rows beyond one block.
 */

const read = await otherReaders();
const count = blockRows + 1;
const keys = ['id', 'big', 'decimal', 'small', 'day', 'flag', 'text'] as const;
const types: Record<(typeof keys)[number], string> = {
  ...{ id: 'num', big: 'num', decimal: 'num', small: 'num', day: 'doz', flag: 'cha', text: 'cha' },
};

/** Whole numbers of 16 to 19 digits that a double holds, or not. */
const large = ['9007199254740992', '9007199254740993', '-12345678901234567', '9223372036854775807'];
const decimals = ['270.7', '-0.1', '12345678901234567.89', '0.001'];
const smalls = ['0.5', '-2.25', 'null', '1000000'];
const days = ['"2026-02-28"', '"1899-12-31"', '"0001-01-01"', 'null'];
const flags = ['true', 'false', 'null'];
const texts = [
  '=1+1',
  '＝1+1',
  '+1',
  '@x',
  "it's",
  'a,b;c\t"d"\r\ne',
  'é日本𝄞',
  '',
  'null',
  'NA',
  '007',
  ' x ',
  '<b>&amp;',
];

/** The cells of a row as JSON writes them. */
function cellsOf(row: number): Record<(typeof keys)[number], string> {
  const of = (values: readonly string[]) => values[row % values.length] ?? '';
  const text = row % 17 === 0 ? 'null' : JSON.stringify(of(texts));
  return {
    ...{ id: String(row), big: of(large), decimal: of(decimals), small: of(smalls) },
    ...{ day: of(days), flag: of(flags), text },
  };
}

const columns = keys.map((key) => ({ key, headerText: key, yurbitype: types[key] }));
const rows = Array.from({ length: count }, (_, row) => cellsOf(row));
const reply = `{"HasError":false,"Columns":${JSON.stringify(columns)},"Data":[${rows
  .map((cells) => `{${keys.map((key) => `"${key}":${cells[key]}`).join(',')}}`)
  .join(',')}]}`;

let folder = '';
let store: ResultStore;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'exports-'));
  const result = readResult(chunksOf(reply, 64 * 1024));
  expect(await result.done).toEqual({ kind: 'complete' });
  store = result.store;
});
afterAll(() => rm(folder, { recursive: true }));

async function readBack(format: string): Promise<ForeignCell[][]> {
  const file = path.join(folder, `rows.${format}`);
  const found = exportFormats.find(({ id }) => id === format)!;
  await exportFile(file, found, { store, columns: keys.map((_, at) => at), rows: undefined, title: 'Rows' }, {});
  return (await read?.(format, file)) ?? [];
}

/** A text of a spreadsheet that no program takes for a formula. */
const startsFormula = (text: string) => /^[=＝+@]/u.test(text);
const isExact = (json: string) => BigInt(Number(json)) === BigInt(json);

/** Values of a row as a file of text has them: empty where there is no value. */
function asText(cells: Record<(typeof keys)[number], string>): ForeignCell[] {
  return keys.map((key) => {
    const json = cells[key];
    if (json === 'null') return ['str', ''];
    if (key === 'day') return ['str', JSON.parse(json) as string];
    if (key !== 'text') return ['str', json];
    const text = JSON.parse(json) as string;
    return ['str', startsFormula(text) && text !== '+1' ? `'${text}` : text];
  });
}

/** Numbers by value, because Python writes them its own way. */
function byValue(cell: ForeignCell): unknown {
  return cell && (cell[0] === 'float' || cell[0] === 'int') ? Number(cell[1]) : cell;
}

/** Numbers that a double holds are numbers, all others texts with every digit. */
function asNumber(json: string, isDouble: boolean): unknown {
  return json === 'null' ? null : isDouble ? Number(json) : ['str', json];
}

describe.skipIf(!read)('exported rows, read by other makers’ readers', { timeout: 120_000 }, () => {
  it.each(['csv', 'csvWithMark', 'tsv'])('are texts with every digit in %s', async (format) => {
    const [titles, ...found] = await readBack(format);
    expect(titles).toEqual(keys.map((key) => ['str', key]));
    expect(found).toEqual(rows.map(asText));
  });

  it('have their types in a workbook, and no formulas', async () => {
    const [titles, ...found] = await readBack('xlsx');
    expect(titles).toEqual(keys.map((key) => ['str', key]));
    const wanted = rows.map(({ id, big, decimal, small, day, flag, text }) => [
      Number(id),
      asNumber(big, isExact(big)),
      asNumber(decimal, decimal.length < 17),
      asNumber(small, true),
      day === 'null' ? null : ['str', JSON.parse(day)],
      flag === 'null' ? null : ['bool', flag === 'true' ? 'True' : 'False'],
      // Excel's form of a carriage return, which openpyxl leaves as it is.
      text === 'null' ? null : ['str', (JSON.parse(text) as string).replace('\r', '_x000D_')],
    ]);
    expect(found.map((cells) => cells.map(byValue))).toEqual(wanted);
  });

  it('have the types of their columns in Parquet, and nothing apart from empty texts', async () => {
    const [schema, ...found] = await readBack('parquet');
    expect(schema?.map((cell) => cell?.[1])).toEqual([
      ...['id int32', 'big string', 'decimal string', 'small double', 'day string', 'flag bool', 'text string'],
    ]);
    const wanted = rows.map(({ id, big, decimal, small, day, flag, text }) => [
      Number(id),
      ['str', big],
      ['str', decimal],
      asNumber(small, true),
      day === 'null' ? null : ['str', JSON.parse(day)],
      flag === 'null' ? null : ['bool', flag === 'true' ? 'True' : 'False'],
      text === 'null' ? null : ['str', JSON.parse(text)],
    ]);
    expect(found.map((cells) => cells.map(byValue))).toEqual(wanted);
  });

  it('have every digit and their types in JSON', async () => {
    const [titles, ...found] = await readBack('json');
    expect(titles).toEqual(keys.map((key) => ['str', key]));
    for (const [row, { id, big, small, day, flag, text }] of rows.entries()) {
      const [foundId, foundBig, , foundSmall, foundDay, foundFlag, foundText] = found[row] ?? [];
      expect([foundId, foundBig]).toEqual([
        ['int', id],
        ['int', big],
      ]);
      expect(byValue(foundSmall ?? null)).toEqual(asNumber(small, true));
      expect(foundDay).toEqual(day === 'null' ? null : ['str', JSON.parse(day)]);
      expect(foundFlag).toEqual(flag === 'null' ? null : ['bool', flag === 'true' ? 'True' : 'False']);
      expect(foundText).toEqual(text === 'null' ? null : ['str', JSON.parse(text)]);
    }
    expect(found).toHaveLength(count);
  });
});

/** A value of each field type, as the server sends it and as each reader must give it back: a number, or a text. */
const everyType: Record<FieldTypeCode, readonly [sent: string | number, read: string | number]> = {
  cha: ['12.50', '12.50'],
  num: [12.5, 12.5],
  dat: ['2026-07-01T10:30:00', '2026-07-01T06:30:00-04:00'],
  dtz: ['2026-07-01T10:30:00.123', '2026-07-01T10:30:00.123'],
  doz: ['2026-07-01', '2026-07-01'],
  udt: [1782901800, 1782901800],
  tsp: ['2026-07-01 10:30:00.123456', '2026-07-01 10:30:00.123456'],
  ddn: ['North', 'North'],
  lnk: ['https://example.com/?a=1&b=2', 'https://example.com/?a=1&b=2'],
  flk: ['plan.pdf', 'plan.pdf'],
  for: [-0.25, -0.25],
  // Servers send decimals as texts: without losing a digit, they are numbers where the format has numbers.
  cur: ['1234.50', 1234.5],
  per: ['0.125', 0.125],
};

describe.skipIf(!read)('a value of each field type, read by other makers’ readers', { timeout: 120_000 }, () => {
  const codes = Object.keys(everyType) as FieldTypeCode[];
  const sentTexts = new Set<string>(['cur', 'per']);

  it.each(exportFormats.map(({ id }) => id).filter((id) => id !== 'markdown'))('has its type in %s', async (format) => {
    const typed = await storeOf(
      codes.map((key) => ({ key, yurbitype: key })),
      [Object.fromEntries(codes.map((code) => [code, everyType[code][0]])), {}],
    );
    const file = path.join(folder, `types.${format}`);
    const source = { store: typed, columns: codes.map((_, at) => at), rows: undefined, title: 'Types' };
    const zones = { stored: 'UTC', shown: 'America/New_York' };
    await exportFile(
      file,
      exportFormats.find(({ id }) => id === format)!,
      { ...source, zones },
      {},
    );
    const [, first, second] = (await read?.(format, file)) ?? [];
    const isText = ['csv', 'csvWithMark', 'tsv'].includes(format);
    for (const [at, code] of codes.entries()) {
      const [sent, wanted] = everyType[code];
      const kept =
        isText || (format === 'json' && sentTexts.has(code)) ? String(code === 'dat' ? wanted : sent) : wanted;
      expect(byValue(first?.[at] ?? null), code).toEqual(typeof kept === 'number' ? kept : ['str', kept]);
      expect(second?.[at] ?? null, code).toEqual(isText ? ['str', ''] : null);
    }
  });
});
