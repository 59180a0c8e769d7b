import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resolveRelativeDate } from '../../../../../src/features/reports/prompts/relativeDates.ts';

/** A Thursday, in local time as the editor's clock gives it. */
const today = new Date(2024, 1, 29, 23, 30);

describe('relative dates', () => {
  it.each([
    ['[Today]', '2024-02-29', '2024-02-29'],
    ['[Yesterday]', '2024-02-28', '2024-02-28'],
    ['[Tomorrow]', '2024-03-01', '2024-03-01'],
    ['[This Week]', '2024-02-26', '2024-03-03'],
    ['[Last Week]', '2024-02-19', '2024-02-25'],
    ['[Next Week]', '2024-03-04', '2024-03-10'],
    ['[This Month]', '2024-02-01', '2024-02-29'],
    ['[Last Month]', '2024-01-01', '2024-01-31'],
    ['[Next Month]', '2024-03-01', '2024-03-31'],
    ['[This Quarter]', '2024-01-01', '2024-03-31'],
    ['[Last Quarter]', '2023-10-01', '2023-12-31'],
    ['[Next Quarter]', '2024-04-01', '2024-06-30'],
    ['[This Year]', '2024-01-01', '2024-12-31'],
    ['[Previous Year]', '2023-01-01', '2023-12-31'],
    ['[Last 7 Days]', '2024-02-23', '2024-02-29'],
    ['[Last 1 Day]', '2024-02-29', '2024-02-29'],
    ['[Next 7 Days]', '2024-03-01', '2024-03-07'],
    ['[Last 2 Weeks]', '2024-02-16', '2024-02-29'],
    ['[Last 12 Months]', '2023-03-01', '2024-02-29'],
    ['[Year to Date]', '2024-01-01', '2024-02-29'],
    ['[Month To Date]', '2024-02-01', '2024-02-29'],
    ['last month', '2024-01-01', '2024-01-31'],
    ['[ LAST   MONTH ]', '2024-01-01', '2024-01-31'],
  ])('%s is %s to %s', (expression, low, high) => {
    expect(resolveRelativeDate(expression, today)).toEqual({ low, high });
  });

  it('keeps to the last day of a shorter month', () => {
    expect(resolveRelativeDate('[Next 1 Month]', new Date(2023, 0, 31))).toEqual({
      low: '2023-02-01',
      high: '2023-02-28',
    });
  });

  it.each([
    '',
    '[]',
    '[Sometime]',
    '[Last]',
    '[Last 0 Days]',
    '[This 3 Days]',
    '[Last Blue Moon]',
    '2024-02-29',
    '[Last 2 Days Ago]',
  ])('does not know %j', (expression) => expect(resolveRelativeDate(expression, today)).toBeUndefined());

  it('never ends before it begins, on any day', () => {
    const units = fc.constantFrom('Week', 'Month', 'Quarter', 'Year');
    const words = fc.constantFrom('Last', 'This', 'Next');
    const days = fc.date({ min: new Date(1900, 0, 1), max: new Date(2200, 0, 1), noInvalidDate: true });
    fc.assert(
      fc.property(words, units, days, (word, unit, day) => {
        const span = resolveRelativeDate(`[${word} ${unit}]`, day);
        expect(span && span.low < span.high).toBe(true);
      }),
    );
  });

  it('joins week to week without a gap', () => {
    const days = fc.date({ min: new Date(1900, 0, 1), max: new Date(2200, 0, 1), noInvalidDate: true });
    fc.assert(
      fc.property(days, (day) => {
        const last = resolveRelativeDate('[Last Week]', day)?.high ?? '';
        const next = resolveRelativeDate('[This Week]', day)?.low ?? '';
        expect(Date.parse(`${next}T00:00:00Z`) - Date.parse(`${last}T00:00:00Z`)).toBe(24 * 3600 * 1000);
      }),
    );
  });
});
