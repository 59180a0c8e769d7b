import type { Pacer } from './pacer.ts';

/** Bits per pass: few enough that the places written to stay in the cache. */
const digitBits = 11;
const digits = 2 ** digitBits;

/**
 * Sorts the row numbers from `start` to `end` of `rows` by their keys, keeping the order of equal ones: a radix sort,
 * lowest digit first, that leaves out digits in which all keys agree.
 * @param keys by row number; two words of a longer key are two calls, the lower word first.
 * @param spare as long as `rows`; overwritten.
 */
export async function sortByKeys(
  rows: Uint32Array,
  keys: Uint32Array,
  spare: Uint32Array,
  pacer: Pacer,
  start = 0,
  end = rows.length,
): Promise<void> {
  const differing = differingBits(rows, keys, start, end);
  let from = rows;
  let to = spare;
  for (let shift = 0; shift < 32; shift += digitBits) {
    if (((differing >>> shift) & (digits - 1)) === 0) continue;
    sortByDigit(from, to, keys, shift, start, end);
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

function sortByDigit(
  from: Uint32Array,
  to: Uint32Array,
  keys: Uint32Array,
  shift: number,
  start: number,
  end: number,
): void {
  const places = new Uint32Array(digits);
  for (let i = start; i < end; i++) places[(keys[from[i]!]! >>> shift) & (digits - 1)]!++;
  let place = start;
  for (let digit = 0; digit < digits; digit++) {
    const count = places[digit]!;
    places[digit] = place;
    place += count;
  }
  for (let i = start; i < end; i++) {
    const row = from[i]!;
    to[places[(keys[row]! >>> shift) & (digits - 1)]!++] = row;
  }
}
