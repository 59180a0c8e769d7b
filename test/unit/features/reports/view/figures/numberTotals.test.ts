import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NumberTotals } from '../../../../../../src/features/reports/view/figures/numberTotals.ts';

function totalsOf(values: readonly (number | string)[]): NumberTotals {
  const totals = new NumberTotals();
  for (const value of values) {
    if (typeof value === 'number') totals.add(value);
    else totals.addText(value);
  }
  return totals;
}

function figuresOf(values: readonly (number | string)[]) {
  const { count, sum, average, least, greatest } = totalsOf(values);
  return { count, sum: sum?.text, average: average?.text, least, greatest };
}

/** A decimal number by its digits and how many of them stand behind the point. */
function written(digits: bigint, places: number): string {
  const all = String(digits < 0n ? -digits : digits).padStart(places + 1, '0');
  return `${digits < 0n ? '-' : ''}${all.slice(0, -places)}.${all.slice(-places)}`;
}

describe('totals of numbers', () => {
  it('have no figures without a number', () => {
    expect(figuresOf([])).toEqual({ count: 0, sum: undefined, average: undefined, least: undefined });
  });

  it('lose no digit of decimals whose sum in millionths no double holds', () => {
    // Each is a double in full; 30 of them are beyond 2^53 millionths.
    const parts = Array.from({ length: 30 }, (_, i) => 999_999_999_999_999n - BigInt((i * i * 7_919) % 100_003));
    const values = parts.map((digits) => Number(written(digits, 6)));
    expect(values.every((value, i) => String(value) === written(parts[i] ?? 0n, 6).replace(/0+$/, ''))).toBe(true);
    const sum = parts.reduce((total, digits) => total + digits, 0n);
    // A sum of doubles is another one: the digits would be lost.
    expect(BigInt(parts.reduce((total, digits) => total + Number(digits), 0))).not.toBe(sum);
    expect(figuresOf(values).sum).toBe(written(sum, 6).replace(/0+$/, ''));
    expect(figuresOf(values.map((value) => -value)).sum).toBe(written(-sum, 6).replace(/0+$/, ''));
  });

  it('lose no digit of numbers that no double holds', () => {
    const big = '9007199254740993';
    expect(figuresOf([big, big])).toEqual({
      count: 2,
      sum: '18014398509481986',
      average: big,
      least: big,
      greatest: big,
    });
    expect(figuresOf(['12345678901234567.89', '-0.01', 1, 2.5]).sum).toBe('12345678901234571.38');
  });

  it('tell ends apart that one double stands for', () => {
    const { least, greatest } = figuresOf([9007199254740992, '9007199254740993', '9007199254740992.5']);
    expect([least, greatest]).toEqual(['9007199254740992', '9007199254740993']);
    expect(figuresOf(['-9007199254740993', -9007199254740992]).least).toBe('-9007199254740993');
  });

  it('add decimals up without digits of their own', () => {
    expect(figuresOf([0.1, 0.2]).sum).toBe('0.3');
    expect(figuresOf(Array.from({ length: 100_000 }, () => 0.01)).sum).toBe('1000');
    expect(figuresOf([0.0000001, 0.0000002])).toMatchObject({ sum: '0.0000003', least: '1e-7' });
    expect(figuresOf([12_345_678_901.25, 12_345_678_901.25]).sum).toBe('24691357802.5');
  });

  it('pass the whole numbers that doubles hold exactly', () => {
    expect(figuresOf([Number.MAX_SAFE_INTEGER, 1, 1, 1e21]).sum).toBe('1000009007199254740993');
  });

  it('add up decimals exactly beyond the parts that a double counts, as digits do', () => {
    // Each is below 2^53 millionths; two of them are not.
    expect(figuresOf([9_007_199_254.5, 9_007_199_254.5, 0.25]).sum).toBe('18014398509.25');
    expect(figuresOf([-9_007_199_254.5, -9_007_199_254.5, -0.000001]).sum).toBe('-18014398509.000001');
    // A double that two numbers of millionths are read as counts as the one that it is written as.
    expect(figuresOf([8_858_986_595.03, 0.5]).sum).toBe('8858986595.53');
    expect(totalsOf([4_000_000_000.123457, 0.5]).sum).toEqual({ text: '4000000000.623457', isExact: true });
    const cents = fc.integer({ min: -999_999_999_999_999, max: 999_999_999_999_999 });
    const decimals = fc.array(fc.tuple(cents, fc.constantFrom(1, 2, 3, 4, 6)), { minLength: 2, maxLength: 60 });
    fc.assert(
      fc.property(decimals, (given) => {
        const texts = given.map(([digits, places]) => written(BigInt(digits), places));
        const millionths = given.reduce(
          (sum, [digits, places]) => sum + BigInt(digits) * 10n ** BigInt(6 - places),
          0n,
        );
        const expected = written(millionths, 6).replace(/\.?0+$/, '');
        // As numbers of a reply, and as the texts that other servers send.
        for (const values of [texts.map(Number), texts]) {
          const { sum } = totalsOf(values);
          expect(sum).toEqual({ text: expected === '-0' ? '0' : expected, isExact: true });
        }
      }),
      { numRuns: 300 },
    );
  });

  it('say where digits are lost', () => {
    const loose = totalsOf([1 / 3, 1 / 3, 1 / 3]);
    expect(loose.sum).toEqual({ text: '1', isExact: false });
    expect(totalsOf([1, 2, 2]).average).toEqual({ text: '1.666666666666666666', isExact: false });
    expect(totalsOf([1, 2]).average).toEqual({ text: '1.5', isExact: true });
    // What is lost by adding a small number to a large one is kept.
    expect(totalsOf([1e-300, ...Array.from({ length: 10 }, () => 1 / 3)]).sum?.text).toMatch(/^3\.33333333333333/);
  });

  it('take no text that is no number, nor one that would take all memory', () => {
    const totals = totalsOf(['', ' ', 'x', '0x10', 'Infinity', '1e999999999', '.', '-']);
    expect(totals.count).toBe(0);
    expect(totalsOf(['1e-999999999', '+5', ' 2.50 ']).count).toBe(3);
    expect(figuresOf([' 2.50 ', '+5'])).toMatchObject({ sum: '7.5', least: '2.5', greatest: '5' });
  });
});
