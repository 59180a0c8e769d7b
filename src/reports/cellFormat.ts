import type { CellValue } from '../client/results/resultCell.ts';
import type { ResultColumn } from '../client/results/resultColumn.ts';
import type { CellKind } from '../protocol/resultsPage.ts';

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
  const zone = zoneWriter(locale);
  switch (column.fieldType) {
    case 'num':
      return numeric(numberWriter(column.format, locale) ?? digitByDigit(locale), locale);
    case 'cur':
      return numeric(numberWriter(column.format, locale) ?? fixed(locale, 2), locale);
    case 'per':
      return numeric(withSign(numberWriter(column.format, locale) ?? upTo(locale, 2), '%'), locale);
    case 'dat':
      return moment((text) => shiftedText(text, zone));
    case 'udt':
      return moment((text) => unixText(Number(text), zone) ?? text);
    case 'dtz':
    case 'tsp':
      return moment((text) => text.replace(/^(\d{4}-\d{2}-\d{2})T/, '$1 '));
    case 'doz':
      return moment((text) => text.replace(/^(\d{4}-\d{2}-\d{2})[T ]00:00(:00(\.0+)?)?Z?$/, '$1'));
    case 'ddn':
      return { kind: 'drill', isPlain: true, write: writer(asIs, String) };
    case 'lnk':
    case 'flk':
      return { kind: 'link', isPlain: true, write: writer(asIs, String) };
    default: {
      if (isNumericType(column.dataType)) return digitByDigit(locale);
      return { kind: 'text', isPlain: true, write: writer(asIs, String) };
    }
  }
}

/** The address in a link cell, if it is one that may be opened: web or mail, absolute. */
export function linkTarget(value: CellValue): URL | undefined {
  if (typeof value !== 'string' || !URL.canParse(value.trim())) return undefined;
  const url = new URL(value.trim());
  return ['https:', 'http:', 'mailto:'].includes(url.protocol) ? url : undefined;
}

type NumberWriter = (number: number) => string;

const asIs = (text: string) => text;

/** Writes text and numbers by the functions given, and every other value as what it is. */
function writer(text: (text: string) => string, number: NumberWriter): CellFormat['write'] {
  return (value) => {
    if (value === null || value === undefined) return null;
    if (typeof value === 'string') return text(value);
    if (typeof value === 'number') return number(value);
    return typeof value === 'boolean' ? String(value) : value.text;
  };
}

/** A column of dates and times; a number is read as its digits. */
function moment(text: (text: string) => string): CellFormat {
  return { kind: 'moment', isPlain: false, write: writer(text, (number) => text(String(number))) };
}

/** A column of numbers. Text that is a number is written as one: servers send decimals as text. */
function numeric(number: NumberWriter | CellFormat, { language }: CellLocale): CellFormat {
  if (typeof number === 'object') return number;
  const fromText = (text: string) => {
    const value = text.trim() === '' ? NaN : Number(text);
    return Number.isFinite(value) ? number(value) : text;
  };
  const write = writer(fromText, number);
  return { kind: 'number', isPlain: false, hasOwnFormat: true, decimalSign: decimalSign(language), write };
}

/**
 * A writer for the column's own format: `n2`, `c0`, `p1`, `d`, `f2`, `{0:N2}` or a pattern such as `#,##0.00`; undefined
 * where there is none or it is of another kind.
 */
function numberWriter(format: string | undefined, locale: CellLocale): NumberWriter | undefined {
  const inner = /^\{0:(.+)\}$/.exec(format ?? '')?.[1] ?? format ?? '';
  const short = /^([ncfpd])(\d{0,2})$/i.exec(inner);
  if (short !== null) {
    const [, letter = '', digits = ''] = short;
    const isGrouped = !/[fd]/i.test(letter);
    return fixed(locale, digits === '' ? (/[cn]/i.test(letter) ? 2 : 0) : Number(digits), isGrouped);
  }
  const pattern = /^([^#0,.]*)([#0,]*[#0])(?:\.([#0]+))?([^#0,.]*)$/.exec(inner);
  if (pattern === null) return undefined;
  const [, before = '', whole = '', decimals = '', after = ''] = pattern;
  const numbers = new Intl.NumberFormat(locale.language, {
    useGrouping: whole.includes(','),
    minimumFractionDigits: decimals.replaceAll('#', '').length,
    maximumFractionDigits: decimals.length,
  });
  return (number) => `${before}${numbers.format(number)}${after.replace('%', '')}`;
}

/**
 * Numbers without a format of their own may be years or ids, or have more digits than a number holds: their digits stay as they
 * came, only the sign before decimals is that of the language.
 */
function digitByDigit({ language }: CellLocale): CellFormat {
  const sign = decimalSign(language);
  const plain = writer(asIs, String);
  if (sign === undefined) return { kind: 'number', isPlain: true, write: plain };
  const write = (value: CellValue) => plain(value)?.replace(/^(-?\d+)\.(\d+)$/, `$1${sign}$2`) ?? null;
  return { kind: 'number', isPlain: false, decimalSign: sign, write };
}

/** The sign before decimals in a language; undefined for a point. */
function decimalSign(language: string): string | undefined {
  const parts = new Intl.NumberFormat(language).formatToParts(0.5);
  const sign = parts.find(({ type }) => type === 'decimal')?.value;
  return sign === '.' ? undefined : sign;
}

function fixed(locale: CellLocale, digits: number, useGrouping = true): NumberWriter {
  const numbers = new Intl.NumberFormat(locale.language, {
    useGrouping,
    minimumFractionDigits: Math.min(digits, 20),
    maximumFractionDigits: Math.min(digits, 20),
  });
  return (number) => numbers.format(number);
}

function upTo(locale: CellLocale, digits: number): NumberWriter {
  const numbers = new Intl.NumberFormat(locale.language, { maximumFractionDigits: digits });
  return (number) => numbers.format(number);
}

function withSign(writer: NumberWriter, sign: string): NumberWriter {
  return (number) => `${writer(number)}${sign}`;
}

function isNumericType(dataType: string | undefined): boolean {
  return /^(system\.)?(number|numeric|decimal|double|float|single|real|(big|small|tiny)?int(eger|16|32|64)?)$/i.test(
    dataType ?? '',
  );
}

/** `2001-03-01T08:30:00` without a zone is UTC; a day alone has no moment to shift. */
function shiftedText(text: string, zone: (moment: Date) => string): string {
  const parts = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(Z|[+-]\d{2}:?\d{2})?$/.exec(text);
  if (parts === null) return text;
  const moment = new Date(`${parts[1]}T${parts[2]}${parts[3] ?? 'Z'}`);
  return Number.isNaN(moment.getTime()) ? text : zone(moment);
}

/** Seconds since 1970, or milliseconds where seconds would lie beyond the year 5000. */
function unixText(number: number, zone: (moment: Date) => string): string | undefined {
  if (!Number.isFinite(number)) return undefined;
  const moment = new Date(Math.abs(number) > 1e11 ? number : number * 1000);
  return Number.isNaN(moment.getTime()) ? undefined : zone(moment);
}

/** Writes a moment as `YYYY-MM-DD HH:mm:ss` in the user's zone. */
function zoneWriter({ timeZone }: CellLocale): (moment: Date) => string {
  let writer: Intl.DateTimeFormat | undefined;
  return (moment) => {
    // The Swedish order is the ISO one.
    writer ??= new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone });
    return writer.format(moment);
  };
}
