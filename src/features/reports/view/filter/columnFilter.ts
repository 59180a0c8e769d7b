import { containsPredicate as storedContains, type CellTest } from '../../../../client/results/cellTest.ts';
import type { ColumnData } from '../../../../client/results/columnData.ts';
import { cellTag, type CellValue } from '../../../../client/results/resultCell.ts';
import type { CellFormat } from '../format/cellFormat.ts';
import { numberSearch } from '../format/numberText.ts';
import { compareNumberTexts } from '../../../../client/results/numberText.ts';
import { decimalIn, numberIn } from '../../../../client/results/textNumbers.ts';

/** Condition of a column filter. */
export type ColumnFilter =
  | { kind: 'contains'; text: string }
  | { kind: 'equals'; text: string; isNegated: boolean }
  | { kind: 'empty'; isNegated: boolean }
  | { kind: 'compare'; operator: CompareOperator; bound: string }
  | { kind: 'range'; low: string; high: string };

type CompareOperator = '<' | '<=' | '>' | '>=';

/** Problem with a filter: an operator without a value, or a bound of a numeric column that is not a number. */
export type FilterFault = 'noValue' | 'notANumber';

/**
 * Parses the text of a column filter: text that the cell contains; `=text` and `<>text` for the whole cell; `>`, `>=`,
 * `<`, `<=` and `low..high` for numbers and dates; `null` and `!null` for cells without a value.
 * @param format the column's format: numbers are typed as they are displayed.
 */
export function readColumnFilter(text: string, format: CellFormat): ColumnFilter | FilterFault {
  const filter = readFilter(text);
  const bounds = typeof filter === 'string' ? [] : boundsOf(filter);
  // Compared as text, 5.00 would be greater than 1,000.00.
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

/** What is known about a cell in advance: nothing, or that it fails or passes. */
export const verdict = { open: 0, fails: 1, passes: 2 } as const;

/** A filter applied to the cells of one column. */
export interface FilterTest {
  test: CellTest;
  /** Per dictionary text: a {@link verdict}, open until `test` has evaluated it. */
  verdicts: Uint8Array;
  /** Per tag: a {@link verdict} for all its cells, so that none needs to be tested; open if they differ. */
  byTag: Uint8Array;
  /** Whether no text between two addresses of the pages passes; absent if unknown. */
  isNowhere?: (low: number, high: number) => boolean;
}

/** A test for a cell that has a value. `shown` is its displayed text only if the test needs it. */
interface Judgement<T> {
  needsText: boolean;
  of: (value: CellValue, shown: string) => T;
}

/**
 * The filter's test for the cells of a column. Texts are compared as displayed, ignoring case. In numeric columns, a
 * numeric bound is compared with the value itself.
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

/** Searches for a lower-case text in the displayed text; first in the stored text if that rules out most cells. */
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

/** Dictionaries up to this size are tested in advance, which takes almost no time. */
const fewTexts = 4_096;
const tagCount = Math.max(...Object.values(cellTag)) + 1;

/** Tests cells that have a value. Dictionary texts are tested once each; `other` tests all other cells. */
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

/** Compares a cell with a bound: -1 below, 0 equal, 1 above; NaN if they cannot be compared. */
function sideOf(bound: string, format: CellFormat): Judgement<number> {
  const number = boundIn(bound, format);
  if (number !== undefined) return { needsText: false, of: (value) => compareWithBound(value, number) };
  const text = bound.toLowerCase();
  // A year, month or day includes everything that starts with it, unless further digits follow, as in a number.
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

/** A numeric bound for exact comparison. */
interface NumberBound {
  value: number;
  /** With all digits. */
  text: string;
}

const minusSigns = /^[\u2212\u2010-\u2013]/;

/**
 * Parses a number typed for a numeric column: as the cells show it, with the language's separators, a currency or
 * percent sign, or with a decimal point; undefined if it is not a number. Digits in groups of three are grouped if the
 * language uses that separator for grouping; a single point that the language does not use is the decimal point.
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

/** Compares a cell's number with a bound: -1 below, 0 equal, 1 above; NaN if the cell has no number. */
function compareWithBound(cell: CellValue, bound: NumberBound): number {
  const value = numberOf(cell);
  if (value === undefined) return NaN;
  if (value !== bound.value) return value < bound.value ? -1 : 1;
  return Math.sign(compareNumberTexts(digitsOf(cell), bound.text));
}

/** The number in a cell, including numeric text. */
function numberOf(value: CellValue): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value === 'string') return numberIn(value);
  return typeof value === 'object' && value?.kind === 'exact' ? numberIn(value.text) : undefined;
}

function digitsOf(value: CellValue): string {
  if (typeof value === 'string') return decimalIn(value) ?? value;
  return typeof value === 'object' && value !== null ? value.text : String(value);
}

/** Digits without group separators, with a decimal point. */
function withPoint(text: string, group: string, decimal: string): string {
  const [whole = '', ...rest] = text.split(decimal);
  if (rest.length > 1) return text;
  const digits = withoutGroups(whole, group);
  if (digits !== undefined) return rest.length === 0 ? digits : `${digits}.${rest[0]}`;
  return text.replace(decimal, '.');
}

/** Digits without group separators; undefined if they are not grouped correctly. */
function withoutGroups(whole: string, group: string): string | undefined {
  // Few keyboards have the narrow spaces and typographic apostrophes that some languages group by.
  const sign = /\s/.test(group) ? '\\s' : /['’]/.test(group) ? "['’]" : group.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  if (!new RegExp(`^[1-9]\\d{0,2}(${sign}\\d{2,3})*${sign}\\d{3}$`).test(whole)) return undefined;
  return whole.replace(new RegExp(sign, 'g'), '');
}

function groupSign(language: string): string {
  const parts = new Intl.NumberFormat(language, { useGrouping: true }).formatToParts(12_345_678);
  return parts.find(({ type }) => type === 'group')?.value ?? ',';
}
