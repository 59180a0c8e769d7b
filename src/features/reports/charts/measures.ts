import { groupRows, type GroupFigures, type ResultGroup } from '../../../client/results/resultGroups.ts';
import type { ResultColumn } from '../../../client/results/resultColumn.ts';
import type { CellValue } from '../../../client/results/resultCell.ts';
import type { MeasureFormat } from '../../../contract/pages/chartFigure.ts';
import type { ResultView } from '../view/resultView.ts';
import type { ChartTexts, ColumnRoles } from './chartContext.ts';

/** What is measured: a column's numbers, or the rows themselves where a result has none. */
export interface Measure {
  name: string;
  format: MeasureFormat;
  /** Value of a group; NaN where it has no number. Shares cannot be added up and are averaged. */
  of(group: ResultGroup): number;
  /** How many numbers the value of a group is the mean of; 0 where it is their sum. */
  meanOf(group: ResultGroup): number;
}

/** The rows of a view by their categories. */
export interface GroupedFigures {
  groups: readonly ResultGroup[];
  measures: readonly Measure[];
  /** Whether some group stands for several rows, and how their numbers were joined. */
  joined: 'not' | 'added' | 'averaged';
}

/** Groups what a view shows by the texts of its categories, and measures the rest. */
export async function groupView(
  view: ResultView,
  roles: ColumnRoles,
  words: Pick<ChartTexts, 'rows' | 'noValue' | 'emptyText'>,
  signal: AbortSignal,
): Promise<GroupedFigures> {
  const byValue = await groupRows(view.store, roles.categories, roles.measures, { rows: view.shownRows, signal });
  const groups = joinAlike(byValue, (group) =>
    JSON.stringify(roles.categories.map((column, at) => categoryText(view, column, group.values[at], words))),
  );
  const measures = roles.measures.map((column, place) => columnMeasure(view.columns[column]?.source, place));
  const isJoined = groups.length < view.rows && measures.length > 0;
  const isAveraged = isJoined && roles.measures.some((column) => isShare(view.columns[column]?.source));
  return {
    groups,
    measures: measures.length > 0 ? measures : [rowCount(words.rows)],
    joined: isAveraged ? 'averaged' : isJoined ? 'added' : 'not',
  };
}

/**
 * Joins groups that are shown under one text: null beside missing, moments that differ by what their format leaves out.
 * They would stand in one place, where only the last would be seen.
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

/** Text of a category's value: never blank, as what has no name cannot be told apart or pointed at. */
export function categoryText(
  view: ResultView,
  column: number,
  value: CellValue,
  words: Pick<ChartTexts, 'noValue' | 'emptyText'>,
): string {
  const text = view.columns[column]?.format.write(value) ?? words.noValue;
  return text.trim() === '' ? words.emptyText : text;
}

/** How the numbers of a column are written in charts. */
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

function rowCount(name: string): Measure {
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
