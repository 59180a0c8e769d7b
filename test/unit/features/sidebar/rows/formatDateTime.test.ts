import { describe, expect, it } from 'vitest';
import { formatDateTime } from '../../../../../src/features/sidebar/rows/formatDateTime.ts';

describe('moments of the API', () => {
  it.each([
    ['03/04/2026', 'en', 'Mar 4, 2026'],
    ['03/04/2026', 'de', '04.03.2026'],
    ['13/45/2026', 'de', '13/45/2026'],
    ['03/04/2026 10:00:00', 'de', '03/04/2026 10:00:00'],
    ['2026-03-04T10:00:00', 'de', '2026-03-04T10:00:00'],
    ['soon', 'de', 'soon'],
    ['', 'de', ''],
  ])('%s is written in %s as %s', (text, language, shown) => {
    expect(formatDateTime(text, language)).toBe(shown);
  });

  it.each(['2026-03-04T12:00:00Z', '2026-03-04T12:00:00.123+00:00'])(
    '%s is shown in the time of this machine',
    (text) => {
      const here = new Date('2026-03-04T12:00:00Z');
      const hour = String(here.getHours()).padStart(2, '0');
      expect(formatDateTime(text, 'de')).toContain(`${hour}:${String(here.getMinutes()).padStart(2, '0')}`);
      expect(formatDateTime(text, 'de')).toMatch(/^0[345]\.03\.2026/);
    },
  );
});
