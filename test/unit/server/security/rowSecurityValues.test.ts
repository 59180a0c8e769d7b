import { describe, expect, it } from 'vitest';
import { readNumber, readTimeSpan } from '../../../../src/server/security/rowSecurityValues.ts';
import { splitList, ValueError } from '../../../../src/contract/policyValues.ts';

const today = '2026-03-18'; // a Wednesday

describe('values', () => {
  it.each([
    ['12', '12'],
    [' +1.50 ', '1.50'],
    ['-.5', '-0.5'],
    ['3.', '3'],
    ['1e10', '1e10'],
    ['9007199254740993', '9007199254740993'],
  ])('reads the number %s', (text, digits) => {
    expect(readNumber(text)).toEqual({ type: 'number', text: digits });
  });

  it.each(['', ' ', '1,000', '0x10', 'NaN', 'Infinity', '1 2', '--1', '1e9999', '9'.repeat(101)])(
    'refuses the number "%s"',
    (text) => {
      expect(() => readNumber(text)).toThrow(ValueError);
    },
  );

  it.each([
    ['2026-02-28', '2026-02-28', '2026-03-01'],
    ['2/9/2026', '2026-02-09', '2026-02-10'],
    ['[today]', '2026-03-18', '2026-03-19'],
    ['[Yesterday]', '2026-03-17', '2026-03-18'],
    ['[This Week]', '2026-03-16', '2026-03-23'],
    ['[Last Month]', '2026-02-01', '2026-03-01'],
    ['[Next Quarter]', '2026-04-01', '2026-07-01'],
    ['[Last Year]', '2025-01-01', '2026-01-01'],
    ['[Last 7 Days]', '2026-03-12', '2026-03-19'],
  ])('reads %s as days', (text, from, before) => {
    expect(readTimeSpan(text, 'date', today)).toEqual({
      from: { type: 'date', text: from },
      before: { type: 'date', text: before },
    });
  });

  it('reads moments, the last day of the calendar and Unix time', () => {
    const moment = { type: 'timestamp', text: '2026-03-18 07:05:00.25' };
    expect(readTimeSpan('2026-03-18T7:05:00.25Z', 'timestamp', today)).toEqual({ from: moment, before: undefined });
    expect(readTimeSpan('9999-12-31', 'date', today).before).toEqual({
      type: 'timestamp',
      text: '9999-12-31 23:59:59.999999',
    });
    expect(readTimeSpan('1970-01-02', 'unixTime', today)).toEqual({
      from: { type: 'number', text: '86400' },
      before: { type: 'number', text: '172800' },
    });
    expect(readTimeSpan('86400', 'unixTime', today).from.text).toBe('86400');
  });

  it.each([
    '',
    'soon',
    '2026-02-29',
    '2026-13-01',
    '0000-01-01',
    '2026-01-01 24:00',
    '[Last Decade]',
    '[Soon]',
    '20260101',
    '2026-01-01 10:00+02:00',
  ])('refuses the date "%s"', (text) => {
    expect(() => readTimeSpan(text, 'timestamp', today)).toThrow(ValueError);
  });

  it('splits lists', () => {
    expect(splitList(` a, 'b, c' ,"d""e", O'Hare,, 'it''s'`)).toEqual(['a', 'b, c', 'd"e', "O'Hare", "it's"]);
    expect(splitList('')).toEqual([]);
    expect(() => splitList("'a")).toThrow(ValueError);
    expect(() => splitList("'a' b, c")).toThrow(ValueError);
  });
});
