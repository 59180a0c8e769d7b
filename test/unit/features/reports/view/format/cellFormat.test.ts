import { describe, expect, it } from 'vitest';
import { cellFormat } from '../../../../../../src/features/reports/view/format/cellFormat.ts';

const locale = { language: 'en', timeZone: 'America/New_York' };

function shown(fieldType: string, value: Parameters<ReturnType<typeof cellFormat>['write']>[0], format?: string) {
  return cellFormat({ fieldType, format, dataType: undefined }, locale).write(value);
}

describe('cells by field type code', () => {
  it.each([
    ['cha', 'text', 'text'],
    ['cha', ' <b>&amp;</b> ', ' <b>&amp;</b> '],
    ['num', 1234567.5, '1234567.5'],
    ['num', 2001, '2001'],
    ['num', '007', '007'],
    ['num', 12.345678901234567, '12.345679'],
    ['num', 0.1 + 0.2, '0.300000'],
    ['num', -7.999999999999999, '-8.000000'],
    ['num', '33.3333333333333333', '33.333333'],
    ['num', 0.00012345678901234567, '0.000123457'],
    ['num', 1.2345678901234567e-9, '1.23457e-9'],
    ['num', 1.2345678901234567e30, '1.2345678901234567e+30'],
    ['num', 47.6062095, '47.6062095'],
    ['num', 0.000012345, '0.000012345'],
    ['num', 1234567890123.45, '1234567890123.45'],
    ['num', '12345678901234567890', '12345678901234567890'],
    ['num', '1234567890123456.1234567', '1234567890123456.1234567'],
    ['cur', 1234.5, '1,234.50'],
    ['cur', '1234.5', '1,234.50'],
    ['cur', -0.005, '-0.01'],
    ['cur', 'n/a', 'n/a'],
    ['per', 12.345, '12.35%'],
    ['per', 0, '0%'],
    ['per', -0.001, '0%'],
    ['per', -0, '0%'],
    ['cur', '-0.00', '0.00'],
    ['cur', -0.004, '0.00'],
    ['dat', '2001-01-01T08:30:00', '2001-01-01 03:30:00'],
    ['dat', '2001-07-01 08:30:00', '2001-07-01 04:30:00'],
    ['dat', '2001-01-01T00:30:00+02:00', '2000-12-31 17:30:00'],
    ['dat', '2001-01-01', '2001-01-01'],
    ['dat', 'soon', 'soon'],
    ['dtz', '2001-01-01T08:30:00', '2001-01-01 08:30:00'],
    ['dtz', '2001-01-01 08:30:00.123', '2001-01-01 08:30:00.123'],
    ['doz', '2001-01-01', '2001-01-01'],
    ['doz', '2001-01-01T00:00:00', '2001-01-01'],
    ['doz', '2001-01-01T08:30:00', '2001-01-01T08:30:00'],
    ['tsp', '01-JAN-01 08.30', '01-JAN-01 08.30'],
    ['udt', 0, '1969-12-31 19:00:00'],
    ['udt', '978352200', '2001-01-01 07:30:00'],
    ['udt', 978352200000, '2001-01-01 07:30:00'],
    ['udt', 'never', 'never'],
    ['lnk', 'https://example.com', 'https://example.com'],
    ['for', 5, '5'],
    ['unknown', true, 'true'],
  ] as const)('%s %j is shown as %j', (type, value, text) => {
    expect(shown(type, value)).toBe(text);
  });

  it.each([
    ['num', 1234567.5, '1234567,5'],
    ['num', '-0.9', '-0,9'],
    ['num', 2 / 3, '0,666667'],
    ['num', 2001, '2001'],
    ['num', '1e21', '1e21'],
    ['num', '1.2.3', '1.2.3'],
    ['cur', 1234.5, '1.234,50'],
    ['per', '79.9', '79,9%'],
    ['dtz', '2001-01-01 08:30:00.123', '2001-01-01 08:30:00.123'],
    ['cha', '1.5', '1.5'],
  ] as const)('%s %j is shown as %j in German', (fieldType, value, text) => {
    const german = { language: 'de', timeZone: 'Europe/Berlin' };
    expect(cellFormat({ fieldType, format: undefined, dataType: undefined }, german).write(value)).toBe(text);
  });

  it('keeps every digit in German too', () => {
    const { write } = cellFormat(
      { fieldType: 'num', format: undefined, dataType: undefined },
      { ...locale, language: 'de' },
    );
    expect(write({ kind: 'exact', text: '12345678901234567890.123' })).toBe('12345678901234567890,123');
  });

  it.each(['cha', 'num', 'cur', 'dat', 'udt', 'lnk'])('a %s without a value has no text', (type) => {
    expect([shown(type, null), shown(type, undefined)]).toEqual([null, null]);
  });

  it.each([
    ['lnk', 'link'],
    ['flk', 'link'],
    ['ddn', 'drill'],
    ['cur', 'number'],
    ['doz', 'moment'],
    ['cha', 'text'],
  ])('a column of %s is one of kind %s', (fieldType, kind) => {
    expect(cellFormat({ fieldType, format: undefined, dataType: undefined }, locale).kind).toBe(kind);
  });

  it('formats numbers that no double holds digit by digit, sent as text or as a number', () => {
    const text = '12345678901234567.89';
    expect(shown('cur', text)).toBe('12,345,678,901,234,567.89');
    expect(shown('cur', { kind: 'exact', text })).toBe('12,345,678,901,234,567.89');
    expect(shown('num', { kind: 'exact', text: '-9007199254740993' }, 'n0')).toBe('-9,007,199,254,740,993');
    expect(shown('cur', ' 12.5 ')).toBe('12.50');
    expect(shown('cur', { kind: 'json', text: '[1]' })).toBe('[1]');
  });

  it('keeps every digit of exact numbers and the text of objects', () => {
    expect(shown('num', { kind: 'exact', text: '12345678901234567890' })).toBe('12345678901234567890');
    expect(shown('cha', { kind: 'json', text: '{"a":1}' })).toBe('{"a":1}');
  });

  it.each([
    ['num', 'n2', '1,234.50'],
    ['num', 'n', '1,234.50'],
    ['num', 'n0', '1,235'],
    ['num', 'd', '1235'],
    ['num', 'd8', '1235'],
    ['num', 'f', '1234.50'],
    ['num', 'p0', '1234.5'],
    ['num', '{0:P1}', '1234.5'],
    ['num', '0%', '1234.5'],
    ['num', 'f1', '1234.5'],
    ['num', '{0:N1}', '1,234.5'],
    ['num', '#,##0.00', '1,234.50'],
    ['num', '0.###', '1234.5'],
    ['num', 'yyyy-MM-dd', '1234.5'],
    ['cur', '$#,##0.0', '$1,234.5'],
    ['cur', 'c0', '1,235'],
    ['per', 'p1', '1,234.5%'],
    ['per', '0.0%', '1234.5%'],
  ])('%s follows the format %s', (type, format, text) => {
    expect(shown(type, 1234.5, format)).toBe(text);
  });

  it('puts the sign of a number before that of a currency', () => {
    expect(shown('cur', -1234.5, '$#,##0.00')).toBe('-$1,234.50');
    expect(shown('cur', '-0.001', '$#,##0.00')).toBe('$0.00');
    expect(shown('num', -3, '0 km')).toBe('-3 km');
  });

  it('aligns by what a column holds', () => {
    const kinds = ['cha', 'num', 'dtz', 'lnk', 'flk'].map(
      (fieldType) => cellFormat({ fieldType, format: undefined, dataType: undefined }, locale).kind,
    );
    expect(kinds).toEqual(['text', 'number', 'moment', 'link', 'link']);
    expect(cellFormat({ fieldType: 'for', format: undefined, dataType: 'System.Int32' }, locale).kind).toBe('number');
  });
});
