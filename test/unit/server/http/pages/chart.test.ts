import { describe, expect, it } from 'vitest';
import { chartOf, isDrawn } from '../../../../../src/server/http/pages/chart.ts';

const state = { key: 's', headerText: 'State', dataType: 'string', yurbitype: 'cha' };
const flights = { key: 'n', headerText: 'Flights', dataType: 'number', yurbitype: 'num' };
const share = { key: 'p', headerText: 'On Time', dataType: 'number', yurbitype: 'per' };
const drawn = (outputType: number, rows: Record<string, unknown>[], columns = [state, flights]) =>
  chartOf(outputType, { columns, rows })?.toString();
const widthsOf = (text: string | undefined) =>
  [...(text ?? '').matchAll(/<rect[^>]* width="([\d.]+)"[^>]*height="15"/g)].map(([, wide]) => Number(wide));

describe('the chart of a report on the embed page', () => {
  it('has a bar for each category, as long as its sum', () => {
    const text = drawn(2, [
      { s: 'CA', n: 10 },
      { s: 'TX', n: 40 },
      { s: 'CA', n: '10' },
    ]);
    const [ca = 0, tx = 0] = widthsOf(text);
    expect(tx / ca).toBeCloseTo(2, 2);
    expect(text).toContain('>CA</text>');
    expect(text).toContain('>20</text>');
    expect(text).toContain('2 categories');
  });

  it('averages percentages, and leaves out what is no number', () => {
    const rows = [10, 20, null, 'x'].map((p) => ({ s: 'CA', p }));
    expect(drawn(14, rows, [state, share])).toContain('>15%</text>');
    expect(drawn(14, [{ s: 'CA', p: null }], [state, share])).toContain('>–</text>');
  });

  it('becomes a line for many categories', () => {
    const text = drawn(
      2,
      Array.from({ length: 31 }, (_, n) => ({ s: `day ${n}`, n })),
    );
    const points = /points="([^"]+)"/.exec(text ?? '')?.[1]?.split(' ') ?? [];
    expect(points).toHaveLength(31);
    expect([points[0], points.at(-1)]).toEqual(['0.0,236.0', '720.0,4.0']);
  });

  it('takes the first number as its category, and the second category as its lines', () => {
    const columns = [{ ...flights, key: 'year', headerText: 'Year' }, state, flights];
    const rows = [2001, 2002, 2003].flatMap((year) => [
      { year, s: 'CA', n: year - 2000 },
      { year, s: 'TX', n: 10 * (year - 2000) },
    ]);
    const text = drawn(14, rows, columns) ?? '';
    const lines = [...text.matchAll(/points="([^"]+)"/g)].map(([, points = '']) => points.split(' '));
    expect(lines).toHaveLength(2);
    // Both have one scale: 3 is a tenth as high as 30.
    const heights = lines.map((points) => 236 - Number(points.at(-1)?.split(',')[1]));
    expect((heights[1] ?? 0) / (heights[0] ?? 1)).toBeCloseTo(10, 1);
    expect(text).toContain('CA (1 to 3)');
    expect(drawn(2, [{ a: 1, n: 7 }], [{ ...flights, key: 'a' }, flights])).toContain('>7</text>');
  });

  it('shares a circle, and draws bars where no value is above zero', () => {
    const text = drawn(6, [
      { s: 'CA', n: 1 },
      { s: 'TX', n: 3 },
    ]);
    expect(text?.match(/<path /g)).toHaveLength(2);
    // A quarter ends at three o'clock.
    expect(text).toContain('0 0 1 220.00 110.00 Z');
    expect(drawn(6, [{ s: 'CA', n: -1 }])).not.toContain('<path');
  });

  it('is one figure of all rows for a key figure', () => {
    const rows = [1200, 34].map((n, index) => ({ s: String(index), n }));
    expect(drawn(3, rows)).toContain('1,234</span>');
  });

  it('makes hostile names inert', () => {
    const hostile = '<script>"&';
    const text = drawn(2, [{ s: hostile, n: 1 }], [state, { ...flights, headerText: hostile }]);
    expect(text).not.toContain('<script>');
    expect(text).toContain('&#60;script&#62;&#34;&#38;');
  });

  it('is not there for tables, and without numbers or rows', () => {
    expect(drawn(1, [{ s: 'CA', n: 1 }])).toBeUndefined();
    expect(drawn(2, [{ s: 'CA' }], [state])).toBeUndefined();
    expect(drawn(2, [])).toBeUndefined();
    expect([0, 1, 8, 12, 13].some(isDrawn)).toBe(false);
  });
});
