import {
  type PromptChoice,
  fixedDates,
  type PromptValue,
  type RelativeDate,
} from '../../../contract/pages/promptForm.ts';
import { rezoned } from '../../../contract/zones/zonedTimes.ts';
import type { Comparison, PromptShape } from './promptFields.ts';

/** First and last day, both included, as `YYYY-MM-DD`. */
interface DaySpan {
  low: string;
  high: string;
}

/** A calendar day without a time zone. `month` starts at 1. */
interface Day {
  year: number;
  month: number;
  day: number;
}

/**
 * Resolves a relative expression such as `[Last Month]` to days, based on `today` (`YYYY-MM-DD`); undefined if it is unknown. Weeks
 * start on Monday; `[Last 7 Days]` ends today, `[Next 7 Days]` starts tomorrow. Servers list such expressions for date
 * prompts but expect explicit dates. API description, GetFieldValues.
 */
export function resolveRelativeDate(expression: string, today: string): DaySpan | undefined {
  const words = /^\[?\s*([a-z][a-z0-9\s]*?)\s*\]?$/i.exec(expression.trim())?.[1]?.toLowerCase().split(/\s+/);
  if (words === undefined) return undefined;
  const [year = 0, month = 0, day = 0] = today.split('-').map(Number);
  const now: Day = { year, month, day };
  const [first = '', second = '', third = '', ...rest] = words;
  if (rest.length > 0) return undefined;
  if (second === '') return nearDay(first, now);
  if (second === 'to' && third === 'date') return toDate(first, now);
  if (third !== '') return counted(first, Number(second), third, now);
  const shift = shifts[first];
  return shift === undefined ? undefined : wholeUnit(second, shift, now);
}

const shifts: Readonly<Record<string, number>> = { last: -1, previous: -1, this: 0, current: 0, next: 1 };
const nearDays: Readonly<Record<string, number>> = { yesterday: -1, today: 0, tomorrow: 1 };
const monthsOf: Readonly<Record<string, number>> = { month: 1, quarter: 3, year: 12 };

function nearDay(word: string, now: Day): DaySpan | undefined {
  const shift = nearDays[word];
  if (shift === undefined) return undefined;
  const text = textOf(addDays(now, shift));
  return { low: text, high: text };
}

/** `year to date` and similar: from the first day of the unit to today. */
function toDate(unit: string, now: Day): DaySpan | undefined {
  const whole = wholeUnit(unit, 0, now);
  return whole && { low: whole.low, high: textOf(now) };
}

/** The week, month, quarter or year that is `shift` units from today's. */
function wholeUnit(unit: string, shift: number, now: Day): DaySpan | undefined {
  if (unit === 'day') return { low: textOf(addDays(now, shift)), high: textOf(addDays(now, shift)) };
  if (unit === 'week') {
    const monday = addDays(now, shift * 7 - ((weekday(now) + 6) % 7));
    return { low: textOf(monday), high: textOf(addDays(monday, 6)) };
  }
  const months = monthsOf[unit];
  if (months === undefined) return undefined;
  const index = now.year * 12 + now.month - 1;
  const start = (Math.floor(index / months) + shift) * months;
  return { low: textOf(firstOfMonth(start)), high: textOf(addDays(firstOfMonth(start + months), -1)) };
}

/** `last 7 days`, `next 2 weeks`: a number of units, including today if they are in the past. */
function counted(direction: string, count: number, unit: string, now: Day): DaySpan | undefined {
  const sign = shifts[direction];
  if ((sign !== -1 && sign !== 1) || !Number.isInteger(count) || count < 1 || count > 9999) return undefined;
  const singular = unit.replace(/s$/, '');
  const months = monthsOf[singular];
  const days = { day: 1, week: 7 }[singular];
  const moved = (units: number) =>
    days === undefined ? addMonths(now, units * (months ?? 0)) : addDays(now, units * days);
  if (days === undefined && months === undefined) return undefined;
  if (sign === -1) return { low: textOf(addDays(moved(-count), 1)), high: textOf(now) };
  return { low: textOf(addDays(now, 1)), high: textOf(moved(count)) };
}

function addDays({ year, month, day }: Day, count: number): Day {
  const moment = new Date(0);
  moment.setUTCFullYear(year, month - 1, day + count);
  return { year: moment.getUTCFullYear(), month: moment.getUTCMonth() + 1, day: moment.getUTCDate() };
}

/** The same day in another month, or the month's last day if it is shorter. */
function addMonths({ year, month, day }: Day, count: number): Day {
  const first = firstOfMonth(year * 12 + month - 1 + count);
  const last = addDays(firstOfMonth(first.year * 12 + first.month), -1);
  return { ...first, day: Math.min(day, last.day) };
}

function firstOfMonth(index: number): Day {
  return { year: Math.floor(index / 12), month: (index % 12) + 1, day: 1 };
}

/** 0 is Sunday. */
function weekday({ year, month, day }: Day): number {
  const moment = new Date(0);
  moment.setUTCFullYear(year, month - 1, day);
  return moment.getUTCDay();
}

function textOf({ year, month, day }: Day): string {
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}

/** The end of a date range that a single-value prompt takes. Other prompts accept only single days. */
const ends: Partial<Record<Comparison, 'low' | 'high'>> = {
  greater: 'high',
  atMost: 'high',
  atLeast: 'low',
  less: 'low',
};

/**
 * Converts value list entries for a date prompt: relative dates and dates, each with the dates that it puts into the
 * controls. "After last month" means after its last day. Omits entries that the prompt cannot use: months if it takes a
 * single day, and entries that are not dates.
 */
export function dateChoices(choices: readonly PromptChoice[], shape: PromptShape): PromptChoice[] {
  return choices.flatMap((choice) => {
    const dates = choice.dates ?? dateIn(choice.value, shape);
    if (dates === undefined) return [];
    if (shape.mode === 'between') return [{ ...choice, dates }];
    const end = ends[shape.comparison];
    if (end === undefined) return dates.low === dates.high ? [{ ...choice, dates }] : [];
    return [{ ...choice, dates: { low: dates[end], high: dates[end] } }];
  });
}

const dateForm = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(:\d{2})?(?:\.\d+)?Z?)?$/;

/** A time that the server compares, as the form shows it. */
function shownTime(text: string, zones: PromptShape['zones']): string {
  return zones === undefined ? text : rezoned(text, zones.stored, zones.shown);
}

/** A date from the server, with its time only if the prompt takes one and it is not midnight. */
function dateIn(text: string, { input, zones }: PromptShape): PromptChoice['dates'] {
  const parts = dateForm.exec(text.trim());
  if (parts === null) return undefined;
  const [, day = '', time, seconds = ':00'] = parts;
  const isMidnight = time === undefined || (zones === undefined && time === '00:00' && seconds === ':00');
  const date = input === 'datetime' && !isMidnight ? shownTime(`${day} ${time}${seconds}`, zones) : day;
  return { low: date, high: date };
}

/**
 * Updates a saved value to today: "last month" may have changed since it was chosen. Keeps dates that were typed.
 * @param today in the user's time zone, as `YYYY-MM-DD`.
 */
export function resolvedToday(shape: PromptShape, value: PromptValue, today: string): PromptValue {
  return withoutChanged(shape, fixedDates(shape.mode, value).reduce(moved(shape, today), value));
}

/** A value without the relative dates whose days were edited. */
export function withoutChanged({ mode }: PromptShape, { relative, ...value }: PromptValue): PromptValue {
  const standing = fixedDates(mode, { ...value, relative });
  return standing.length === 0 ? value : { ...value, relative: standing };
}

/** Replaces the dates of a relative date with today's. */
function moved(shape: PromptShape, today: string): (value: PromptValue, date: RelativeDate) => PromptValue {
  return (value, date) => {
    const { expression, label } = date;
    const dates = resolveRelativeDate(expression, today);
    const [choice] = dateChoices(dates === undefined ? [] : [{ value: expression, label, dates }], shape);
    // Keep the dates of an expression that can no longer be parsed.
    if (choice?.dates === undefined) return value;
    const { low, high } = choice.dates;
    const relative = value.relative?.map((each) => (each === date ? { ...date, low, high } : each));
    if (shape.mode === 'inList') {
      const list = [...new Set(value.list.map((text) => (text === date.low ? low : text)))];
      return { ...value, list, relative };
    }
    return shape.mode === 'between' ? { ...value, low, high, relative } : { ...value, low, relative };
  };
}

/**
 * Adapts a default from the server to a date prompt: relative dates as of today, others as {@link PromptValue} writes
 * them. Keeps text that is not a valid date for the prompt.
 * @param today in the user's time zone, as `YYYY-MM-DD`.
 */
export function dateDefault(shape: PromptShape, value: PromptValue, today: string): PromptValue {
  if (shape.input !== 'date' && shape.input !== 'datetime') return value;
  const read = (text: string) => relativeIn(shape, text, today) ?? { ...dayIn(shape, text), expression: undefined };
  if (shape.mode === 'inList') {
    const found = value.list.map(read);
    return withRelative({ ...value, list: found.map(({ low }) => low) }, found);
  }
  const low = read(value.low);
  if (shape.mode !== 'between') return withRelative({ ...value, low: low.low }, [low]);
  // A single expression may describe a whole range.
  const isOne = low.expression !== undefined && (value.high === '' || value.high === value.low);
  const high = isOne ? low : read(value.high);
  return withRelative({ ...value, low: low.low, high: high.high }, isOne ? [low] : []);
}

type FoundDate = Omit<RelativeDate, 'expression' | 'label'> & { expression: string | undefined; label?: string };

function withRelative(value: PromptValue, found: readonly FoundDate[]): PromptValue {
  const relative = found.flatMap(({ expression, label = '', low, high }) =>
    expression === undefined ? [] : [{ expression, label, low, high }],
  );
  return relative.length === 0 ? value : { ...value, relative };
}

/** The dates that a relative date puts into the controls; undefined for any other text. */
function relativeIn(shape: PromptShape, text: string, today: string): FoundDate | undefined {
  const [, label] = /^\[(.*)\]$/.exec(text.trim()) ?? [];
  const dates = label === undefined ? undefined : resolveRelativeDate(text, today);
  if (label === undefined || dates === undefined) return undefined;
  const [choice] = dateChoices([{ value: text, label, dates }], shape);
  return choice?.dates && { expression: text.trim(), label, ...choice.dates };
}

/** A date, with its time if the prompt takes one, without the letters that some servers add. */
function dayIn({ input, zones }: PromptShape, text: string): DaySpan {
  const parts = dateForm.exec(text.trim());
  const [, day = text, time, seconds = ':00'] = parts ?? [];
  const isMoment = input === 'datetime' && time !== undefined;
  const written = isMoment ? shownTime(`${day} ${time}${seconds}`, zones) : day;
  return { low: written, high: written };
}
