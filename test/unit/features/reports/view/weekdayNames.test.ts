import { expect, it } from 'vitest';
import { weekdayNames } from '../../../../../src/features/reports/view/weekdayNames.ts';

const report = {
  FieldList: [
    { RenamedField: 'Weekday', Formula: 'WEEKDAY(?)' },
    { RenamedField: 'hour', Formula: 'HOUR(?)' },
    { RenamedField: 'next', Formula: 'WEEKDAY(?) + 1' },
    { RenamedField: 'plain', Formula: '' },
  ],
};

it('names the days of columns that number them, in the language', () => {
  const english = weekdayNames(report, 'en');
  const german = weekdayNames(report, 'de');
  // By the calendar of this machine: 27 November 2026 is a Friday.
  const friday = new Date('2026-11-27T12:00:00Z').toLocaleDateString('en', { weekday: 'long', timeZone: 'UTC' });
  expect(friday).toBe('Friday');
  expect([1, 5, 7].map((day) => english('weekday', day))).toEqual(['Monday', 'Friday', 'Sunday']);
  expect(german('weekday', '1')).toBe('Montag');
});

it('leaves other values and columns as they are', () => {
  const name = weekdayNames(report, 'en');
  for (const value of [0, 8, 1.5, null, undefined, '', 'x']) expect(name('weekday', value)).toBeUndefined();
  for (const key of ['hour', 'next', 'plain', '']) expect(name(key, 1)).toBeUndefined();
  expect(weekdayNames(undefined, 'en')('weekday', 1)).toBeUndefined();
});
