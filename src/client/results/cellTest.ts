import { isAscii } from 'node:buffer';
import type { ColumnData } from './columnData.ts';
import { cellTag } from './resultCell.ts';
import type { BytePages } from './bytePages.ts';

/** Tests a cell, given by its tag and slot. */
export type CellTest = (tag: number, slot: number) => boolean;

/** Tests whether cells contain a text. */
interface ContainsTest {
  readonly test: CellTest;
  /** Whether no text between two page addresses, both inclusive, passes; false if unknown. */
  readonly isNowhere: (low: number, high: number) => boolean;
}

/**
 * Returns a test for cells of `column` that contain a text, ignoring case: numbers match by their digits, objects by
 * their JSON; null and missing cells fail. Tests each text of the dictionary once.
 * @param wanted in lower case.
 */
export function containsPredicate(column: ColumnData, wanted: string): ContainsTest {
  const isFound = (text: string) => text.toLowerCase().includes(wanted);
  // Per text of the dictionary: 0 untested, 1 fails, 2 passes.
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

/** Number of letters searched in whole pages at once, in every combination of case. */
const probeLength = 3;
/**
 * A page with more matches than this is tested string by string: most of its strings contain the text, near their
 * start.
 */
const mostPlaces = 512;

/**
 * Searches many strings of {@link BytePages} for one text, ignoring case. Searches whole pages for some of its letters
 * at memory speed, so that only the few strings around the matches are read.
 */
export class ByteSearch {
  readonly #pages: BytePages;
  readonly #needle: Buffer;
  /** Some consecutive letters of the text, in every combination of case. */
  readonly #probes: readonly Buffer[];
  /** By page: positions of these letters, ascending; null where each string must be read. */
  readonly #places: (Uint32Array | null)[] = [];

  /** @param needle lower-case ASCII, not empty. */
  constructor(pages: BytePages, needle: string) {
    this.#pages = pages;
    this.#needle = Buffer.from(needle);
    this.#probes = spellings(probeOf(needle)).map((each) => Buffer.from(each));
  }

  /**
   * Whether the string at `address` contains the text; undefined if it has letters that only string functions can
   * lower-case.
   */
  isIn(address: number): boolean | undefined {
    return this.isNowhere(address, address) ? false : this.#pages.contains(address, this.#needle);
  }

  /** Whether it is already known that no string from address `low` to address `high` contains the text. */
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

  /** Positions of the letters in a page; each page is searched once, even if nothing is found. */
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

/** The part of the text to search for first: the one with the fewest letters, since each letter has two spellings. */
function probeOf(needle: string): string {
  const letters = (text: string) => text.replace(/[^a-z]/g, '').length;
  let best = needle.slice(0, probeLength);
  for (let at = 1; at + probeLength <= needle.length; at++) {
    const part = needle.slice(at, at + probeLength);
    if (letters(part) < letters(best)) best = part;
  }
  return best;
}

/** All upper and lower case spellings of a text. */
function spellings(text: string): string[] {
  let all = [''];
  for (const letter of text) {
    const ways = [...new Set([letter, letter.toUpperCase()])];
    all = all.flatMap((before) => ways.map((way) => before + way));
  }
  return all;
}

/** Whether one of the ascending `places` lies between `start` and `end` (exclusive). */
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
