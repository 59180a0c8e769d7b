import type { ColumnData } from './columnData.ts';
import { Pacer } from './pacer.ts';
import { blockRows, cellTag } from './resultCell.ts';
import type { CellValue } from './resultCell.ts';
import { allRows } from './resultSort.ts';
import type { ResultStore } from './resultStore.ts';

/** Pairs that are looked up in an array; more take a map. */
const mostDirect = 4_000_000;

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
  const rows = options.rows ?? allRows(rowCount);
  const groups = new Uint32Array(rowCount);
  let first = rows.subarray(0, 1);
  for (const column of by) {
    first = await splitGroups(store, store.columnData(column), groups, first.length, rows, pacer);
  }
  const counts = new Uint32Array(first.length);
  for (let i = 0; i < rows.length; i++) counts[groups[rows[i]!]!]!++;
  const figures: GroupFigures[][] = [];
  for (const column of measured) {
    figures.push(await measureGroups(store, store.columnData(column), groups, rows, first.length, pacer));
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
  pacer: Pacer,
): Promise<Uint32Array> {
  const values = await numberValues(store, column, groups.length, pacer);
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

async function measureGroups(
  store: ResultStore,
  column: ColumnData,
  groups: Uint32Array,
  rows: Uint32Array,
  groupCount: number,
  pacer: Pacer,
): Promise<GroupFigures[]> {
  const values = await numbersOf(store, column, groups.length, pacer);
  const counts = new Uint32Array(groupCount);
  const sums = new Float64Array(groupCount);
  const lows = new Float64Array(groupCount).fill(Infinity);
  const highs = new Float64Array(groupCount).fill(-Infinity);
  for (let i = 0; i < rows.length; i++) {
    const value = values[rows[i]!]!;
    // NaN stands for a cell that is no number.
    if (value !== value) continue;
    const group = groups[rows[i]!]!;
    counts[group]!++;
    sums[group]! += value;
    if (value < lows[group]!) lows[group] = value;
    if (value > highs[group]!) highs[group] = value;
    if (i % blockRows === 0 && pacer.isDue) await pacer.pause();
  }
  return Array.from(counts, (count, group) => ({
    count,
    sum: sums[group]!,
    min: count === 0 ? undefined : lows[group]!,
    max: count === 0 ? undefined : highs[group]!,
  }));
}

/** A column's numbers by row; NaN for cells of other kinds. */
async function numbersOf(
  store: ResultStore,
  column: ColumnData,
  rowCount: number,
  pacer: Pacer,
): Promise<Float64Array> {
  const values = new Float64Array(rowCount);
  const tags = new Uint8Array(blockRows);
  const slots = new Float64Array(blockRows);
  for (let start = 0; start < rowCount; start += blockRows) {
    const rows = Math.min(store.table.readBlock(column, start / blockRows, tags, slots), rowCount - start);
    for (let i = 0; i < rows; i++) {
      if (tags[i] === cellTag.number) values[start + i] = slots[i]!;
      else values[start + i] = tags[i] === cellTag.exact ? Number(column.pages.textAt(slots[i]!)) : NaN;
    }
    if (pacer.isDue) await pacer.pause();
  }
  return values;
}
