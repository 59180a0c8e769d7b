/** The number that a text writes; NaN where it is none. */
export function numberOf(text: string): number {
  return text.trim() === '' ? NaN : Number(text);
}

/** A day or moment as milliseconds, or, of a Unix time, as the number it is. Without a zone it counts as UTC. */
export function momentOf(text: string): number {
  const parts = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(Z|[+-]\d{2}:?\d{2})?)?$/.exec(text);
  if (parts === null) return numberOf(text);
  return Date.parse(`${parts[1]}T${parts[2] ?? '00:00'}${parts[3] ?? 'Z'}`);
}

/** A moment as the text that {@link momentOf} reads. */
export function momentText(milliseconds: number): string {
  return new Date(Math.round(milliseconds)).toISOString().slice(0, 19);
}

/**
 * The moment that a value stands for, to be compared with others of its column; NaN where it stands for none. A number counts as a
 * Unix time, also one that is text.
 */
export function momentIn(value: string | number): number {
  const number = typeof value === 'number' ? value : numberOf(value);
  return Number.isNaN(number) ? momentOf(String(value)) : unixMilliseconds(number);
}

/** A Unix time in milliseconds: seconds, unless these would lie beyond the year 5000. */
export function unixMilliseconds(number: number): number {
  return Math.abs(number) > 1e11 ? number : number * 1000;
}
