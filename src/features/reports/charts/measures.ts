import { groupRows, type GroupFigures, type ResultGroup } from '../../../client/results/resultGroups.ts';
import type { ResultColumn } from '../../../client/results/resultColumn.ts';
import type { CellValue } from '../../../client/results/resultCell.ts';
import type { MeasureFormat } from '../../../contract/pages/chartFigure.ts';
import { rowCount, type ArrangedRows } from '../view/arrangedRows.ts';
import type { ChartTexts, ColumnRoles } from './chartContext.ts';

/** A measure: the numbers of a column, or the row count if the result has no measures. */
export interface Measure {
  name: string;
  format: MeasureFormat;
  /** Value of a group; NaN if it has no number. Percentages cannot be summed and are averaged. */
  of(group: ResultGroup): number;
  /** How many numbers the group's value averages; 0 if it is a sum. */
  meanOf(group: ResultGroup): number;
}

/** The rows of a view, grouped by category. */
export interface GroupedFigures {
  groups: readonly ResultGroup[];
  measures: readonly Measure[];
  /** Whether and how the numbers of several rows were combined. */
  joined: 'not' | 'added' | 'averaged';
}

/** Groups a view's rows by the texts of its categories and aggregates the measures. */
export async function groupView(
  arranged: ArrangedRows,
  roles: ColumnRoles,
  words: Pick<ChartTexts, 'rows' | 'noValue' | 'emptyText' | 'nameOf'>,
  signal: AbortSignal,
): Promise<GroupedFigures> {
  const byValue = await groupRows(arranged.store, roles.categories, roles.measures, { rows: arranged.order, signal });
  const groups = joinAlike(byValue, (group) =>
    JSON.stringify(roles.categories.map((column, at) => categoryText(arranged, column, group.values[at], words))),
  );
  const measures = roles.measures.map((column, place) => columnMeasure(arranged.columns[column]?.source, place));
  const isJoined = groups.length < rowCount(arranged) && measures.length > 0;
  const isAveraged = isJoined && roles.measures.some((column) => isShare(arranged.columns[column]?.source));
  return {
    groups,
    measures: measures.length > 0 ? measures : [countOfRows(words.rows)],
    joined: isAveraged ? 'averaged' : isJoined ? 'added' : 'not',
  };
}

/**
 * Merges groups with the same text: null and missing values, or dates that differ only in parts that the format omits.
 * They would share a position, where only the last one is visible.
 */
function joinAlike(groups: readonly ResultGroup[], textOf: (group: ResultGroup) => string): readonly ResultGroup[] {
  const joined = new Map<string, ResultGroup>();
  for (const group of groups) {
    const text = textOf(group);
    const known = joined.get(text);
    joined.set(text, known === undefined ? group : joinGroups(known, group));
  }
  return joined.size === groups.length ? groups : [...joined.values()];
}

function joinGroups(one: ResultGroup, other: ResultGroup): ResultGroup {
  const figures = one.figures.map((figure, at): GroupFigures => {
    const more = other.figures[at] ?? figure;
    return {
      count: figure.count + more.count,
      sum: figure.sum + more.sum,
      min: pick(Math.min, figure.min, more.min),
      max: pick(Math.max, figure.max, more.max),
    };
  });
  return { values: one.values, rowCount: one.rowCount + other.rowCount, figures };
}

function pick(choose: (...numbers: number[]) => number, ...ends: (number | undefined)[]): number | undefined {
  const known = ends.filter((end) => end !== undefined);
  return known.length === 0 ? undefined : choose(...known);
}

/** Text of a category value. Never blank, as a blank name can be neither identified nor pointed at. */
export function categoryText(
  arranged: ArrangedRows,
  column: number,
  value: CellValue,
  words: Pick<ChartTexts, 'noValue' | 'emptyText' | 'nameOf'>,
): string {
  const shown = arranged.columns[column];
  const text = words.nameOf?.(shown?.source.key ?? '', value) ?? shown?.format.write(value) ?? words.noValue;
  return text.trim() === '' ? words.emptyText : text;
}

/** Number format of a column in charts. */
export function measureFormat(column: Pick<ResultColumn, 'fieldType'> | undefined): MeasureFormat {
  if (column?.fieldType === 'per') return { suffix: '%', minDigits: 0, maxDigits: 2 };
  if (column?.fieldType === 'cur') return { suffix: '', minDigits: 2, maxDigits: 2 };
  return { suffix: '', minDigits: 0, maxDigits: 2 };
}

function columnMeasure(column: ResultColumn | undefined, place: number): Measure {
  const value = isShare(column) ? meanOf : sumOf;
  return {
    name: column?.header ?? '',
    format: measureFormat(column),
    of: ({ figures }) => value(figures[place]),
    meanOf: ({ figures }) => (isShare(column) ? (figures[place]?.count ?? 0) : 0),
  };
}

function countOfRows(name: string): Measure {
  return { name, format: measureFormat(undefined), of: ({ rowCount: count }) => count, meanOf: () => 0 };
}

function sumOf(figures: GroupFigures | undefined): number {
  return figures === undefined || figures.count === 0 ? NaN : figures.sum;
}

function meanOf(figures: GroupFigures | undefined): number {
  return figures === undefined || figures.count === 0 ? NaN : figures.sum / figures.count;
}

function isShare(column: Pick<ResultColumn, 'fieldType'> | undefined): boolean {
  return column?.fieldType === 'per';
}
