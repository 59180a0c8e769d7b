import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareNumberTexts, keepsValue } from '../../../../src/client/results/numberText.ts';

/** A decimal number as a whole number of 10^-400. */
function scaled(text: string): bigint {
  const [, sign = '', whole = '', fraction = '', power = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  return BigInt(sign + whole + fraction) * 10n ** BigInt(400 + Number(power) - fraction.length);
}

const numberText = fc.stringMatching(/^-?(0|[1-9][0-9]{0,20})(\.[0-9]{1,20})?([eE][+-]?[0-9]{1,2})?$/);

describe('numbers as text', () => {
  test('a double keeps a value exactly when it writes the same decimal', () => {
    fc.assert(
      fc.property(numberText, (text) => {
        expect(keepsValue(text, Number(text))).toBe(scaled(text) === scaled(String(Number(text))));
      }),
      { numRuns: 2000 },
    );
  });

  test.each([
    ['0.1', true],
    ['1.50', true],
    ['1e21', true],
    ['100000000000000000000000', true],
    ['-0', true],
    ['0.30000000000000004', true],
    ['9007199254740993', false],
    ['12345678901234567.25', false],
    ['1e400', false],
    ['1e-400', false],
  ])('%s is kept: %s', (text, isKept) => {
    expect(keepsValue(text, Number(text))).toBe(isKept);
  });

  test('texts compare by value, digit by digit', () => {
    fc.assert(
      fc.property(numberText, numberText, (one, other) => {
        const difference = scaled(one) - scaled(other);
        expect(Math.sign(compareNumberTexts(one, other))).toBe(difference === 0n ? 0 : difference < 0n ? -1 : 1);
      }),
      { numRuns: 2000 },
    );
  });
});
