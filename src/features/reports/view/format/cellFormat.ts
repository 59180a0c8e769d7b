import type { CellValue } from '../../../../client/results/resultCell.ts';
import type { ResultColumn } from '../../../../client/results/resultColumn.ts';
import { isNumberColumn } from '../../../../client/results/textNumbers.ts';
import type { CellKind } from '../../../../contract/pages/resultsPage.ts';
import { datTexts, hasPlainYear, zonedText } from '../../../../contract/zones/zonedTimes.ts';
import type { Zones } from '../../../../contract/zones/zoneNames.ts';
import { unixMilliseconds } from './dateTimeText.ts';
import type { NumberStyle } from './numberText.ts';

/** How values are formatted: the language for numbers, and the time zones for `dat` and `udt`. */
export interface CellLocale {
  /** BCP 47 tag, such as `en`. */
  language: string;
  /** Zone that `dat` and `udt` are shown in: an IANA name, such as `Europe/Berlin`, or an offset, such as `+05:30`. */
  timeZone: string;
  /** Zone that `dat` is stored in; UTC by default. */
  storedZone?: string;
}

/** The zones of `dat` columns. */
export function zonesOf({ timeZone, storedZone = 'UTC' }: Pick<CellLocale, 'timeZone' | 'storedZone'>): Zones {
  return { stored: storedZone, shown: timeZone };
}

/** Formats the cells of a column. */
export interface CellFormat {
  kind: CellKind;
  /** Whether text and numbers are shown unchanged. */
  isPlain: boolean;
  /** Whether numbers use the column's own format instead of their stored digits. */
  hasOwnFormat?: boolean;
  /** The decimal separator, if it is not a point. */
  decimalSign?: string | undefined;
  /** Text of a cell; null if it has no value. */
  write: (value: CellValue) => string | null;
  /** How `write` formats numbers, if it writes them as digits. */
  numbers?: NumberStyle;
  /** Whether a cell can contain the lower-case `text` as displayed only if it contains it as stored. */
  isFoundAsStored: (text: string) => boolean;
}

/**
 * Format of a column's cells, by field type code. `dat` is stored in the registered server's time zone and shown in the
 * user's; `dtz`, `doz` and `tsp` stay as stored; `per` is already in hundredths. Unknown or missing codes are shown unchanged.
 * API description, Field type codes.
 */
export function cellFormat(
  column: Pick<ResultColumn, 'fieldType' | 'dataType' | 'format'>,
  locale: CellLocale,
): CellFormat {
  const zones = zonesOf(locale);
  switch (column.fieldType) {
    case 'num': {
      // Percent formats apply to the value times 100, which `styleOf` does not calculate: 0.004 would be shown as zero.
      const style = isPercentFormat(column.format) ? undefined : styleOf(column.format, locale);
      return style === undefined ? digitByDigit(locale) : numeric(style);
    }
    case 'cur':
      return numeric(styleOf(column.format, locale) ?? fixed(locale, 2));
    case 'per':
      return numeric(withSign(styleOf(column.format, locale) ?? fixed(locale, 2, { least: 0 }), '%'));
    case 'dat':
      return moment((text) => datTexts.shown(text, zones), hasOtherThanDigits);
    case 'udt':
      return moment((text) => unixText(Number(text), zones.shown) ?? text, hasOtherThanDigits);
    case 'dtz':
    case 'tsp':
      return moment(
        (text) => text.replace(/^(\d{4}-\d{2}-\d{2})T/, '$1 '),
        (text) => !text.includes(' '),
      );
    case 'doz':
      return moment(
        (text) => text.replace(/^(\d{4}-\d{2}-\d{2})[T ]00:00(:00(\.0+)?)?Z?$/, '$1'),
        () => true,
      );
    case 'ddn':
      return plain('drill');
    case 'lnk':
    case 'flk':
      return plain('link');
    default:
      return isNumberColumn(column) ? digitByDigit(locale) : plain('text');
  }
}

const asIs = (text: string) => text;

/** Formats text and numbers with the given functions, and other values by their type. */
function writer(
  text: (text: string) => string,
  number: (number: number) => string,
  exact: (text: string) => string = asIs,
): CellFormat['write'] {
  return (value) => {
    if (value === null || value === undefined) return null;
    if (typeof value === 'string') return text(value);
    if (typeof value === 'number') return number(value);
    if (typeof value === 'boolean') return String(value);
    return value.kind === 'exact' ? exact(value.text) : value.text;
  };
}

/** Shows everything as stored. */
function plain(kind: CellKind): CellFormat {
  return { kind, isPlain: true, write: writer(asIs, String), numbers: asManyDigits('en'), isFoundAsStored: () => true };
}

/** A column of dates and times. A number is parsed from its digits. */
function moment(text: (text: string) => string, isFoundAsStored: CellFormat['isFoundAsStored']): CellFormat {
  return { kind: 'moment', isPlain: false, write: writer(text, (number) => text(String(number))), isFoundAsStored };
}

/** Whether a text contains characters that no date in the user's time zone has. */
function hasOtherThanDigits(text: string): boolean {
  return /[^-\d: ]/.test(text);
}

/** A numeric column. Formats numeric text as numbers, because servers send decimals as text. */
function numeric(numbers: NumberStyle): CellFormat {
  const { before, after, decimals, isGrouped, language } = numbers;
  const digits = new Intl.NumberFormat(language, {
    useGrouping: isGrouped,
    minimumFractionDigits: decimals?.least,
    maximumFractionDigits: decimals?.most,
    // No minus sign for zero, nor for numbers that round to it.
    signDisplay: 'negative',
  });
  const minus = minusSign(language);
  const number = (value: number | `${number}`) => {
    const text = digits.format(value);
    // The minus sign goes before the currency symbol.
    const isNegative = before !== '' && text.startsWith(minus);
    return isNegative ? `${minus}${before}${text.slice(minus.length)}${after}` : `${before}${text}${after}`;
  };
  const fromText = (text: string) => {
    const trimmed = text.trim();
    // As text, it keeps digits that a double cannot hold.
    if (isPlainDecimal(trimmed)) return number(trimmed);
    const value = trimmed === '' ? NaN : Number(trimmed);
    return Number.isFinite(value) ? number(value) : text;
  };
  // All characters that a formatted number can contain.
  const letters = new Set((number(-9_876_543_210.012_345) + number(0.5)).toLowerCase());
  return {
    kind: 'number',
    isPlain: false,
    hasOwnFormat: true,
    decimalSign: decimalSign(language),
    numbers,
    write: writer(fromText, number, fromText),
    isFoundAsStored: (text) => [...text].some((letter) => !letters.has(letter)),
  };
}

/**
 * The column's own format: `n2`, `c0`, `p1`, `d`, `f2`, `{0:N2}` or a pattern such as `#,##0.00`; undefined if there is
 * none or it is not numeric.
 */
function styleOf(format: string | undefined, locale: CellLocale): NumberStyle | undefined {
  const inner = /^\{0:(.+)\}$/.exec(format ?? '')?.[1] ?? format ?? '';
  const short = /^([ncfpd])(\d{0,2})$/i.exec(inner);
  if (short !== null) {
    const [, letter = '', digits = ''] = short;
    const isGrouped = !/[fd]/i.test(letter);
    // For integers, the precision is the number of digits before the point.
    if (/d/i.test(letter)) return fixed(locale, 0, { isGrouped });
    return fixed(locale, digits === '' ? 2 : Number(digits), { isGrouped });
  }
  const pattern = /^([^#0,.]*)([#0,]*[#0])(?:\.([#0]+))?([^#0,.]*)$/.exec(inner);
  if (pattern === null) return undefined;
  const [, before = '', whole = '', decimals = '', after = ''] = pattern;
  const least = decimals.replaceAll('#', '').length;
  const style = fixed(locale, decimals.length, { least, isGrouped: whole.includes(',') });
  return { ...style, before, after: after.replace('%', '') };
}

function isPercentFormat(format = ''): boolean {
  return /^(\{0:)?p\d{0,2}\}?$/i.test(format) || format.includes('%');
}

/**
 * Numbers without their own format may be years or ids, or have more digits than a double holds: they are not grouped
 * and keep their digits, except for calculated decimals. Uses the language's decimal separator.
 */
function digitByDigit({ language }: CellLocale): CellFormat {
  const sign = decimalSign(language);
  const own = plain('number');
  const write = (value: CellValue) => {
    const text = own.write(value);
    if (text === null) return null;
    const readable = text.length < shortestCalculated ? text : withoutCalculated(text);
    return sign === undefined ? readable : readable.replace(/^(-?\d+)\.(\d+)$/, `$1${sign}$2`);
  };
  // Digits may be rounded, and the decimal separator may differ.
  const isFoundAsStored = (text: string) => !/\d/.test(text) && (sign === undefined || !text.includes(sign));
  const numbers = asManyDigits(language);
  return { kind: 'number', isPlain: false, decimalSign: sign, numbers, write, isFoundAsStored };
}

/** Length of the shortest text that {@link withoutCalculated} may change. */
const shortestCalculated = 12;
/** Number of decimals kept in a calculated number. */
const calculatedDecimals = 6;

/**
 * Rounds numbers with more digits than a person would enter, such as averages and shares, to six decimals, and small
 * ones to six significant digits. The full cell and every export contain all digits.
 */
function withoutCalculated(text: string): string {
  if (/^-?\d\.\d{10,}e-\d+$/.test(text)) return String(Number(Number(text).toPrecision(calculatedDecimals)));
  const [, whole = '', decimals = ''] = /^-?(\d{1,15})\.(\d{7,})$/.exec(text) ?? [];
  const digits = (whole + decimals).replace(/^0+/, '').length;
  if (digits < 15 && (decimals.length <= 8 || digits <= 10)) return text;
  const value = Number(text);
  if (Math.abs(value) < 0.001) return String(Number(value.toPrecision(calculatedDecimals)));
  // Keeps trailing zeros so that the decimal separators of a column are aligned.
  return value.toFixed(calculatedDecimals);
}

/** The decimal separator of a language; undefined for a point. */
export function decimalSign(language: string): string | undefined {
  const sign = signIn(language, 'decimal');
  return sign === '.' ? undefined : sign;
}

function minusSign(language: string): string {
  return signIn(language, 'minusSign') ?? '-';
}

function signIn(language: string, wanted: 'decimal' | 'minusSign'): string | undefined {
  const parts = new Intl.NumberFormat(language).formatToParts(-0.5);
  return parts.find(({ type }) => type === wanted)?.value;
}

const mostDigits = 20;

/** With at most `most` and at least `least` decimals, which defaults to `most`. */
function fixed(
  { language }: CellLocale,
  most: number,
  { least = most, isGrouped = true }: { least?: number; isGrouped?: boolean } = {},
): NumberStyle {
  const decimals = { least: Math.min(least, mostDigits), most: Math.min(most, mostDigits) };
  return { before: '', after: '', decimals, isGrouped, language };
}

function asManyDigits(language: string): NumberStyle {
  return { before: '', after: '', decimals: undefined, isGrouped: false, language };
}

function withSign(style: NumberStyle, sign: string): NumberStyle {
  return { ...style, after: style.after + sign };
}

function isPlainDecimal(text: string): text is `${number}` {
  return /^-?\d+(\.\d+)?$/.test(text);
}

function unixText(number: number, zone: string): string | undefined {
  const moment = unixMilliseconds(number);
  return hasPlainYear(moment) ? zonedText(moment, zone) : undefined;
}
