import { isAscii } from 'node:buffer';
import type { ColumnData } from './columnData.ts';
import { cellTag } from './resultCell.ts';
import type { BytePages } from './bytePages.ts';

/** Says of a cell, by its tag and slot, whether it meets a condition. */
export type CellTest = (tag: number, slot: number) => boolean;

/** The test of a text that cells may contain. */
interface ContainsTest {
  readonly test: CellTest;
  /** Whether no text of the pages between two addresses, both included, passes; false where that is not known. */
  readonly isNowhere: (low: number, high: number) => boolean;
}

/**
 * Tests whether a cell of `column` contains a text, without regard to case: numbers count as their digits, objects as their
 * JSON; null and missing cells fail. Looks at each text of the dictionary once.
 * @param wanted in small letters.
 */
export function containsPredicate(column: ColumnData, wanted: string): ContainsTest {
  const isFound = (text: string) => text.toLowerCase().includes(wanted);
  // Per text of the dictionary: 0 not tested yet, 1 fails, 2 passes.
  const known = new Uint8Array(column.dictionary.size);
  const isNumeric = /^[-+.e0-9]*$/.test(wanted);
  const inBytes = /^[\0-\x7f]+$/.test(wanted) ? new ByteSearch(column.pages, wanted) : undefined;
  const test: CellTest = (tag, slot) => {
    if (tag === cellTag.number) return isNumeric && String(slot).includes(wanted);
    if (tag === cellTag.code) {
      if (known[slot] === 0) known[slot] = isFound(column.dictionary.textOf(slot)) ? 2 : 1;
      return known[slot] === 2;
    }
    if (tag === cellTag.text) return inBytes?.isIn(slot) ?? isFound(column.pages.textAt(slot));
    const value = column.valueOf(tag, slot);
    if (value === null || value === undefined) return false;
    return isFound(typeof value === 'object' ? value.text : String(value));
  };
  return { test, isNowhere: (low, high) => inBytes?.isNowhere(low, high) ?? false };
}

/** As many letters are looked for in whole pages at once, in every way to write them. */
const probeLength = 3;
/** A page with more places than this is read string by string: most of them hold the text, and soon. */
const mostPlaces = 512;

/**
 * Looks for one text in many strings of {@link BytePages}, without regard to case. Whole pages are searched for some of its
 * letters at the speed of memory, so that only the few strings around them are read.
 */
export class ByteSearch {
  readonly #pages: BytePages;
  readonly #needle: Buffer;
  /** Some letters that follow each other in the text, in every way to write them. */
  readonly #probes: readonly Buffer[];
  /** By page: where such letters stand, ascending; null where each string has to be read. */
  readonly #places: (Uint32Array | null)[] = [];

  /** @param needle ASCII in small letters, not empty. */
  constructor(pages: BytePages, needle: string) {
    this.#pages = pages;
    this.#needle = Buffer.from(needle);
    this.#probes = spellings(probeOf(needle)).map((each) => Buffer.from(each));
  }

  /** Whether the string at `address` contains the text; undefined where it holds letters whose small ones only a string knows. */
  isIn(address: number): boolean | undefined {
    return this.isNowhere(address, address) ? false : this.#pages.contains(address, this.#needle);
  }

  /** Whether none of the strings from address `low` to address `high` contains the text, as far as that is known already. */
  isNowhere(low: number, high: number): boolean {
    const first = this.#pages.pageOf(low);
    const last = this.#pages.pageOf(high);
    for (let page = first; page <= last; page++) {
      const places = this.#placesOf(page);
      if (places === null) return false;
      if (places.length === 0) continue;
      const start = page === first ? this.#pages.startOf(low) : 0;
      const end = page === last ? this.#pages.endOf(high) : Infinity;
      if (isBetween(places, start, end)) return false;
    }
    return true;
  }

  /** Where such letters stand in a page; each page is looked through once, also where that was in vain. */
  #placesOf(page: number): Uint32Array | null {
    let places = this.#places[page];
    if (places === undefined) this.#places[page] = places = this.#placesIn(page);
    return places;
  }

  #placesIn(number: number): Uint32Array | null {
    const page = this.#pages.bytesOf(number);
    if (!isAscii(page)) return null;
    const places: number[] = [];
    for (const probe of this.#probes) {
      for (let at = page.indexOf(probe); at >= 0; at = page.indexOf(probe, at + 1)) {
        if (places.push(at) > mostPlaces) return null;
      }
    }
    return Uint32Array.from(places).sort();
  }
}

/** The part of a text to look for at first: that with the fewest letters, as each can be written in two ways. */
function probeOf(needle: string): string {
  const letters = (text: string) => text.replace(/[^a-z]/g, '').length;
  let best = needle.slice(0, probeLength);
  for (let at = 1; at + probeLength <= needle.length; at++) {
    const part = needle.slice(at, at + probeLength);
    if (letters(part) < letters(best)) best = part;
  }
  return best;
}

/** The ways to write a text in small and capital letters. */
function spellings(text: string): string[] {
  let all = [''];
  for (const letter of text) {
    const ways = [...new Set([letter, letter.toUpperCase()])];
    all = all.flatMap((before) => ways.map((way) => before + way));
  }
  return all;
}

/** Whether one of these places, in ascending order, lies between `start` and `end` (not included). */
function isBetween(places: Uint32Array, start: number, end: number): boolean {
  let low = 0;
  let high = places.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (places[middle]! < start) low = middle + 1;
    else high = middle;
  }
  return low < places.length && places[low]! < end;
}
