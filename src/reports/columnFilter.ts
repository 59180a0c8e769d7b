import { cellTest } from '../client/results/cellTest.ts';
import type { CellTest } from '../client/results/cellTest.ts';
import type { ColumnData } from '../client/results/columnData.ts';
import { cellTag } from '../client/results/resultCell.ts';
import type { CellValue } from '../client/results/resultCell.ts';
import type { CellFormat } from './cellFormat.ts';

/** What a column's filter asks of a cell. */
export type ColumnFilter =
  | { kind: 'contains'; text: string }
  | { kind: 'equals'; text: string; isNegated: boolean }
  | { kind: 'empty'; isNegated: boolean }
  | { kind: 'compare'; operator: CompareOperator; bound: string }
  | { kind: 'range'; low: string; high: string };

type CompareOperator = '<' | '<=' | '>' | '>=';

/** What is wrong with a filter: an operator without a value. */
export type FilterFault = 'noValue';

/**
 * Reads what is typed into a column's filter: text that the cell contains; `=text` and `<>text` for the whole cell;
 * `>`, `>=`, `<`, `<=` and `low..high` for numbers and dates; `null` and `!null` for cells without a value.
 */
export function readColumnFilter(text: string): ColumnFilter | FilterFault {
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

/**
 * The test of a filter for the cells of a column. Texts compare as they are shown, without regard to case; in columns
 * of numbers, a bound that is a number compares with the value itself.
 */
export function columnTest(filter: ColumnFilter, data: ColumnData, format: CellFormat): CellTest {
  switch (filter.kind) {
    case 'empty':
      return (tag) => tag <= cellTag.null !== filter.isNegated;
    case 'contains':
      return format.isPlain
        ? cellTest(data, { kind: 'contains', text: filter.text })
        : valueTest(data, format, containing(filter.text));
    case 'equals':
      return equalsTest(filter, data, format);
    case 'compare': {
      const side = sideOf(filter.bound, format);
      const accepted = { '<': [-1], '<=': [-1, 0], '>': [1], '>=': [1, 0] }[filter.operator];
      return valueTest(data, format, (value, shown) => accepted.includes(side(value, shown)));
    }
    case 'range': {
      const low = sideOf(filter.low, format);
      const high = sideOf(filter.high, format);
      return valueTest(data, format, (value, shown) => low(value, shown) >= 0 && high(value, shown) <= 0);
    }
  }
}

type Judgement = (value: CellValue, shown: string) => boolean;

function containing(text: string): Judgement {
  const needle = text.toLowerCase();
  return (_, shown) => shown.toLowerCase().includes(needle);
}

/** A cell without a value differs from every value. */
function equalsTest(
  { text, isNegated }: { text: string; isNegated: boolean },
  data: ColumnData,
  format: CellFormat,
): CellTest {
  const number = numberIn(text, format);
  const wanted = text.toLowerCase();
  const test = valueTest(data, format, (value, shown) =>
    number === undefined ? shown.toLowerCase() === wanted : numberOf(value) === number,
  );
  return (tag, slot) => test(tag, slot) !== isNegated;
}

/** On which side of a bound a cell lies: -1 below, 0 on it, 1 above; NaN where it cannot be compared. */
function sideOf(bound: string, format: CellFormat): (value: CellValue, shown: string) => number {
  const number = numberIn(bound, format);
  if (number !== undefined) return (value) => Math.sign((numberOf(value) ?? NaN) - number);
  const text = bound.toLowerCase();
  // A year, a month or a day stands for all that begins with it.
  const length = /^\d{4}(-\d{2}){0,2}$/.test(text) ? text.length : undefined;
  return (_, shown) => {
    const own = shown.toLowerCase().slice(0, length);
    return own < text ? -1 : own > text ? 1 : 0;
  };
}

/** Tests cells that have a value; each text of the dictionary is looked at once. */
function valueTest(data: ColumnData, format: CellFormat, judge: Judgement): CellTest {
  // Per text of the dictionary: 0 not judged yet, 1 fails, 2 passes.
  const known = new Uint8Array(data.dictionary.size);
  const judgeValue = (value: CellValue) => {
    const shown = format.write(value);
    return shown !== null && judge(value, shown);
  };
  return (tag, slot) => {
    if (tag <= cellTag.null) return false;
    if (tag !== cellTag.code) return judgeValue(data.valueOf(tag, slot));
    if (known[slot] === 0) known[slot] = judgeValue(data.dictionary.textOf(slot)) ? 2 : 1;
    return known[slot] === 2;
  };
}

/** The number that was typed as a bound of a column of numbers, with the sign before decimals that its cells show or a point. */
function numberIn(text: string, { kind, decimalSign }: CellFormat): number | undefined {
  if (kind !== 'number') return undefined;
  return numberOf(decimalSign === undefined ? text : text.replace(decimalSign, '.'));
}

function numberOf(value: CellValue): number | undefined {
  if (typeof value === 'number') return value;
  const text =
    typeof value === 'string' ? value : typeof value === 'object' && value?.kind === 'exact' ? value.text : '';
  if (text.trim() === '') return undefined;
  const number = Number(text);
  return Number.isFinite(number) ? number : undefined;
}
