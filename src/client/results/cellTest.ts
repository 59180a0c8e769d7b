import { ByteSearch } from './byteSearch.ts';
import type { ColumnData } from './columnData.ts';
import { cellTag } from './resultCell.ts';

/** Says of a cell, by its tag and slot, whether it meets a condition. */
export type CellTest = (tag: number, slot: number) => boolean;

/** The test of a text that cells may contain. */
export interface ContainsTest {
  readonly test: CellTest;
  /** Whether no text of the pages between two addresses, both included, passes; false where that is not known. */
  readonly isNowhere: (low: number, high: number) => boolean;
}

/**
 * Tests whether a cell of `column` contains a text, without regard to case: numbers count as their digits, objects as their
 * JSON; null and missing cells fail. Looks at each text of the dictionary once.
 * @param wanted in small letters.
 */
export function containsTest(column: ColumnData, wanted: string): ContainsTest {
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
