import { describe, expect, it } from 'vitest';
import type { ColumnKind } from '../../../../src/server/security/rowSecurityPredicate.ts';
import { readNumber, readTimeSpan } from '../../../../src/server/security/rowSecurityValues.ts';
import { splitList, ValueError } from '../../../../src/contract/policyValues.ts';

const today = '2026-03-18'; // a Wednesday
const span = (text: string, kind: ColumnKind = 'date') => readTimeSpan(text, kind, today);
const dates = (from: string, before: string) => ({
  from: { type: 'date', text: from },
  before: { type: 'date', text: before },
});

describe('days', () => {
  it.each([
    ['[Tomorrow]', '2026-03-19', '2026-03-20'],
    [' [ toDAY ] ', '2026-03-18', '2026-03-19'],
    ['[Last Week]', '2026-03-09', '2026-03-16'],
    ['[Next  Week]', '2026-03-23', '2026-03-30'],
    ['[This Month]', '2026-03-01', '2026-04-01'],
    ['[Next Month]', '2026-04-01', '2026-05-01'],
    ['[This Quarter]', '2026-01-01', '2026-04-01'],
    ['[Last Quarter]', '2025-10-01', '2026-01-01'],
    ['[This Year]', '2026-01-01', '2027-01-01'],
    ['[Next Year]', '2027-01-01', '2028-01-01'],
    ['[Last  30  Days]', '2026-02-17', '2026-03-19'],
    ['[Last 1 Days]', '2026-03-18', '2026-03-19'],
    ['9998-12-31', '9998-12-31', '9999-01-01'],
  ])('%s are %s until before %s', (text, from, before) => {
    expect(span(text)).toEqual(dates(from, before));
  });

  it('of a week begin on Monday, whatever day it is', () => {
    expect(readTimeSpan('[This Week]', 'date', '2026-03-16')).toEqual(dates('2026-03-16', '2026-03-23'));
    expect(readTimeSpan('[This Week]', 'date', '2026-03-22')).toEqual(dates('2026-03-16', '2026-03-23'));
  });

  it('of early years keep their four digits', () => {
    expect(readTimeSpan('[This Month]', 'date', '0099-05-04')).toEqual(dates('0099-05-01', '0099-06-01'));
  });

  it('end with the calendar', () => {
    const last = { type: 'timestamp', text: '9999-12-31 23:59:59.999999' };
    expect(readTimeSpan('[This Year]', 'date', '9999-05-04').before).toEqual(last);
    expect(readTimeSpan('[Today]', 'date', '9999-12-31').before).toEqual(last);
  });

  it('are moments for a column of moments, and seconds for one of Unix time', () => {
    const moments = { from: '2026-03-18 00:00:00', before: '2026-03-19 00:00:00' };
    for (const text of ['[Today]', today]) {
      expect(span(text, 'timestamp')).toEqual({
        from: { type: 'timestamp', text: moments.from },
        before: { type: 'timestamp', text: moments.before },
      });
    }
    expect(span('9999-12-31', 'unixTime').before).toEqual({ type: 'number', text: '253402300800' });
    expect(span('9999-12-31', 'timestamp').before).toEqual({ type: 'timestamp', text: '9999-12-31 23:59:59.999999' });
  });

  it.each([
    '[Today 5]',
    '[Today Week]',
    '[Last 7]',
    '[Last 7 Weeks]',
    '[Next 7 Days]',
    '[This 2 Month]',
    '[Last Days]',
    '[Last]',
    '[constructor]',
    '[constructor Week]',
    '[Last constructor]',
  ])('are not meant by %s', (text) => {
    expect(() => span(text)).toThrow(`"${text}" is not a relative date`);
  });

  it.each(['[Someday Week]', '[Someday Month]', '[Someday 7 Days]', '[Next Decade]'])('have no name %s', (text) => {
    expect(() => span(text)).toThrow(`"${text}" is not a relative date`);
  });

  it.each(['x[Today]', '[Today]x', '[Today', '[Last 12345 Days]', '[Today!]', '[Last7 Days]'])(
    'are no date as %s',
    (text) => {
      expect(() => span(text)).toThrow(`"${text}" is not a date; enter YYYY-MM-DD`);
    },
  );
});

describe('moments', () => {
  it.each([
    ['2026-03-18 23:59:59', '2026-03-18 23:59:59'],
    ['2026-03-18T00:59', '2026-03-18 00:59:00'],
    ['3/8/2026 7:05', '2026-03-08 07:05:00'],
    ['3/8/2026 7:05:09.5', '2026-03-08 07:05:09.5'],
    ['3/8/2026 7:05:09.25', '2026-03-08 07:05:09.25'],
    ['10/18/2026 17:05:09', '2026-10-18 17:05:09'],
    [' 2026-3-8 00:00 ', '2026-03-08 00:00:00'],
    // As ClickHouse shows a DateTime64(9).
    ['2026-03-18 23:59:59.123456000', '2026-03-18 23:59:59.123456'],
    ['2026-03-18 23:59:59.100000000', '2026-03-18 23:59:59.100000'],
  ])('%s is %s', (text, moment) => {
    expect(span(text, 'timestamp')).toEqual({ from: { type: 'timestamp', text: moment }, before: undefined });
  });

  it('that are finer than microseconds are refused', () => {
    for (const text of ['2026-03-18 23:59:59.123456789', '2026-03-18T23:59:59.0000001Z'])
      expect(() => span(text, 'timestamp')).toThrow(`"${text}" has more than 6 decimals of a second`);
  });

  it('at midnight are days for a column of days; later ones stay moments', () => {
    for (const time of ['00:00', '00:00:00', '00:00:00.0', '00:00:00.000']) {
      expect(span(`2026-03-18 ${time}`)).toEqual({ from: { type: 'date', text: '2026-03-18' }, before: undefined });
    }
    for (const time of ['00:00:01', '00:00:00.001', '10:00:00']) {
      expect(span(`2026-03-18 ${time}`)).toEqual({
        from: { type: 'timestamp', text: `2026-03-18 ${time}` },
        before: undefined,
      });
    }
  });

  it.each([
    ['1970-01-01 00:00', '0'],
    ['1970-01-02 00:00:01', '86401'],
    ['1970-01-01 00:00:00.25', '0.25'],
    ['1970-01-01 00:00:02.05', '2.05'],
    ['1970-01-01 00:00:02.005', '2.005'],
    ['1970-01-01 00:00:02.000', '2'],
    ['1969-12-31 23:59:59', '-1'],
    ['1969-12-31 23:59:59.25', '-0.75'],
    ['1969-12-31 23:59:58.999999', '-1.000001'],
    ['-5', '-5'],
    ['123456789012345', '123456789012345'],
  ])('of Unix time count seconds: %s is %s', (text, seconds) => {
    expect(span(text, 'unixTime')).toEqual({ from: { type: 'number', text: seconds }, before: undefined });
  });

  it.each(['x2026-03-18', '12026-03-18', '2026-03-18x', '113/8/2026', '3/8/2026x', '3/8/2026 7:05Z', '3/8/2026T7:05'])(
    'are not %s',
    (text) => {
      expect(() => span(text, 'timestamp')).toThrow(`"${text}" is not a date`);
    },
  );

  it.each(['1234567890123456', '5s', 's5'])('of Unix time are not %s', (text) => {
    expect(() => span(text, 'unixTime')).toThrow('is not a date');
  });

  it.each(['2026-01-01 24:00', '2026-01-01 10:60', '2026-01-01 10:00:60'])('have no time of day %s', (text) => {
    expect(() => span(text, 'timestamp')).toThrow(`"${text}" is not a time of day`);
  });

  it.each(['2026-02-29', '2026-13-01', '0000-01-01', '2/30/2026'])('have no day %s', (text) => {
    expect(() => span(text, 'timestamp')).toThrow(`"${text}" is not a calendar day`);
  });
});

describe('numbers', () => {
  it.each([
    ['.5', '0.5'],
    ['+.5', '0.5'],
    ['.25', '0.25'],
    ['1e+5', '1e+5'],
    ['3.e2', '3e2'],
    ['9'.repeat(100), '9'.repeat(100)],
  ])('%s is %s', (text, digits) => {
    expect(readNumber(text)).toEqual({ type: 'number', text: digits });
  });

  it.each([
    ['soon', '"soon" is not a number'],
    ['x'.repeat(60), `"${'x'.repeat(60)}" is not a number`],
    ['x'.repeat(61), `"${'x'.repeat(60)}…" is not a number`],
  ])('are not %s, and the refusal quotes no more than it must', (text, message) => {
    expect(() => readNumber(text)).toThrow(new ValueError(message));
    expect(new ValueError(message).name).toBe('ValueError');
  });
});

describe('lists', () => {
  it.each<[string, string[]]>([
    ['\ta ,\t"b" ', ['a', 'b']],
    ["a,\n\r\u00a0'b,c'\n", ['a', 'b,c']],
    [',a', ['a']],
    ["'',b", ['', 'b']],
    ["'a'", ['a']],
    ["'a',", ['a']],
    [' a b ', ['a b']],
    ["'a' ,b", ['a', 'b']],
    ["a'b,c", ["a'b", 'c']],
    [`'say ""it""'`, ['say ""it""']],
  ])('%j is %j', (text, items) => {
    expect(splitList(text)).toEqual(items);
  });

  it.each([
    ["'a", `The list "'a" has an unclosed quote`],
    ["'", `The list "'" has an unclosed quote`],
    ["'a'b", `The list "'a'b" has text after a closing quote`],
    ["'a'b,c", `The list "'a'b,c" has text after a closing quote`],
  ])('%j is refused', (text, message) => {
    expect(() => splitList(text)).toThrow(new ValueError(message));
  });
});
