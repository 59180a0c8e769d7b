import { compareNumberTexts } from '../../../../client/results/numberText.ts';
import type { CellValue } from '../../../../client/results/resultCell.ts';
import { decimalIn, numberIn } from '../../../../client/results/textNumbers.ts';
import type { CellFormat } from '../format/cellFormat.ts';

/** A number that cells are compared with, exactly. */
export interface NumberBound {
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
export function readNumberBound(typed: string, { numbers, decimalSign = '.' }: CellFormat): NumberBound | undefined {
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
export function sideOfBound(cell: CellValue, bound: NumberBound): number {
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
