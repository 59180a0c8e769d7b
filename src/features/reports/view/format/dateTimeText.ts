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
