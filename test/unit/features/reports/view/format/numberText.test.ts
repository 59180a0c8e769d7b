import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cellFormat } from '../../../../../../src/features/reports/view/format/cellFormat.ts';
import { numberSearch, NumberText } from '../../../../../../src/features/reports/view/format/numberText.ts';
import { zonedText } from '../../../../../../src/contract/zones/zonedTimes.ts';

const formats = [
  ['num', undefined],
  ['num', 'n0'],
  ['num', 'f3'],
  ['num', '$#,##0.0##'],
  ['num', 'n9'],
  ['cur', undefined],
  ['per', undefined],
  ['per', '0.0%'],
  ['cha', undefined],
] as const;
const languages = ['en', 'de', 'fr', 'es', 'sv', 'de-CH', 'hi', 'ar-EG'];

const numbers = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  fc.integer({ min: -2_000_000, max: 2_000_000 }).map((number) => number / 100),
  fc.integer({ min: -20_000, max: 20_000 }).map((number) => number / 1000),
  fc.constantFrom(0, -0, -0.001, 0.005, 1.005, 999.995, 999_999_999.5, 1e21, 1e-7),
);

describe.each(languages)('numbers in %s', (language) => {
  it.each(formats)('%s %s are written as the column writes them', (fieldType, format) => {
    const column = cellFormat({ fieldType, format, dataType: undefined }, { language, timeZone: 'UTC' });
    const text = column.numbers && NumberText.of(column.numbers, column.write);
    if (text === undefined) return;
    fc.assert(
      fc.property(numbers, (number) => {
        if (text.write(number)) expect(text.text).toBe(column.write(number));
      }),
      { numRuns: 500 },
    );
  });

  it.each(formats)('%s %s are found by what is shown of them', (fieldType, format) => {
    const { numbers: style, write } = cellFormat(
      { fieldType, format, dataType: undefined },
      { language, timeZone: 'UTC' },
    );
    fc.assert(
      fc.property(numbers, numbers, fc.nat(8), fc.integer({ min: 1, max: 4 }), (number, other, from, length) => {
        const wanted = (write(other) ?? '').toLowerCase().slice(from, from + length);
        fc.pre(wanted !== '');
        const search = numberSearch(wanted, style, write);
        for (const each of [number, other, number]) {
          expect(search(each)).toBe((write(each) ?? '').toLowerCase().includes(wanted));
        }
      }),
      { numRuns: 100 },
    );
  });
});

it.each(['en', 'de', 'fr', 'sv'])('most numbers need no help of the language in %s', (language) => {
  const { numbers: style, write } = cellFormat(
    { fieldType: 'cur', format: undefined, dataType: undefined },
    { language, timeZone: 'UTC' },
  );
  const text = NumberText.of(style!, write);
  expect([0, 7, 1234.5, -98_765.43].map((number) => text?.write(number))).toEqual([true, true, true, true]);
});

describe.each(['UTC', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'Africa/Monrovia', 'Pacific/Apia'])(
  'moments in %s',
  (timeZone) => {
    const language = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone });

    it('are written as the language writes them, from the first to the last year', () => {
      const write = (date: Date) => zonedText(date.getTime(), timeZone);
      const moment = fc.date({
        min: new Date('0001-01-02T00:00:00Z'),
        max: new Date('9999-12-30T00:00:00Z'),
        noInvalidDate: true,
      });
      fc.assert(
        fc.property(moment, (date) => {
          expect(write(date)).toBe(language.format(date).padStart('YYYY-MM-DD HH:mm:ss'.length, '0'));
        }),
        { numRuns: 300 },
      );
    });

    it('are written right at every change of the clock', () => {
      const write = (date: Date) => zonedText(date.getTime(), timeZone);
      for (let time = Date.UTC(2010, 0, 1); time < Date.UTC(2012, 0, 3); time += 7 * 60_000) {
        if (write(new Date(time)) !== language.format(time)) expect(write(new Date(time))).toBe(language.format(time));
      }
    });
  },
);
