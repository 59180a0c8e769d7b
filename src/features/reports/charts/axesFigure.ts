import type { CellValue } from '../../../client/results/resultCell.ts';
import type { AxisSeries, Chart } from '../../../contract/pages/chartFigure.ts';
import type { ChartGround } from './chartContext.ts';
import { categoryText, type GroupedFigures, type Measure } from './measures.ts';
import type { CellKind } from '../../../contract/pages/resultsPage.ts';

/** Maximum number of points along an axis. */
const mostPoints = 100_000;
/** Above this number of categories, lines are easier to read than bars. */
const mostBars = 400;
/** Maximum number of series. More cannot be told apart. */
const mostSeries = 12;
/** Bars of a skyline are coloured by series. Beyond this number, the remaining series share one colour. */
const mostStreets = 60;
/** Measures whose largest values differ by more than this factor get separate axes. */
const oneAxisRatio = 12;

type AxesKind = 'chart' | 'chart2' | 'combo';

/** Bars or lines along the first category. A second category or several measures create several series. */
export function axesFigure(kind: AxesKind, ground: ChartGround, grouped: GroupedFigures): Chart {
  const { arranged, roles, words } = ground;
  const [first = 0, second] = roles.categories;
  const points = grouped.groups.length > mostPoints ? grouped.groups.slice(0, mostPoints) : grouped.groups;
  const notes = points.length < grouped.groups.length ? [words.cut(points.length, grouped.groups.length)] : [];
  const text = (column: number, value: CellValue) => categoryText(arranged, column, value, words);
  const found = placesOf(points.map(({ values }) => text(first, values[0])));
  const categoryKind = arranged.columns[first]?.format.kind ?? 'text';
  const isLine = drawsLine(kind, categoryKind, found.labels.length);
  const isOrdered = isLine && (categoryKind === 'moment' || (kind === 'chart2' && categoryKind === 'number'));
  const values = points.map(({ values: [value] }) => value);
  const category = isOrdered ? inAxisOrder(found, categoryKind, values) : found;
  const fill = (name: string, measure: Measure): AxisSeries => ({
    name,
    mark: isLine ? 'line' : 'bar',
    axis: 0,
    format: measure.format,
    values: new Float64Array(category.labels.length).fill(NaN),
  });
  const series: AxisSeries[] = [];
  if (second === undefined) {
    if (grouped.measures.length > mostSeries) notes.push(words.cut(mostSeries, grouped.measures.length));
    for (const measure of grouped.measures.slice(0, mostSeries)) {
      const one = fill(measure.name, measure);
      for (const [index, group] of points.entries()) one.values[category.places[index] ?? 0] = measure.of(group);
      series.push(one);
    }
    giveAxes(kind, series);
  } else {
    const measure = grouped.measures[0];
    const names = placesOf(points.map(({ values }) => text(second, values[1])));
    if (measure === undefined) return { figure: { kind: 'none', lack: 'noMeasure' }, notes };
    if (grouped.measures.length > 1) notes.push(words.onlyMeasure(measure.name));
    if (names.labels.length > mostSeries) notes.push(words.cut(mostSeries, names.labels.length));
    series.push(...names.labels.slice(0, mostSeries).map((name) => fill(name, measure)));
    for (const [index, group] of points.entries()) {
      const one = series[names.places[index] ?? 0];
      if (one !== undefined) one.values[category.places[index] ?? 0] = measure.of(group);
    }
  }
  const title = arranged.columns[first]?.source.header ?? '';
  return {
    figure: {
      kind: 'axes',
      category: { title, labels: category.labels },
      isSkyline: false,
      isStacked: second !== undefined && !isLine,
      series,
      ...(second !== undefined && { measure: grouped.measures[0]?.name ?? '' }),
    },
    notes,
  };
}

/** Bars side by side: the second category within each value of the first, which has its own colour. */
export function skylineFigure({ arranged, roles, words }: ChartGround, { groups, measures }: GroupedFigures): Chart {
  const [first = 0, second = 1] = roles.categories;
  const measure = measures[0];
  if (measure === undefined) return { figure: { kind: 'none', lack: 'noMeasure' }, notes: [] };
  const shown = groups.slice(0, mostPoints);
  const text = (column: number, value: CellValue) => categoryText(arranged, column, value, words);
  const names = placesOf(shown.map(({ values }) => text(first, values[0])));
  const ordered = shown
    .map((group, index) => ({ group, place: names.places[index] ?? 0 }))
    .toSorted((one, other) => one.place - other.place);
  const header = arranged.columns[first]?.source.header ?? '';
  const streets = names.labels.length > mostStreets ? names.labels.slice(0, mostStreets - 1) : names.labels;
  const titles = streets.map((name) => `${header} ${name}`);
  // Each series allocates a slot for every bar: a large result with all its series would not fit into memory.
  if (streets.length < names.labels.length) titles.push(words.others);
  const series = titles.map((name): AxisSeries => ({
    name,
    mark: 'bar',
    axis: 0,
    format: measure.format,
    values: new Float64Array(ordered.length).fill(NaN),
  }));
  for (const [index, { group, place }] of ordered.entries()) {
    const one = series[Math.min(place, series.length - 1)];
    if (one !== undefined) one.values[index] = measure.of(group);
  }
  const labels = ordered.map(({ group }) => text(second, group.values[1]));
  const title = arranged.columns[second]?.source.header ?? '';
  const notes = shown.length < groups.length ? [words.cut(shown.length, groups.length)] : [];
  if (measures.length > 1) notes.push(words.onlyMeasure(measure.name));
  return {
    figure: {
      kind: 'axes',
      category: { title, labels },
      isSkyline: true,
      isStacked: true,
      series,
      measure: measure.name,
    },
    notes,
  };
}

function drawsLine(kind: AxesKind, category: string, labels: number): boolean {
  if (kind === 'combo') return labels > mostBars;
  if (labels > mostBars) return true;
  return category === 'moment' || (kind === 'chart2' && category === 'number' && labels > 1);
}

/** A combo chart draws all measures but the first as lines. Those with different units or sizes use the right axis. */
function giveAxes(kind: AxesKind, series: AxisSeries[]): void {
  const [first] = series;
  if (first === undefined) return;
  const size = largest(first.values);
  for (const one of series.slice(1)) {
    if (kind === 'combo') one.mark = 'line';
    const ratio = largest(one.values) / size;
    const isOther = one.format.suffix !== first.format.suffix || ratio > oneAxisRatio || ratio < 1 / oneAxisRatio;
    if (isOther) one.axis = 1;
  }
}

function largest(values: Float64Array): number {
  let most = 0;
  for (const value of values) if (Math.abs(value) > most) most = Math.abs(value);
  return most === 0 ? 1 : most;
}

/** Unique texts in drawing order, and for each input text the index of its unique text. */
interface LabelPlaces {
  labels: string[];
  places: Uint32Array;
}

/** Sort key of a label on an axis; undefined if it has no value. */
type AxisKey = string | number | undefined;

/** Unique texts in order of first occurrence. */
function placesOf(texts: readonly string[]): LabelPlaces {
  const known = new Map<string, number>();
  const places = new Uint32Array(texts.length);
  for (const [index, text] of texts.entries()) {
    let place = known.get(text);
    if (place === undefined) known.set(text, (place = known.size));
    places[index] = place;
  }
  return { labels: [...known.keys()], places };
}

/**
 * Sorts the labels by their numbers or dates, labels without a value last: if rows arrive series by series, a line
 * would otherwise run back and forth in time. Keeps the order if the labels are already in descending order or some
 * cannot be ordered.
 * @param values the value behind each input text.
 */
function inAxisOrder(found: LabelPlaces, kind: CellKind, values: readonly CellValue[]): LabelPlaces {
  const { labels, places } = found;
  const keys = new Array<AxisKey | null>(labels.length);
  for (const [index, place] of places.entries()) keys[place] = axisKey(kind, values[index], labels[place] ?? '');
  if (keys.includes(null)) return found;
  const compare = (one: number, other: number) => compareKeys(keys[one] ?? undefined, keys[other] ?? undefined);
  if (labels.every((_, place) => place === 0 || compare(place - 1, place) >= 0)) return found;
  const order = labels.map((_, place) => place).toSorted(compare);
  const moved = new Uint32Array(labels.length);
  for (const [place, before] of order.entries()) moved[before] = place;
  return { labels: order.map((before) => labels[before] ?? ''), places: places.map((place) => moved[place] ?? 0) };
}

/** Returns null if a value cannot be ordered: a date not written year first, or a number that cannot be parsed. */
function axisKey(kind: CellKind, value: CellValue, label: string): AxisKey | null {
  if (value === null || value === undefined) return undefined;
  // Dates with the same text share a position, whatever their time zones.
  if (kind === 'moment') return /^\d{4}-\d{2}-\d{2}/.test(label) ? label : null;
  const number = typeof value === 'object' ? Number(value.text) : value === '' ? NaN : Number(value);
  return Number.isNaN(number) ? null : number;
}

function compareKeys(one: AxisKey, other: AxisKey): number {
  if (one === undefined || other === undefined) return Number(one === undefined) - Number(other === undefined);
  return one < other ? -1 : one > other ? 1 : 0;
}
