import type { CellValue } from '../../../client/results/resultCell.ts';
import type { AxisSeries, Chart } from '../../../contract/pages/chartFigure.ts';
import { inAxisOrder, placesOf } from './axisOrder.ts';
import type { ChartGround } from './chartGround.ts';
import { categoryText } from './measures.ts';
import type { GroupedFigures, Measure } from './measures.ts';

/** Points along an axis at most. */
const mostPoints = 100_000;
/** More categories than this read better as a line. */
const mostBars = 400;
/** Series at most: more cannot be told apart. */
const mostSeries = 12;
/** Houses of a skyline have a colour by the street they stand in; beyond as many streets the others share one. */
const mostStreets = 60;
/** Measures whose largest values differ by more than this get an axis each. */
const oneAxisRatio = 12;

type AxesKind = 'chart' | 'chart2' | 'combo';

/** Bars or lines along the first category; a second category or several measures make several series. */
export function axesFigure(kind: AxesKind, ground: ChartGround, grouped: GroupedFigures): Chart {
  const { view, roles, words } = ground;
  const [first = 0, second] = roles.categories;
  const points = grouped.groups.length > mostPoints ? grouped.groups.slice(0, mostPoints) : grouped.groups;
  const notes = points.length < grouped.groups.length ? [words.cut(points.length, grouped.groups.length)] : [];
  const text = (column: number, value: CellValue) => categoryText(view, column, value, words);
  const found = placesOf(points.map(({ values }) => text(first, values[0])));
  const categoryKind = view.columns[first]?.format.kind ?? 'text';
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
  const title = view.columns[first]?.source.header ?? '';
  return {
    figure: {
      kind: 'axes',
      category: { title, labels: category.labels },
      isSkyline: false,
      isStacked: second !== undefined && !isLine,
      series,
    },
    notes,
  };
}

/** One house beside the other: the second category within each value of the first, which has a colour of its own. */
export function skylineFigure({ view, roles, words }: ChartGround, { groups, measures }: GroupedFigures): Chart {
  const [first = 0, second = 1] = roles.categories;
  const measure = measures[0];
  if (measure === undefined) return { figure: { kind: 'none', lack: 'noMeasure' }, notes: [] };
  const shown = groups.slice(0, mostPoints);
  const text = (column: number, value: CellValue) => categoryText(view, column, value, words);
  const names = placesOf(shown.map(({ values }) => text(first, values[0])));
  const ordered = shown
    .map((group, index) => ({ group, place: names.places[index] ?? 0 }))
    .toSorted((one, other) => one.place - other.place);
  const header = view.columns[first]?.source.header ?? '';
  const streets = names.labels.length > mostStreets ? names.labels.slice(0, mostStreets - 1) : names.labels;
  const titles = streets.map((name) => `${header} ${name}`);
  // Each has room for every house: all streets of a large result would not fit into memory.
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
  const title = view.columns[second]?.source.header ?? '';
  const notes = shown.length < groups.length ? [words.cut(shown.length, groups.length)] : [];
  if (measures.length > 1) notes.push(words.onlyMeasure(measure.name));
  return {
    figure: { kind: 'axes', category: { title, labels }, isSkyline: true, isStacked: true, series },
    notes,
  };
}

function drawsLine(kind: AxesKind, category: string, labels: number): boolean {
  if (kind === 'combo') return labels > mostBars;
  if (labels > mostBars) return true;
  return category === 'moment' || (kind === 'chart2' && category === 'number' && labels > 1);
}

/** A combo chart draws all but the first measure as lines; units or sizes that differ much get the axis at the right. */
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
