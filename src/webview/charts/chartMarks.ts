import type { ChartFigure, MapValue, MeasureFormat, TreePart } from '../../contract/pages/chartFigure.ts';
import type { ChartInput } from './drawing.ts';

/** One bar, point, slice, area or region of a chart: its row of marks and its place among them. */
export interface Mark {
  row: number;
  at: number;
}

/** Marks that Left and Right go through, in drawing order. Missing values have no mark. */
export interface MarkRow {
  /** The measure, or the value of a second category. */
  name: string;
  format: MeasureFormat;
  /** Category of each value. */
  labels: readonly string[];
  values: ArrayLike<number>;
  /** Indexes of the values that are drawn, ascending. */
  places: Uint32Array;
  /** Index of the series that has the values, and of the first one in it. */
  series: number;
  offset: number;
  /** Indexes of values that are sums of others. */
  sums: ReadonlySet<number>;
}

/** A key that moves from mark to mark. */
export type Step = 'next' | 'previous' | 'first' | 'last' | 'rowAbove' | 'rowBelow';

/** The marks of a figure; none for text and for charts without values. */
export function marksOf(figure: ChartFigure, regions: readonly Pick<MapValue, 'name' | 'value'>[] = []): MarkRow[] {
  const rows = figure.kind === 'none' || figure.kind === 'kpi' ? [] : rowsOf(figure, regions);
  return rows.filter(({ places }) => places.length > 0);
}

function rowsOf(figure: ChartInput, regions: readonly Pick<MapValue, 'name' | 'value'>[]): MarkRow[] {
  switch (figure.kind) {
    case 'axes':
      return figure.series.map(({ name, format, values }, series) => ({
        ...markRow(name, format, figure.category.labels, values),
        series,
      }));
    case 'pie':
      return [namedRow(figure.title, figure.format, figure.slices)];
    case 'map':
      return [namedRow(figure.title, figure.format, regions)];
    case 'gauge':
      return [markRow(figure.label, figure.format, [''], [figure.value])];
    case 'tree':
      return treeRows(figure.title, figure.format, figure.parts);
  }
}

/** Nested parts have a row each: the part itself, then its parts. */
function treeRows(title: string, format: MeasureFormat, parts: readonly TreePart[]): MarkRow[] {
  if (parts.every((part) => part.parts.length === 0)) return [namedRow(title, format, parts)];
  let offset = 0;
  return parts.map((part) => {
    const items = withParts(part, []);
    const sums = new Set(items.flatMap(({ isSum }, index) => (isSum ? [index] : [])));
    const row = { ...namedRow(title, format, items), offset, sums };
    offset += items.length;
    return row;
  });
}

function withParts(
  { name, value, parts }: TreePart,
  path: readonly string[],
): { name: string; value: number; isSum: boolean }[] {
  const own = [...path, name];
  const item = { name: own.join(', '), value, isSum: parts.length > 0 };
  return [item, ...parts.flatMap((inner) => withParts(inner, own))];
}

function namedRow(
  name: string,
  format: MeasureFormat,
  items: readonly Readonly<{ name: string; value: number }>[],
): MarkRow {
  return markRow(
    name,
    format,
    items.map((item) => item.name),
    items.map((item) => item.value),
  );
}

function markRow(name: string, format: MeasureFormat, labels: readonly string[], values: ArrayLike<number>): MarkRow {
  let drawn = 0;
  const places = new Uint32Array(values.length);
  for (let index = 0; index < values.length; index++) {
    if (!Number.isNaN(values[index])) places[drawn++] = index;
  }
  return { name, format, labels, values, places: places.slice(0, drawn), series: 0, offset: 0, sums: new Set() };
}

/** The mark that a key leads to: without an active one, the first or last of all. Stays at the ends. */
export function step(rows: readonly MarkRow[], mark: Mark | undefined, to: Step): Mark | undefined {
  const row = rows[mark?.row ?? 0];
  if (row === undefined) return undefined;
  if (mark === undefined) return { row: 0, at: to === 'last' || to === 'previous' ? row.places.length - 1 : 0 };
  const last = row.places.length - 1;
  switch (to) {
    case 'next':
      return { ...mark, at: Math.min(mark.at + 1, last) };
    case 'previous':
      return { ...mark, at: Math.max(mark.at - 1, 0) };
    case 'first':
      return { ...mark, at: 0 };
    case 'last':
      return { ...mark, at: last };
    case 'rowAbove':
      return inRow(rows, mark, mark.row - 1);
    case 'rowBelow':
      return inRow(rows, mark, mark.row + 1);
  }
}

/** The mark of another row closest to this one's category. */
function inRow(rows: readonly MarkRow[], mark: Mark, to: number): Mark {
  const row = rows[to];
  if (row === undefined) return mark;
  // The rows of a tree have categories of their own.
  const isShared = row.labels === rows[mark.row]?.labels;
  return { row: to, at: isShared ? nearest(row.places, indexOf(rows, mark)) : 0 };
}

/** Position of the place that is closest to an index; of two, the one before it. */
export function nearest(places: Uint32Array, index: number): number {
  let low = 0;
  let high = places.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((places[middle] ?? 0) < index) low = middle + 1;
    else high = middle;
  }
  const [before, behind] = [places[low - 1], places[low] ?? 0];
  return before !== undefined && index - before <= Math.abs(behind - index) ? low - 1 : low;
}

/** Index of a mark's value and label in its row. */
export function indexOf(rows: readonly MarkRow[], mark: Mark): number {
  return rows[mark.row]?.places[mark.at] ?? 0;
}

/** The first and last category in view. */
export interface Span {
  first: number;
  last: number;
}

/** Fewest categories in view. */
const leastInView = 4;

/** A span half as long or twice as long, around an index. */
export function zoomed({ first, last }: Span, count: number, around: number, isIn: boolean): Span {
  const length = last - first + 1;
  const wanted = isIn ? Math.max(Math.min(leastInView, length), Math.ceil(length / 2)) : length * 2;
  return fit(around - Math.floor((wanted - 1) / 2), wanted, count);
}

/** A span moved by half its length. */
export function panned({ first, last }: Span, count: number, isForward: boolean): Span {
  const length = last - first + 1;
  const way = Math.max(1, Math.floor(length / 2));
  return fit(isForward ? first + way : first - way, length, count);
}

/** A span moved as little as possible, so that it contains an index. */
export function including({ first, last }: Span, index: number): Span {
  const move = Math.min(0, index - first) + Math.max(0, index - last);
  return { first: first + move, last: last + move };
}

function fit(first: number, length: number, count: number): Span {
  const fitting = Math.min(length, count);
  const start = Math.max(0, Math.min(first, count - fitting));
  return { first: start, last: start + fitting - 1 };
}
