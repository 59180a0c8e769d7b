import type { CellValue } from '../../../client/results/resultCell.ts';
import type { Chart, ChartFigure, GridOutput, OutputKind, TreePart } from '../../../contract/pages/chartFigure.ts';
import { cellTexts, rowCount, storeRow, type ArrangedRows } from '../view/arrangedRows.ts';
import type { GridSource } from '../view/gridSource.ts';
import { axesFigure, skylineFigure } from './axesFigure.ts';
import { type ChartGround, type ChartTexts, columnRoles } from './chartContext.ts';
import { groupedSource, type GroupTexts } from './groupedSource.ts';
import { pivotSource } from './pivotSource.ts';
import { categoryText, groupView, measureFormat, type GroupedFigures } from './measures.ts';

/** Maximum number of slices in a pie. Smaller ones are combined. */
const mostSlices = 12;
/** Maximum number of rectangles in a tree map. */
const mostParts = 2_000;
/** Maximum number of decimals in a formatted number. */
const mostDecimals = 10;
/** Numbers beyond this magnitude, or below its inverse, are written with an exponent. */
const mostInDigits = 1e30;
const leastInDigits = 1e-9;
/** Maximum number of small figures next to the first one of a KPI. */
const mostKpis = 12;

/**
 * Builds the chart of a view, for output types that are charts. Aggregates in the host, in slices of about 8 ms.
 * @throws the signal's reason if aborted.
 */
export async function buildChart(
  kind: OutputKind,
  arranged: ArrangedRows,
  words: ChartTexts,
  signal: AbortSignal,
): Promise<Chart> {
  if (rowCount(arranged) === 0) return { figure: { kind: 'none', lack: 'noRows' }, notes: [] };
  const { figure, notes } = await figureOf(kind, arranged, words, signal);
  return { figure: withChartTexts(figure), notes };
}

/**
 * Builds the grid of an output type that has its own; undefined if there is nothing to group.
 * @throws the signal's reason if aborted.
 */
export async function buildGrid(
  kind: GridOutput,
  arranged: ArrangedRows,
  words: GroupTexts,
  signal: AbortSignal,
): Promise<GridSource | undefined> {
  if (rowCount(arranged) === 0) return undefined;
  return kind === 'groups' ? groupedSource(arranged, words, signal) : pivotSource(arranged, words, signal);
}

async function figureOf(
  kind: OutputKind,
  arranged: ArrangedRows,
  words: ChartTexts,
  signal: AbortSignal,
): Promise<Chart> {
  const roles = columnRoles(kind, arranged.columns);
  const ground = { arranged, roles, words };
  if (kind === 'kpi' || kind === 'gauge') return singleFigure(kind, ground);
  if (roles.categories.length === 0) return { figure: { kind: 'none', lack: 'noCategory' }, notes: [] };
  const used = { ...roles, categories: usedCategories(kind, roles.categories) };
  const grouped = await groupView(arranged, used, words, signal);
  const { figure, notes } = categoryChart(kind, { ...ground, roles: used }, grouped);
  if (isBlank(figure)) return { figure: { kind: 'none', lack: 'noNumber' }, notes };
  if (grouped.joined !== 'not') notes.push(words[grouped.joined]);
  return { figure, notes };
}

/** Whether the figure has nothing to draw. An empty frame would not explain why. */
function isBlank(figure: ChartFigure): boolean {
  switch (figure.kind) {
    case 'axes':
      return figure.series.every(({ values }) => values.every(Number.isNaN));
    case 'pie':
      return figure.slices.length === 0;
    case 'tree':
      return figure.parts.length === 0;
    case 'map':
      return figure.regions.every(({ value }) => Number.isNaN(value));
    default:
      return false;
  }
}

/** The categories that the chart uses. Rows are aggregated over the others. */
function usedCategories(kind: OutputKind, categories: readonly number[]): readonly number[] {
  if (kind === 'pie' || kind === 'map' || kind === 'combo') return categories.slice(0, 1);
  return kind === 'treemap' ? categories : categories.slice(0, 2);
}

function categoryChart(kind: OutputKind, ground: ChartGround, grouped: GroupedFigures): Chart {
  switch (kind) {
    case 'pie':
      return pie(ground, grouped);
    case 'treemap':
      return tree(ground, grouped);
    case 'map':
      return map(ground, grouped);
    case 'skyline':
      return ground.roles.categories.length > 1 ? skylineFigure(ground, grouped) : axesFigure('chart', ground, grouped);
    case 'combo':
    case 'chart2':
      return axesFigure(kind, ground, grouped);
    default:
      return axesFigure('chart', ground, grouped);
  }
}

/** A KPI or gauge shows the first row. */
function singleFigure(kind: 'kpi' | 'gauge', ground: ChartGround): Chart {
  const { arranged, roles, words } = ground;
  const [first = []] = cellTexts(arranged, 0, 1);
  const notes = rowCount(arranged) > 1 ? [words.cut(1, rowCount(arranged))] : [];
  const label = (column: number) => arranged.columns[column]?.source.header ?? '';
  if (kind === 'kpi') {
    const shown = [...roles.measures, ...roles.categories].slice(0, mostKpis);
    const figures = shown.map((column) => ({ label: label(column), text: kpiText(ground, column, first[column]) }));
    return { figure: { kind, figures }, notes };
  }
  const [column = -1] = roles.measures;
  const value = numberOf(arranged.store.cell(storeRow(arranged, 0), column));
  if (value === undefined) return { figure: { kind: 'none', lack: column < 0 ? 'noMeasure' : 'noNumber' }, notes };
  const format = measureFormat(arranged.columns[column]?.source);
  const isShare = format.suffix === '%' && value >= 0 && value <= 100;
  const [low, high] = isShare ? [0, 100] : roundRange(value);
  const text = kpiText(ground, column, first[column]);
  return { figure: { kind, label: label(column), text, value, low, high, format }, notes };
}

/** Writes numbers with thousands separators. Never blank, which would look like a failed drawing. */
function kpiText({ arranged, words }: ChartGround, column: number, text: string | null | undefined): string {
  const format = arranged.columns[column]?.format;
  const value = arranged.store.cell(storeRow(arranged, 0), column);
  if (text === null || text === undefined) return words.noValue;
  if (text.trim() === '') return words.emptyText;
  if (format?.kind !== 'number' || format.hasOwnFormat) return text;
  return numberInWords(value, arranged.locale.language) ?? text;
}

/** Formats a number with thousands separators and the digits of its text; undefined if it is not a number. */
function numberInWords(value: CellValue, language: string): string | undefined {
  const sent = typeof value === 'object' && value !== null ? value.text : value;
  const digits = typeof sent === 'string' ? sent.trim() : String(sent);
  const number = numberOf(value);
  if (number === undefined) return undefined;
  const size = Math.abs(number);
  if (size !== 0 && (size >= mostInDigits || size < leastInDigits)) {
    const power = new Intl.NumberFormat(language, { notation: 'scientific', maximumSignificantDigits: 6 });
    return power.format(number);
  }
  const isDecimal = typeof sent === 'string' && /^-?\d+(\.\d+)?$/.test(digits);
  const decimals = Math.min(isDecimal ? (digits.split('.')[1]?.length ?? 0) : 0, mostDecimals);
  const numbers = new Intl.NumberFormat(language, {
    minimumFractionDigits: decimals,
    maximumFractionDigits: mostDecimals,
    signDisplay: 'negative',
  });
  return numbers.format(isDecimal ? (digits as `${number}`) : number);
}

/** A range from 0 to 1, 2 or 5 times a power of ten beyond the number. */
export function roundRange(number: number): [low: number, high: number] {
  const size = Math.abs(number) || 1;
  const power = 10 ** Math.floor(Math.log10(size));
  const end = [1, 2, 5, 10].map((step) => step * power).find((step) => step > size) ?? 10 * power;
  return number < 0 ? [-end, 0] : [0, end];
}

function pie({ arranged, roles, words }: ChartGround, { groups, measures }: GroupedFigures): Chart {
  const [measure] = measures;
  const column = roles.categories[0] ?? 0;
  if (measure === undefined) return { figure: { kind: 'none', lack: 'noMeasure' }, notes: [] };
  const valued = groups
    .map((group) => ({ name: categoryText(arranged, column, group.values[0], words), value: measure.of(group) }))
    .filter(({ value }) => !Number.isNaN(value));
  const all = valued.filter(({ value }) => value > 0).toSorted((one, other) => other.value - one.value);
  const slices = all.length <= mostSlices ? all : all.slice(0, mostSlices - 1);
  const rest = all.slice(slices.length);
  if (rest.length > 0) slices.push({ name: words.others, value: rest.reduce((sum, { value }) => sum + value, 0) });
  const notes = rest.length > 0 ? [words.cut(mostSlices - 1, all.length)] : [];
  if (all.length < valued.length) notes.push(words.notPositive(valued.length - all.length));
  return { figure: { kind: 'pie', title: measure.name, format: measure.format, slices }, notes };
}

/** One level per category. Keeps only the largest rectangles so that drawing stays fast. */
function tree(ground: ChartGround, { groups, measures }: GroupedFigures): Chart {
  const { arranged, roles, words } = ground;
  const [measure] = measures;
  if (measure === undefined) return { figure: { kind: 'none', lack: 'noMeasure' }, notes: [] };
  const valued = groups
    .map((group) => ({ group, value: measure.of(group) }))
    .filter(({ value }) => !Number.isNaN(value));
  const leaves = valued.filter(({ value }) => value > 0).toSorted((one, other) => other.value - one.value);
  const root: TreePart = { name: '', value: 0, parts: [] };
  const known = new Map<string, TreePart>();
  for (const { group, value } of leaves.slice(0, mostParts)) {
    let parent = root;
    let path = '';
    for (const [level, column] of roles.categories.entries()) {
      const name = categoryText(arranged, column, group.values[level], words);
      path += `${name.length}:${name}`;
      let part = known.get(path);
      if (part === undefined) {
        part = { name, value: 0, parts: [] };
        known.set(path, part);
        parent.parts.push(part);
      }
      part.value += value;
      parent = part;
    }
  }
  const notes = leaves.length > mostParts ? [words.cut(mostParts, leaves.length)] : [];
  if (leaves.length < valued.length) notes.push(words.notPositive(valued.length - leaves.length));
  return { figure: { kind: 'tree', title: measure.name, format: measure.format, parts: root.parts }, notes };
}

function map({ arranged, roles, words }: ChartGround, { groups, measures }: GroupedFigures): Chart {
  const [measure] = measures;
  if (measure === undefined) return { figure: { kind: 'none', lack: 'noMeasure' }, notes: [] };
  const column = roles.categories[0] ?? 0;
  const figure: ChartFigure = {
    kind: 'map',
    title: measure.name,
    format: measure.format,
    regions: groups.map((group) => ({
      name: categoryText(arranged, column, group.values[0], words),
      value: measure.of(group),
      meanOf: measure.meanOf(group),
    })),
  };
  return { figure, notes: [] };
}

/** Includes numbers with more digits than a double holds. */
function numberOf(value: CellValue): number | undefined {
  const sent = typeof value === 'object' && value?.kind === 'exact' ? value.text : value;
  const number = typeof sent === 'number' ? sent : typeof sent === 'string' && sent.trim() !== '' ? Number(sent) : NaN;
  return Number.isFinite(number) ? number : undefined;
}

const lineBreak = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/g;
/** Characters that change the text direction, or that XML or UTF-8 cannot represent. */
const undrawable = /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
const allUndrawable = new RegExp(undrawable, 'gu');

/** Makes server text safe for a picture: on one line, left to right, and readable again from a saved picture. */
export function chartText(text: string): string {
  if (!undrawable.test(text) && !/[\u2028\u2029]/.test(text)) return text;
  return text.replace(lineBreak, '↵').replaceAll('\t', ' ').replace(allUndrawable, '');
}

/** Makes all texts of a figure safe for a picture, and unique if they identify an item. */
function withChartTexts(figure: ChartFigure): ChartFigure {
  switch (figure.kind) {
    case 'axes': {
      const { title, labels } = figure.category;
      const names = differentNames(figure.series.map(({ name }) => chartText(name)));
      return {
        ...figure,
        category: { title: chartText(title), labels: labels.map(chartText) },
        series: figure.series.map((one, index) => ({ ...one, name: names[index] ?? one.name })),
        ...(figure.measure !== undefined && { measure: chartText(figure.measure) }),
      };
    }
    case 'pie': {
      const names = differentNames(figure.slices.map(({ name }) => chartText(name)));
      const slices = figure.slices.map((slice, index) => ({ ...slice, name: names[index] ?? slice.name }));
      return { ...figure, title: chartText(figure.title), slices };
    }
    case 'tree':
      return { ...figure, title: chartText(figure.title), parts: figure.parts.map(drawnPart) };
    case 'map': {
      const regions = figure.regions.map((region) => ({ ...region, name: chartText(region.name) }));
      return { ...figure, title: chartText(figure.title), regions };
    }
    case 'gauge':
      return { ...figure, label: chartText(figure.label), text: chartText(figure.text) };
    default:
      return figure;
  }
}

function drawnPart({ name, value, parts }: TreePart): TreePart {
  return { name: chartText(name), value, parts: parts.map(drawnPart) };
}

/** Makes names unique: equal names would share a colour and a legend entry. */
function differentNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    let own = name;
    for (let more = 2; taken.has(own); more++) own = `${name} (${more})`;
    taken.add(own);
    return own;
  });
}
