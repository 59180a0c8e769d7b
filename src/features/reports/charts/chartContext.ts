import type { ResultView, DisplayedColumn } from '../view/resultView.ts';
import type { OutputKind, GridOutput } from '../../../contract/pages/chartFigure.ts';

/** Words that charts need, translated by whoever shows them. */
export interface ChartTexts {
  rows: string;
  noValue: string;
  /** A text without a character. */
  emptyText: string;
  /** Everything that is too small to be shown by itself. */
  others: string;
  added: string;
  averaged: string;
  /** Said when only some of the categories are shown. */
  cut(shown: number, all: number): string;
  /** That other measures than this one are not drawn. */
  onlyMeasure(name: string): string;
  /** That so many values cannot be drawn as areas. */
  notPositive(count: number): string;
}

/** What a chart is made from. */
export interface ChartGround {
  view: ResultView;
  roles: ColumnRoles;
  words: ChartTexts;
}

/** Which columns of a result are categories and which are figures, by number. */
export interface ColumnRoles {
  categories: readonly number[];
  measures: readonly number[];
}

/** Categories that an output cannot do without: numbers such as a year or an hour may have to be them. */
const leastCategories: Record<OutputKind, number> = {
  chart: 1,
  chart2: 1,
  combo: 1,
  pie: 1,
  treemap: 1,
  map: 1,
  groups: 1,
  kpi: 0,
  gauge: 0,
  pivot: 2,
  pivot2: 2,
  skyline: 2,
};

/**
 * Categories come first and measures last: a column is a measure when it and all columns behind it hold numbers, unless
 * the output needs it as a category. The description says nothing of roles, so that the order of columns decides.
 */
export function columnRoles(kind: OutputKind, columns: readonly Pick<DisplayedColumn, 'format'>[]): ColumnRoles {
  const lastCategory = columns.findLastIndex(({ format }) => format.kind !== 'number');
  const least = Math.min(leastCategories[kind], columns.length - 1);
  const count = Math.max(lastCategory + 1, least);
  const numbers = columns.map((_, column) => column);
  return { categories: numbers.slice(0, count), measures: numbers.slice(count) };
}

/** By output type number; the data grid (0, 1) is the table itself. API description, Output types. */
const kinds: Readonly<Record<number, OutputKind>> = {
  2: 'chart',
  3: 'kpi',
  4: 'gauge',
  6: 'pie',
  7: 'combo',
  8: 'pivot',
  9: 'treemap',
  10: 'map',
  11: 'skyline',
  12: 'groups',
  13: 'pivot2',
  14: 'chart2',
};

/** How a report of this output type is shown besides as a table; undefined where it is a table only. */
export function outputKind(outputType: unknown): OutputKind | undefined {
  return typeof outputType === 'number' || typeof outputType === 'string' ? kinds[Number(outputType)] : undefined;
}

/** Whether an output is a grid of its own. */
export function isGridOutput(kind: OutputKind): kind is GridOutput {
  return kind === 'pivot' || kind === 'pivot2' || kind === 'groups';
}
