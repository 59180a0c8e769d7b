/** A decimal number as `0.digits × 10^exponent`; no digits for zero, no zeros at either end. */
interface Decimal {
  readonly isNegative: boolean;
  readonly digits: string;
  readonly exponent: number;
}

/** Whether the double `value` equals the JSON number `text`, regardless of spelling. */
export function keepsValue(text: string, value: number): boolean {
  if (!Number.isFinite(value)) return false;
  const written = decimalOf(text);
  const kept = decimalOf(String(value));
  return written.digits === kept.digits && (written.digits === '' || written.exponent === kept.exponent);
}

/** Compares two JSON numbers exactly, digit by digit. Returns a negative number, zero or a positive number. */
export function compareNumberTexts(left: string, right: string): number {
  const a = decimalOf(left);
  const b = decimalOf(right);
  const sign = signOf(a) - signOf(b);
  if (sign !== 0) return sign;
  return a.isNegative ? compareMagnitudes(b, a) : compareMagnitudes(a, b);
}

function compareMagnitudes(a: Decimal, b: Decimal): number {
  if (a.exponent !== b.exponent) return a.exponent - b.exponent;
  return a.digits < b.digits ? -1 : a.digits > b.digits ? 1 : 0;
}

function signOf(decimal: Decimal): number {
  if (decimal.digits === '') return 0;
  return decimal.isNegative ? -1 : 1;
}

function decimalOf(text: string): Decimal {
  const isNegative = text.startsWith('-');
  const [mantissa = '', power = '0'] = text
    .slice(isNegative ? 1 : 0)
    .toLowerCase()
    .split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const all = whole + fraction;
  let first = 0;
  while (all[first] === '0') first++;
  let last = all.length;
  while (last > first && all[last - 1] === '0') last--;
  if (first === last) return { isNegative, digits: '', exponent: 0 };
  return { isNegative, digits: all.slice(first, last), exponent: whole.length - first + Number(power) };
}
