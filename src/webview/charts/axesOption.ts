import type { AxisSeries, ChartFigure } from '../../contract/pages/chartFigure.ts';
import { mix } from './colours.ts';
import {
  baseOption,
  numberWriter,
  shortName,
  shortDateWriter,
  steady,
  tipText,
  type DrawingContext,
} from './drawing.ts';

type AxesFigure = Extract<ChartFigure, { kind: 'axes' }>;

/** Maximum number of bars visible side by side; the slider shows the rest. */
const barsInView = 60;
/** Share of their colour in bars behind lines. */
const behindLines = 0.4;
/** Series with more points are drawn in the simplest form. */
const manyPoints = 2_000;

/**
 * Maximum length of a category name on the axis: a long one would leave no room for others. Tooltips show it in full.
 */
const longestName = 16;
/** Maximum length of a series name in the legend. */
const longestSeries = 40;

const symbols = ['circle', 'rect', 'triangle', 'diamond'];
const dashes = ['solid', 'dashed', 'dotted'] as const;

/** Bars and lines over categories. */
export function axesOption(figure: AxesFigure, context: DrawingContext) {
  const { category, series, isSkyline } = figure;
  const { theme } = context;
  const isLine = series.every(({ mark }) => mark === 'line');
  const hasSlider = category.labels.length > barsInView && !isSkyline;
  const hasLegend = series.length > 1;
  const hasRight = series.some(({ axis }) => axis === 1);
  const isPatterned = hasLegend && !isLine && (theme.isHighContrast || category.labels.length <= barsInView);
  const base = baseOption(context, isPatterned);
  const bounds = alignZero(series);
  const quiet = { color: theme.quietText, fontSize: 11 };
  return {
    ...base,
    legend: hasLegend
      ? {
          type: 'scroll' as const,
          top: 4,
          formatter: (name: string) => shortName(name, longestSeries),
          textStyle: { color: theme.text },
          pageTextStyle: { color: theme.text },
          pageIconColor: theme.text,
          pageIconInactiveColor: theme.track,
          inactiveColor: theme.quietText,
        }
      : undefined,
    grid: {
      left: 16,
      right: 24,
      top: hasLegend ? 56 : 40,
      bottom: hasSlider ? 64 : 32,
      outerBoundsMode: 'same' as const,
    },
    tooltip: { ...base.tooltip, trigger: 'axis' as const, formatter: axisTip(figure, context) },
    // Without a slider, keys alone zoom.
    dataZoom: hasSlider
      ? zoom(figure, isLine, context)
      : [{ type: 'inside' as const, disabled: true, start: 0, end: 100 }],
    xAxis: {
      type: 'category' as const,
      data: category.labels,
      name: category.title,
      nameLocation: 'middle' as const,
      nameGap: 30,
      nameTextStyle: quiet,
      axisLabel: { ...quiet, hideOverlap: true, formatter: (name: string) => shortName(name, longestName) },
      axisLine: { lineStyle: { color: theme.quietText } },
      axisTick: { show: false },
    },
    yAxis: [0, ...(hasRight ? [1] : [])].map((axis) => valueAxis(figure, axis, context, bounds?.[axis])),
    series: series.map((one, index) => drawSeries(one, index, figure, context)),
  };
}

function valueAxis(
  { series }: AxesFigure,
  axis: number,
  { theme, locale }: DrawingContext,
  bounds: AxisBounds | undefined,
) {
  const own = series.filter((one) => one.axis === axis);
  const isOnly = series.length === 1 || own.length === 1;
  return {
    type: 'value' as const,
    ...bounds,
    name: isOnly ? (own[0]?.name ?? '') : '',
    nameTextStyle: { color: theme.quietText, fontSize: 11, align: axis === 0 ? ('left' as const) : ('right' as const) },
    axisLabel: {
      color: theme.quietText,
      fontSize: 11,
      formatter: shortDateWriter(locale, own[0]?.format.suffix ?? ''),
    },
    splitLine: { show: axis === 0, lineStyle: { color: theme.line, opacity: 0.6 } },
  };
}

function drawSeries(
  one: AxisSeries,
  index: number,
  { isSkyline, isStacked, category, series }: AxesFigure,
  { theme }: DrawingContext,
) {
  const hasLines = series.some(({ mark }) => mark === 'line');
  const hasBars = series.some(({ mark }) => mark !== 'line');
  const isMany = one.values.length > manyPoints;
  const colour = theme.series[index % theme.series.length] ?? theme.text;
  const common = { name: one.name, yAxisIndex: one.axis, data: [...one.values].map(pointOf) };
  if (one.mark === 'line') {
    return {
      ...common,
      type: 'line' as const,
      sampling: 'lttb' as const,
      showSymbol: one.values.length <= 60,
      // Lines must differ by more than their colour.
      symbol: symbols[index % symbols.length],
      symbolSize: 7,
      connectNulls: false,
      z: 3,
      // ECharts counts only series without a colour: beside bars, the first line would get theirs.
      itemStyle: { color: colour },
      emphasis: { itemStyle: steady, lineStyle: steady },
      // A dashed line is hard to see over bars, where a line is distinct enough anyway.
      lineStyle: {
        width: isMany ? 1 : hasBars ? 3 : 2,
        type: isMany || hasBars ? ('solid' as const) : dashes[index % dashes.length],
      },
    };
  }
  return {
    ...common,
    type: 'bar' as const,
    stack: isStacked ? 'all' : undefined,
    large: isMany,
    barCategoryGap: isSkyline ? '0%' : category.labels.length > 30 ? '20%' : '35%',
    itemStyle: {
      // Behind lines, bars are pale within an edge that can be seen.
      ...(hasLines && { color: mix(theme.background, colour, behindLines) }),
      borderColor: hasLines ? colour : theme.background,
      borderWidth: hasLines && !isMany ? 1 : isStacked ? gapOf(category.labels.length) : isSkyline ? 0.5 : 0,
    },
    emphasis: { itemStyle: steady },
  };
}

/** Width of the line between the parts of a bar: where there are many bars, it would take too much of them. */
function gapOf(bars: number): number {
  return bars > barsInView ? 0.5 : 2;
}

/** Value of a point; a gap if there is none. */
function pointOf(value: number): number | '-' {
  return Number.isNaN(value) ? '-' : value;
}

function zoom({ category }: AxesFigure, isLine: boolean, { theme }: DrawingContext) {
  const end = isLine ? 100 : (100 * (barsInView - 1)) / (category.labels.length - 1);
  return [
    { type: 'inside' as const, start: 0, end },
    {
      type: 'slider' as const,
      start: 0,
      end,
      height: 18,
      bottom: 8,
      showDetail: false,
      borderColor: theme.quietText,
      fillerColor: 'rgba(128, 128, 128, 0.2)',
      handleStyle: { color: theme.background, borderColor: theme.quietText },
      moveHandleStyle: { color: theme.quietText },
      dataBackground: { lineStyle: { color: theme.quietText }, areaStyle: { color: theme.none } },
      selectedDataBackground: { lineStyle: { color: theme.quietText }, areaStyle: { color: theme.none } },
    },
  ];
}

/** The tooltip of one category: all series with a value. */
function axisTip({ category, series }: AxesFigure, { locale, noData }: DrawingContext) {
  const writers = series.map(({ format }) => numberWriter(locale, format));
  return (params: unknown): string => {
    const index = placeOf(params);
    const lines = series.flatMap(({ name, values }, place) => {
      const value = values[index] ?? NaN;
      if (Number.isNaN(value)) return series.length > 1 ? [] : [[name, noData] as const];
      return [[name, writers[place]?.(value) ?? String(value)] as const];
    });
    return tipText([[category.labels[index] ?? ''], ...lines]);
  };
}

function placeOf(params: unknown): number {
  const first: unknown = Array.isArray(params) ? params[0] : params;
  return typeof first === 'object' && first !== null && 'dataIndex' in first ? Number(first.dataIndex) : -1;
}

/** Bounds of a value axis and the interval of its ticks. */
interface AxisBounds {
  min: number;
  max: number;
  interval: number;
}

/** Approximate number of intervals between the ticks of an axis. */
const spaces = 5;

/**
 * Bounds for the left and the right axis that align their zero lines and ticks; undefined if zero is aligned anyway:
 * with a single axis, or if all values have the same sign.
 */
function alignZero(series: readonly AxisSeries[]): readonly [AxisBounds, AxisBounds] | undefined {
  const [left, right] = [reach(series, 0), reach(series, 1)];
  if (!series.some(({ axis }) => axis === 1)) return undefined;
  if (left.low + right.low === 0 || left.high + right.high === 0) return undefined;
  const share = Math.max(shareBelow(left), shareBelow(right));
  const shareAbove = Math.max(1 - shareBelow(left), 1 - shareBelow(right));
  const below = Math.min(spaces - 1, Math.max(1, Math.round((spaces * share) / (share + shareAbove))));
  const bounds = ({ low, high }: Reach): AxisBounds => {
    const interval = roundStep(Math.max(-low / below, high / (spaces - below)));
    return { min: -interval * below, max: interval * (spaces - below), interval };
  };
  return [bounds(left), bounds(right)];
}

/** Range of an axis's values around zero. */
interface Reach {
  low: number;
  high: number;
}

function reach(series: readonly AxisSeries[], axis: 0 | 1): Reach {
  let low = 0;
  let high = 0;
  for (const one of series) {
    if (one.axis !== axis) continue;
    for (const value of one.values) {
      if (value < low) low = value;
      else if (value > high) high = value;
    }
  }
  return { low, high };
}

function shareBelow({ low, high }: Reach): number {
  return low === high ? 0 : -low / (high - low);
}

/** The smallest number of the form 1, 2, 2.5 or 5 times a power of ten that is not less than `size`. */
function roundStep(size: number): number {
  if (size === 0) return 1;
  const power = 10 ** Math.floor(Math.log10(size));
  return [1, 2, 2.5, 5].map((step) => step * power).find((step) => step >= size) ?? 10 * power;
}
