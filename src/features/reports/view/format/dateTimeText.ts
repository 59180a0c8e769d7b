/** The number that a text writes; NaN where it is none. */
export function numberOf(text: string): number {
  return text.trim() === '' ? NaN : Number(text);
}

/** A day or moment as milliseconds, or, of a Unix time, as the number it is. Without a zone it counts as UTC. */
export function dateTimeOf(text: string): number {
  const parts = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(Z|[+-]\d{2}:?\d{2})?)?$/.exec(text);
  if (parts === null) return numberOf(text);
  return Date.parse(`${parts[1]}T${parts[2] ?? '00:00'}${parts[3] ?? 'Z'}`);
}

/** A moment as the text that {@link dateTimeOf} reads. */
export function dateTimeText(milliseconds: number): string {
  return new Date(Math.round(milliseconds)).toISOString().slice(0, 19);
}

/**
 * The moment that a value stands for, to be compared with others of its column; NaN where it stands for none. A number counts as a
 * Unix time, also one that is text.
 */
export function dateTimeIn(value: string | number): number {
  const number = typeof value === 'number' ? value : numberOf(value);
  return Number.isNaN(number) ? dateTimeOf(String(value)) : unixMilliseconds(number);
}

/** A Unix time in milliseconds: seconds, unless these would lie beyond the year 5000. */
export function unixMilliseconds(number: number): number {
  return Math.abs(number) > 1e11 ? number : number * 1000;
}

const dayMs = 86_400_000;
/** Before this, zones changed at odd times of the day. */
const firstPlain = Date.UTC(1973, 0, 1);
const lastPlain = Date.UTC(9999, 0, 1);
/** Days whose distance from UTC is kept; more are rare, and then all are found out anew. */
const mostDays = 50_000;

/**
 * Writes moments as `YYYY-MM-DD HH:mm:ss` in a zone. The language is asked once for each day, as it is some ten times slower
 * than adding up.
 * @param timeZone IANA name.
 */
export function zonedDateWriter(timeZone: string): (moment: Date) => string {
  let writer: Intl.DateTimeFormat | undefined;
  // The Swedish order is the ISO one.
  const ask = (moment: Date | number) =>
    (writer ??= new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone })).format(moment);
  const distanceAt = (time: number) => Date.parse(`${ask(time).replace(' ', 'T')}Z`) - time;
  /** By day: its distance from UTC in milliseconds; NaN where that changes during the day. */
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
