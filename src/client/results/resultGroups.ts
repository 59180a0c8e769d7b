import type { ColumnData } from './columnData.ts';
import { Pacer } from './pacer.ts';
import { blockRows, cellTag } from './resultCell.ts';
import type { CellValue } from './resultCell.ts';
import { allRows } from './resultSort.ts';
import type { ResultStore } from './resultStore.ts';

/** Pairs that are looked up in an array; more take a map. */
const mostDirect = 4_000_000;
/** Group of a row that is left out. */
const noGroup = 0xffff_ffff;

/** Figures over the numbers of one column in one group; cells of other kinds do not count. */
export interface GroupFigures {
  /** Numbers among the cells. */
  readonly count: number;
  readonly sum: number;
  /** Smallest and largest number; undefined where there is none. */
  readonly min: number | undefined;
  readonly max: number | undefined;
}

/** Rows that agree in the columns grouped by. */
export interface ResultGroup {
  /** Their values in those columns. */
  readonly values: readonly CellValue[];
  readonly rowCount: number;
  /** Per column measured, in the order asked for. */
  readonly figures: readonly GroupFigures[];
}

/**
 * Groups rows by the values of some columns and adds up others. Groups come in the order of their first row. Values are
 * equal when JSON writes them alike; null and missing are two values. Works in slices of some 8 ms.
 * @param by column numbers; with none, all rows are one group.
 * @param measured column numbers.
 * @param options.rows row numbers to group; all without it.
 * @throws the signal's reason once it has fired.
 */
export async function groupRows(
  store: ResultStore,
  by: readonly number[],
  measured: readonly number[],
  options: { readonly rows?: Uint32Array; readonly signal?: AbortSignal } = {},
): Promise<ResultGroup[]> {
  const rowCount = store.rowCount;
  const pacer = new Pacer(options.signal);
  const isInOrder = options.rows === undefined;
  const rows = options.rows ?? allRows(rowCount);
  const groups = new Uint32Array(rowCount);
  if (options.rows !== undefined) {
    groups.fill(noGroup);
    for (const row of rows) groups[row] = 0;
  }
  let first = rows.subarray(0, 1);
  for (const column of by) {
    first = await splitGroups(store, store.columnData(column), groups, first.length, rows, isInOrder, pacer);
  }
  const counts = new Uint32Array(first.length);
  if (isInOrder) for (let row = 0; row < rowCount; row++) counts[groups[row]!]!++;
  else for (let i = 0; i < rows.length; i++) counts[groups[rows[i]!]!]!++;
  const figures: GroupFigures[][] = [];
  for (const column of measured) {
    figures.push(await measureGroups(store, store.columnData(column), groups, first.length, pacer));
  }
  const result: ResultGroup[] = [];
  for (let group = 0; group < first.length; group++) {
    const values = by.map((column) => store.cell(first[group]!, column));
    result.push({ values, rowCount: counts[group]!, figures: figures.map((each) => each[group]!) });
    if (group % blockRows === 0 && pacer.isDue) await pacer.pause();
  }
  return result;
}

/** Splits the groups, by row number, further by the values of `column`; returns the first row of each new group. */
async function splitGroups(
  store: ResultStore,
  column: ColumnData,
  groups: Uint32Array,
  groupCount: number,
  rows: Uint32Array,
  isInOrder: boolean,
  pacer: Pacer,
): Promise<Uint32Array> {
  const values = await numberValues(store, column, groups.length, pacer);
  if (groupCount === 1 && isInOrder) return takeValuesAsGroups(values, groups);
  const numbers = pairNumbers(groupCount * values.count);
  const first = new Uint32Array(Math.min(rows.length, groupCount * values.count));
  let count = 0;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!;
    const group = numbers(groups[row]! * values.count + values.numbers[row]!, count);
    if (group === count) first[count++] = row;
    groups[row] = group;
    if (i % blockRows === 0 && pacer.isDue) await pacer.pause();
  }
  return first.slice(0, count);
}

/** The first split of all rows: values are numbered by their first row, as groups are. */
function takeValuesAsGroups(values: { numbers: Uint32Array; count: number }, groups: Uint32Array): Uint32Array {
  groups.set(values.numbers);
  const first = new Uint32Array(values.count);
  for (let row = 0, count = 0; count < values.count; row++) if (groups[row] === count) first[count++] = row;
  return first;
}

/** Gives numbers to pairs, which are below `size`: the one a pair got before, or else the one suggested. */
function pairNumbers(size: number): (pair: number, suggested: number) => number {
  if (size > mostDirect) {
    const known = new Map<number, number>();
    return (pair, suggested) => {
      const number = known.get(pair);
      if (number === undefined) known.set(pair, suggested);
      return number ?? suggested;
    };
  }
  const known = new Uint32Array(size);
  return (pair, suggested) => {
    if (known[pair] === 0) known[pair] = suggested + 1;
    return known[pair]! - 1;
  };
}

/** Numbers the different values of a column from 0; gives each row its value's number. */
async function numberValues(
  store: ResultStore,
  column: ColumnData,
  rowCount: number,
  pacer: Pacer,
): Promise<{ numbers: Uint32Array; count: number }> {
  const numbers = new Uint32Array(rowCount);
  const known = new Map<string | number, number>();
  const codes = new Int32Array(column.dictionary.size).fill(-1);
  const tags = new Uint8Array(blockRows);
  const slots = new Float64Array(blockRows);
  const numberOf = (value: string | number) => {
    let number = known.get(value);
    if (number === undefined) known.set(value, (number = known.size));
    return number;
  };
  for (let start = 0; start < rowCount; start += blockRows) {
    const rows = Math.min(store.table.readBlock(column, start / blockRows, tags, slots), rowCount - start);
    for (let i = 0; i < rows; i++) {
      const tag = tags[i]!;
      const slot = slots[i]!;
      if (tag === cellTag.code) {
        if (codes[slot] === -1) codes[slot] = numberOf(identity(column, tag, slot));
        numbers[start + i] = codes[slot]!;
      } else numbers[start + i] = numberOf(tag === cellTag.number ? slot : identity(column, tag, slot));
    }
    if (pacer.isDue) await pacer.pause();
  }
  return { numbers, count: known.size };
}

/** Text that only equal values share. */
function identity(column: ColumnData, tag: number, slot: number): string {
  const value = column.valueOf(tag, slot);
  if (typeof value === 'string') return `"${value}`;
  return typeof value === 'object' && value !== null ? value.text : String(value);
}

/** Adds up the numbers of `column` by group, in the order of the rows. */
async function measureGroups(
  store: ResultStore,
  column: ColumnData,
  groups: Uint32Array,
  groupCount: number,
  pacer: Pacer,
): Promise<GroupFigures[]> {
  const counts = new Uint32Array(groupCount);
  const sums = new Float64Array(groupCount);
  const lows = new Float64Array(groupCount).fill(Infinity);
  const highs = new Float64Array(groupCount).fill(-Infinity);
  const tags = new Uint8Array(blockRows);
  const slots = new Float64Array(blockRows);
  for (let start = 0; start < groups.length; start += blockRows) {
    const rows = Math.min(store.table.readBlock(column, start / blockRows, tags, slots), groups.length - start);
    for (let i = 0; i < rows; i++) {
      const tag = tags[i]!;
      if (tag !== cellTag.number && tag !== cellTag.exact) continue;
      const group = groups[start + i]!;
      if (group === noGroup) continue;
      const value = tag === cellTag.number ? slots[i]! : Number(column.pages.textAt(slots[i]!));
      counts[group]!++;
      sums[group]! += value;
      if (value < lows[group]!) lows[group] = value;
      if (value > highs[group]!) highs[group] = value;
    }
    if (pacer.isDue) await pacer.pause();
  }
  return Array.from(counts, (count, group) => ({
    count,
    sum: sums[group]!,
    min: count === 0 ? undefined : lows[group]!,
    max: count === 0 ? undefined : highs[group]!,
  }));
}
