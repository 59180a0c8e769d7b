/** A decimal number as whole `units` of 10 to the power of minus `scale`; what a test computes with in place of a database. */
export interface ExactNumber {
  units: bigint;
  scale: number;
}

/** Reads a decimal, also with an exponent. */
export function exact(text: string): ExactNumber {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^([-+]?)(\d*)(?:\.(\d*))?(?:[eE]([-+]?\d+))?$/.exec(text.trim()) ?? [];
  const scale = fraction.length - Number(exponent);
  const units = BigInt(`${whole}${fraction}` || '0') * (sign === '-' ? -1n : 1n);
  return scale < 0 ? { units: units * 10n ** BigInt(-scale), scale: 0 } : { units, scale };
}

/** Rounds to a number of decimals, halves away from zero. */
export function rounded({ units, scale }: ExactNumber, decimals: number): ExactNumber {
  if (decimals >= scale) return { units, scale };
  const step = 10n ** BigInt(scale - decimals);
  const half = units < 0n ? -step / 2n : step / 2n;
  const kept = (units + half) / step;
  return decimals >= 0 ? { units: kept, scale: decimals } : { units: kept * 10n ** BigInt(-decimals), scale: 0 };
}

/** The next whole number below, or above. */
export function wholeBeside({ units, scale }: ExactNumber, side: 'below' | 'above'): ExactNumber {
  const step = 10n ** BigInt(scale);
  const cut = units / step;
  const isWhole = cut * step === units;
  if (isWhole || (side === 'below') === units > 0n) return { units: cut, scale: 0 };
  return { units: side === 'below' ? cut - 1n : cut + 1n, scale: 0 };
}

/** Without zeros at the end of the fraction. */
export function plainText({ units, scale }: ExactNumber): string {
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0');
  const fraction = digits.slice(digits.length - scale).replace(/0+$/, '');
  const whole = digits.slice(0, digits.length - scale);
  return `${units < 0n ? '-' : ''}${scale > 0 && fraction !== '' ? `${whole}.${fraction}` : whole}`;
}

/** Whether two numbers are equal. */
export function isSame(one: ExactNumber, other: ExactNumber): boolean {
  return plainText(one) === plainText(other);
}
