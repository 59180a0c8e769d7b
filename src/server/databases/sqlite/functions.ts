import type { DatabaseSync, SQLInputValue } from 'node:sqlite';

/** Adds functions that SQLite lacks: capital letters beyond ASCII, decimal rounding, texts as numbers, and the spread of values. */
export function addFunctions(opened: DatabaseSync): void {
  const text = (convert: (text: string) => string) => (value: SQLInputValue) =>
    value === null || ArrayBuffer.isView(value) ? null : convert(String(value));
  opened.function(
    'upper',
    { deterministic: true },
    text((value) => value.toUpperCase()),
  );
  opened.function(
    'lower',
    { deterministic: true },
    text((value) => value.toLowerCase()),
  );
  const exact = { deterministic: true, useBigIntArguments: true };
  opened.function('to_number', exact, toNumber);
  opened.function('to_integer', exact, toInteger);
  opened.function('number_text', exact, numberText);
  opened.function('round_decimal', exact, roundDecimal);
  opened.aggregate('var_samp', { ...spread, result: variance });
  opened.aggregate('stddev_samp', { ...spread, result: (found: Float64Array) => squareRoot(variance(found)) });
}

/** Count, mean and sum of squared deviations, updated with each value. */
const spread = {
  start: () => new Float64Array(3),
  step: (found: Float64Array, value: SQLInputValue): Float64Array => {
    if (typeof value !== 'number' && typeof value !== 'bigint') return found;
    const [count = 0, mean = 0, squares = 0] = found;
    const distance = Number(value) - mean;
    const newMean = mean + distance / (count + 1);
    found.set([count + 1, newMean, squares + distance * (Number(value) - newMean)]);
    return found;
  },
};

function variance([count = 0, , squares = 0]: Float64Array): number | null {
  return count < 2 ? null : squares / (count - 1);
}

function squareRoot(value: number | null): number | null {
  return value === null ? null : Math.sqrt(value);
}

const numberForm = /^ *[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d{1,2})? *$/i;
/** Whole numbers from here on lie beyond 64 bits. */
const beyondIntegers = 9.2e18;

function toNumber(value: SQLInputValue): number | null {
  if (typeof value === 'string') return numberForm.test(value) ? Number(value) : null;
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : null;
}

function toInteger(value: SQLInputValue): bigint | null {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'string' && /^ *[-+]?\d{1,18} *$/.test(value)) return BigInt(value.trim().replace('+', ''));
  const number = toNumber(value);
  return number !== null && Math.abs(number) < beyondIntegers ? BigInt(rounded(number, 0)) : null;
}

function numberText(value: SQLInputValue): string | null {
  return value === null || ArrayBuffer.isView(value) ? null : String(value);
}

/** Rounds halves away from zero; `decimals` may be negative. */
function roundDecimal(value: SQLInputValue, decimals: SQLInputValue): number | bigint | null {
  if (decimals === null) return null;
  const places = Number(decimals);
  if (typeof value === 'bigint') {
    if (places >= 0) return value;
    const step = 10n ** BigInt(-places);
    const half = value < 0n ? -step / 2n : step / 2n;
    return ((value + half) / step) * step;
  }
  return typeof value === 'number' ? rounded(value, places) : null;
}

/** Rounds the decimal text of a fraction, so that 2.675 has a half, although its bits are below it. */
function rounded(value: number, places: number): number {
  const [digits = '', exponent = ''] = value.toExponential().split('e');
  const shifted = Number(`${digits}e${Number(exponent) + places}`);
  // Such a fraction is a whole number already, or infinite.
  if (!(Math.abs(shifted) < Number.MAX_SAFE_INTEGER)) return value;
  return Math.sign(shifted) * Number(`${Math.round(Math.abs(shifted))}e${-places}`);
}
