import type { Pacer } from '../pacer.ts';

/** Bits per pass: few enough that the write positions stay in the cache. */
const digitBits = 11;
const digits = 2 ** digitBits;

/** Options for sorting rows. */
export interface RadixOptions {
  /** The largest possible key. */
  readonly greatest?: number;
  readonly isDescending?: boolean;
  /** The part of the rows to sort; default: all. */
  readonly start?: number;
  readonly end?: number;
}

/**
 * Stable sort of row numbers by key: a radix sort, lowest digit first, that skips digits in which all keys agree.
 * @param keys by row number; sort by a two-word key with two calls, the lower word first.
 * @param spare as long as `rows`; overwritten.
 */
export async function sortByKeys(
  rows: Uint32Array,
  keys: Uint32Array,
  spare: Uint32Array,
  pacer: Pacer,
  { greatest = 2 ** 32 - 1, isDescending = false, start = 0, end = rows.length }: RadixOptions = {},
): Promise<void> {
  // With few digits, checking all keys does not pay off.
  const differing = greatest < digits ? greatest : differingBits(rows, keys, start, end);
  let from = rows;
  let to = spare;
  for (let shift = 0; shift < 32; shift += digitBits) {
    if (((differing >>> shift) & (digits - 1)) === 0) continue;
    sortByDigit({ from, to, keys, shift, isDescending }, start, end);
    [from, to] = [to, from];
    if (pacer.isDue) await pacer.pause();
  }
  if (from !== rows) rows.set(from.subarray(start, end), start);
}

function differingBits(rows: Uint32Array, keys: Uint32Array, start: number, end: number): number {
  const first = keys[rows[start] ?? 0] ?? 0;
  let differing = 0;
  for (let i = start; i < end; i++) differing |= keys[rows[i]!]! ^ first;
  return differing;
}

/** Sorting by one digit of the keys. */
interface DigitPass {
  readonly from: Uint32Array;
  readonly to: Uint32Array;
  readonly keys: Uint32Array;
  readonly shift: number;
  readonly isDescending: boolean;
}

function sortByDigit({ from, to, keys, shift, isDescending }: DigitPass, start: number, end: number): void {
  const places = new Uint32Array(digits);
  for (let i = start; i < end; i++) places[(keys[from[i]!]! >>> shift) & (digits - 1)]!++;
  let place = start;
  for (let i = 0; i < digits; i++) {
    const digit = isDescending ? digits - 1 - i : i;
    const count = places[digit]!;
    places[digit] = place;
    place += count;
  }
  for (let i = start; i < end; i++) {
    const row = from[i]!;
    to[places[(keys[row]! >>> shift) & (digits - 1)]!++] = row;
  }
}
