import { zoneClock } from './zoneClock.ts';
import type { Zones } from './zoneNames.ts';

const form = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2})?)(\.\d+)?(Z|[+-]\d{2}:?\d{2})?$/;
const first = Date.parse('0001-01-03T00:00:00Z');
const last = Date.parse('9999-12-30T00:00:00Z');

/** Whether the year of a moment has four digits in every zone; false for NaN. */
export function hasPlainYear(moment: number): boolean {
  return moment > first && moment < last;
}

/** A date and time: the moment in whole seconds, as milliseconds, and the decimals of its second as text. */
interface ZonedTime {
  moment: number;
  fraction: string;
}

/**
 * Reads a date and time; undefined for other texts, such as a date without a time, which no zone changes. One without a
 * zone of its own is a wall time of `stored`.
 */
export function readZonedTime(text: string, stored: string): ZonedTime | undefined {
  const [, day, time, fraction = '', zone] = form.exec(text) ?? [];
  if (day === undefined) return undefined;
  const read = Date.parse(`${day}T${time}${zone ?? 'Z'}`);
  if (!hasPlainYear(read)) return undefined;
  return { moment: zone === undefined ? zoneClock(stored).moment(read) : read, fraction };
}

/** A moment in a zone, as `YYYY-MM-DD HH:mm:ss`. */
export function zonedText(moment: number, zone: string): string {
  return wallText(zoneClock(zone).wall(moment));
}

function wallText(wall: number): string {
  const text = new Date(wall).toISOString();
  return `${text.slice(0, 10)} ${text.slice(11, 19)}`;
}

/** Reads and writes the values of a `dat` column in its zones. Texts that are no date and time stay as they are. */
export const datTexts = {
  /** As shown: `YYYY-MM-DD HH:mm:ss` in the zone `shown`. */
  shown(text: string, { stored, shown }: Zones): string {
    const time = readZonedTime(text, stored);
    return time === undefined ? text : zonedText(time.moment, shown);
  },
  /** As ISO 8601 with the offset of the zone `shown` and all decimals. */
  iso(text: string, { stored, shown }: Zones): string {
    const time = readZonedTime(text, stored);
    if (time === undefined) return text;
    // Offsets of whole minutes only: in the 19th century, some had seconds.
    const minutes = Math.round((zoneClock(shown).wall(time.moment) - time.moment) / 60_000);
    const wall = new Date(time.moment + minutes * 60_000).toISOString().slice(0, 19);
    return `${wall}${time.fraction}${offsetText(minutes)}`;
  },
};

function offsetText(minutes: number): string {
  const size = Math.abs(minutes);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

/** A value of a `dat` column that is stored in one zone as it would be stored in another, written as it was. */
export function storedIn(text: string, from: string, to: string): string {
  const [, , time = '', fraction = '', zone] = form.exec(text) ?? [];
  const moment = zone === undefined ? readZonedTime(text, from)?.moment : undefined;
  if (moment === undefined) return text;
  const moved = zonedText(moment, to)
    .replace(' ', text.charAt(10))
    .slice(0, 11 + time.length);
  return `${moved}${fraction}`;
}

/** The calendar day at a moment in a zone, as `YYYY-MM-DD`. */
export function dayIn(zone: string, moment: number): string {
  return zonedText(moment, zone).slice(0, 10);
}

const quarterMs = 15 * 60_000;

/**
 * The start of a day (`YYYY-MM-DD`) of one zone as a wall time of another: the first one that is read as a moment of
 * the day. Of a time that clocks show twice, only the first is read, so that the day may start behind the repeated
 * hour.
 */
function startOfDay(day: string, from: string, to: string): string {
  const start = readZonedTime(`${day} 00:00:00`, from)?.moment;
  if (start === undefined) return day;
  const clock = zoneClock(to);
  let wall = clock.wall(start);
  // Clocks change at a quarter of an hour.
  while (clock.moment(wall) < start) wall = (Math.floor(wall / quarterMs) + 1) * quarterMs;
  return wallText(wall);
}

/**
 * A wall time of one zone as that of another. `text` is `YYYY-MM-DD` for the start of the day, or with a time; other
 * texts stay as they are.
 */
export function rezoned(text: string, from: string, to: string): string {
  if (text.length === 'YYYY-MM-DD'.length) return startOfDay(text, from, to);
  const time = readZonedTime(text, from);
  return time === undefined ? text : `${zonedText(time.moment, to)}${time.fraction}`;
}
