import type { AxisSeries, ChartFigure } from '../../contract/pages/chartFigure.ts';
import { baseOption, numberWriter, shortName, shortWriter, tipText } from './drawing.ts';
import type { DrawingContext } from './drawing.ts';
import { sharedNought } from './sharedNought.ts';
import type { AxisBounds } from './sharedNought.ts';

type AxesFigure = Extract<ChartFigure, { kind: 'axes' }>;

/** Bars that fit beside each other; of more, the first ones are shown, and the rest by moving the slider. */
const barsInView = 60;
/** How much bars stand back behind the lines over them. */
const behindLines = 0.4;
/** Points beyond which a series is drawn in its simplest form. */
const manyPoints = 2_000;

/** Characters of a category's name on the axis: one that is long would leave no room for any other. Tooltips have all of it. */
const longestName = 16;
/** The same of a series' name in the legend. */
const longestSeries = 40;

const symbols = ['circle', 'rect', 'triangle', 'diamond'];
const dashes = ['solid', 'dashed', 'dotted'] as const;

/** Bars and lines along categories. */
export function axesOption(figure: AxesFigure, context: DrawingContext) {
  const { category, series, isSkyline } = figure;
  const { theme } = context;
  const isLine = series.every(({ mark }) => mark === 'line');
  const hasSlider = category.labels.length > barsInView && !isSkyline;
  const hasLegend = series.length > 1;
  const hasRight = series.some(({ axis }) => axis === 1);
  const isPatterned = hasLegend && !isLine && (theme.isHighContrast || category.labels.length <= barsInView);
  const base = baseOption(context, isPatterned);
  const bounds = sharedNought(series);
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
    dataZoom: hasSlider ? zoom(figure, isLine, context) : undefined,
    xAxis: {
      type: 'category' as const,
      data: category.labels,
      name: category.title,
      nameLocation: 'middle' as const,
      nameGap: 30,
      nameTextStyle: quiet,
      axisLabel: { ...quiet, hideOverlap: true, formatter: (name: string) => shortName(name, longestName) },
      axisLine: { lineStyle: { color: theme.line } },
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
    axisLabel: { color: theme.quietText, fontSize: 11, formatter: shortWriter(locale, own[0]?.format.suffix ?? '') },
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
  const common = { name: one.name, yAxisIndex: one.axis, data: [...one.values].map(pointOf) };
  if (one.mark === 'line') {
    return {
      ...common,
      type: 'line' as const,
      sampling: 'lttb' as const,
      showSymbol: one.values.length <= 60,
      // Lines differ by more than their colour.
      symbol: symbols[index % symbols.length],
      symbolSize: 7,
      connectNulls: false,
      z: 3,
      // Over bars a broken line is lost; there it differs enough.
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
      borderColor: theme.background,
      borderWidth: isSkyline || isStacked ? 0.5 : 0,
      opacity: hasLines ? behindLines : 1,
    },
  };
}

/** A gap, where there is no value. */
function pointOf(value: number): number | '-' {
  return Number.isNaN(value) ? '-' : value;
}

function zoom({ category }: AxesFigure, isLine: boolean, { theme }: DrawingContext) {
  const end = isLine ? 100 : Math.min(100, (100 * barsInView) / category.labels.length);
  return [
    { type: 'inside' as const, start: 0, end },
    {
      type: 'slider' as const,
      start: 0,
      end,
      height: 18,
      bottom: 8,
      showDetail: false,
      borderColor: theme.line,
      fillerColor: 'rgba(128, 128, 128, 0.2)',
      handleStyle: { color: theme.background, borderColor: theme.quietText },
      moveHandleStyle: { color: theme.quietText },
      dataBackground: { lineStyle: { color: theme.quietText }, areaStyle: { color: theme.none } },
      selectedDataBackground: { lineStyle: { color: theme.quietText }, areaStyle: { color: theme.none } },
    },
  ];
}

/** The tooltip of one category: every series that has a value there. */
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
