import { clip, ValueError } from '../../contract/policyValues.ts';
import type { ColumnKind, SqlValue } from './rowSecurityPredicate.ts';

/** A span of time `[from, before)`; a single point in time has no `before`. Both are values of the column's kind. */
export interface TimeSpan {
  from: SqlValue;
  before: SqlValue | undefined;
}

const numberForm = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?$/;
const longestNumber = 100;

/** Parses a number without losing digits. @throws {ValueError} when `text` is not a plain decimal number. */
export function readNumber(text: string): SqlValue {
  const trimmed = text.trim();
  if (trimmed.length > longestNumber || !numberForm.test(trimmed))
    throw new ValueError(`"${clip(text)}" is not a number`);
  const digits = trimmed
    .replace(/^\+/, '')
    .replace(/^(-?)\./, '$10.')
    .replace(/\.(?=$|[eE])/, '');
  return { type: 'number', text: digits };
}

const isoForm =
  /^(?<year>\d{4})-(?<month>\d{1,2})-(?<date>\d{1,2})(?:[T ](?<hour>\d{1,2}):(?<minute>\d{2})(?::(?<second>\d{2})(?:(?<fraction>\.\d{1,6})0*)?)?Z?)?$/;
const slashForm =
  /^(?<month>\d{1,2})\/(?<date>\d{1,2})\/(?<year>\d{4})(?: (?<hour>\d{1,2}):(?<minute>\d{2})(?::(?<second>\d{2})(?<fraction>\.\d{1,6})?)?)?$/;

/** A moment that is finer than what most databases hold. */
const finerForm = /:\d{2}\.\d{7,}Z?$/;

/** Groups of {@link isoForm} and {@link slashForm}; without `hour`, there is no `minute` either. */
interface MomentGroups {
  year: string;
  month: string;
  date: string;
  hour?: string;
  minute: string;
  second?: string;
  fraction?: string;
}

/**
 * Parses a date, a date and time or a relative expression as a span of time for a column of `kind`. A date without a
 * time is the whole day; `[Last Month]` is the whole month. `today` (`YYYY-MM-DD`) is the base of relative expressions.
 * `startOf` is that of a Subject.
 * @throws {ValueError} when `text` is not a valid date and time.
 */
export function readTimeSpan(
  text: string,
  kind: ColumnKind,
  today: string,
  startOf?: (day: string) => string,
): TimeSpan {
  const trimmed = text.trim();
  const relative = relativeDays(trimmed, today);
  const start = (day: string) => temporal(...dayAndTime(startOf?.(day) ?? day), kind);
  if (relative) return { from: start(relative.from), before: start(relative.before) };
  if (kind === 'unixTime' && /^-?\d{1,15}$/.test(trimmed)) return { from: readNumber(trimmed), before: undefined };
  const { day, time } = readMoment(trimmed, text);
  if (time === undefined) return { from: start(day), before: start(addDays(day, 1)) };
  return { from: temporal(day, time, kind), before: undefined };
}

/** Splits `YYYY-MM-DD`, with or without ` HH:mm:ss`. */
function dayAndTime(text: string): [day: string, time: string] {
  const [day = '', time = '00:00:00'] = text.split(' ');
  return [day, time];
}

function readMoment(trimmed: string, original: string): { day: string; time: string | undefined } {
  const groups = (isoForm.exec(trimmed) ?? slashForm.exec(trimmed))?.groups;
  if (!groups) {
    const problem = finerForm.test(trimmed)
      ? 'has more than 6 decimals of a second'
      : 'is not a date; enter YYYY-MM-DD';
    throw new ValueError(`"${clip(original)}" ${problem}`);
  }
  const { year, month, date, hour, minute, second = '00', fraction = '' } = groups as unknown as MomentGroups;
  const day = `${year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`;
  if (year === '0000' || !isCalendarDay(day)) throw new ValueError(`"${clip(original)}" is not a calendar day`);
  if (hour === undefined) return { day, time: undefined };
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) {
    throw new ValueError(`"${clip(original)}" is not a time of day`);
  }
  return { day, time: `${hour.padStart(2, '0')}:${minute}:${second}${fraction}` };
}

/** The day after the last one with a four-digit year. */
const endOfCalendar = '10000-01-01';

function temporal(day: string, time: string, kind: ColumnKind): SqlValue {
  if (day === endOfCalendar) {
    return kind === 'unixTime'
      ? { type: 'number', text: '253402300800' }
      : { type: 'timestamp', text: '9999-12-31 23:59:59.999999' };
  }
  if (kind === 'unixTime') {
    const seconds = Date.parse(`${day}T${time.slice(0, 8)}Z`) / 1000;
    return { type: 'number', text: secondsText(seconds, time.slice(9)) };
  }
  if (kind === 'date' && !/[1-9]/.test(time)) return { type: 'date', text: day };
  return { type: 'timestamp', text: `${day} ${time}` };
}

/** Adds decimals to whole seconds. Before 1970, where seconds are negative, this moves the value towards zero. */
function secondsText(seconds: number, decimals: string): string {
  const micros = BigInt(seconds) * 1_000_000n + BigInt(decimals.padEnd(6, '0'));
  const sign = micros < 0n ? '-' : '';
  const digits = String(micros).replace('-', '').padStart(7, '0');
  const fraction = digits.slice(-6).replace(/0+$/, '');
  return `${sign}${digits.slice(0, -6)}${fraction && `.${fraction}`}`;
}

/** Relative expressions that a date prompt offers. API description, GetFieldValues. */
export const relativeDates = [
  '[Today]',
  '[Yesterday]',
  '[Tomorrow]',
  '[This Week]',
  '[Last Week]',
  '[Next Week]',
  '[This Month]',
  '[Last Month]',
  '[Next Month]',
  '[This Quarter]',
  '[Last Quarter]',
  '[Next Quarter]',
  '[This Year]',
  '[Last Year]',
  '[Next Year]',
  '[Last 7 Days]',
  '[Last 30 Days]',
  '[Last 90 Days]',
] as const;

type Amounts = ReadonlyMap<string | undefined, number>;
const daysFromToday: Amounts = new Map(Object.entries({ today: 0, yesterday: -1, tomorrow: 1 }));
const unitsFromNow: Amounts = new Map(Object.entries({ last: -1, this: 0, next: 1 }));
const monthsIn: Amounts = new Map(Object.entries({ month: 1, quarter: 3, year: 12 }));

/**
 * Days of a relative expression, or undefined when `text` is not one. Weeks start on Monday; `[Last N Days]` ends
 * today.
 */
function relativeDays(text: string, today: string): { from: string; before: string } | undefined {
  const words = /^\[\s*([a-z]+)(?:\s+(\d{1,4}))?(?:\s+([a-z]+))?\s*\]$/i.exec(text);
  if (!words) return undefined;
  const [, first, count, unit] = words.map((word) => word?.toLowerCase());
  const near = daysFromToday.get(first);
  if (near !== undefined && !count && !unit) return days(addDays(today, near), 1);
  if (first === 'last' && count && unit === 'days') return days(addDays(today, 1 - Number(count)), Number(count));
  const shift = unitsFromNow.get(first);
  if (shift === undefined || count) throw new ValueError(`"${clip(text)}" is not a relative date`);
  if (unit === 'week') return days(addDays(today, shift * 7 - ((weekday(today) + 6) % 7)), 7);
  const months = monthsIn.get(unit);
  if (months === undefined) throw new ValueError(`"${clip(text)}" is not a relative date`);
  const index = Number(today.slice(0, 4)) * 12 + Number(today.slice(5, 7)) - 1;
  const start = (Math.floor(index / months) + shift) * months;
  return { from: firstOfMonth(start), before: firstOfMonth(start + months) };
}

function days(from: string, count: number): { from: string; before: string } {
  return { from, before: addDays(from, count) };
}

function firstOfMonth(index: number): string {
  return `${String(Math.floor(index / 12)).padStart(4, '0')}-${String((index % 12) + 1).padStart(2, '0')}-01`;
}

function addDays(day: string, count: number): string {
  const moment = new Date(`${day}T00:00:00Z`);
  moment.setUTCDate(moment.getUTCDate() + count);
  return moment.getUTCFullYear() > 9999 ? endOfCalendar : moment.toISOString().slice(0, 10);
}

function weekday(day: string): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay();
}

function isCalendarDay(day: string): boolean {
  return new Date(`${day}T00:00:00Z`).getUTCDate() === Number(day.slice(8));
}
