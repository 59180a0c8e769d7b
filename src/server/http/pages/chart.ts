import type { ResultColumn } from '../../../contract/resources/reportResult.ts';
import { html, type Markup } from './markup.ts';

/** Column and rows of a result, as replied. */
export interface ChartRows {
  columns: readonly ResultColumn[];
  rows: readonly Readonly<Record<string, unknown>>[];
}

type Drawing = (series: readonly Series[], names: readonly string[]) => Markup;

/** How an output type is drawn; those without a drawing are tables. API description, Output types. */
const drawings: Readonly<Record<number, Drawing>> = {
  2: drawChart,
  3: drawFigures,
  4: drawFigures,
  6: drawPie,
  7: drawChart,
  9: drawChart,
  10: drawChart,
  11: drawChart,
  14: drawChart,
};

/** Whether the output type is drawn, so that more rows than a table shows are worth reading. */
export function isDrawn(outputType: number | null | undefined): boolean {
  return drawings[outputType ?? 0] !== undefined;
}

/**
 * The chart of a result: measures by its first category, or the first measure by two. Undefined for a table, or if there
 * is nothing to draw.
 */
export function chartOf(outputType: number | null | undefined, { columns, rows }: ChartRows): Markup | undefined {
  const draw = drawings[outputType ?? 0];
  const { categories, measures } = rolesOf(columns, draw === drawFigures ? 0 : 1);
  const [category, second] = categories;
  const [measure] = measures;
  if (!draw || !measure || rows.length === 0) return undefined;
  const groups = Map.groupBy(rows, (row) => nameOf(category && row[category.key]));
  const split = second && new Set(rows.map((row) => nameOf(row[second.key])));
  const isSplit = split !== undefined && split.size <= colours.length && draw === drawChart;
  const series = isSplit
    ? [...split].map((name) => seriesOf(measure, groups, rows, name, (row) => nameOf(row[second?.key ?? '']) === name))
    : measures.map((column) => seriesOf(column, groups, rows, column.headerText ?? column.key, () => true));
  const isContinuous = groups.size > 2 && category !== undefined && category.dataType !== 'string';
  if (draw === drawChart && isContinuous) return drawLines(series, [...groups.keys()]);
  return draw(series, [...groups.keys()]);
}

/** Categories come first and measures last, as in the extension: numbers such as a year may be categories. */
function rolesOf(columns: readonly ResultColumn[], leastCategories: number) {
  const last = columns.findLastIndex(({ dataType }) => dataType !== 'number');
  const count = Math.max(last + 1, Math.min(leastCategories, columns.length - 1));
  return { categories: columns.slice(0, count), measures: columns.slice(count) };
}

type Row = ChartRows['rows'][number];

function seriesOf(
  column: ResultColumn,
  groups: ReadonlyMap<string, readonly Row[]>,
  rows: readonly Row[],
  name: string,
  isOfSeries: (row: Row) => boolean,
): Series {
  const isShare = column.yurbitype === 'per';
  // Percentages cannot be added.
  const combined = isShare ? mean : sum;
  const valueOf = (some: readonly Row[]) => combined(some.filter(isOfSeries).map((row) => numberOf(row[column.key])));
  return {
    name,
    values: [...groups.values()].map(valueOf),
    whole: valueOf(rows),
    suffix: isShare ? '%' : '',
    measure: column.key,
  };
}

/** A measure, its values by category and that of all rows; NaN where there is no number. */
interface Series {
  name: string;
  values: readonly number[];
  whole: number;
  suffix: string;
  /** Series of one measure have one scale. */
  measure: string;
}

function numberOf(value: unknown): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : NaN;
}

function nameOf(value: unknown): string {
  if (value === null || value === undefined || value === '') return '(none)';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function sum(numbers: readonly number[]): number {
  const known = numbers.filter(Number.isFinite);
  return known.length === 0 ? NaN : known.reduce((total, number) => total + number, 0);
}

function mean(numbers: readonly number[]): number {
  return sum(numbers) / numbers.filter(Number.isFinite).length;
}

/** Made for the first chart: making it takes a fifth of the server's start. */
let figures: Intl.NumberFormat | undefined;

function figure(value: number, { suffix }: Pick<Series, 'suffix'>): string {
  figures ??= new Intl.NumberFormat('en', { maximumFractionDigits: 2 });
  return Number.isFinite(value) ? `${figures.format(value)}${suffix}` : '–';
}

/** Readable on light and dark backgrounds. */
const colours = ['#3f7fbf', '#c8741f', '#3d9970', '#a561b8', '#c0504d', '#7a8b2f'];

function colour(index: number): string {
  return colours[index % colours.length] ?? 'currentColor';
}

const width = 720;
/** More categories become a line. */
const mostBars = 30;

function drawChart(series: readonly Series[], names: readonly string[]): Markup {
  return names.length > mostBars ? drawLines(series, names) : drawBars(series, names);
}

function rangeOf(values: readonly number[]): { low: number; high: number } {
  const known = values.filter(Number.isFinite);
  return { low: Math.min(...known), high: Math.max(...known) };
}

/** For each series, the share of its measure's range at which a value is; zero is in every range. */
function scalesOf(series: readonly Series[]): ((value: number) => number)[] {
  return series.map(({ measure }) => {
    const alike = series.filter((each) => each.measure === measure);
    const { low, high } = rangeOf([0, ...alike.flatMap(({ values }) => values)]);
    return (value) => (high === low ? 0 : (value - low) / (high - low));
  });
}

/** Horizontal bars: each category has its name, and each value its figure. */
function drawBars(series: readonly Series[], names: readonly string[]): Markup {
  const [left, right, bar] = [180, 90, 18];
  const step = bar * series.length + 8;
  const height = names.length * step;
  const scales = scalesOf(series);
  const bars = names.flatMap((_name, row) =>
    series.map((each, index) => {
      const value = each.values[row] ?? NaN;
      const [zero, end] = [0, Number.isFinite(value) ? value : 0].map(
        (at) => left + (scales[index]?.(at) ?? 0) * (width - left - right),
      ) as [number, number];
      const y = row * step + index * bar;
      return html`<rect
          x="${Math.min(zero, end).toFixed(1)}"
          y="${y}"
          width="${Math.max(1, Math.abs(end - zero)).toFixed(1)}"
          height="${bar - 3}"
          fill="${colour(index)}"
        /><text x="${(Math.max(zero, end) + 6).toFixed(1)}" y="${y + bar - 6}">${figure(value, each)}</text>`;
    }),
  );
  const labels = names.map(
    (name, row) => html`<text x="${left - 8}" y="${row * step + bar - 6}" text-anchor="end">${cut(name)}</text>`,
  );
  return chartBox(series, names, svg(series, height, html`${labels}${bars}`));
}

/** Lines over many categories, which are in the order of the result. */
function drawLines(series: readonly Series[], names: readonly string[]): Markup {
  const height = 240;
  const scales = scalesOf(series);
  const lines = series.map((each, index) => {
    const scale = scales[index] ?? (() => 0);
    const points = each.values.flatMap((value, at) =>
      Number.isFinite(value)
        ? [`${((at / (names.length - 1)) * width).toFixed(1)},${(height - 4 - scale(value) * (height - 8)).toFixed(1)}`]
        : [],
    );
    return html`<polyline points="${points.join(' ')}" fill="none" stroke="${colour(index)}" stroke-width="2" />`;
  });
  const ends = html`<text x="0" y="${height + 18}">${cut(names[0] ?? '')}</text>
    <text x="${width}" y="${height + 18}" text-anchor="end">${cut(names.at(-1) ?? '')}</text>`;
  const ranged = series.map((each) => {
    const { low, high } = rangeOf(each.values);
    return { ...each, name: `${each.name} (${figure(low, each)} to ${figure(high, each)})` };
  });
  return chartBox(ranged, names, svg(series, height + 24, html`${lines}${ends}`));
}

/** Shares of the first measure; negative values have none. */
function drawPie(series: readonly Series[], names: readonly string[]): Markup {
  const [first] = series;
  const values = (first?.values ?? []).map((value) => (value > 0 ? value : 0));
  const whole = sum(values);
  if (!first || names.length > mostBars || !(whole > 0)) return drawChart(series, names);
  const radius = 110;
  const at = (share: number) => {
    const angle = share * 2 * Math.PI;
    return `${(radius * (1 + Math.sin(angle))).toFixed(2)} ${(radius * (1 - Math.cos(angle))).toFixed(2)}`;
  };
  let start = 0;
  const slices = values.map((value, index) => {
    // A whole circle has no arc.
    const end = start + Math.min(value / whole, 0.99999);
    const arc = `M ${radius} ${radius} L ${at(start)} A ${radius} ${radius} 0 ${end - start > 0.5 ? 1 : 0} 1 ${at(end)} Z`;
    start = end;
    // A line separates adjacent slices.
    return html`<path class="slice" d="${arc}" fill="${colour(index)}" />`;
  });
  const legend = names.map((name, index) => {
    const x = radius * 2 + 30;
    const y = 18 + index * 20;
    return html`<rect x="${x}" y="${y - 10}" width="11" height="11" fill="${colour(index)}" /><text
        x="${x + 18}"
        y="${y}"
        >${cut(name)} · ${figure(values[index] ?? NaN, first)}</text
      >`;
  });
  const height = Math.max(radius * 2, names.length * 20 + 10);
  return html`<figure>${svg([first], height, html`${slices}${legend}`)}</figure>`;
}

/** The measures of all rows, as figures. */
function drawFigures(series: readonly Series[]): Markup {
  return html`<figure>
    ${series.map((each) => html`<p><span class="kpi">${figure(each.whole, each)}</span> <span class="soft">${each.name}</span></p>`)}
  </figure>`;
}

function chartBox(series: readonly Series[], names: readonly string[], drawing: Markup): Markup {
  const keys = series.map(
    ({ name }, index) =>
      html`<svg width="12" height="12" aria-hidden="true"><rect width="12" height="12" fill="${colour(index)}" /></svg>
        ${name} `,
  );
  return html`<figure>
    ${drawing}
    <figcaption class="soft">${keys} · ${names.length} ${names.length === 1 ? 'category' : 'categories'}</figcaption>
  </figure>`;
}

function svg(series: readonly Series[], height: number, content: Markup): Markup {
  const label = `Chart of ${series.map(({ name }) => name).join(', ')}; the rows are below.`;
  return html`<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${label}">${content}</svg>`;
}

const longestName = 26;

function cut(name: string): string {
  const characters = [...name];
  return characters.length > longestName ? `${characters.slice(0, longestName - 1).join('')}…` : name;
}
