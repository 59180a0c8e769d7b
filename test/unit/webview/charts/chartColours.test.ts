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
import type { AxisSeries } from '../../../../src/contract/pages/chartFigure.ts';
import { axesOption } from '../../../../src/webview/charts/axesOption.ts';
import { mapOption } from '../../../../src/webview/charts/chartDrawing.ts';
import { themeOf } from '../../../../src/webview/charts/colours.ts';
import type { DrawingContext } from '../../../../src/webview/charts/drawing.ts';
import { gaugeOption, pieOption, treeOption } from '../../../../src/webview/charts/partsOption.ts';
import { RegionMap } from '../../../../src/webview/charts/regionMap.ts';
import themes from '../../../fixtures/themes.json' with { type: 'json' };

use([BarChart, GaugeChart, LineChart, MapChart, PieChart, TreemapChart, SVGRenderer]);
use([AriaComponent, DataZoomComponent, GridComponent, LegendComponent, TooltipComponent, VisualMapComponent]);

const format = { suffix: '', minDigits: 0, maxDigits: 2 };
const names = Array.from({ length: 12 }, (_, index) => `n${index + 1}`);
const leaf = (name: string, value: number) => ({ name, value, parts: [] });

function axesFigure(labels: string[], marks: readonly AxisSeries['mark'][], isStacked: boolean) {
  const series = marks.map((mark, index): AxisSeries => ({
    name: `series ${index}`,
    mark,
    axis: 0,
    format,
    values: Float64Array.from(labels, (_, place) => 50 + ((place * 7 + index * 13) % 40)),
  }));
  const category = { title: 'State', labels };
  return { kind: 'axes' as const, category, isSkyline: false, isStacked, series };
}

const square = new RegionMap(
  new TextEncoder().encode(
    JSON.stringify({
      type: 'Topology',
      objects: {
        states: {
          type: 'GeometryCollection',
          geometries: [
            { type: 'Polygon', arcs: [[0]], properties: { code: 'CA', name: 'California' } },
            { type: 'Polygon', arcs: [[1]], properties: { code: 'NV', name: 'Nevada' } },
          ],
        },
      },
      arcs: [
        [
          [-120, 30],
          [-100, 30],
          [-100, 45],
          [-120, 45],
          [-120, 30],
        ],
        [
          [-100, 30],
          [-80, 30],
          [-80, 45],
          [-100, 45],
          [-100, 30],
        ],
      ],
    }),
  ),
);
registerMap('two', { geoJSON: square.regions as never, specialAreas: {} });

const figures: Readonly<Record<string, (context: DrawingContext) => object>> = {
  bars: (context) => axesOption(axesFigure(names, ['bar'], false), context),
  'stacked bars of all colours': (context) =>
    axesOption(
      axesFigure(
        ['a', 'b'],
        Array.from({ length: 12 }, () => 'bar' as const),
        true,
      ),
      context,
    ),
  'lines of all colours': (context) =>
    axesOption(
      axesFigure(
        names,
        Array.from({ length: 12 }, () => 'line' as const),
        false,
      ),
      context,
    ),
  'bars behind a line': (context) => axesOption(axesFigure(names, ['bar', 'line'], false), context),
  'bars with a slider': (context) =>
    axesOption(
      axesFigure(
        Array.from({ length: 90 }, (_, index) => `c${index}`),
        ['bar'],
        false,
      ),
      context,
    ),
  pie: (context) =>
    pieOption({ kind: 'pie', title: 'Share', format, slices: names.map((name) => ({ name, value: 10 })) }, context),
  tree: (context) =>
    treeOption({ kind: 'tree', title: 'Sum', format, parts: names.map((name) => leaf(name, 5)) }, context),
  'tree of parts': (context) =>
    treeOption(
      {
        kind: 'tree',
        title: 'Sum',
        format,
        parts: names.map((name) => ({ name, value: 6, parts: [leaf('one', 4), leaf('two', 2)] })),
      },
      context,
    ),
  gauge: (context) =>
    gaugeOption({ kind: 'gauge', label: 'Share', text: '40%', value: 40, low: 0, high: 100, format }, context),
  map: (context) =>
    mapOption(
      {
        kind: 'map',
        title: 'Delay',
        format,
        regions: [
          { name: 'CA', value: 1, meanOf: 0 },
          { name: 'NV', value: 9, meanOf: 0 },
        ],
      },
      square,
      'two',
      context,
    ),
};

/** Themes of the editor, and the older dark one, whose orange is translucent. */
const allThemes: [string, Readonly<Record<string, string>>, boolean][] = [
  ...Object.entries(themes).map(([name, { variables, classes }]): [string, Record<string, string>, boolean] => [
    name,
    variables,
    classes.includes('vscode-high-contrast'),
  ]),
  [
    'a translucent colour',
    {
      '--vscode-editor-background': '#1f1f1f',
      '--vscode-foreground': '#cccccc',
      '--vscode-charts-orange': '#ea5c0055',
    },
    false,
  ],
];

describe.each(allThemes)('colours of charts in the theme %s', (_name, variables, isHighContrast) => {
  const theme = themeOf((name) => variables[`--vscode-${name}`] ?? '', isHighContrast);
  const context = { theme, locale: 'en', noData: 'no value' };
  const background = variables['--vscode-editor-background'] ?? '';
  /** What guides the eye, or has an edge of its own that is measured. */
  const decorations = new Set([background, theme.line, theme.none, 'rgba(128,128,128,0.2)'].map(plain));

  it.each(Object.keys(figures))('can be told from the background, and texts be read: %s', (kind) => {
    const drawn = shapesOf(draw(figures[kind]?.(context) ?? {}));
    const texts = drawn.filter(({ isText }) => isText);
    const marks = drawn.filter(({ isText }) => !isText);
    expect(texts.length, 'texts').toBeGreaterThan(0);
    expect(marks.length, 'marks').toBeGreaterThan(2);
    for (const [at, shape] of drawn.entries()) {
      if (!shape.isText) continue;
      const before = kind.startsWith('tree') ? drawn.slice(0, at) : [];
      const beneath = before.findLast((each) => isBeneath(each, shape));
      expect(contrast(shape.fill, beneath?.fill ?? background), `text ${shape.text}`).toBeGreaterThanOrEqual(4.5);
    }
    for (const { fill, stroke } of marks) {
      const seen = [fill, stroke].filter((colour) => colour !== '' && !decorations.has(plain(colour)));
      if (seen.length === 0) continue;
      const best = Math.max(...seen.map((colour) => contrast(colour, background)));
      expect(best, `${fill} within ${stroke}`).toBeGreaterThanOrEqual(3);
    }
  });

  it('separate the parts that touch by the background', () => {
    for (const kind of ['stacked bars of all colours', 'pie', 'map']) {
      const marks = shapesOf(draw(figures[kind]?.(context) ?? {})).filter(
        ({ isText, fill, stroke }) =>
          !isText && fill !== '' && !decorations.has(plain(fill)) && plain(stroke) === plain(background),
      );
      expect(marks.length, kind).toBeGreaterThanOrEqual(2);
      for (const { width, fill } of marks) {
        expect(width, `${kind}: the line around ${fill}`).toBeGreaterThanOrEqual(1);
        expect(contrast(fill, background), kind).toBeGreaterThanOrEqual(3);
      }
    }
  });
});

function draw(option: object): string {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width: 900, height: 600 });
  try {
    chart.setOption(option as never);
    return chart.renderToSVGString();
  } finally {
    chart.dispose();
  }
}

/** A shape or a text of a picture, in the order of drawing. */
interface Shape {
  isText: boolean;
  text: string;
  /** Empty for none. */
  fill: string;
  stroke: string;
  width: number;
  /** Left, top, right and bottom. */
  box: [number, number, number, number];
}

function shapesOf(svg: string): Shape[] {
  const drawn = svg.replace(/<defs[\s\S]*?<\/defs>/g, '');
  return [...drawn.matchAll(/<(path|rect|circle|polyline|text)\b([^>]*)>(?:([^<]*)<\/text>)?/g)].flatMap(
    ([, name = '', attributes = '', text = '']) => {
      const read = (key: string) => new RegExp(`\\b${key}="([^"]*)"`).exec(attributes)?.[1] ?? '';
      const isSeen = (key: string) => read(`${key}-opacity`) !== '0' && !/^(none|transparent|url.*)$/.test(read(key));
      const colour = (key: string) => (isSeen(key) && read(`${key}-width`) !== '0' ? read(key) : '');
      const [a = 1, , , d = 1, x = 0, y = 0] = numbers(/matrix\(([^)]*)\)/.exec(read('transform'))?.[1] ?? '');
      const [tx = x, ty = y] = numbers(/translate\(([^)]*)\)/.exec(read('transform'))?.[1] ?? '');
      const move = ([left, top, right, bottom]: Shape['box']): Shape['box'] => [
        left * a + tx,
        top * d + ty,
        right * a + tx,
        bottom * d + ty,
      ];
      const isText = name === 'text';
      const at = [Number(read('x') || 0), Number(read('y') || 0)] as const;
      const box = move(isText ? [...at, ...at] : boxOf(read('d')));
      return [
        { isText, text, fill: colour('fill'), stroke: colour('stroke'), width: Number(read('stroke-width') || 1), box },
      ];
    },
  );
}

function numbers(text: string): number[] {
  return (text.match(/-?\d*\.?\d+(?:e-?\d+)?/g) ?? []).map(Number);
}

/** Bounds of a path of lines; arcs count by their ends. */
function boxOf(path: string): Shape['box'] {
  let [x, y] = [0, 0];
  const [xs, ys]: [number[], number[]] = [[], []];
  for (const [, command = '', rest = ''] of path.matchAll(/([MLlAC])([^MLlACZz]*)/g)) {
    const all = numbers(rest);
    const size = command === 'A' ? 7 : 2;
    for (let at = 0; at + size <= all.length; at += size) {
      const [dx = 0, dy = 0] = all.slice(at + size - 2, at + size);
      [x, y] = command === 'l' ? [x + dx, y + dy] : [dx, dy];
      xs.push(x);
      ys.push(y);
    }
  }
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

/** Whether a rectangle is the ground of a text. */
function isBeneath({ isText, fill, box }: Shape, text: Shape): boolean {
  if (isText || fill === '') return false;
  const [left, top, right, bottom] = box;
  const [x, y] = text.box;
  return left <= x && x <= right && top <= y && y <= bottom;
}

function plain(colour: string): string {
  const { red, green, blue, alpha } = parse(colour);
  return [red, green, blue, alpha].join();
}

function parse(colour: string) {
  const hex = /^#([0-9a-f]+)$/i.exec(colour)?.[1] ?? '';
  const wide = hex.length < 6 ? [...hex].map((digit) => digit + digit).join('') : hex;
  const parts =
    hex === '' ? numbers(colour.replace(/^\w+/, '')) : [0, 2, 4].map((at) => parseInt(wide.slice(at, at + 2), 16));
  const [red = 0, green = 0, blue = 0, alpha = 1] = parts;
  return { red, green, blue, alpha };
}

/** Of two opaque colours, by the rules for web content. */
function contrast(one: string, other: string): number {
  const luminance = (colour: string) => {
    const { red, green, blue, alpha } = parse(colour);
    expect(alpha, `${colour} is opaque`).toBe(1);
    const [r = 0, g = 0, b = 0] = [red, green, blue].map((byte) =>
      byte / 255 <= 0.04045 ? byte / 255 / 12.92 : ((byte / 255 + 0.055) / 1.055) ** 2.4,
    );
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}
