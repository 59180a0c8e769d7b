import { compareNumberTexts } from '../../../../client/results/numberText.ts';
import type { NumberFigure } from '../../../../contract/pages/resultCells.ts';

/** Number of decimals for summing at first, and the corresponding unit. */
const decimals = 6;
const unit = 10 ** decimals;
/** Maximum number of decimals for which a double is summed as its decimal text. */
const mostDecimals = 12;
/** Other numbers of decimals to try for a double: for more decimals, and for larger numbers. */
const otherDecimals = [mostDecimals, 2];
/** Maximum number of digits for which a decimal text and its double are the same number. */
const safeLength = 15;
/** Below this, no two decimal numbers share a double. */
const safeParts = 10 ** safeLength;
/** Beyond this power of ten, exact digits are not worth the cost. */
const mostPower = 400;
/** Number of decimals of an average beyond those of the sum. */
const averageDecimals = 12;
const decimalNumber = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/i;

/** The minimum or maximum: a double, and its digits if the double cannot represent them. */
interface End {
  value: number;
  text: string | undefined;
}

/**
 * Sums numbers without losing digits, and keeps the minimum and maximum as written. A double counts as the decimal
 * number it is written as. Doubles with more than twelve decimals are summed as doubles, and the sum is marked as
 * inexact.
 */
export class NumberTotals {
  count = 0;
  /** Sums of integers and of multiples of `unit`, as far as doubles represent them exactly. */
  #whole = 0;
  #parts = 0;
  #digits = 0n;
  /** Number of decimals of `#digits`. */
  #scale = decimals;
  #loose = 0;
  #lost = 0;
  #isExact = true;
  readonly #least: End = { value: Infinity, text: undefined };
  readonly #greatest: End = { value: -Infinity, text: undefined };

  /** Adds a double. */
  add(value: number): void {
    this.count++;
    if (value <= this.#least.value) take(this.#least, value, undefined, -1);
    if (value >= this.#greatest.value) take(this.#greatest, value, undefined, 1);
    if (value === Math.floor(value)) {
      const next = this.#whole + value;
      if (Number.isSafeInteger(next)) this.#whole = next;
      else this.#addDigits(BigInt(value), 0);
      return;
    }
    const parts = Math.round(value * unit);
    const isOwn = Math.abs(parts) < safeParts && parts / unit === value;
    if (isOwn && Number.isSafeInteger(parts + this.#parts)) this.#parts += parts;
    else this.#addOther(value);
  }

  /** Adds a decimal number from its text with all digits; false if the text is not a number. */
  addText(text: string): boolean {
    const trimmed = text.trim();
    const parts = decimalNumber.exec(trimmed);
    const value = parts === null || trimmed === '' ? NaN : Number(trimmed);
    if (parts === null || !Number.isFinite(value)) return false;
    if (trimmed.length <= safeLength) {
      this.add(value);
      return true;
    }
    const [, sign = '', whole = '', fraction = '', power = '0'] = parts;
    const written = sign === '+' ? trimmed.slice(1) : trimmed;
    this.count++;
    if (value <= this.#least.value) take(this.#least, value, written, -1);
    if (value >= this.#greatest.value) take(this.#greatest, value, written, 1);
    const scale = fraction.length - Number(power);
    if (Math.abs(scale) > mostPower) this.#addLoosely(value);
    else this.#addDigits(BigInt(whole + fraction) * (sign === '-' ? -1n : 1n), scale);
    return true;
  }

  get sum(): NumberFigure | undefined {
    if (this.count === 0) return undefined;
    if (!this.#isExact) return { text: String(this.#looseSum), isExact: false };
    return { text: decimalText(this.#allDigits, this.#scale), isExact: true };
  }

  get average(): NumberFigure | undefined {
    if (this.count === 0) return undefined;
    if (!this.#isExact) return { text: String(this.#looseSum / this.count), isExact: false };
    const digits = this.#allDigits * 10n ** BigInt(averageDecimals);
    const count = BigInt(this.count);
    const text = decimalText(digits / count, this.#scale + averageDecimals);
    return { text, isExact: digits % count === 0n };
  }

  /** The minimum with all digits; undefined if there is none. */
  get least(): string | undefined {
    return this.count === 0 ? undefined : writtenEnd(this.#least);
  }

  /** The maximum with all digits; undefined if there is none. */
  get greatest(): string | undefined {
    return this.count === 0 ? undefined : writtenEnd(this.#greatest);
  }

  get #allDigits(): bigint {
    const ahead = 10n ** BigInt(this.#scale - decimals);
    return this.#digits + (BigInt(this.#whole) * BigInt(unit) + BigInt(this.#parts)) * ahead;
  }

  get #looseSum(): number {
    return Number(decimalText(this.#allDigits, this.#scale)) + (this.#loose + this.#lost);
  }

  #addOther(value: number): void {
    for (const tried of otherDecimals) {
      const parts = Math.round(value * 10 ** tried);
      if (Math.abs(parts) < safeParts && parts / 10 ** tried === value) return this.#addDigits(BigInt(parts), tried);
    }
    const [, sign, whole, fraction = ''] = /^(-?)(\d+)\.(\d+)$/.exec(String(value)) ?? [];
    if (whole === undefined || fraction.length > mostDecimals) return this.#addLoosely(value);
    this.#addDigits(BigInt(`${sign}${whole}${fraction}`), fraction.length);
  }

  #addDigits(digits: bigint, scale: number): void {
    if (scale > this.#scale) {
      this.#digits *= 10n ** BigInt(scale - this.#scale);
      this.#scale = scale;
    }
    this.#digits += digits * 10n ** BigInt(this.#scale - scale);
  }

  /** Adds a double to a sum of doubles and keeps the rounding error. */
  #addLoosely(value: number): void {
    this.#isExact = false;
    const next = this.#loose + value;
    const isLarger = Math.abs(this.#loose) >= Math.abs(value);
    this.#lost += isLarger ? this.#loose - next + value : value - next + this.#loose;
    this.#loose = next;
  }
}

/** Updates an end with a number that lies beyond it in direction `side`. */
function take(end: End, value: number, text: string | undefined, side: -1 | 1): void {
  if (value === end.value) {
    if (text === undefined && end.text === undefined) return;
    if (compareNumberTexts(text ?? String(value), writtenEnd(end)) * side <= 0) return;
  }
  end.value = value;
  end.text = text;
}

function writtenEnd({ value, text }: End): string {
  return text ?? String(value);
}

/** `digits` with the decimal point `scale` digits from the right, without trailing zeros. */
function decimalText(digits: bigint, scale: number): string {
  const isNegative = digits < 0n;
  const all = String(isNegative ? -digits : digits).padStart(scale + 1, '0');
  const fraction = all.slice(all.length - scale).replace(/0+$/, '');
  const whole = all.slice(0, all.length - scale);
  return `${isNegative ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}
