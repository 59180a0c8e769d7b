import type { AxisSeries, ChartFigure } from '../../contract/pages/chartFigure.ts';
import { indexOf, type Mark, type MarkRow, type Span } from './chartMarks.ts';
import { numberWriter, shortName } from './drawing.ts';
import * as l10n from '../../l10n/l10n.ts';

/** Maximum length of a name that is spoken before its value. */
const longestName = 100;
/** Maximum number of measures whose extremes are in a summary. */
const mostExtremes = 3;

/** What a mark says: category, series, value and position. */
export function markText(figure: ChartFigure, rows: readonly MarkRow[], mark: Mark): string {
  const row = rows[mark.row];
  if (row === undefined) return '';
  const index = indexOf(rows, mark);
  const value = `${valueText(row, index)}${shareText(figure, row, index)}`;
  const name = shortName(row.name, longestName);
  const count = row.places.length;
  const label = labelOf(row, index);
  if (label === '') return l10n.t('{0}: {1}', name, value);
  const position = l10n.t('{0} of {1}', wholeNumber(mark.at + 1), wholeNumber(count));
  return l10n.t('{0}, {1}: {2} ({3})', label, name, value, position);
}

/** What is in view after zooming or panning. */
export function spanText(labels: readonly string[], { first, last }: Span): string {
  const [from = '', to = ''] = [labels[first], labels[last]].map((label) => shortName(label ?? '', longestName));
  return l10n.t('Shows {0} to {1}, {2} of {3}', from, to, wholeNumber(last - first + 1), wholeNumber(labels.length));
}

/** The chart in words: type, axes, extremes, numbers of values and series. */
export function summaryText(title: string, figure: ChartFigure, rows: readonly MarkRow[]): string {
  const type = typeText(figure);
  const sentences = [type, ...axesTexts(figure), ...extremesTexts(figure, rows), countText(figure, rows)];
  return l10n.t('{0}: {1}', title, sentences.filter((text) => text !== '').join('. '));
}

function typeText(figure: ChartFigure): string {
  switch (figure.kind) {
    case 'axes':
      return axesType(figure);
    case 'pie':
      return l10n.t('pie chart');
    case 'tree':
      return l10n.t('tree map');
    case 'map':
      return l10n.t('map');
    case 'gauge':
      return l10n.t('gauge');
    case 'kpi':
      return l10n.t('key figures');
    case 'none':
      return l10n.t('no chart');
  }
}

type AxesFigure = Extract<ChartFigure, { kind: 'axes' }>;

function axesType({ series, isSkyline, isStacked }: AxesFigure): string {
  if (isSkyline) return l10n.t('skyline chart');
  const hasLines = series.some(({ mark }) => mark === 'line');
  if (hasLines && series.some(({ mark }) => mark === 'bar')) return l10n.t('bar and line chart');
  if (hasLines) return l10n.t('line chart');
  return isStacked && series.length > 1 ? l10n.t('stacked bar chart') : l10n.t('bar chart');
}

/** The axes, or what takes their place. */
function axesTexts(figure: ChartFigure): string[] {
  switch (figure.kind) {
    case 'axes': {
      const { category, series, measure } = figure;
      const named = (axis: number) =>
        measure === undefined ? listText(series.filter((one) => one.axis === axis)) : axis === 0 ? measure : '';
      const right = named(1);
      return [
        l10n.t('Horizontal axis: {0}', shortName(category.title, longestName)),
        l10n.t('Vertical axis: {0}', named(0)),
        right === '' ? '' : l10n.t('Right axis: {0}', right),
      ];
    }
    case 'pie':
    case 'tree':
    case 'map':
      return [l10n.t('Measure: {0}', shortName(figure.title, longestName))];
    case 'gauge': {
      const write = numberWriter(l10n.language(), figure.format);
      return [l10n.t('Scale: {0} to {1}', write(figure.low), write(figure.high))];
    }
    case 'kpi':
      return figure.figures.map(({ label, text }) => l10n.t('{0}: {1}', label, text));
    case 'none':
      return [];
  }
}

function listText(series: readonly AxisSeries[]): string {
  return shortName(series.map(({ name }) => name).join(', '), longestName);
}

/** Lowest and highest value: of all series that share a measure, else of each of the first ones. */
function extremesTexts(figure: ChartFigure, rows: readonly MarkRow[]): string[] {
  if (figure.kind === 'gauge') return rows.map((row) => l10n.t('{0}: {1}', row.name, valueText(row, 0)));
  const isOneMeasure = figure.kind !== 'axes' || figure.measure !== undefined;
  const groups = isOneMeasure ? [rows] : rows.slice(0, mostExtremes).map((row) => [row]);
  return groups.flatMap((group) => {
    const extremes = extremesOf(figure, group);
    if (extremes === undefined) return [];
    const texts = [l10n.t('Lowest: {0}', extremes.low), l10n.t('Highest: {0}', extremes.high)];
    const [{ name } = { name: '' }] = group;
    return groups.length === 1 ? texts : [l10n.t('{0}: {1}', shortName(name, longestName), texts.join('; '))];
  });
}

function extremesOf(figure: ChartFigure, rows: readonly MarkRow[]): { low: string; high: string } | undefined {
  let low: { row: MarkRow; index: number; value: number } | undefined;
  let high = low;
  for (const row of rows) {
    for (const index of row.places) {
      if (row.sums.has(index)) continue;
      const value = row.values[index] ?? NaN;
      if (low === undefined || value < low.value) low = { row, index, value };
      if (high === undefined || value > high.value) high = { row, index, value };
    }
  }
  if (low === undefined || high === undefined) return undefined;
  const isSeriesNamed = figure.kind === 'axes' && rows.length > 1;
  const text = ({ row, index }: { row: MarkRow; index: number }) =>
    l10n.t('{0} ({1})', valueText(row, index), `${labelOf(row, index)}${isSeriesNamed ? `, ${row.name}` : ''}`);
  return { low: text(low), high: text(high) };
}

function countText(figure: ChartFigure, rows: readonly MarkRow[]): string {
  if (figure.kind === 'gauge' || rows.length === 0) return '';
  const values = rows.reduce((sum, { places, sums }) => sum + places.length - sums.size, 0);
  const valuesText = values === 1 ? l10n.t('1 value') : l10n.t('{0} values', wholeNumber(values));
  if (figure.kind !== 'axes') return valuesText;
  const seriesText = rows.length === 1 ? l10n.t('1 series') : l10n.t('{0} series', wholeNumber(rows.length));
  return `${seriesText}, ${valuesText}`;
}

function valueText({ format, values }: MarkRow, index: number): string {
  return numberWriter(l10n.language(), format)(values[index] ?? NaN);
}

/** The share of a slice. */
function shareText(figure: ChartFigure, { values }: MarkRow, index: number): string {
  if (figure.kind !== 'pie') return '';
  const whole = figure.slices.reduce((sum, { value }) => sum + value, 0);
  const percent = new Intl.NumberFormat(l10n.language(), { maximumFractionDigits: 1 });
  return `, ${percent.format((100 * (values[index] ?? 0)) / whole)} %`;
}

function labelOf({ labels }: MarkRow, index: number): string {
  return shortName(labels[index] ?? '', longestName);
}

function wholeNumber(number: number): string {
  return number.toLocaleString(l10n.language());
}
