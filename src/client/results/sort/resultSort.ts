import type { ColumnData } from '../columnData.ts';
import { compareNumberTexts } from '../numberText.ts';
import { Pacer } from '../pacer.ts';
import { sortByKeys } from './radixSort.ts';
import { blockRows, cellTag } from '../resultCell.ts';
import type { RowTable } from '../rowTable.ts';
import { decimalIn, TextNumbers, isNumberColumn } from '../textNumbers.ts';
import { rankTexts, TextKeys } from './textRanks.ts';
import type { ResultStore } from '../resultStore.ts';

/** Kinds of values in the sort order of a column with mixed kinds; the last two come last in either direction. */
const valueClass = { number: 0, text: 1, boolean: 2, json: 3, null: 4, missing: 5 } as const;

/** A part of the keys, by row number. */
interface SortLabel {
  readonly keys: Uint32Array;
  /** The largest possible value. */
  readonly greatest: number;
}

/** Sort keys of a column, by row number: `words` from the least to the most significant, then `classes`. */
interface SortKeys {
  readonly words: readonly SortLabel[];
  /** Undefined if all rows have the same class. */
  readonly classes: SortLabel | undefined;
}

/** A column's cells as numbers that sort like the cells within their class. */
interface Comparable {
  readonly values: Float64Array;
  readonly classes: Uint32Array;
  readonly texts: TextKeys;
  readonly hasExact: boolean;
  readonly isUniform: boolean;
}

/**
 * The sort keys of the first `rowCount` rows of a column, ascending.
 * @param isNumeric whether numeric texts sort as numbers.
 */
async function sortKeysOf(
  table: RowTable,
  column: ColumnData,
  isNumeric: boolean,
  rowCount: number,
  pacer: Pacer,
): Promise<SortKeys> {
  const kept = distancesOf(column, cellTag.number, rowCount) ?? (await textWord(column, isNumeric, rowCount, pacer));
  if (kept !== undefined) return { words: [kept], classes: undefined };
  const cells = await readComparable(table, column, isNumeric ? new TextNumbers(column) : undefined, rowCount, pacer);
  if (cells.texts.count > 0) {
    const ranks = await rankTexts(cells.texts, pacer);
    replaceValues(cells, valueClass.text, (row) => ranks[cells.values[row]!]!);
  }
  if (cells.hasExact) {
    const ranks = await rankNumbers(table, column, cells, pacer);
    replaceValues(cells, valueClass.number, (row) => ranks[row]!);
  }
  const classes = cells.isUniform ? undefined : { keys: cells.classes, greatest: valueClass.missing };
  return { words: wordsOf(cells.values), classes };
}

/**
 * Offsets of the column's slots from the smallest, if all cells have this tag and slots are stored as offsets; else
 * undefined.
 */
function distancesOf(column: ColumnData, tag: number, rowCount: number): (SortLabel & { low: number }) | undefined {
  let low = Infinity;
  let high = -Infinity;
  for (let start = 0; start < rowCount; start += blockRows) {
    const range = column.rangeOf(start / blockRows, tag);
    if (range === undefined) return undefined;
    low = Math.min(low, range.low);
    high = Math.max(high, range.high);
  }
  if (!(high - low >= 0 && high - low < 2 ** 32)) return undefined;
  const keys = new Uint32Array(rowCount);
  for (let start = 0; start < rowCount; start += blockRows) {
    column.readDistances(start / blockRows, low, keys.subarray(start, start + blockRows));
  }
  return { keys, greatest: high - low, low };
}

/** The keys of a column whose cells are all dictionary texts; undefined for any other column. */
async function textWord(
  column: ColumnData,
  isNumeric: boolean,
  rowCount: number,
  pacer: Pacer,
): Promise<SortLabel | undefined> {
  const codes = isNumeric ? undefined : distancesOf(column, cellTag.code, rowCount);
  if (codes === undefined) return undefined;
  const texts = new TextKeys();
  for (let code = 0; code <= codes.greatest; code++) {
    const bytes = column.dictionary.bytesOf(codes.low + code);
    texts.add(bytes, 0, bytes.length);
    if (code % blockRows === 0 && pacer.isDue) await pacer.pause();
  }
  const ranks = await rankTexts(texts, pacer);
  const { keys, greatest } = codes;
  for (let row = 0; row < rowCount; row++) {
    keys[row] = ranks[keys[row]!]!;
    if (row % blockRows === 0 && pacer.isDue) await pacer.pause();
  }
  return { keys, greatest };
}

async function readComparable(
  table: RowTable,
  column: ColumnData,
  numbers: TextNumbers | undefined,
  rowCount: number,
  pacer: Pacer,
): Promise<Comparable> {
  const values = new Float64Array(rowCount);
  const classes = new Uint32Array(rowCount);
  const texts = new TextKeys();
  const codes = new Int32Array(column.dictionary.size).fill(-1);
  const tags = new Uint8Array(blockRows);
  const slots = new Float64Array(blockRows);
  let hasExact = false;
  let isUniform = true;
  for (let start = 0; start < rowCount; start += blockRows) {
    const rows = Math.min(table.readBlock(column, start / blockRows, tags, slots), rowCount - start);
    for (let i = 0; i < rows; i++) {
      const tag = tags[i]!;
      const slot = slots[i]!;
      const inText = numbers === undefined || tag === cellTag.number ? NaN : numbers.of(tag, slot);
      if (tag === cellTag.number) values[start + i] = slot + 0;
      else if (!Number.isNaN(inText)) values[start + i] = inText + 0;
      else if (tag === cellTag.code) {
        if (codes[slot] === -1) {
          const bytes = column.dictionary.bytesOf(slot);
          codes[slot] = texts.add(bytes, 0, bytes.length);
        }
        values[start + i] = codes[slot]!;
      } else if (tag === cellTag.text) {
        values[start + i] = column.pages.read(slot, (page, from, to) => texts.add(page, from, to));
      } else if (tag === cellTag.literal) {
        const value = column.valueOf(tag, slot);
        const bytes = Buffer.from(typeof value === 'string' ? value : '');
        values[start + i] = texts.add(bytes, 0, bytes.length);
      } else if (tag === cellTag.exact) {
        values[start + i] = Number(column.pages.textAt(slot));
        hasExact = true;
      } else values[start + i] = tag === cellTag.true ? 1 : 0;
      classes[start + i] = Number.isNaN(inText) ? classOf(tag) : valueClass.number;
      if (classes[start + i] !== classes[0]) isUniform = false;
    }
    if (pacer.isDue) await pacer.pause();
  }
  return { values, classes, texts, hasExact: hasExact || numbers?.hasLostDigits === true, isUniform };
}

function classOf(tag: number): number {
  switch (tag) {
    case cellTag.number:
    case cellTag.exact:
      return valueClass.number;
    case cellTag.code:
    case cellTag.text:
    case cellTag.literal:
      return valueClass.text;
    case cellTag.false:
    case cellTag.true:
      return valueClass.boolean;
    case cellTag.json:
      return valueClass.json;
    case cellTag.null:
      return valueClass.null;
    default:
      return valueClass.missing;
  }
}

function replaceValues({ values, classes }: Comparable, of: number, value: (row: number) => number): void {
  for (let row = 0; row < values.length; row++) if (classes[row] === of) values[row] = value(row);
}

/** Ranks, by row, of a column's numbers where doubles cannot distinguish all of them. */
async function rankNumbers(
  table: RowTable,
  column: ColumnData,
  { values, classes }: Comparable,
  pacer: Pacer,
): Promise<Uint32Array> {
  const order = new Uint32Array(values.length).map((_, row) => row).filter((row) => classes[row] === valueClass.number);
  const spare = new Uint32Array(order.length);
  for (const { keys, greatest } of wordsOf(values)) await sortByKeys(order, keys, spare, pacer, { greatest });
  const textOf = (row: number) => {
    const cell = column.cell(Math.floor(row / blockRows), row % blockRows, table.isSealed(Math.floor(row / blockRows)));
    if (typeof cell === 'string') return decimalIn(cell) ?? cell;
    return typeof cell === 'object' && cell !== null ? cell.text : String(cell);
  };
  const ranks = new Uint32Array(values.length);
  let rank = 0;
  for (let first = 0; first < order.length;) {
    let end = first + 1;
    while (end < order.length && values[order[end]!] === values[order[first]!]) end++;
    const run = Array.from(order.subarray(first, end), (row) => ({ row, text: textOf(row) }));
    run.sort((one, other) => compareNumberTexts(one.text, other.text));
    run.forEach(({ row, text }, i) => {
      if (i > 0 && compareNumberTexts(run[i - 1]!.text, text) !== 0) rank++;
      ranks[row] = rank;
    });
    rank++;
    first = end;
    if (pacer.isDue) await pacer.pause();
  }
  return ranks;
}

/** Numbers as 32-bit words with the same order; a single word if they are integers in a small enough range. */
function wordsOf(values: Float64Array): SortLabel[] {
  let low = Infinity;
  let high = -Infinity;
  let isWhole = true;
  for (let row = 0; row < values.length; row++) {
    const value = values[row]!;
    if (value < low) low = value;
    if (value > high) high = value;
    if (value !== Math.floor(value)) isWhole = false;
  }
  if (isWhole && high - low < 2 ** 32) {
    const keys = new Uint32Array(values.length);
    for (let row = 0; row < values.length; row++) keys[row] = values[row]! - low;
    return [{ keys, greatest: Math.max(0, high - low) }];
  }
  const bits = new Uint32Array(values.buffer, values.byteOffset, values.length * 2);
  const lower = new Uint32Array(values.length);
  const upper = new Uint32Array(values.length);
  for (let row = 0; row < values.length; row++) {
    const word = bits[row * 2 + 1]!;
    // As integers, the bits of positive doubles have the same order, those of negative doubles the reverse order.
    const flip = word >= 0x80000000 ? 0xffffffff : 0;
    lower[row] = bits[row * 2]! ^ flip;
    upper[row] = word ^ (flip | 0x80000000);
  }
  return [lower, upper].map((keys) => ({ keys, greatest: 2 ** 32 - 1 }));
}

/** One level of sorting. */
interface ResultSortKey {
  /** Column number. */
  readonly column: number;
  readonly isDescending: boolean;
}

/**
 * Returns the row numbers in sorted order. Numbers sort by exact value, including numeric texts in a number column;
 * texts naturally (ignoring case and accents, digits as numbers); false before true. Null, then missing, come last in
 * either direction. The sort is stable. Works in slices of about 8 ms; sorts the rows present at the start if the store
 * is still growing.
 * @param keys the most significant first.
 * @param options.rows row numbers to sort; default: all.
 * @throws the signal's reason once it has fired.
 */
export async function sortRows(
  store: ResultStore,
  keys: readonly ResultSortKey[],
  options: { readonly rows?: Uint32Array; readonly signal?: AbortSignal } = {},
): Promise<Uint32Array> {
  const rowCount = store.rowCount;
  const levels = keys.map(({ column, isDescending }) => ({
    data: store.columnData(column),
    isNumeric: isNumberColumn(store.columns[column]),
    isDescending,
  }));
  const pacer = new Pacer(options.signal);
  const rows = options.rows?.slice() ?? allRows(rowCount);
  const spare = new Uint32Array(rows.length);
  for (const { data, isNumeric, isDescending } of levels.reverse()) {
    const { words, classes } = await sortKeysOf(store.table, data, isNumeric, rowCount, pacer);
    for (const { keys, greatest } of words) await sortByKeys(rows, keys, spare, pacer, { greatest, isDescending });
    if (classes !== undefined) {
      await sortByKeys(rows, classes.keys, spare, pacer, { greatest: classes.greatest });
    }
  }
  return rows;
}

/** The row numbers from 0 to `rowCount` (exclusive). */
export function allRows(rowCount: number): Uint32Array {
  const rows = new Uint32Array(rowCount);
  for (let row = 0; row < rowCount; row++) rows[row] = row;
  return rows;
}
