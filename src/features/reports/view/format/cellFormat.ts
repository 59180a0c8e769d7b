import type { CellValue } from '../../../../client/results/resultCell.ts';
import type { ResultColumn } from '../../../../client/results/resultColumn.ts';
import { isNumberColumn } from '../../../../client/results/textNumbers.ts';
import type { CellKind } from '../../../../contract/pages/resultsPage.ts';
import { unixMilliseconds, zonedDateWriter } from './dateTimeText.ts';
import type { NumberStyle } from './numberText.ts';

/** How values are written: the language for numbers, and the zone that `dat` and `udt` are shown in. */
export interface CellLocale {
  /** BCP 47 tag, such as `en`. */
  language: string;
  /** IANA name, such as `Europe/Berlin`. */
  timeZone: string;
}

/** Writes the cells of one column. */
export interface CellFormat {
  kind: CellKind;
  /** Whether text and numbers are shown just as they are. */
  isPlain: boolean;
  /** Whether numbers are shown in a format of the column's own, and not digit by digit. */
  hasOwnFormat?: boolean;
  /** The sign before decimals, where it is not a point. */
  decimalSign?: string | undefined;
  /** Text of a cell; null where there is no value. */
  write: (value: CellValue) => string | null;
  /** How `write` writes numbers, where it is by digits. */
  numbers?: NumberStyle;
  /** Whether only what contains `text`, in small letters, as it is stored can be shown as something that contains it. */
  isFoundAsStored: (text: string) => boolean;
}

/**
 * How a column's cells are shown, by its field type code. `dat` holds UTC where it names no zone and is shown in the
 * user's; `dtz`, `doz` and `tsp` stay as stored; `per` counts in hundredths already. Codes that are unknown or missing are
 * shown as they are. API description, Field type codes.
 */
export function cellFormat(
  column: Pick<ResultColumn, 'fieldType' | 'dataType' | 'format'>,
  locale: CellLocale,
): CellFormat {
  const zone = zonedDateWriter(locale.timeZone);
  switch (column.fieldType) {
    case 'num': {
      // Percent formats count in hundredths of what is stored: 0.004 would read as nothing.
      const style = isPercentFormat(column.format) ? undefined : styleOf(column.format, locale);
      return style === undefined ? digitByDigit(locale) : numeric(style);
    }
    case 'cur':
      return numeric(styleOf(column.format, locale) ?? fixed(locale, 2));
    case 'per':
      return numeric(withSign(styleOf(column.format, locale) ?? fixed(locale, 2, { least: 0 }), '%'));
    case 'dat':
      return moment((text) => shiftedText(text, zone), hasOtherThanDigits);
    case 'udt':
      return moment((text) => unixText(Number(text), zone) ?? text, hasOtherThanDigits);
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

/** Writes text and numbers by the functions given, and every other value as what it is. */
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

/** Everything as it is stored. */
function plain(kind: CellKind): CellFormat {
  return { kind, isPlain: true, write: writer(asIs, String), numbers: asManyDigits('en'), isFoundAsStored: () => true };
}

/** A column of dates and times; a number is read as its digits. */
function moment(text: (text: string) => string, isFoundAsStored: CellFormat['isFoundAsStored']): CellFormat {
  return { kind: 'moment', isPlain: false, write: writer(text, (number) => text(String(number))), isFoundAsStored };
}

/** Whether a text holds what no moment in the user's zone does. */
function hasOtherThanDigits(text: string): boolean {
  return /[^-\d: ]/.test(text);
}

/** A column of numbers. Text that is a number is written as one: servers send decimals as text. */
function numeric(numbers: NumberStyle): CellFormat {
  const { before, after, decimals, isGrouped, language } = numbers;
  const digits = new Intl.NumberFormat(language, {
    useGrouping: isGrouped,
    minimumFractionDigits: decimals?.least,
    maximumFractionDigits: decimals?.most,
    // No sign before nought, nor before what is rounded to it.
    signDisplay: 'negative',
  });
  const minus = minusSign(language);
  const number = (value: number | `${number}`) => {
    const text = digits.format(value);
    // The sign of the number stands before that of a currency.
    const isNegative = before !== '' && text.startsWith(minus);
    return isNegative ? `${minus}${before}${text.slice(minus.length)}${after}` : `${before}${text}${after}`;
  };
  const fromText = (text: string) => {
    const trimmed = text.trim();
    // As text it keeps the digits that no double holds.
    if (isPlainDecimal(trimmed)) return number(trimmed);
    const value = trimmed === '' ? NaN : Number(trimmed);
    return Number.isFinite(value) ? number(value) : text;
  };
  // All digits and signs that a number may be written with.
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
 * The column's own format: `n2`, `c0`, `p1`, `d`, `f2`, `{0:N2}` or a pattern such as `#,##0.00`; undefined where there is
 * none or it is of another kind.
 */
function styleOf(format: string | undefined, locale: CellLocale): NumberStyle | undefined {
  const inner = /^\{0:(.+)\}$/.exec(format ?? '')?.[1] ?? format ?? '';
  const short = /^([ncfpd])(\d{0,2})$/i.exec(inner);
  if (short !== null) {
    const [, letter = '', digits = ''] = short;
    const isGrouped = !/[fd]/i.test(letter);
    // Of whole numbers the digits are those before the point.
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
 * Numbers without a format of their own may be years or ids, or have more digits than a number holds: they are not grouped,
 * and their digits stay as they came unless they are decimals of a calculation. The sign before decimals is that of the language.
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
  // Digits may be rounded, and the sign differ.
  const isFoundAsStored = (text: string) => !/\d/.test(text) && (sign === undefined || !text.includes(sign));
  const numbers = asManyDigits(language);
  return { kind: 'number', isPlain: false, decimalSign: sign, numbers, write, isFoundAsStored };
}

/** Characters of the shortest text that {@link withoutCalculated} may change. */
const shortestCalculated = 12;
/** Decimals left of a calculated number. */
const calculatedDecimals = 6;

/**
 * Leaves six decimals of a number that has so many digits that nobody entered them, as averages and shares have; of a small one six
 * digits. Whoever needs the others finds them in the cell shown whole, and in every export.
 */
function withoutCalculated(text: string): string {
  if (/^-?\d\.\d{10,}e-\d+$/.test(text)) return String(Number(Number(text).toPrecision(calculatedDecimals)));
  const [, whole = '', decimals = ''] = /^-?(\d{1,15})\.(\d{7,})$/.exec(text) ?? [];
  const digits = (whole + decimals).replace(/^0+/, '').length;
  if (digits < 15 && (decimals.length <= 8 || digits <= 10)) return text;
  const value = Number(text);
  if (Math.abs(value) < 0.001) return String(Number(value.toPrecision(calculatedDecimals)));
  // With zeros at the end, too: the signs before the decimals of a column stand below each other.
  return value.toFixed(calculatedDecimals);
}

/** The sign before decimals in a language; undefined for a point. */
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

/** With `most` decimals, and `least` at least, which is as many unless given. */
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

/** `2001-03-01T08:30:00` without a zone is UTC; a day alone has no moment to shift. */
function shiftedText(text: string, zone: (moment: Date) => string): string {
  const parts = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(Z|[+-]\d{2}:?\d{2})?$/.exec(text);
  if (parts === null) return text;
  const moment = new Date(`${parts[1]}T${parts[2]}${parts[3] ?? 'Z'}`);
  return Number.isNaN(moment.getTime()) ? text : zone(moment);
}

function unixText(number: number, zone: (moment: Date) => string): string | undefined {
  if (!Number.isFinite(number)) return undefined;
  const moment = new Date(unixMilliseconds(number));
  return Number.isNaN(moment.getTime()) ? undefined : zone(moment);
}
