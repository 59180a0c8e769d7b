import { containsPredicate as storedContains, type CellTest } from '../../../../client/results/cellTest.ts';
import type { ColumnData } from '../../../../client/results/columnData.ts';
import { cellTag, type CellValue } from '../../../../client/results/resultCell.ts';
import type { CellFormat } from '../format/cellFormat.ts';
import { numberSearch } from '../format/numberText.ts';
import { compareNumberTexts } from '../../../../client/results/numberText.ts';
import { decimalIn, numberIn } from '../../../../client/results/textNumbers.ts';

/** What a column's filter asks of a cell. */
export type ColumnFilter =
  | { kind: 'contains'; text: string }
  | { kind: 'equals'; text: string; isNegated: boolean }
  | { kind: 'empty'; isNegated: boolean }
  | { kind: 'compare'; operator: CompareOperator; bound: string }
  | { kind: 'range'; low: string; high: string };

type CompareOperator = '<' | '<=' | '>' | '>=';

/** What is wrong with a filter: an operator without a value, or a bound of a column of numbers that is no number. */
export type FilterFault = 'noValue' | 'notANumber';

/**
 * Reads what is typed into a column's filter: text that the cell contains; `=text` and `<>text` for the whole cell;
 * `>`, `>=`, `<`, `<=` and `low..high` for numbers and dates; `null` and `!null` for cells without a value.
 * @param format how the column shows its cells: numbers are typed as they are shown.
 */
export function readColumnFilter(text: string, format: CellFormat): ColumnFilter | FilterFault {
  const filter = readFilter(text);
  const bounds = typeof filter === 'string' ? [] : boundsOf(filter);
  // Compared as text, 5.00 would lie above 1,000.00.
  const isReadable = format.kind !== 'number' || bounds.every((bound) => readNumberBound(bound, format) !== undefined);
  return isReadable ? filter : 'notANumber';
}

function boundsOf(filter: ColumnFilter): string[] {
  if (filter.kind === 'compare') return [filter.bound];
  return filter.kind === 'range' ? [filter.low, filter.high] : [];
}

function readFilter(text: string): ColumnFilter | FilterFault {
  const trimmed = text.trim();
  const lower = trimmed.toLowerCase();
  if (lower === 'null') return { kind: 'empty', isNegated: false };
  if (lower === '!null') return { kind: 'empty', isNegated: true };
  const sign = /^(<>|!=|<=|>=|=|<|>)\s*(.*)$/s.exec(trimmed);
  if (sign !== null) {
    const [, operator = '', value = ''] = sign;
    if (value === '') return 'noValue';
    if (operator === '=') return { kind: 'equals', text: value, isNegated: false };
    if (operator === '<>' || operator === '!=') return { kind: 'equals', text: value, isNegated: true };
    return { kind: 'compare', operator: operator as CompareOperator, bound: value };
  }
  const range = /^(\S.*?)\s*\.\.\s*(\S.*)$/s.exec(trimmed);
  if (range !== null) return { kind: 'range', low: range[1] ?? '', high: range[2] ?? '' };
  return { kind: 'contains', text: trimmed };
}

/** What is known of a cell before it is looked at: nothing, or that it fails, or passes. */
export const verdict = { open: 0, fails: 1, passes: 2 } as const;

/** What a filter does to the cells of one column. */
export interface FilterTest {
  test: CellTest;
  /** Per text of the dictionary: a {@link verdict}, open until `test` has judged it. */
  verdicts: Uint8Array;
  /** Per tag: a {@link verdict} on all its cells, so that none of them has to be looked at; open where they differ. */
  byTag: Uint8Array;
  /** Whether none of the texts that lie between two addresses of the pages passes; absent where that is not known. */
  isNowhere?: (low: number, high: number) => boolean;
}

/** Something about a cell that has a value; `shown` is its text only if that is needed. */
interface Judgement<T> {
  needsText: boolean;
  of: (value: CellValue, shown: string) => T;
}

/**
 * The test of a filter for the cells of a column. Texts compare as they are shown, without regard to case; in columns
 * of numbers, a bound that is a number compares with the value itself.
 */
export function cellPredicate(filter: ColumnFilter, data: ColumnData, format: CellFormat): FilterTest {
  if (filter.kind === 'contains') return containsTest(filter.text.toLowerCase(), data, format);
  if (filter.kind === 'empty') return emptyTest(filter.isNegated, data);
  const { needsText, of } = judgementOf(filter, format);
  // A cell without a value differs from every value.
  const isNegated = filter.kind === 'equals' && filter.isNegated;
  const judge = (value: CellValue) => of(value, needsText ? (format.write(value) ?? '') : '') !== isNegated;
  return valueTest(data, judge, (tag, slot) => judge(data.valueOf(tag, slot)), { passesEmpty: isNegated });
}

function emptyTest(isNegated: boolean, { dictionary }: ColumnData): FilterTest {
  const ofValue = isNegated ? verdict.passes : verdict.fails;
  const byTag = new Uint8Array(tagCount).fill(ofValue);
  byTag.fill(isNegated ? verdict.fails : verdict.passes, 0, cellTag.null + 1);
  const test: CellTest = (tag) => tag <= cellTag.null !== isNegated;
  return { test, verdicts: new Uint8Array(dictionary.size).fill(ofValue), byTag };
}

/** Looks for a text, in small letters, in what is shown; first in what is stored, where that rules most cells out. */
function containsTest(wanted: string, data: ColumnData, format: CellFormat): FilterTest {
  const isFoundAsStored = format.isFoundAsStored(wanted);
  const failsNumbers = isFoundAsStored && !/^[-+.e0-9]*$/.test(wanted);
  const stored = storedContains(data, wanted);
  const judge = (value: CellValue) => (format.write(value) ?? '').toLowerCase().includes(wanted);
  let inNumber: ((number: number) => boolean) | undefined;
  const other: CellTest = (tag, slot) => {
    if (tag === cellTag.number) {
      if (failsNumbers) return false;
      inNumber ??= numberSearch(wanted, format.numbers, format.write);
      return inNumber(slot);
    }
    if (isFoundAsStored && !stored.test(tag, slot)) return false;
    return format.isPlain || judge(data.valueOf(tag, slot));
  };
  const tests = valueTest(data, judge, other, { failsNumbers });
  return isFoundAsStored ? { ...tests, isNowhere: stored.isNowhere } : tests;
}

/** Dictionaries of so many texts are judged before the rows are looked at, as that takes no time. */
const fewTexts = 4_096;
const tagCount = Math.max(...Object.values(cellTag)) + 1;

/** Tests cells that have a value, by `other` unless it is a text of the dictionary: these are looked at once each. */
function valueTest(
  data: ColumnData,
  judge: (value: CellValue) => boolean,
  other: CellTest,
  { passesEmpty = false, failsNumbers = false },
): FilterTest {
  const { size } = data.dictionary;
  const verdicts = new Uint8Array(size);
  const test: CellTest = (tag, slot) => {
    if (tag <= cellTag.null) return passesEmpty;
    if (tag !== cellTag.code) return other(tag, slot);
    if (verdicts[slot] === verdict.open) verdicts[slot] = verdictOf(judge(data.dictionary.textOf(slot)));
    return verdicts[slot] === verdict.passes;
  };
  const byTag = new Uint8Array(tagCount);
  for (const tag of [cellTag.missing, cellTag.null, cellTag.false, cellTag.true]) byTag[tag] = verdictOf(test(tag, 0));
  if (failsNumbers) byTag[cellTag.number] = verdict.fails;
  if (size <= fewTexts) {
    for (let code = 0; code < size; code++) test(cellTag.code, code);
    const [first = verdict.fails] = verdicts;
    byTag[cellTag.code] = verdicts.every((each) => each === first) ? first : verdict.open;
  }
  return { test, verdicts, byTag };
}

function verdictOf(isPassing: boolean): number {
  return isPassing ? verdict.passes : verdict.fails;
}

function judgementOf(
  filter: Exclude<ColumnFilter, { kind: 'contains' | 'empty' }>,
  format: CellFormat,
): Judgement<boolean> {
  switch (filter.kind) {
    case 'equals': {
      const bound = boundIn(filter.text, format);
      if (bound !== undefined) return { needsText: false, of: (value) => compareWithBound(value, bound) === 0 };
      if (format.kind === 'moment') {
        const { of } = sideOf(filter.text, format);
        return { needsText: true, of: (value, shown) => of(value, shown) === 0 };
      }
      const wanted = filter.text.toLowerCase();
      return { needsText: true, of: (_, shown) => shown.toLowerCase() === wanted };
    }
    case 'compare': {
      const { needsText, of } = sideOf(filter.bound, format);
      const accepted = { '<': [-1], '<=': [-1, 0], '>': [1], '>=': [1, 0] }[filter.operator];
      return { needsText, of: (value, shown) => accepted.includes(of(value, shown)) };
    }
    case 'range': {
      const low = sideOf(filter.low, format);
      const high = sideOf(filter.high, format);
      const needsText = low.needsText || high.needsText;
      return { needsText, of: (value, shown) => low.of(value, shown) >= 0 && high.of(value, shown) <= 0 };
    }
  }
}

/** On which side of a bound a cell lies: -1 below, 0 on it, 1 above; NaN where it cannot be compared. */
function sideOf(bound: string, format: CellFormat): Judgement<number> {
  const number = boundIn(bound, format);
  if (number !== undefined) return { needsText: false, of: (value) => compareWithBound(value, number) };
  const text = bound.toLowerCase();
  // A year, a month or a day stands for all that begins with it; the digits of what is no date go on.
  const length = /^\d{4}(-\d{2}){0,2}$/.test(text) ? text.length : Infinity;
  return {
    needsText: true,
    of: (_, shown) => {
      const whole = shown.toLowerCase();
      const own = /^\d/.test(whole.slice(length)) ? whole : whole.slice(0, length);
      return own < text ? -1 : own > text ? 1 : 0;
    },
  };
}

function boundIn(text: string, format: CellFormat): NumberBound | undefined {
  return format.kind === 'number' ? readNumberBound(text, format) : undefined;
}

/** A number that cells are compared with, exactly. */
interface NumberBound {
  value: number;
  /** All of its digits. */
  text: string;
}

const minusSigns = /^[\u2212\u2010-\u2013]/;

/**
 * The number that was typed for a column of numbers: as its cells show it, with the language's signs, a currency or a
 * percent sign, or with a point before decimals. Undefined where it is none. Digits in groups of three are groups where
 * the language groups by that sign; a single point that the language does not have is the one before decimals.
 */
function readNumberBound(typed: string, { numbers, decimalSign = '.' }: CellFormat): NumberBound | undefined {
  const { before = '', after = '', language = 'en' } = numbers ?? {};
  let text = typed.trim().replace(minusSigns, '-');
  const sign = text.startsWith('-') ? '-' : '';
  text = text.slice(sign.length).trim();
  if (before.trim() !== '' && text.startsWith(before.trim())) text = text.slice(before.trim().length);
  if (after.trim() !== '' && text.endsWith(after.trim())) text = text.slice(0, -after.trim().length);
  text = text.replace(/^\s*\p{Sc}|\p{Sc}\s*$/gu, '').trim();
  const decimal = decimalIn(sign + withPoint(text, groupSign(language), decimalSign));
  const value = decimal === undefined ? undefined : numberIn(decimal);
  return decimal === undefined || value === undefined ? undefined : { value, text: decimal };
}

/** On which side of a bound a cell's number lies: -1 below, 0 on it, 1 above; NaN where the cell holds none. */
function compareWithBound(cell: CellValue, bound: NumberBound): number {
  const value = numberOf(cell);
  if (value === undefined) return NaN;
  if (value !== bound.value) return value < bound.value ? -1 : 1;
  return Math.sign(compareNumberTexts(digitsOf(cell), bound.text));
}

/** The number in a cell, also in one of text. */
function numberOf(value: CellValue): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value === 'string') return numberIn(value);
  return typeof value === 'object' && value?.kind === 'exact' ? numberIn(value.text) : undefined;
}

function digitsOf(value: CellValue): string {
  if (typeof value === 'string') return decimalIn(value) ?? value;
  return typeof value === 'object' && value !== null ? value.text : String(value);
}

/** Digits without groups and with a point. */
function withPoint(text: string, group: string, decimal: string): string {
  const [whole = '', ...rest] = text.split(decimal);
  if (rest.length > 1) return text;
  const digits = withoutGroups(whole, group);
  if (digits !== undefined) return rest.length === 0 ? digits : `${digits}.${rest[0]}`;
  return text.replace(decimal, '.');
}

/** Digits without the sign between groups; undefined where they are not grouped so. */
function withoutGroups(whole: string, group: string): string | undefined {
  // Few keyboards have the narrow blanks and the typographic apostrophes that languages group by.
  const sign = /\s/.test(group) ? '\\s' : /['’]/.test(group) ? "['’]" : group.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  if (!new RegExp(`^[1-9]\\d{0,2}(${sign}\\d{2,3})*${sign}\\d{3}$`).test(whole)) return undefined;
  return whole.replace(new RegExp(sign, 'g'), '');
}

function groupSign(language: string): string {
  const parts = new Intl.NumberFormat(language, { useGrouping: true }).formatToParts(12_345_678);
  return parts.find(({ type }) => type === 'group')?.value ?? ',';
}
