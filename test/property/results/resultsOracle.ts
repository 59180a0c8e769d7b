import { expect } from 'vitest';
import { readResult } from '../../../src/client/results/readResult.ts';
import type { ReadResultOptions, ResultOutcome } from '../../../src/client/results/readResult.ts';
import type { CellValue } from '../../../src/client/results/resultCell.ts';
import type { ScanEngine } from '../../../src/client/results/scan/resultScanner.ts';
import type { ResultStore } from '../../../src/client/results/resultStore.ts';

/** Both scans of compact rows. */
export const engines: readonly ScanEngine[] = ['wasm', 'js'];

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

/** Fails unless `store` holds what JSON.parse makes of `reply`, and numbers that no double holds digit by digit. */
export function expectParsed(store: ResultStore, reply: string): void {
  const { Data, ...envelope } = Object.assign(Object.create(null), JSON.parse(reply)) as Record<string, unknown>;
  expect(Object.entries(store.envelope)).toEqual(expect.arrayContaining(Object.entries(envelope)));
  expect(Object.keys(store.envelope)).toHaveLength(Object.keys(envelope).length);
  expectRows(store, Data as Record<string, unknown>[] | null);
  expectDigits(store, reply);
}

/** Digits of a number without its sign and zeros around them, and the power of ten of the last. */
function digitsOf(text: string): string {
  const [, sign = '', whole = '', part = '', power = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:e([-+]?\d+))?$/i.exec(text) ?? [];
  const digits = `${whole}${part}`.replace(/^0+/, '');
  const bare = digits.replace(/0+$/, '');
  const exponent = Number(power) - part.length + digits.length - bare.length;
  return bare === '' ? '0' : `${sign}${bare}e${exponent}`;
}

/** Fails unless every number of the rows has all the digits that stand in `reply`, by a reading of the text alone. */
function expectDigits(store: ResultStore, reply: string): void {
  const numbers = (_key: string, value: unknown, { source }: { source?: string }) =>
    typeof value === 'number' && source !== undefined ? new Written(source) : value;
  const { Data } = Object.assign(Object.create(null), parseWith(reply, numbers)) as { Data: Record<string, unknown>[] };
  store.columns.forEach(({ key }, column) =>
    (Data ?? []).forEach((row, index) => {
      const written = Object.hasOwn(row, key) ? row[key] : undefined;
      if (!(written instanceof Written)) return;
      const cell = store.cell(index, column);
      const shown = typeof cell === 'object' && cell !== null ? cell.text : String(cell);
      expect(digitsOf(shown), `row ${index}, key ${JSON.stringify(key)}`).toBe(digitsOf(written.source));
    }),
  );
}

/** A number as it stands in a text. */
class Written {
  readonly source: string;
  constructor(source: string) {
    this.source = source;
  }
}

type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown;
const parseWith: (text: string, reviver: Reviver) => unknown = JSON.parse;

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
