import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { blockRows } from '../../../src/client/results/resultCell.ts';
import { openCompactRows } from '../../../src/client/results/wasm/compactRowsInstance.ts';
import { compileModule, moduleFile, moduleText, wasmModules } from '../../../src/client/results/wasm/build.ts';
import { compactRows, damage, pieceSizes } from './resultsArbitrary.ts';
import { expectParsed, readReply } from './resultsOracle.ts';
import type { Read } from './resultsOracle.ts';
import { propertyRuns } from '../../support/run/soakSize.ts';

/** Fails unless both scans gave the same, down to how every cell is kept. */
function expectSame(wasm: Read, js: Read): void {
  expect(wasm.outcome).toEqual(js.outcome);
  expect(wasm.store.rowCount).toBe(js.store.rowCount);
  const keys = js.store.columns.map(({ key }) => key);
  expect(wasm.store.columns.map(({ key }) => key)).toEqual(keys);
  const [one, other] = [cells(), cells()];
  for (let block = 0; block * blockRows < js.store.rowCount; block++) {
    keys.forEach((_, column) => {
      const rows = wasm.store.table.readBlock(wasm.store.columnData(column), block, one.tags, one.slots);
      js.store.table.readBlock(js.store.columnData(column), block, other.tags, other.slots);
      for (let i = 0; i < rows; i++) expect(one.tags[i]).toBe(other.tags[i]);
    });
  }
  for (let row = 0; row < js.store.rowCount; row++) {
    keys.forEach((_, column) => expect(wasm.store.cell(row, column)).toEqual(js.store.cell(row, column)));
  }
}

const cells = () => ({ tags: new Uint8Array(blockRows), slots: new Float64Array(blockRows) });

async function readBoth(reply: string | Uint8Array, sizes?: readonly number[]): Promise<[Read, Read]> {
  return [await readReply(reply, sizes, { engine: 'wasm' }), await readReply(reply, sizes, { engine: 'js' })];
}

describe('rows that WebAssembly reads', () => {
  test('are read by a module that belongs to its source, in a memory that cannot grow', async () => {
    for (const each of wasmModules) {
      expect(await readFile(moduleFile(each), 'utf8')).toBe(moduleText(each, await compileModule(each)));
    }
    const wasm = openCompactRows();
    expect(wasm?.window.buffer.byteLength).toBeLessThan(3e6);
    expect(() => wasm?.module.memory.grow(1)).toThrow(RangeError);
  });

  test('are what the JavaScript engine reads, and JSON.parse', async () => {
    await fc.assert(
      fc.asyncProperty(compactRows, pieceSizes, async (text, sizes) => {
        const [wasm, js] = await readBoth(
          text,
          sizes.map((size) => size * 40),
        );
        expect(wasm.outcome).toEqual({ kind: 'complete' });
        expectSame(wasm, js);
        expect(wasm.store.heldBytes).toBe(js.store.heldBytes);
        expectParsed(wasm.store, text);
      }),
      { numRuns: propertyRuns(100, 10_000) },
    );
  });

  test('are the same up to any damage, and the error too', async () => {
    await fc.assert(
      fc.asyncProperty(compactRows, damage, pieceSizes, async (text, spoil, sizes) => {
        const [wasm, js] = await readBoth(
          spoil(text).toWellFormed(),
          sizes.map((size) => size * 40),
        );
        expectSame(wasm, js);
      }),
      { numRuns: propertyRuns(200, 10_000) },
    );
  });

  describe.each([
    ['too short', ''],
    ['too long', 'k'.repeat(70)],
  ])('remember no texts of a column that a row with a key %s came after', (_, other) => {
    const rowsOf = (key: string, ...texts: string[]) => Array.from({ length: 40 }, (_, i) => ({ [key]: texts[i % 2] }));
    const before = [...rowsOf('one', 'Denver, CO', 'Dallas Fort Worth, TX'), { one: '', [other]: 1 }];
    const after = rowsOf('two', 'Dallas Fort Worth, TX', 'Denver, CO');

    test.each([
      ['in one reply', [[...before, ...after]]],
      ['in the reply before', [before, after]],
    ])('%s', async (_, replies) => {
      for (const rows of replies) {
        const text = JSON.stringify({ Data: rows });
        const [wasm, js] = await readBoth(text);
        expectSame(wasm, js);
        expectParsed(wasm.store, text);
      }
    });
  });

  test.each([7, 11])('are the same when cut at any byte (sample %i)', async (seed) => {
    const [text = ''] = fc.sample(compactRows, { numRuns: 1, seed });
    const bytes = Buffer.from(text);
    for (let cut = 1; cut < bytes.length; cut++) {
      expectSame(...(await readBoth(bytes, [cut, bytes.length])));
      expectSame(...(await readBoth(bytes.subarray(0, cut))));
    }
  });

  test('go over blocks, full dictionaries and a value larger than the window', async () => {
    const row = (i: number) => ({
      id: i,
      unique: `t-${i}-${'x'.repeat(i % 70)}`,
      some: `s${i % 700}`,
      flag: i % 3 === 0,
    });
    const rows: unknown[] = Array.from({ length: 3 * blockRows }, (_, i) => row(i));
    rows[1000] = { ...row(1000), unique: 'y'.repeat(400_000) };
    rows[5000] = { some: 'order', id: 1 };
    const text = JSON.stringify({ Data: rows });
    const [wasm, js] = await readBoth(text);
    expectSame(wasm, js);
    expectParsed(wasm.store, text);
  });
});
