import type { ChartFigure, TreePart } from '../../contract/pages/chartFigure.ts';
import { baseOption, numberWriter, shortName, shortDateWriter, steady, tipText } from './drawing.ts';
import type { DrawingContext } from './drawing.ts';
import { mix, textOn, visibleOn } from './colours.ts';

/** Maximum length of a label that fits on a gauge. */
const longestLabel = 40;

type FigureOf<K extends ChartFigure['kind']> = Extract<ChartFigure, { kind: K }>;

/** Argument of an ECharts formatter, as far as used. */
interface Hovered {
  name: string;
  value: number;
  percent: number;
}

/** Parts of a whole. */
export function pieOption({ title, format, slices }: FigureOf<'pie'>, context: DrawingContext) {
  const { theme, locale } = context;
  const write = numberWriter(locale, format);
  const percent = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
  const base = baseOption(context, true);
  const label = (hovered: unknown) => {
    const { name, percent: share } = readHovered(hovered);
    return `${name}\n${percent.format(share)} %`;
  };
  return {
    ...base,
    tooltip: {
      ...base.tooltip,
      trigger: 'item' as const,
      formatter: (hovered: unknown) => {
        const { name, value, percent: share } = readHovered(hovered);
        return tipText([[name], [title, `${write(value)} (${percent.format(share)} %)`]]);
      },
    },
    series: [
      {
        type: 'pie' as const,
        radius: ['38%', '70%'],
        center: ['50%', '52%'],
        data: slices.map(({ name, value }) => ({ name, value })),
        itemStyle: { borderColor: theme.background, borderWidth: 2 },
        emphasis: { itemStyle: steady },
        label: { color: theme.text, formatter: label, lineHeight: 16 },
        labelLine: { lineStyle: { color: theme.quietText } },
        minShowLabelAngle: 4,
      },
    ],
  };
}

/** Areas proportional to the values, nested by category. */
export function treeOption({ title, format, parts }: FigureOf<'tree'>, context: DrawingContext) {
  const { theme, locale } = context;
  const write = numberWriter(locale, format);
  const base = baseOption(context, false);
  const isNested = parts.some((part) => part.parts.length > 0);
  let nodes = 0;
  return {
    ...base,
    tooltip: {
      ...base.tooltip,
      formatter: (hovered: unknown) => {
        const { name, value } = readHovered(hovered);
        return tipText([[name], [title, write(value)]]);
      },
    },
    series: [
      {
        type: 'treemap' as const,
        name: title,
        top: 8,
        left: 16,
        right: 16,
        bottom: isNested ? 36 : 8,
        roam: false,
        nodeClick: 'zoomToNode' as const,
        leafDepth: undefined,
        data: parts.map((part, index) => treeNode(part, theme.series[index % theme.series.length] ?? theme.text)),
        label: { fontSize: 11, overflow: 'truncate' as const },
        upperLabel: { show: isNested, height: 20, fontSize: 11, padding: [0, 6] },
        itemStyle: { borderColor: theme.background, borderWidth: 1, gapWidth: 1 },
        emphasis: { itemStyle: steady },
        levels: [
          { itemStyle: { borderWidth: 0, borderColor: theme.background, gapWidth: 2 }, upperLabel: { show: false } },
        ],
        breadcrumb: {
          show: isNested,
          height: 20,
          bottom: 8,
          itemStyle: { color: theme.none, borderColor: theme.quietText, textStyle: { color: theme.text } },
          emphasis: { itemStyle: { color: theme.none, textStyle: { color: theme.text } } },
        },
      },
    ],
  };

  function treeNode(part: TreePart, colour: string): object {
    const isParent = part.parts.length > 0;
    const fill = theme.isHighContrast
      ? theme.background
      : visibleOn(theme.background, mix(theme.background, colour, 0.75), theme.text);
    // A parent's border is also the background of its heading.
    const border = theme.isHighContrast ? mix(theme.background, theme.text, 0.3) : mix(theme.background, colour, 0.4);
    const heading = visibleOn(theme.background, border, theme.text);
    return {
      // Keys zoom to parts by their number.
      id: partId(nodes++),
      name: part.name,
      value: part.value,
      itemStyle: { color: fill, borderColor: isParent ? heading : theme.isHighContrast ? theme.text : fill },
      label: { color: textOn(fill) },
      upperLabel: { color: textOn(heading) },
      children: isParent ? part.parts.map((inner) => treeNode(inner, colour)) : undefined,
    };
  }
}

/** Identifies a part of a tree map by its number: parents come before their parts. */
export function partId(number: number): string {
  return `part ${number}`;
}

/** Half of the gap between the filled and the empty part of a gauge, as a share of the whole. */
const dialGap = 0.004;

/** A single value on a gauge. */
export function gaugeOption(figure: FigureOf<'gauge'>, context: DrawingContext) {
  const { theme, locale } = context;
  const [blue = theme.text] = theme.series;
  const share = (figure.value - figure.low) / (figure.high - figure.low);
  // The gauge is filled between zero and the value: for a negative value, from the other end.
  const [before, behind] = figure.low < 0 ? [theme.track, blue] : [blue, theme.track];
  const filled: [number, string][] = [
    [Math.max(0, share - dialGap), before],
    [Math.min(1, share + dialGap), theme.background],
    [1, behind],
  ];
  return {
    ...baseOption(context, false),
    tooltip: undefined,
    series: [
      {
        type: 'gauge' as const,
        min: figure.low,
        max: figure.high,
        startAngle: 205,
        endAngle: -25,
        center: ['50%', '58%'],
        radius: '85%',
        axisLine: { lineStyle: { width: 22, color: filled } },
        axisTick: { show: false },
        splitLine: { length: 8, distance: 4, lineStyle: { color: theme.quietText, width: 1 } },
        axisLabel: { distance: 30, color: theme.quietText, formatter: shortDateWriter(locale, figure.format.suffix) },
        pointer: { show: false },
        title: { offsetCenter: [0, '24%'], color: theme.quietText, fontSize: 15 },
        detail: {
          offsetCenter: [0, '-4%'],
          color: theme.text,
          // A long text would hide the gauge.
          fontSize: figure.text.length > 14 ? 18 : figure.text.length > 9 ? 28 : 44,
          fontWeight: 600,
          formatter: () => figure.text,
        },
        data: [{ value: figure.value, name: shortName(figure.label, longestLabel) }],
      },
    ],
  };
}

/** Reads the argument of a formatter defensively. */
export function readHovered(hovered: unknown): Hovered {
  const record: Record<string, unknown> = typeof hovered === 'object' && hovered !== null ? { ...hovered } : {};
  return {
    name: typeof record.name === 'string' ? record.name : '',
    value: typeof record.value === 'number' ? record.value : NaN,
    percent: typeof record.percent === 'number' ? record.percent : NaN,
  };
}
