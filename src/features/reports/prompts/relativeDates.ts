/** Two days, both included, as `YYYY-MM-DD`. */
export interface DaySpan {
  low: string;
  high: string;
}

/** A calendar day, free of time zones. `month` counts from 1. */
interface Day {
  year: number;
  month: number;
  day: number;
}

/**
 * The days that a relative expression such as `[Last Month]` stands for, counted from `today`; undefined when it is none
 * that is known. Weeks start on Monday; `[Last 7 Days]` ends today, `[Next 7 Days]` starts tomorrow. Servers list such
 * expressions for date prompts and want explicit dates back. API description, GetFieldValues.
 */
export function resolveRelativeDate(expression: string, today: Date): DaySpan | undefined {
  const words = /^\[?\s*([a-z][a-z0-9\s]*?)\s*\]?$/i.exec(expression.trim())?.[1]?.toLowerCase().split(/\s+/);
  if (words === undefined) return undefined;
  const now: Day = { year: today.getFullYear(), month: today.getMonth() + 1, day: today.getDate() };
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

/** `year to date` and the like: from the unit's first day to today. */
function toDate(unit: string, now: Day): DaySpan | undefined {
  const whole = wholeUnit(unit, 0, now);
  return whole && { low: whole.low, high: textOf(now) };
}

/** The week, month, quarter or year that lies `shift` units from today's. */
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

/** `last 7 days`, `next 2 weeks`: so many units, today included when they lie in the past. */
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

/** The same day in another month, or that month's last day where it has fewer. */
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
