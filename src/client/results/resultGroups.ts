import type { ColumnData } from './columnData.ts';
import { Pacer } from './pacer.ts';
import { blockRows, cellTag } from './resultCell.ts';
import type { CellValue } from './resultCell.ts';
import type { ResultStore } from './resultStore.ts';
import { isNumberColumn, TextNumbers } from './textNumbers.ts';

/** Maximum number of pairs to look up in an array; more use a map. */
const mostDirect = 4_000_000;
/** Group of an excluded row. */
const noGroup = 0xffff_ffff;

/** Statistics of the numbers of one column in one group; other cells are ignored. */
export interface GroupFigures {
  /** Number of numeric cells; in a number column, numeric texts count too. */
  readonly count: number;
  readonly sum: number;
  /** Smallest and largest number; undefined if there is none. */
  readonly min: number | undefined;
  readonly max: number | undefined;
}

/** Rows with the same values in the group-by columns. */
export interface ResultGroup {
  /** Values of the group-by columns. */
  readonly values: readonly CellValue[];
  readonly rowCount: number;
  /** Per measured column, in the order requested. */
  readonly figures: readonly GroupFigures[];
}

/**
 * Groups rows by the values of some columns and sums others. Groups are in the order of their first row. Values are
 * equal if their JSON is equal; null and missing are different values. Works in slices of about 8 ms.
 * @param by column numbers; without any, all rows form one group.
 * @param measured column numbers.
 * @param options.rows row numbers to group; default: all.
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
  const { rows } = options;
  let groups: Uint32Array = rows === undefined ? noRows : leaveOutAllBut(rows, rowCount);
  let first = rows?.subarray(0, 1) ?? Uint32Array.of(...(rowCount > 0 ? [0] : []));
  for (const [level, column] of by.entries()) {
    const values = await numberValues(store, store.columnData(column), rowCount, pacer);
    if (level === 0 && rows === undefined) {
      // First split of all rows: values are numbered by their first row, as groups are.
      groups = values.numbers;
      first = firstRows(values);
    } else first = await splitGroups(values, groups, first.length, rows, pacer);
  }
  if (groups === noRows) groups = new Uint32Array(rowCount);
  const counts = rowsOfGroups(groups, first.length, rows);
  const figures: GroupFigures[][] = [];
  for (const column of measured) {
    figures.push(await measureGroups(store, column, groups, first.length, pacer));
  }
  const result: ResultGroup[] = [];
  for (let group = 0; group < first.length; group++) {
    const values = by.map((column) => store.cell(first[group]!, column));
    result.push({ values, rowCount: counts[group]!, figures: figures.map((each) => each[group]!) });
    if (group % blockRows === 0 && pacer.isDue) await pacer.pause();
  }
  return result;
}

const noRows = new Uint32Array(0);

/** One group for the given rows, none for all others. */
function leaveOutAllBut(rows: Uint32Array, rowCount: number): Uint32Array {
  const groups = new Uint32Array(rowCount).fill(noGroup);
  for (let i = 0; i < rows.length; i++) groups[rows[i]!] = 0;
  return groups;
}

/** Rows of each group. */
function rowsOfGroups(groups: Uint32Array, groupCount: number, rows: Uint32Array | undefined): Uint32Array {
  const counts = new Uint32Array(groupCount);
  if (rows === undefined) for (let row = 0; row < groups.length; row++) counts[groups[row]!]!++;
  else for (let i = 0; i < rows.length; i++) counts[groups[rows[i]!]!]!++;
  return counts;
}

/** The values of a column, numbered from 0, by row. */
interface NumberedValues {
  numbers: Uint32Array;
  count: number;
}

/** Splits the groups, given by row number, further by value; returns the first row of each new group. */
async function splitGroups(
  values: NumberedValues,
  groups: Uint32Array,
  groupCount: number,
  rows: Uint32Array | undefined,
  pacer: Pacer,
): Promise<Uint32Array> {
  const numbers = pairNumbers(groupCount * values.count);
  const length = rows?.length ?? groups.length;
  const first = new Uint32Array(Math.min(length, groupCount * values.count));
  let count = 0;
  for (let start = 0; start < length; start += blockRows) {
    const end = Math.min(start + blockRows, length);
    count = splitRows(start, end, count);
    if (pacer.isDue) await pacer.pause();
  }
  return first.slice(0, count);

  function splitRows(start: number, end: number, known: number): number {
    let next = known;
    for (let i = start; i < end; i++) {
      const row = rows === undefined ? i : rows[i]!;
      const group = numbers(groups[row]! * values.count + values.numbers[row]!, next);
      if (group === next) first[next++] = row;
      groups[row] = group;
    }
    return next;
  }
}

/** First row of each value. */
function firstRows({ numbers, count }: NumberedValues): Uint32Array {
  const first = new Uint32Array(count);
  for (let row = 0, found = 0; found < count; row++) if (numbers[row] === found) first[found++] = row;
  return first;
}

/** Maps pairs, which are below `size`, to numbers: the one already assigned, or else the suggested one. */
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

/** Numbers the distinct values of a column from 0; returns the value number of each row. */
async function numberValues(
  store: ResultStore,
  column: ColumnData,
  rowCount: number,
  pacer: Pacer,
): Promise<NumberedValues> {
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

/** Text that is the same only for equal values. */
function identity(column: ColumnData, tag: number, slot: number): string {
  const value = column.valueOf(tag, slot);
  if (typeof value === 'string') return `"${value}`;
  return typeof value === 'object' && value !== null ? value.text : String(value);
}

/** Sums the numbers of a column, given by column number, per group, in row order. */
async function measureGroups(
  store: ResultStore,
  measured: number,
  groups: Uint32Array,
  groupCount: number,
  pacer: Pacer,
): Promise<GroupFigures[]> {
  const column = store.columnData(measured);
  const numbers = isNumberColumn(store.columns[measured]) ? new TextNumbers(column) : undefined;
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
      const group = groups[start + i]!;
      if (group === noGroup) continue;
      const slot = slots[i]!;
      let value = NaN;
      if (tag === cellTag.number) value = slot;
      else if (tag === cellTag.exact) value = Number(column.pages.textAt(slot));
      else if (numbers !== undefined) value = numbers.of(tag, slot);
      if (Number.isNaN(value)) continue;
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
