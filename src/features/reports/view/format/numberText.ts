/** How a column's numbers are written as digits. */
export interface NumberStyle {
  /** Texts around the digits. The minus sign goes before both. */
  before: string;
  after: string;
  /** Minimum and maximum number of decimals; undefined to keep those of the number. */
  decimals: { least: number; most: number } | undefined;
  isGrouped: boolean;
  /** BCP 47 tag of the language that defines the separators. */
  language: string;
}

const room = 128;
const tens = [1, 10, 100, 1e3, 1e4, 1e5, 1e6];
/** From here on, `Intl` formats the numbers. */
const largest = 1e9;
/** `Intl` formats numbers this close to the midpoint between two rounded values. */
const middle = 0.499999;
/** First of the integers whose verdict is cached. `keptNumbers` is their count. */
const firstKept = -4_096;
const keptNumbers = 65_536;
const zero = 0x30;
const samples = [
  ...[0, 1, 7, 10, 99, 100, 999, 1000, 2001, 9999, 10_000, 123_456, 1_234_567, 987_654_321],
  ...[0.5, 0.05, 0.25, 1.5, 12.34, 99.994, 99.996, 1234.5678, 65_432.1, 1_234_567.891, 0.000001],
];

/**
 * Formats numbers as a column shows them, digit by digit without `Intl`, to search millions of them. Falls back to the
 * column's own formatter for numbers that it cannot format reliably.
 */
export class NumberText {
  /** Code units of the last formatted number, from `start` on. */
  readonly units = new Uint16Array(room);
  start = room;
  readonly #least: number;
  readonly #most: number;
  readonly #isExact: boolean;
  readonly #before: string;
  readonly #after: string;
  readonly #group: number | undefined;
  /** Digits are grouped from this number on. */
  readonly #leastGrouped: number;
  readonly #decimal: number;
  readonly #minus: string;

  private constructor({ before, after, decimals, isGrouped, language }: NumberStyle) {
    const parts = new Intl.NumberFormat(language, { useGrouping: true }).formatToParts(-12_345_678.5);
    const sign = (type: string) => parts.find((part) => part.type === type)?.value ?? '';
    this.#least = decimals?.least ?? 0;
    this.#most = decimals?.most ?? tens.length - 1;
    this.#isExact = decimals === undefined;
    this.#before = before;
    this.#after = after;
    this.#group = isGrouped ? sign('group').charCodeAt(0) : undefined;
    // Some languages group only numbers with five or more digits.
    this.#leastGrouped =
      new Intl.NumberFormat(language, { useGrouping: true }).format(1000).length > 4 ? 1_000 : 10_000;
    this.#decimal = sign('decimal').charCodeAt(0);
    this.#minus = decimals === undefined ? '-' : sign('minusSign');
  }

  /**
   * Creates a formatter with the same output as `write`; undefined if the output cannot be reproduced, such as with
   * other digits.
   */
  static of(style: NumberStyle, write: (number: number) => string | null): NumberText | undefined {
    if ((style.decimals?.most ?? 0) >= tens.length || style.before.length + style.after.length > room / 2) {
      return undefined;
    }
    const text = new NumberText(style);
    const numbers = [...samples, ...samples.map((number) => -number)];
    const isSame = numbers.every((number) => !text.write(number) || text.text === write(number));
    return isSame ? text : undefined;
  }

  /** The last formatted number. */
  get text(): string {
    return String.fromCharCode(...this.units.subarray(this.start));
  }

  /** Writes a number to the end of {@link units}; false if `Intl` must format it. */
  write(value: number): boolean {
    if (!(value < largest && value > -largest)) return false;
    let decimals = this.#isExact ? 0 : this.#most;
    let whole = Math.round(value * tens[decimals]!);
    if (this.#isExact) {
      while (whole / tens[decimals]! !== value) {
        if (++decimals > this.#most) return false;
        whole = Math.round(value * tens[decimals]!);
      }
    } else if (!(Math.abs(value * tens[decimals]! - whole) < middle)) return false;
    if (!(whole < largest && whole > -largest)) return false;
    let rest = Math.abs(whole) | 0;
    while (decimals > this.#least && rest % 10 === 0) {
      rest = (rest / 10) | 0;
      decimals--;
    }
    // Zero has no sign, nor do numbers that round to it.
    this.#put(rest, decimals, whole < 0);
    return true;
  }

  #put(rest: number, decimals: number, isNegative: boolean): void {
    const { units } = this;
    let at = this.#ahead(room, this.#after);
    for (let digit = 0; digit < decimals; digit++) {
      const next = (rest / 10) | 0;
      units[--at] = zero + (rest - next * 10);
      rest = next;
    }
    if (decimals > 0) units[--at] = this.#decimal;
    const isGrouped = this.#group !== undefined && rest >= this.#leastGrouped;
    for (let digit = 0; digit === 0 || rest > 0; digit++) {
      if (isGrouped && digit > 0 && digit % 3 === 0) units[--at] = this.#group!;
      const next = (rest / 10) | 0;
      units[--at] = zero + (rest - next * 10);
      rest = next;
    }
    at = this.#ahead(at, this.#before);
    this.start = isNegative ? this.#ahead(at, this.#minus) : at;
  }

  /** Writes a text so that it ends before `at`; returns its start. */
  #ahead(at: number, text: string): number {
    const start = at - text.length;
    for (let i = 0; i < text.length; i++) this.units[start + i] = text.charCodeAt(i);
    return start;
  }
}

/**
 * Returns a function that tests whether a number's text contains `wanted`, which is in lower case and not empty.
 * @param write formats numbers as displayed.
 */
export function numberSearch(
  wanted: string,
  style: NumberStyle | undefined,
  write: (number: number) => string | null,
): (number: number) => boolean {
  const isIn = (number: number) => (write(number) ?? '').toLowerCase().includes(wanted);
  const text = style && NumberText.of(style, (number) => write(number)?.toLowerCase() ?? null);
  if (text === undefined) return isIn;
  const needle = Uint16Array.from({ length: wanted.length }, (_, i) => wanted.charCodeAt(i));
  const search = (number: number) => (text.write(number) ? contains(text.units, text.start, needle) : isIn(number));
  // Per integer: 0 not tested yet, 1 fails, 2 passes.
  const known = new Uint8Array(keptNumbers);
  return (number) => {
    const place = number - firstKept;
    const isKept = number === Math.floor(number) && place >= 0 && place < keptNumbers;
    if (!isKept) return search(number);
    if (known[place] === 0) known[place] = search(number) ? 2 : 1;
    return known[place] === 2;
  };
}

function contains(units: Uint16Array, start: number, needle: Uint16Array): boolean {
  const first = needle[0];
  for (let at = start, last = units.length - needle.length; at <= last; at++) {
    if (units[at] !== first) continue;
    let same = 1;
    while (same < needle.length && units[at + same] === needle[same]) same++;
    if (same >= needle.length) return true;
  }
  return false;
}
