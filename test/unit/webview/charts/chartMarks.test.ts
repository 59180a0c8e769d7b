import { describe, expect, it } from 'vitest';
import type { AxisSeries, ChartFigure } from '../../../../src/contract/pages/chartFigure.ts';
import { including, marksOf, nearest, panned, step, zoomed } from '../../../../src/webview/charts/chartMarks.ts';
import type { Mark, Step } from '../../../../src/webview/charts/chartMarks.ts';
import { markText, summaryText } from '../../../../src/webview/charts/chartText.ts';

const format = { suffix: '', minDigits: 0, maxDigits: 2 };
const percent = { ...format, suffix: '%' };
const series = (name: string, values: number[], more: Partial<AxisSeries> = {}): AxisSeries => ({
  name,
  mark: 'bar',
  axis: 0,
  format,
  values: Float64Array.from(values),
  ...more,
});

const axes: ChartFigure = {
  kind: 'axes',
  category: { title: 'Month', labels: ['Jan', 'Feb', 'Mar', 'Apr'] },
  isSkyline: false,
  isStacked: false,
  series: [
    series('Flights', [NaN, 20, NaN, 5]),
    series('None', [NaN, NaN, NaN, NaN]),
    series('Late', [1.5, NaN, NaN, 80], { mark: 'line', axis: 1, format: percent }),
  ],
};

describe('marks', () => {
  it('are the values, in drawing order, of the series that have any', () => {
    const rows = marksOf(axes);
    expect(rows.map((row) => [row.name, row.series, [...row.places]])).toEqual([
      ['Flights', 0, [1, 3]],
      ['Late', 2, [0, 3]],
    ]);
    const walk = (...steps: Step[]) => {
      let mark: Mark | undefined;
      return steps.map((to) => {
        mark = step(rows, mark, to);
        return mark && markText(axes, rows, mark);
      });
    };
    expect(walk('next', 'rowBelow', 'next', 'next', 'rowAbove', 'rowAbove', 'first')).toEqual([
      'Feb, Flights: 20 (1 of 2)',
      'Jan, Late: 1.5% (1 of 2)',
      'Apr, Late: 80% (2 of 2)',
      'Apr, Late: 80% (2 of 2)',
      'Apr, Flights: 5 (2 of 2)',
      'Apr, Flights: 5 (2 of 2)',
      'Feb, Flights: 20 (1 of 2)',
    ]);
    expect(walk('last')).toEqual(['Apr, Flights: 5 (2 of 2)']);
  });

  it('are summed up by type, axes, extremes of each measure, and counts', () => {
    expect(summaryText('Traffic', axes, marksOf(axes))).toBe(
      'Traffic: bar and line chart. Horizontal axis: Month. Vertical axis: Flights, None. Right axis: Late. ' +
        'Flights: Lowest: 5 (Apr); Highest: 20 (Feb). Late: Lowest: 1.5% (Jan); Highest: 80% (Apr). ' +
        '2 series, 4 values',
    );
  });

  it('say that there is nothing, where there is nothing', () => {
    const none: ChartFigure = { kind: 'none', lack: 'noRows' };
    expect(marksOf(none)).toEqual([]);
    expect(step([], undefined, 'next')).toBeUndefined();
    expect(summaryText('Traffic', none, [])).toBe('Traffic: no chart');
  });

  it('keep their value behind a name that is endless', () => {
    const [label, name] = ['x'.repeat(5_000), 'y'.repeat(5_000)];
    const pie: ChartFigure = { kind: 'pie', title: name, format, slices: [{ name: label, value: 2 }] };
    const text = markText(pie, marksOf(pie), { row: 0, at: 0 });
    expect(text).toMatch(/: 2, 100 % \(1 of 1\)$/);
    expect(text.length).toBeLessThan(250);
  });

  it('are found by the index closest to another', () => {
    const places = Uint32Array.of(2, 5, 9);
    const closest = (index: number) =>
      [...places.keys()].toSorted((one, other) => {
        const distance = (at: number) => Math.abs((places[at] ?? NaN) - index);
        return distance(one) - distance(other) || one - other;
      })[0];
    for (let index = 0; index < 12; index++) expect(nearest(places, index), String(index)).toBe(closest(index));
  });
});

describe('the categories in view', () => {
  const count = 100;
  it('are halved and doubled around an index, within the chart', () => {
    expect(zoomed({ first: 0, last: 99 }, count, 50, true)).toEqual({ first: 26, last: 75 });
    expect(zoomed({ first: 0, last: 99 }, count, 0, true)).toEqual({ first: 0, last: 49 });
    expect(zoomed({ first: 26, last: 75 }, count, 99, false)).toEqual({ first: 0, last: 99 });
    expect(zoomed({ first: 10, last: 13 }, count, 11, true)).toEqual({ first: 10, last: 13 });
  });

  it('move by half, up to the ends', () => {
    expect(panned({ first: 0, last: 9 }, count, true)).toEqual({ first: 5, last: 14 });
    expect(panned({ first: 88, last: 97 }, count, true)).toEqual({ first: 90, last: 99 });
    expect(panned({ first: 3, last: 12 }, count, false)).toEqual({ first: 0, last: 9 });
  });

  it('move as little as needed for an index', () => {
    expect(including({ first: 10, last: 19 }, 15)).toEqual({ first: 10, last: 19 });
    expect(including({ first: 10, last: 19 }, 20)).toEqual({ first: 11, last: 20 });
    expect(including({ first: 10, last: 19 }, 3)).toEqual({ first: 3, last: 12 });
  });
});
