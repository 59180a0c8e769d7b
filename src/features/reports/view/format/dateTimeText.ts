/** Parses a number from text; NaN if it is not a number. */
export function numberOf(text: string): number {
  return text.trim() === '' ? NaN : Number(text);
}

/**
 * Parses a date, with or without a time, to milliseconds, and a Unix time to its number. Without a time zone, it is
 * UTC.
 */
export function dateTimeOf(text: string): number {
  const parts = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(Z|[+-]\d{2}:?\d{2})?)?$/.exec(text);
  if (parts === null) return numberOf(text);
  return Date.parse(`${parts[1]}T${parts[2] ?? '00:00'}${parts[3] ?? 'Z'}`);
}

/** Formats a date and time as text that {@link dateTimeOf} parses. */
export function dateTimeText(milliseconds: number): string {
  return new Date(Math.round(milliseconds)).toISOString().slice(0, 19);
}

/**
 * The date and time of a value, for comparing values of a column; NaN if there is none. A number, also as text, is a
 * Unix time.
 */
export function dateTimeIn(value: string | number): number {
  const number = typeof value === 'number' ? value : numberOf(value);
  return Number.isNaN(number) ? dateTimeOf(String(value)) : unixMilliseconds(number);
}

/** A Unix time in milliseconds. Interprets it as seconds unless that would be after the year 5000. */
export function unixMilliseconds(number: number): number {
  return Math.abs(number) > 1e11 ? number : number * 1000;
}

const dayMs = 86_400_000;
/** Before this date, time zones changed at odd times of the day. */
const firstPlain = Date.UTC(1973, 0, 1);
const lastPlain = Date.UTC(9999, 0, 1);
/** Number of days to cache UTC offsets for. More are rare; then the cache is cleared. */
const mostDays = 50_000;

/**
 * Formats dates as `YYYY-MM-DD HH:mm:ss` in a time zone. Calls `Intl` only for the UTC offset of each day, because it
 * is about ten times slower than adding an offset.
 * @param timeZone IANA name.
 */
export function zonedDateWriter(timeZone: string): (moment: Date) => string {
  let writer: Intl.DateTimeFormat | undefined;
  // Swedish uses the ISO format.
  const ask = (moment: Date | number) =>
    (writer ??= new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone })).format(moment);
  const distanceAt = (time: number) => Date.parse(`${ask(time).replace(' ', 'T')}Z`) - time;
  /** UTC offset by day, in milliseconds; NaN if it changes during the day. */
  const distances = new Map<number, number>();
  return (moment) => {
    const time = moment.getTime();
    if (time < firstPlain || time >= lastPlain) return ask(moment);
    const day = Math.floor(time / dayMs);
    let distance = distances.get(day);
    if (distance === undefined) {
      distance = distanceAt(day * dayMs);
      if (distanceAt((day + 1) * dayMs) !== distance) distance = NaN;
      if (distances.size >= mostDays) distances.clear();
      distances.set(day, distance);
    }
    if (Number.isNaN(distance)) return ask(moment);
    const text = new Date(time + distance).toISOString();
    return `${text.slice(0, 10)} ${text.slice(11, 19)}`;
  };
}
