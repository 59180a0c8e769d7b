import type { ArrangedRows, DisplayedColumn } from '../view/arrangedRows.ts';
import type { ValueName } from '../view/weekdayNames.ts';
import type { OutputKind, GridOutput } from '../../../contract/pages/chartFigure.ts';

/** Localized texts for charts, supplied by the caller. */
export interface ChartTexts {
  rows: string;
  noValue: string;
  /** Label for an empty text. */
  emptyText: string;
  /** Names of values that are numbers in the result, such as days of the week. */
  nameOf?: ValueName;
  /** Label for the combined items that are too small to show individually. */
  others: string;
  added: string;
  averaged: string;
  /** Notice that only some of the categories are shown. */
  cut(shown: number, all: number): string;
  /** Notice that only this measure is drawn. */
  onlyMeasure(name: string): string;
  /** Notice that this number of values cannot be drawn as areas. */
  notPositive(count: number): string;
}

/** Input for building a chart. */
export interface ChartGround {
  arranged: ArrangedRows;
  roles: ColumnRoles;
  words: ChartTexts;
}

/** Column numbers of a result's categories and measures. */
export interface ColumnRoles {
  categories: readonly number[];
  measures: readonly number[];
}

/**
 * Minimum number of categories per output. Numeric columns such as a year or an hour may have to serve as categories.
 */
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
 * Categories come first and measures last: a column is a measure if it and all columns after it are numeric, unless the
 * output needs it as a category. The API description does not define roles, so the column order decides.
 */
export function columnRoles(kind: OutputKind, columns: readonly Pick<DisplayedColumn, 'format'>[]): ColumnRoles {
  const lastCategory = columns.findLastIndex(({ format }) => format.kind !== 'number');
  const least = Math.min(leastCategories[kind], columns.length - 1);
  const count = Math.max(lastCategory + 1, least);
  const numbers = columns.map((_, column) => column);
  return { categories: numbers.slice(0, count), measures: numbers.slice(count) };
}

/** By output type number. The data grid (0, 1) is the table itself. API description, Output types. */
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

/** The view that an output type offers in addition to the table; undefined if it is only a table. */
export function outputKind(outputType: unknown): OutputKind | undefined {
  return typeof outputType === 'number' || typeof outputType === 'string' ? kinds[Number(outputType)] : undefined;
}

/** Whether an output has its own grid. */
export function isGridOutput(kind: OutputKind): kind is GridOutput {
  return kind === 'pivot' || kind === 'pivot2' || kind === 'groups';
}
