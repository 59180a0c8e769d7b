import type { ChartFigure, OutputKind } from '../../../../src/contract/pages/chartFigure.ts';

const format = { suffix: '', minDigits: 0, maxDigits: 2 };
const bar = (name: string, values: number[], mark: 'bar' | 'line' = 'bar', axis: 0 | 1 = 0) => ({
  name,
  mark,
  axis,
  format,
  values: Float64Array.from(values),
});
const axes = (more: Partial<Extract<ChartFigure, { kind: 'axes' }>> = {}): ChartFigure => ({
  kind: 'axes',
  category: { title: 'State', labels: ['AK', 'CA', 'NY'] },
  isSkyline: false,
  isStacked: false,
  series: [bar('Flights', [3, 9, 4])],
  ...more,
});
const leaf = (name: string, value: number) => ({ name, value, parts: [] });
const many = Array.from({ length: 90 }, (_, index) => `n${index}`);

/** A figure of every output type that is drawn. */
export const figures: Record<Exclude<OutputKind, 'pivot' | 'pivot2' | 'groups'>, ChartFigure> = {
  chart: axes({ isStacked: true, series: [bar('North', [3, 9, 4]), bar('South', [5, 2, 7]), bar('West', [1, 4, 2])] }),
  chart2: axes({
    category: { title: 'Day', labels: many },
    series: [
      bar(
        'Flights',
        many.map((_, index) => index + 1),
      ),
    ],
  }),
  kpi: {
    kind: 'kpi',
    figures: [
      { label: 'Flights', text: '9,998' },
      { label: 'Carrier', text: 'Some Carrier with a rather long name' },
    ],
  },
  gauge: { kind: 'gauge', label: 'On time', text: '80%', value: 80, low: 0, high: 100, format },
  pie: {
    kind: 'pie',
    title: 'Flights',
    format,
    slices: ['AK', 'CA', 'NY', 'TX'].map((name, index) => ({ name, value: index + 1 })),
  },
  combo: axes({ series: [bar('Flights', [3, 9, 4]), bar('Delay', [30, 12, 25], 'line', 1)] }),
  treemap: {
    kind: 'tree',
    title: 'Flights',
    format,
    parts: [{ name: 'West', value: 7, parts: [leaf('CA', 5), leaf('AK', 2)] }, leaf('NY', 3)],
  },
  map: {
    kind: 'map',
    title: 'Delay',
    format,
    regions: [
      { name: 'CA', value: 7, meanOf: 0 },
      { name: 'NV', value: 3, meanOf: 0 },
      { name: 'Atlantis', value: 1, meanOf: 0 },
    ],
  },
  skyline: axes({ isSkyline: true, series: [bar('Flights', [3, 9, 4])] }),
};
