import type { ColumnData } from './columnData.ts';
import { cellTag } from './resultCell.ts';

/** What a cell must be. Texts compare without regard to case unless `matchCase` is set. */
export type CellCondition =
  /** Its text contains, equals, begins or ends with `text`; numbers count as their digits, objects as their JSON. */
  | {
      readonly kind: 'contains' | 'equals' | 'startsWith' | 'endsWith';
      readonly text: string;
      readonly matchCase?: boolean;
    }
  /** A number from `low` to `high`, both included; a bound left out does not limit. */
  | { readonly kind: 'range'; readonly low?: number; readonly high?: number }
  /** Its text is one of these, case included. */
  | { readonly kind: 'oneOf'; readonly texts: readonly string[] }
  /** Null or missing. */
  | { readonly kind: 'empty' }
  | { readonly kind: 'not'; readonly condition: CellCondition };

/** Says of a cell, by its tag and slot, whether it meets a condition. */
export type CellTest = (tag: number, slot: number) => boolean;

/** The test of a condition for the cells of `column`; looks at each text of the dictionary once. */
export function cellTest(column: ColumnData, condition: CellCondition): CellTest {
  switch (condition.kind) {
    case 'not': {
      const test = cellTest(column, condition.condition);
      return (tag, slot) => !test(tag, slot);
    }
    case 'empty':
      return (tag) => tag === cellTag.null || tag === cellTag.missing;
    case 'range': {
      const { low = -Infinity, high = Infinity } = condition;
      return (tag, slot) => {
        if (tag !== cellTag.number && tag !== cellTag.exact) return false;
        const value = tag === cellTag.number ? slot : Number(column.pages.textAt(slot));
        return value >= low && value <= high;
      };
    }
    case 'oneOf': {
      const texts = new Set(condition.texts);
      return textTest(column, (text) => texts.has(text));
    }
    case 'contains':
      return containsTest(column, condition.text, condition.matchCase === true);
    case 'equals':
    case 'startsWith':
    case 'endsWith': {
      const { kind, matchCase } = condition;
      const wanted = matchCase === true ? condition.text : condition.text.toLowerCase();
      const method = { equals: isEqual, startsWith: isStart, endsWith: isEnd }[kind];
      return textTest(column, (text) => method(matchCase === true ? text : text.toLowerCase(), wanted));
    }
  }
}

const isEqual = (text: string, wanted: string) => text === wanted;
const isStart = (text: string, wanted: string) => text.startsWith(wanted);
const isEnd = (text: string, wanted: string) => text.endsWith(wanted);

/** Tests the text of a cell; null and missing cells have none and fail. */
function textTest(column: ColumnData, test: (text: string) => boolean): CellTest {
  // Per text of the dictionary: 0 not tested yet, 1 fails, 2 passes.
  const known = new Uint8Array(column.dictionary.size);
  const passesFalse = test('false');
  const passesTrue = test('true');
  return (tag, slot) => {
    if (tag === cellTag.code) {
      if (known[slot] === 0) known[slot] = test(column.dictionary.textOf(slot)) ? 2 : 1;
      return known[slot] === 2;
    }
    if (tag === cellTag.false) return passesFalse;
    if (tag === cellTag.true) return passesTrue;
    const value = column.valueOf(tag, slot);
    if (value === null || value === undefined) return false;
    return test(typeof value === 'object' ? value.text : String(value));
  };
}

function containsTest(column: ColumnData, text: string, matchCase: boolean): CellTest {
  const wanted = matchCase ? text : text.toLowerCase();
  const inText = textTest(column, (cell) => (matchCase ? cell : cell.toLowerCase()).includes(wanted));
  const isNumeric = /^[-+.e0-9]*$/.test(wanted);
  const needle = Buffer.from(wanted);
  const isPlain = needle.length > 0 && needle.every((code) => code < 0x80);
  return (tag, slot) => {
    if (tag === cellTag.number) return isNumeric && String(slot).includes(wanted);
    if (tag !== cellTag.text || !isPlain) return inText(tag, slot);
    return column.pages.contains(slot, needle, matchCase) ?? inText(tag, slot);
  };
}
