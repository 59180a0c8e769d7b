import type { Pacer } from '../pacer.ts';

/** Bits per pass: few enough that the places written to stay in the cache. */
const digitBits = 11;
const digits = 2 ** digitBits;

/** How rows are sorted. */
export interface RadixOptions {
  /** The largest key that there may be. */
  readonly greatest?: number;
  readonly isDescending?: boolean;
  /** The part of the rows that is sorted; all without it. */
  readonly start?: number;
  readonly end?: number;
}

/**
 * Sorts row numbers by their keys, keeping the order of equal ones: a radix sort, lowest digit first, that leaves out digits in
 * which all keys agree.
 * @param keys by row number; two words of a longer key are two calls, the lower word first.
 * @param spare as long as `rows`; overwritten.
 */
export async function sortByKeys(
  rows: Uint32Array,
  keys: Uint32Array,
  spare: Uint32Array,
  pacer: Pacer,
  { greatest = 2 ** 32 - 1, isDescending = false, start = 0, end = rows.length }: RadixOptions = {},
): Promise<void> {
  // Of few digits none is worth a look at all keys.
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

/** One digit of the keys that rows are put in order by. */
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
