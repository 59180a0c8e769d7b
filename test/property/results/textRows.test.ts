import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { csvFormat, jsonFormat, markdownFormat, tsvFormat } from '../../../src/editor/csv.ts';
import type { TextFormat } from '../../../src/editor/csv.ts';
import type { ExportSource } from '../../../src/features/reports/export/exportSource.ts';
import { writeText } from '../../../src/features/reports/export/writeText.ts';
import type { TextEngine } from '../../../src/features/reports/export/writeText.ts';
import { hostileTexts } from '../../support/webview/hostileTexts.ts';
import { storeOf } from '../../unit/features/reports/view/results.ts';

const formats = { csv: csvFormat, tsv: tsvFormat, json: jsonFormat, markdown: markdownFormat };

/** What is written; a write takes a while, so that bytes that are overwritten too early show. */
async function written(source: ExportSource, format: TextFormat, engine: TextEngine): Promise<Buffer> {
  const parts: Buffer[] = [];
  const write = async (bytes: Uint8Array) => {
    await new Promise((resolve) => setImmediate(resolve));
    parts.push(Buffer.from(bytes));
  };
  await writeText(source, format, write, {}, engine);
  return Buffer.concat(parts);
}

type Row = Readonly<Record<string, unknown>>;

/** Fails unless both write the same and, as JSON, what JSON.parse makes the rows of again. */
async function expectSame(source: ExportSource, name: keyof typeof formats, rows: readonly Row[]): Promise<void> {
  const [wasm, js] = [await written(source, formats[name], 'wasm'), await written(source, formats[name], 'js')];
  if (name === 'json') expectRows(JSON.parse(wasm.toString()) as Row[], source, rows);
  if (wasm.equals(js)) return;
  const at = wasm.findIndex((byte, i) => byte !== js[i]);
  const part = (bytes: Buffer) => bytes.toString('latin1', Math.max(0, at - 40), at + 40);
  expect(part(wasm)).toBe(part(js));
  expect(wasm.length).toBe(js.length);
}

/** Compares row by row: a difference of thousands of rows could not be read. */
function expectRows(written: readonly Row[], source: ExportSource, rows: readonly Row[]): void {
  expect(written).toHaveLength(rows.length);
  const keys = source.columns.map((column) => source.store.columns[column]?.key ?? '');
  written.forEach((found, index) => {
    const row = rows[source.rows?.[index] ?? index] ?? {};
    // In the order of the columns, without those that the row does not have.
    const shown = keys.flatMap((key) => (Object.hasOwn(row, key) ? [[key, row[key]]] : []));
    expect(JSON.stringify(found), `row ${index}`).toBe(JSON.stringify(Object.fromEntries(shown)));
  });
}

const text = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.string({ unit: fc.constantFrom(...'ab,;"\t\r\n=+-@|<\\é漢 0'), maxLength: 24 }),
  fc.constantFrom(...hostileTexts, '', '-1.5', '+3', '-x', 'x'.repeat(70), `${'y'.repeat(300)},"`, 'z'.repeat(70_000)),
);
const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  fc.maxSafeInteger(),
  fc.tuple(fc.integer(), fc.nat(8)).map(([whole, decimals]) => whole / 10 ** decimals),
  fc.tuple(fc.integer({ min: -1e15, max: 1e15 }), fc.nat(7)).map(([whole, decimals]) => whole / 10 ** decimals),
  fc.constantFrom(
    0,
    -0,
    99_999_999,
    1e8,
    100_000_001,
    -1e14,
    1e15,
    999_999_999_999_999,
    1e21,
    1e-6,
    1e-7,
    0.1,
    1.005,
    123_456_789_012.5,
  ),
);
const cell = fc.oneof(text, number, fc.boolean(), fc.constant(null), fc.array(fc.nat(9), { maxLength: 3 }));
const row = fc.record({ a: cell, b: text, c: number, d: cell }, { requiredKeys: [] });
const columns = ['a', 'b', 'c', 'd'].map((key) => ({ key, headerText: `=${key}"`, yurbitype: 'cha' }));

describe.each(Object.keys(formats) as (keyof typeof formats)[])('rows that WebAssembly writes as %s', (name) => {
  test('are those that the JavaScript engine writes, in any order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { minLength: 3, maxLength: 60 }),
        fc.integer({ min: 1_000, max: 5_000 }),
        fc.option(fc.integer({ min: 1, max: 997 })),
        fc.shuffledSubarray([0, 1, 2, 3], { minLength: 1 }),
        async (some, count, step, shown) => {
          // Numbers behind the text make most texts differ, so that they are kept apart.
          const rows = Array.from({ length: count }, (_, i) => {
            const each = some[i % some.length]!;
            return 'b' in each && i % 3 > 0 ? { ...each, b: `${String(each.b)}${i}` } : each;
          });
          const store = await storeOf(columns, rows);
          const order = step === null ? undefined : Uint32Array.from(rows, (_, i) => (i * step) % count);
          await expectSame({ store, columns: shown, rows: order, title: 't' }, name, rows);
        },
      ),
      { numRuns: 25 },
    );
  }, 120_000);

  test('are the same when their texts fill more memory than there is', async () => {
    const rows = Array.from({ length: 60_000 }, (_, i) => ({
      a: `${i}`.padStart(120, i % 7 === 0 ? '"' : 'é'),
      b: `known ${i % 30_000}${'k'.repeat(200)}`,
      c: i / 8,
    }));
    rows[30_000] = { a: 'w'.repeat(900_000), b: '', c: 0 };
    const store = await storeOf(columns, rows);
    await expectSame({ store, columns: [0, 1, 2], rows: undefined, title: 't' }, name, rows);
    const order = Uint32Array.from(rows, (_, i) => (i * 7_919) % rows.length);
    await expectSame({ store, columns: [2, 1, 0], rows: order, title: 't' }, name, rows);
  }, 120_000);
});
