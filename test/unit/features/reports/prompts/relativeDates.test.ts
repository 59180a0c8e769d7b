import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  resolveRelativeDate,
  resolvedToday,
  dateDefault,
  withoutChanged,
} from '../../../../../src/features/reports/prompts/relativeDates.ts';
import { emptyPromptValue, type PromptValue } from '../../../../../src/contract/pages/promptForm.ts';
import { promptShape } from '../../../../../src/features/reports/prompts/promptFields.ts';
import { prompt } from './prompts.ts';

/** A Thursday. */
const today = '2024-02-29';

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
    expect(resolveRelativeDate('[Next 1 Month]', '2023-01-31')).toEqual({
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

  it('is what a calendar that counts days one by one says, on any day', () => {
    const units = ['Day', 'Week', 'Month', 'Quarter', 'Year'] as const;
    const words = { Last: -1, This: 0, Next: 1 } as const;
    const [word, unit] = [
      fc.constantFrom(...(Object.keys(words) as (keyof typeof words)[])),
      fc.constantFrom(...units),
    ];
    fc.assert(
      fc.property(word, unit, fc.integer({ min: 800, max: calendar.length - 800 }), (word, unit, at) => {
        const today = calendar[at]!;
        expect(resolveRelativeDate(`[${word} ${unit}]`, today)).toEqual(spanAt(unit, at, words[word]));
      }),
      { numRuns: 2_000 },
    );
  });

  it('covers as many days as it says, up to today or from tomorrow on', () => {
    const count = fc.integer({ min: 1, max: 90 });
    fc.assert(
      fc.property(count, fc.boolean(), fc.integer({ min: 800, max: calendar.length - 800 }), (days, isWeeks, at) => {
        const total = isWeeks ? days * 7 : days;
        const today = calendar[at]!;
        const unit = isWeeks ? 'Weeks' : 'Days';
        const last = { low: calendar[at - total + 1], high: calendar[at] };
        expect(resolveRelativeDate(`[Last ${days} ${unit}]`, today)).toEqual(last);
        const next = { low: calendar[at + 1], high: calendar[at + total] };
        expect(resolveRelativeDate(`[Next ${days} ${unit}]`, today)).toEqual(next);
      }),
    );
  });

  // Each week holds a day on which clocks change somewhere: 31 March, 7 April, 29 September, 3 November 2024.
  it.each([
    ['2024-03-25', '2024-03-31', '2024-03-18', '2024-03-24', '2024-04-01', '2024-04-07'],
    ['2024-04-01', '2024-04-07', '2024-03-25', '2024-03-31', '2024-04-08', '2024-04-14'],
    ['2024-09-23', '2024-09-29', '2024-09-16', '2024-09-22', '2024-09-30', '2024-10-06'],
    ['2024-10-28', '2024-11-03', '2024-10-21', '2024-10-27', '2024-11-04', '2024-11-10'],
    ['2024-12-30', '2025-01-05', '2024-12-23', '2024-12-29', '2025-01-06', '2025-01-12'],
  ])('each day of the week from %s has that week', (low, high, lastLow, lastHigh, nextLow, nextHigh) => {
    const first = calendar.indexOf(low);
    for (const text of calendar.slice(first, first + 7)) {
      expect(resolveRelativeDate('[Today]', text), text).toEqual({ low: text, high: text });
      expect(resolveRelativeDate('[This Week]', text), text).toEqual({ low, high });
      expect(resolveRelativeDate('[Last Week]', text), text).toEqual({ low: lastLow, high: lastHigh });
      expect(resolveRelativeDate('[Next Week]', text), text).toEqual({ low: nextLow, high: nextHigh });
    }
  });
});

/** Every day from Monday, 1 January 1900, to the end of 2199, counted by hand: months have so many days, and no dates are made. */
const calendar = everyDay();

function everyDay(): string[] {
  const days: string[] = [];
  for (let year = 1900; year < 2200; year++) {
    const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
    for (const [month, length] of [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31].entries()) {
      for (let day = 1; day <= length; day++) {
        days.push(`${year}-${String(month + 1).padStart(2, '0')}-${String(day).padStart(2, '0')}`);
      }
    }
  }
  return days;
}

/** What is one unit: days with the same name of it stand beside each other in the calendar. */
function nameOfUnit(unit: 'Day' | 'Week' | 'Month' | 'Quarter' | 'Year', at: number): string {
  const text = calendar[at] ?? '';
  if (unit === 'Day') return text;
  if (unit === 'Week') return String(Math.floor(at / 7));
  if (unit === 'Month') return text.slice(0, 7);
  return unit === 'Year' ? text.slice(0, 4) : `${text.slice(0, 4)} ${Math.ceil(Number(text.slice(5, 7)) / 3)}`;
}

/** The first and the last day of the unit that lies `shift` units from that of a day. */
function spanAt(unit: Parameters<typeof nameOfUnit>[0], at: number, shift: number) {
  let [low, high] = [at, at];
  const widen = () => {
    while (nameOfUnit(unit, low - 1) === nameOfUnit(unit, low)) low--;
    while (nameOfUnit(unit, high + 1) === nameOfUnit(unit, high)) high++;
  };
  widen();
  if (shift < 0) low = high = low - 1;
  if (shift > 0) low = high = high + 1;
  widen();
  return { low: calendar[low], high: calendar[high] };
}

const lastMonth = { expression: '[Last Month]', label: 'Last Month', low: '2026-01-01', high: '2026-01-31' };
const november = '2026-11-22';
const between = promptShape(prompt({ type: 'doz', isBetween: true }));
const value = (change: Partial<PromptValue>): PromptValue => ({ ...emptyPromptValue, ...change });

it('moves a range on with the calendar, and remembers where it stands now', () => {
  const kept = value({ low: '2026-01-01', high: '2026-01-31', relative: [lastMonth] });
  expect(resolvedToday(between, kept, november)).toEqual(
    value({
      low: '2026-10-01',
      high: '2026-10-31',
      relative: [{ ...lastMonth, low: '2026-10-01', high: '2026-10-31' }],
    }),
  );
});

it('takes the end that the prompt compares with', () => {
  const atMost = promptShape(prompt({ type: 'doz', op: '<=', isLessThan: true }));
  const kept = value({ low: '2026-01-31', relative: [{ ...lastMonth, low: '2026-01-31' }] });
  expect(resolvedToday(atMost, kept, november).low).toBe('2026-10-31');
});

it('moves the relative days of a list, and leaves those that were entered', () => {
  const list = promptShape(prompt({ type: 'doz', op: 'in', isInList: true }));
  const yesterday = { expression: '[Yesterday]', label: 'Yesterday', low: '2026-01-14', high: '2026-01-14' };
  const kept = value({ list: ['2026-01-14', '2026-01-02'], relative: [yesterday] });
  expect(resolvedToday(list, kept, november).list).toEqual(['2026-11-21', '2026-01-02']);
});

it('keeps days that were changed by hand, those without a relative date, and those it cannot read', () => {
  const changed = value({ low: '2026-01-05', high: '2026-01-31', relative: [lastMonth] });
  const { relative: _, ...entered } = changed;
  expect(resolvedToday(between, changed, november)).toEqual(entered);
  expect(withoutChanged(between, changed)).toEqual(entered);
  expect(resolvedToday(between, entered, november)).toEqual(entered);
  const odd = value({ low: '2026-01-01', high: '2026-01-31', relative: [{ ...lastMonth, expression: '[Full Moon]' }] });
  expect(resolvedToday(between, odd, november)).toEqual(odd);
});

it('fills in defaults that are relative or written as other servers write them, and leaves what it cannot read', () => {
  const october = { low: '2026-10-01', high: '2026-10-31' };
  const relative = [{ expression: '[Last Month]', label: 'Last Month', ...october }];
  for (const high of ['', '[Last Month]']) {
    expect(dateDefault(between, value({ low: '[Last Month]', high }), november)).toEqual(
      value({ ...october, relative }),
    );
  }
  const span = value({ low: '[Last Month]', high: '[Today]' });
  expect(dateDefault(between, span, november)).toEqual(value({ low: '2026-10-01', high: '2026-11-22' }));
  const written = value({ low: '2026-01-05T00:00:00', high: '2026-01-31 08:30' });
  expect(dateDefault(between, written, november)).toEqual(value({ low: '2026-01-05', high: '2026-01-31' }));
  const moments = promptShape(prompt({ type: 'dtz', isBetween: true }));
  expect(dateDefault(moments, written, november)).toEqual(
    value({ low: '2026-01-05 00:00:00', high: '2026-01-31 08:30:00' }),
  );
  const list = promptShape(prompt({ type: 'doz', op: 'in', isInList: true }));
  expect(dateDefault(list, value({ list: ['[Yesterday]', '2026-01-02T00:00:00Z'] }), november)).toEqual(
    value({
      list: ['2026-11-21', '2026-01-02'],
      relative: [{ expression: '[Yesterday]', label: 'Yesterday', low: '2026-11-21', high: '2026-11-21' }],
    }),
  );
  const day = promptShape(prompt({ type: 'doz' }));
  for (const low of ['', '[Last Month]', '31.01.2026']) {
    expect(dateDefault(day, value({ low }), november)).toEqual(value({ low }));
  }
  expect(dateDefault(promptShape(prompt()), value({ low: '[Today]' }), november).low).toBe('[Today]');
});
