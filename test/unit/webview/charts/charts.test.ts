import { BarChart, GaugeChart, LineChart, MapChart, PieChart, TreemapChart } from 'echarts/charts';
import {
  AriaComponent,
  DataZoomComponent,
  GridComponent,
  LegendComponent,
  TooltipComponent,
  VisualMapComponent,
} from 'echarts/components';
import { init, registerMap, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import { describe, expect, it } from 'vitest';
import type { AxisSeries, MapValue, TreePart } from '../../../../src/contract/pages/chartFigure.ts';
import { axesOption } from '../../../../src/webview/charts/axesOption.ts';
import { mix, textOn } from '../../../../src/webview/charts/colours.ts';
import { mapOption } from '../../../../src/webview/charts/chartDrawing.ts';
import { RegionMap } from '../../../../src/webview/charts/regionMap.ts';
import { gaugeOption, pieOption, treeOption } from '../../../../src/webview/charts/partsOption.ts';
import { hostileTexts } from '../../../support/webview/hostileTexts.ts';

use([BarChart, GaugeChart, LineChart, MapChart, PieChart, TreemapChart, SVGRenderer]);
use([AriaComponent, DataZoomComponent, GridComponent, LegendComponent, TooltipComponent, VisualMapComponent]);

const theme = {
  background: '#1e1e1e',
  text: '#cccccc',
  quietText: '#999999',
  line: '#444444',
  series: ['#3794ff', '#d18616', '#89d185'],
  scale: ['#223344', '#3794ff'] as [string, string],
  none: '#333333',
  track: '#777777',
  fontFamily: 'sans-serif',
  isHighContrast: false,
};
const context = { theme, locale: 'en', noData: 'no value' };
const format = { suffix: '', minDigits: 0, maxDigits: 2 };

function draw(option: object, width = 900): string {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width, height: 600 });
  try {
    chart.setOption(option as never);
    return chart.renderToSVGString();
  } finally {
    chart.dispose();
  }
}

function axes(labels: string[], series: Partial<AxisSeries>[]) {
  const filled = series.map((one): AxisSeries => ({
    name: 'Flights',
    mark: 'bar',
    axis: 0,
    format,
    values: Float64Array.from(labels, (_, index) => index + 1),
    ...one,
  }));
  const figure = { kind: 'axes' as const, category: { title: 'State', labels }, isSkyline: false, isStacked: false };
  return axesOption({ ...figure, series: filled }, context);
}

describe('drawings', () => {
  it('show names and values', () => {
    const svg = draw(axes(['NY', 'CA'], [{}, { name: 'Delay', mark: 'line', axis: 1 }]));
    for (const text of ['NY', 'CA', 'State', 'Flights', 'Delay']) expect(svg).toContain(`>${text}</text>`);
  });

  it('write every value of a category in its tooltip, and say where one is missing', () => {
    const tip = (series: Partial<AxisSeries>[], dataIndex: number) => {
      const { formatter } = axes(['NY', 'CA'], series).tooltip;
      return formatter([{ dataIndex }]);
    };
    const values = Float64Array.of(1234.567, NaN);
    expect(tip([{ values }], 0)).toBe('NY\nFlights  1,234.57');
    expect(tip([{ values }], 1)).toBe('CA\nFlights  no value');
    expect(tip([{ values }, { name: 'Share', format: { ...format, suffix: '%' } }], 1)).toBe('CA\nShare  2%');
  });

  it('tell several series apart by more than colour', () => {
    expect(axes(['NY'], [{}, {}]).aria.decal.show).toBe(true);
    const lines = axes(['NY'], [{ mark: 'line' }, { mark: 'line' }]).series;
    expect(lines.map((line) => ('symbol' in line ? line.symbol : ''))).toEqual(['circle', 'rect']);
  });

  it('give a line beside bars a colour of its own', () => {
    const [first = '', second = ''] = theme.series;
    const svg = draw({ ...axes(['NY', 'CA'], [{}, { name: 'Delay', mark: 'line', axis: 1 }]), color: theme.series });
    const strokes = (path: string) => (svg.match(new RegExp(path, 'g')) ?? []).length;
    expect(strokes(`stroke="${second}" stroke-width="3"`)).toBe(1);
    expect(strokes(`stroke="${first}" stroke-width="3"`)).toBe(0);
  });

  it('have nought at the same height on both axes, and all values between their ends', () => {
    const values = (...all: number[]) => ({ values: Float64Array.from(all) });
    const cases: [number[], number[]][] = [
      [[-30, 200], [2]],
      [
        [400, 10],
        [-0.2, 0.1],
      ],
      [
        [-5, -1],
        [3, 1],
      ],
      [
        [1000, -1],
        [1, -1000],
      ],
      [
        [0, NaN],
        [-7, 7],
      ],
      [[1e-9, -1e-9], [1e12]],
    ];
    for (const [one, other] of cases) {
      const { yAxis } = axes(['NY', 'CA'], [values(...one), { ...values(...other), axis: 1, mark: 'line' }]);
      const heights = yAxis.map(({ min = NaN, max = NaN }) => -min / (max - min));
      expect(heights[0]).toBeCloseTo(heights[1] ?? NaN);
      for (const [axis, own] of [one, other].entries()) {
        const { min = NaN, max = NaN } = yAxis[axis] ?? {};
        for (const value of own.filter((each) => !Number.isNaN(each))) expect(min <= value && value <= max).toBe(true);
      }
    }
    // Where nothing, or everything, lies below it, it is there by itself.
    const asDrawn = ['NY', 'CA'];
    const own = (...series: Partial<AxisSeries>[]) => axes(asDrawn, series).yAxis.map(({ min }) => min);
    expect(own(values(3, 1), { ...values(100), axis: 1 })).toEqual([undefined, undefined]);
    expect(own(values(-3), { ...values(-100), axis: 1 })).toEqual([undefined, undefined]);
    expect(own(values(3, -1))).toEqual([undefined]);
  });

  it('tell small numbers from nought, on axes and in tooltips', () => {
    const { yAxis, tooltip } = axes(['NY'], [{ values: Float64Array.of(0.00345) }]);
    const write = yAxis[0]?.axisLabel.formatter;
    const written = [0.001, -0.0005, 0, -0, 250, 1250, 1_200_000, 900_000].map((value) => write?.(value));
    expect(written).toEqual(['0.001', '-0.0005', '0', '0', '250', '1.25K', '1.2M', '900K']);
    expect(tooltip.formatter([{ dataIndex: 0 }])).toBe('NY\nFlights  0.0035');
    const money = { ...format, minDigits: 2 };
    const tip = (value: number) =>
      axes(['NY'], [{ values: Float64Array.of(value), format: money }]).tooltip.formatter([{ dataIndex: 0 }]);
    const told = [5, 1234.567, 0.5, 0.008, 0].map((value) => tip(value).replace('NY\nFlights  ', ''));
    expect(told).toEqual(['5.00', '1,234.57', '0.50', '0.01', '0.00']);
  });

  it('leave room for the other names on the axis where one is long, and name it whole in its tooltip', () => {
    const long = 'Northern Africa and the Sahel';
    const names = [long, 'Lima', 'Oslo', 'Rome', 'Bonn', 'Kyiv'];
    const svg = draw(axes(names, [{}]), 500);
    expect(names.filter((name) => svg.includes(`>${name}</text>`)).length).toBeGreaterThan(1);
    expect(svg).toContain('>Northern Africa…</text>');
    expect(axes([long], [{}]).tooltip.formatter([{ dataIndex: 0 }])).toContain(long);
  });

  it('leave room for the other series in the legend where one is named long', () => {
    const long = 'Flights that were delayed by more than a quarter of an hour, of all';
    const svg = draw(axes(['NY'], [{ name: long }, { name: 'Delay' }]));
    expect(svg).toMatch(/>Flights that were delayed by more than ?…</);
    expect(svg).toContain('>Delay</text>');
  });

  it('add up what several names of one region have on a map, and join means by what they are of', () => {
    const values = (...regions: MapValue[]) => mapOf('CA', 'California').valuesOf(regions);
    const sums = values(
      { name: 'CA', value: 5, meanOf: 0 },
      { name: ' california', value: 7, meanOf: 0 },
      { name: 'California', value: NaN, meanOf: 0 },
      { name: 'Oslo', value: 9, meanOf: 0 },
    );
    expect(sums).toEqual([{ name: 'California', value: 12, sentAs: ['CA', ' california'] }]);
    const means = values({ name: 'CA', value: 10, meanOf: 3 }, { name: 'California', value: 50, meanOf: 1 });
    expect(means[0]?.value).toBe(20);
  });

  it('write names in tooltips whole, whatever they hold, and before their number', () => {
    const tip = (name: string) => axes([name], [{}]).tooltip.formatter([{ dataIndex: 0 }]);
    // What ECharts takes for a style and a text in it.
    const style = /\{([a-zA-Z0-9_]+)\|([^}]*)\}/;
    expect(tip('{a|Oslo} {b|Rome}')).not.toMatch(style);
    expect(tip('{a|Oslo}').replace('\u2060', '')).toBe('{a|Oslo}\nFlights  1');
    expect(axes(['NY'], [{ name: 'שלום' }]).tooltip.formatter([{ dataIndex: 0 }])).toBe('NY\n\u2068שלום\u2069  1');
  });

  it('break long names in tooltips, so that their numbers stay in the panel', () => {
    const tip = (name: string) =>
      axes([name], [{ name }])
        .tooltip.formatter([{ dataIndex: 0 }])
        .split('\n');
    const words = 'Flights that were delayed by more than a quarter of an hour, of all that left on a day';
    expect(tip(words)).toEqual([words.slice(0, 60), words.slice(61), words.slice(0, 60), `${words.slice(61)}  1`]);
    const endless = tip('x'.repeat(5_000));
    expect(endless).toHaveLength(10);
    expect(endless.at(-1)).toMatch(/^x{59}…  1$/);
    const many = Array.from({ length: 12 }, (_, n) => ({ name: `${n} ${words}` }));
    expect(
      axes(['NY'], many)
        .tooltip.formatter([{ dataIndex: 0 }])
        .split('\n'),
    ).toHaveLength(13);
  });

  it('write numbers that nobody reads by their digits by powers of ten', () => {
    const { yAxis, tooltip } = axes(['NY'], [{ values: Float64Array.of(1.25e300) }]);
    expect([1e300, -2.5e-9, 9e14].map((value) => yAxis[0]?.axisLabel.formatter(value))).toEqual([
      '1E300',
      '-2.5E-9',
      '900T',
    ]);
    expect(tooltip.formatter([{ dataIndex: 0 }])).toBe('NY\nFlights  1.25E300');
  });

  it('keep the text of a dial within it', () => {
    const size = (text: string) =>
      gaugeOption({ kind: 'gauge', label: 'Delay', text, value: 1, low: 0, high: 5, format }, context).series[0]?.detail
        .fontSize;
    expect([size('80%'), size('12,345,678'), size('12,345,678,901,234,567')]).toEqual([44, 28, 18]);
  });

  it('keep the shapes of a map as they are, whatever the place that they have', () => {
    const map = mapOf('CA', 'California', [
      [-120, 30],
      [-80, 30],
      [-80, 45],
      [-120, 45],
      [-120, 30],
    ]);
    registerMap('square', { geoJSON: map.regions as never, specialAreas: {} });
    const regions = [{ name: 'CA', value: 3, meanOf: 0 }];
    const ratio = (width: number) => {
      const chart = init(null, null, { renderer: 'svg', ssr: true, width, height: 600 });
      const option = mapOption({ kind: 'map', title: 'Delay', format, regions }, map, 'square', context);
      chart.setOption(option as never);
      const [from, to] = [[0, 0] as const, [100, 100] as const].map((place) =>
        chart.convertToPixel({ seriesIndex: 0 }, [...place]),
      );
      chart.dispose();
      return Math.abs(((to?.[0] ?? NaN) - (from?.[0] ?? NaN)) / ((to?.[1] ?? NaN) - (from?.[1] ?? NaN)));
    };
    expect([400, 1_600].map((width) => ratio(width).toFixed(2))).toEqual(['1.00', '1.00']);
  });

  it('have no scale of values on a map that knows none of the regions', () => {
    const map = mapOf('CA', 'California');
    const figure = { kind: 'map' as const, title: 'Delay', format };
    const scale = (name: string) =>
      mapOption({ ...figure, regions: [{ name, value: 3, meanOf: 0 }] }, map, 'map', context).visualMap.show;
    expect([scale('CA'), scale('Oslo')]).toEqual([true, false]);
  });

  it('name the way to the parts of a tree only where there are parts of parts', () => {
    const leaf = (name: string, value: number) => ({ name, value, parts: [] });
    const drawn = (parts: TreePart[]) => draw(treeOption({ kind: 'tree', title: 'Delays', format, parts }, context));
    expect(drawn([leaf('CA', 3), leaf('NY', 2)]).split('>CA</text>').length).toBe(2);
    expect(drawn([leaf('CA', 3), leaf('NY', 2)])).not.toContain('Delays</text>');
    expect(drawn([{ name: 'West', value: 3, parts: [leaf('CA', 3)] }])).toContain('Delays</text>');
  });

  it('fill a dial between nought and the figure, on either side', () => {
    const arcs = (value: number, low: number, high: number) => {
      const svg = draw(
        gaugeOption({ kind: 'gauge', label: 'Delay', text: String(value), value, low, high, format }, context),
      );
      const ofColour = (colour: string) => svg.split('<path').filter((path) => path.includes(`fill="${colour}"`));
      return { filled: middles(ofColour('#3794ff')), empty: middles(ofColour('#777777')) };
    };
    // -4 of -5 to 0 fills all but the first fifth, and 1 of 0 to 5 nothing but the first fifth.
    const [below, above] = [arcs(-4, -5, 0), arcs(1, 0, 5)];
    expect(below.empty[0]).toBeLessThan(below.filled[0] ?? NaN);
    expect(above.filled[0]).toBeLessThan(above.empty[0] ?? NaN);
    expect([below, above].map(({ filled, empty }) => [filled.length, empty.length])).toEqual([
      [1, 1],
      [1, 1],
    ]);
    expect(below.filled[0]).toBeCloseTo(above.empty[0] ?? NaN);
    expect(below.empty[0]).toBeCloseTo(above.filled[0] ?? NaN);
  });

  it('never turn 500 hostile texts into markup', () => {
    const parts = hostileTexts.map((name, index) => ({ name, value: index + 1, parts: [] }));
    const gauge = { text: hostileTexts[3] ?? '', value: 3, low: 0, high: 5, format };
    const drawings = [
      draw(
        axes(
          [...hostileTexts],
          hostileTexts.slice(0, 12).map((name) => ({ name })),
        ),
      ),
      draw(pieOption({ kind: 'pie', title: hostileTexts[0] ?? '', format, slices: parts }, context)),
      draw(treeOption({ kind: 'tree', title: hostileTexts[0] ?? '', format, parts }, context)),
      ...hostileTexts
        .filter((_, index) => index % 25 === 0)
        .map((label) => draw(gaugeOption({ kind: 'gauge', label, ...gauge }, context))),
    ];
    for (const svg of drawings) {
      const tags = svg.match(/<\/?[a-zA-Z][^>]*>/g) ?? [];
      const names = new Set(tags.map((tag) => /^<\/?([a-zA-Z]+)/.exec(tag)?.[1]));
      expect([...names].filter((name) => !known.has(name ?? ''))).toEqual([]);
      expect(tags.filter((tag) => /\son\w+\s*=|javascript:|href=/i.test(tag))).toEqual([]);
    }
  });
});

/** A map of one region, without a shape unless given one. */
function mapOf(code: string, name: string, border: number[][] = []): RegionMap {
  const isDrawn = border.length > 0;
  const geometries = [{ type: 'Polygon', arcs: isDrawn ? [[0]] : [], properties: { code, name } }];
  const arcs = isDrawn ? [border] : [];
  const topology = { type: 'Topology', objects: { states: { type: 'GeometryCollection', geometries } }, arcs };
  return new RegionMap(new TextEncoder().encode(JSON.stringify(topology)));
}

/** Where paths lie from left to right: the mean of their points. */
function middles(paths: readonly string[]): number[] {
  return paths.map((path) => {
    const points = [...(/ d="([^"]*)"/.exec(path)?.[1] ?? '').matchAll(/[ML]([-\d.]+) /g)].map(([, x]) => Number(x));
    return points.reduce((sum, x) => sum + x, 0) / points.length;
  });
}

/** Elements that drawings are made of. */
const known = new Set([
  'svg',
  'rect',
  'path',
  'text',
  'tspan',
  'g',
  'defs',
  'clipPath',
  'pattern',
  'image',
  'style',
  'polyline',
  'polygon',
]);

describe('colours', () => {
  it('are mixed, and carry text that can be read', () => {
    expect(mix('#000', 'rgb(255, 100, 0)', 0.5)).toBe('rgb(128, 50, 0)');
    expect(mix('var(--x)', '#123456', 0.5)).toBe('#123456');
    expect([textOn('#ffffff'), textOn('#000000')]).toEqual(['#000000', '#ffffff']);
  });
});
