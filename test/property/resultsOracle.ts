import { expect } from 'vitest';
import { readResult } from '../../src/client/results/readResult.ts';
import type { ReadResultOptions, ResultOutcome } from '../../src/client/results/readResult.ts';
import type { CellValue } from '../../src/client/results/resultCell.ts';
import type { ScanTwin } from '../../src/client/results/scan/resultScanner.ts';
import type { ResultStore } from '../../src/client/results/resultStore.ts';

/** Both scans of compact rows. */
export const twins: readonly ScanTwin[] = ['wasm', 'js'];

export interface Read {
  readonly store: ResultStore;
  readonly outcome: ResultOutcome;
}

/** Reads `reply` in pieces of the given sizes, over and over; in one piece without them. */
export async function readReply(
  reply: string | Uint8Array,
  sizes: readonly number[] = [Infinity],
  options: ReadResultOptions = {},
): Promise<Read> {
  const bytes = typeof reply === 'string' ? Buffer.from(reply) : reply;
  const { store, done } = readResult(pieces(bytes, sizes), options);
  return { store, outcome: await done };
}

async function* pieces(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  let start = 0;
  for (let i = 0; start < bytes.length; i++) {
    const end = start + Math.max(1, sizes[i % sizes.length] ?? 1);
    yield bytes.subarray(start, end);
    start = end;
  }
}

/** Fails unless `store` holds what JSON.parse makes of `reply`. */
export function expectParsed(store: ResultStore, reply: string): void {
  const { Data, ...envelope } = Object.assign(Object.create(null), JSON.parse(reply)) as Record<string, unknown>;
  expect(Object.entries(store.envelope)).toEqual(expect.arrayContaining(Object.entries(envelope)));
  expect(Object.keys(store.envelope)).toHaveLength(Object.keys(envelope).length);
  expectRows(store, Data as Record<string, unknown>[] | null);
}

/** Fails unless the rows of `store` are `rows`, key by key. */
export function expectRows(store: ResultStore, rows: readonly Record<string, unknown>[] | null): void {
  expect(store.rowCount).toBe(rows?.length ?? 0);
  const keys = store.columns.map(({ key }) => key);
  expect(new Set(keys).size).toBe(keys.length);
  rows?.forEach((row, index) => {
    const found = keys.filter((_, column) => store.cell(index, column) !== undefined);
    expect(found.sort()).toEqual(Object.keys(row).sort());
    keys.forEach((key, column) => {
      const expected = Object.hasOwn(row, key) ? row[key] : undefined;
      const cell = plain(store.cell(index, column));
      if (!Object.is(cell, expected)) expect(cell, `row ${index}, key ${JSON.stringify(key)}`).toEqual(expected);
    });
  });
}

/** A cell as JSON.parse would give it. */
export function plain(cell: CellValue): unknown {
  if (typeof cell !== 'object' || cell === null) return cell;
  return cell.kind === 'exact' ? Number(cell.text) : JSON.parse(cell.text);
}
