import { compareNumberTexts } from '../../../client/results/numberText.ts';
import { Pacer } from '../../../client/results/pacer.ts';
import type { CellValue } from '../../../client/results/resultCell.ts';
import type { ResultStore } from '../../../client/results/resultStore.ts';
import { fieldFamily } from '../../../contract/fieldTypes.ts';
import { storedIn } from '../../../contract/zones/zonedTimes.ts';
import { cellFormat, type CellLocale } from '../view/format/cellFormat.ts';

/** Maximum difference between two numbers that count as equal: absolute, or relative to the larger number. */
export interface Tolerance {
  absolute: number;
  relative: number;
}

/** Requires exact equality. */
export const noTolerance: Tolerance = { absolute: 0, relative: 0 };

/** A column that both results have, by its column number in each. */
export interface ComparedColumn {
  key: string;
  before: number;
  after: number;
}

/** Differences between two results. Row numbers refer to the result that the row belongs to. */
export interface Comparison {
  /** Columns that align the rows. */
  keys: readonly ComparedColumn[];
  /** The other common columns, whose values were compared. */
  values: readonly ComparedColumn[];
  /** Titles of columns that exist in only one result. */
  onlyBefore: readonly string[];
  onlyAfter: readonly string[];
  /** Rows that exist only in the later result, and only in the earlier one. */
  added: Uint32Array;
  removed: Uint32Array;
  /** Rows that exist in both results but differ. Equal indices form a pair. */
  changed: RowPairs;
  equal: number;
  /** Whether several rows had the same key. They were paired in order of arrival. */
  hasDuplicates: boolean;
}

/** Paired rows of two results. */
interface RowPairs {
  before: Uint32Array;
  after: Uint32Array;
}

const rowsPerLook = 512;
const numberText = /^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$/;
/** Represents a missing value in a key. Texts are prefixed with their length, so they never collide with it. */
const noValue = '\u0000';

/** Columns that both results have, in the order of the later result. */
export function commonColumns(before: ResultStore, after: ResultStore): ComparedColumn[] {
  const places = new Map(before.columns.map(({ key }, column) => [key, column]));
  return after.columns.flatMap(({ key }, column) => {
    const place = places.get(key);
    return place === undefined ? [] : [{ key, before: place, after: column }];
  });
}

/**
 * Aligns the rows of two results by the `keys` columns and compares the other columns. Without keys, rows are aligned
 * by row number. Rows with the same key are paired in order of arrival. A missing value equals null. Works in slices of
 * about 8 ms.
 * @param zones zones that the `dat` columns are stored in: they compare as moments.
 * @throws the signal's reason if aborted.
 */
export async function compareResults(
  before: ResultStore,
  after: ResultStore,
  {
    keys,
    tolerance,
    zones = sameZone,
    signal,
  }: { keys: readonly string[]; tolerance: Tolerance; zones?: StoredZones; signal?: AbortSignal },
): Promise<Comparison> {
  signal?.throwIfAborted();
  const common = commonColumns(before, after);
  const keyColumns = common.filter(({ key }) => keys.includes(key));
  const values = common.filter(({ key }) => !keys.includes(key));
  const compared = values.map((column) => ({
    column,
    allowed: toleranceOf(column, after, tolerance),
    moved: movedTimes(column, after, zones),
  }));
  const pacer = new Pacer(signal);
  const pairs =
    keyColumns.length === 0
      ? pairByNumber(before, after)
      : await pairByKey(before, after, { keys: keyColumns, zones }, pacer);
  const { partners, hasDuplicates } = pairs;
  const isPaired = new Uint8Array(before.rowCount);
  const added = new Uint32Array(partners.length);
  const changed = { before: new Uint32Array(partners.length), after: new Uint32Array(partners.length) };
  let [addedCount, changedCount] = [0, 0];
  for (let row = 0; row < partners.length; row++) {
    const partner = partners[row]!;
    if (partner < 0) added[addedCount++] = row;
    else {
      isPaired[partner] = 1;
      const isEqual = compared.every(({ column, allowed, moved }) =>
        cellsEqual(moved(before.cell(partner, column.before)), after.cell(row, column.after), allowed),
      );
      if (!isEqual) {
        changed.before[changedCount] = partner;
        changed.after[changedCount++] = row;
      }
    }
    if (row % rowsPerLook === 0 && pacer.isDue) await pacer.pause();
  }
  const known = new Set(common.map(({ key }) => key));
  const others = ({ columns }: ResultStore) => columns.filter(({ key }) => !known.has(key)).map(({ header }) => header);
  return {
    keys: keyColumns,
    values,
    onlyBefore: others(before),
    onlyAfter: others(after),
    added: added.slice(0, addedCount),
    removed: rowsWithout(isPaired),
    changed: { before: changed.before.slice(0, changedCount), after: changed.after.slice(0, changedCount) },
    equal: partners.length - addedCount - changedCount,
    hasDuplicates,
  };
}

/** The zones that the `dat` columns of two results are stored in. */
export interface StoredZones {
  before: string;
  after: string;
}

const sameZone: StoredZones = { before: 'UTC', after: 'UTC' };

/** Converts a value of the earlier result to what it would be in the later one, if it is stored in another time zone. */
export function movedTimes(
  column: ComparedColumn,
  after: ResultStore,
  zones: StoredZones,
): (value: CellValue) => CellValue {
  if (after.columns[column.after]?.fieldType !== 'dat' || zones.before === zones.after) return (value) => value;
  return (value) => (typeof value === 'string' ? storedIn(value, zones.before, zones.after) : value);
}

/** Applies a tolerance to a column of the later result. */
export function toleranceOf(column: ComparedColumn, after: ResultStore, tolerance: Tolerance): ColumnTolerance {
  const family = fieldFamily(after.columns[column.after]?.fieldType ?? '');
  return { ...tolerance, hasTextNumbers: family === 'number' || family === 'formula' };
}

/** A tolerance for one column. */
export interface ColumnTolerance extends Tolerance {
  /** Whether text counts as numbers, as servers send decimals. In other columns, it is codes, years or ZIP codes. */
  hasTextNumbers: boolean;
}

/** Whether two cells count as equal: the same text, the same number, or numbers within the tolerance. */
export function cellsEqual(one: CellValue, other: CellValue, column: ColumnTolerance): boolean {
  const [first, second] = [textOf(one), textOf(other)];
  if (first === second) return true;
  if (first === undefined || second === undefined) return false;
  const [a, b] = [one, other].map((value) => numberOf(value, column.hasTextNumbers));
  if (a === undefined || b === undefined) return false;
  const { absolute, relative } = column;
  if (absolute === 0 && relative === 0) return compareNumberTexts(first, second) === 0;
  const largest = Math.max(Math.abs(a), Math.abs(b));
  // 1.11 − 1.10 is slightly more than 0.01 in binary floating point: ignore differences of that size.
  return Math.abs(a - b) <= Math.max(absolute, relative * largest) + 4 * Number.EPSILON * largest;
}

/** Pairs of rows. Stores only numbers because results can have millions of rows. */
interface Pairing {
  /** For each row of the later result, its row in the earlier result; negative if there is none. */
  partners: Int32Array;
  hasDuplicates: boolean;
}

function rowsWithout(marks: Uint8Array): Uint32Array {
  const rows = new Uint32Array(marks.length);
  let count = 0;
  for (let row = 0; row < marks.length; row++) if (marks[row] === 0) rows[count++] = row;
  return rows.slice(0, count);
}

function pairByNumber(before: ResultStore, after: ResultStore): Pairing {
  const partners = new Int32Array(after.rowCount).fill(-1);
  const shared = Math.min(before.rowCount, after.rowCount);
  for (let row = 0; row < shared; row++) partners[row] = row;
  return { partners, hasDuplicates: false };
}

async function pairByKey(
  before: ResultStore,
  after: ResultStore,
  { keys, zones }: { keys: readonly ComparedColumn[]; zones: StoredZones },
  pacer: Pacer,
): Promise<Pairing> {
  const moved = keys.map((column) => movedTimes(column, after, zones));
  const oldColumns = keys.map((column) => column.before);
  const newColumns = keys.map((column) => column.after);
  /** First unpaired row of each key. `next` holds the following one, or -1. */
  const first = new Map<string, number>();
  const next = new Int32Array(before.rowCount).fill(-1);
  const result: Pairing = { partners: new Int32Array(after.rowCount), hasDuplicates: false };
  for (let row = before.rowCount - 1; row >= 0; row--) {
    const key = keyText(before, row, oldColumns, moved);
    const later = first.get(key);
    if (later !== undefined) {
      next[row] = later;
      result.hasDuplicates = true;
    }
    first.set(key, row);
    if (row % rowsPerLook === 0 && pacer.isDue) await pacer.pause();
  }
  for (let row = 0; row < after.rowCount; row++) {
    const key = keyText(after, row, newColumns);
    const found = first.get(key);
    const partner = found ?? -1;
    result.partners[row] = partner;
    if (partner >= 0) first.set(key, next[partner] ?? -1);
    // An earlier row already took the last match for this key, so the pairing is ambiguous.
    else if (found !== undefined) result.hasDuplicates = true;
    if (row % rowsPerLook === 0 && pacer.isDue) await pacer.pause();
  }
  return result;
}

/** Text that is unique to a key. */
function keyText(
  store: ResultStore,
  row: number,
  columns: readonly number[],
  moved: readonly ((value: CellValue) => CellValue)[] = [],
): string {
  let key = '';
  for (const [place, column] of columns.entries()) {
    const value = store.cell(row, column);
    const text = textOf(moved[place]?.(value) ?? value);
    key += text === undefined ? noValue : `${text.length}:${text}`;
  }
  return key;
}

function textOf(value: CellValue): string | undefined {
  if (value === null || value === undefined) return undefined;
  return typeof value === 'object' ? value.text : String(value);
}

/** A cell as a number; undefined if it is not one. */
function numberOf(value: CellValue, hasTextNumbers: boolean): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value === 'object' && value?.kind === 'exact') return Number(value.text);
  if (typeof value !== 'string' || !hasTextNumbers || !numberText.test(value)) return undefined;
  return Number(value);
}

/** Number of rows sampled. This is sufficient because the user confirms the keys. */
const sampledRows = 20_000;

/**
 * Guesses the key columns: as few non-numeric columns as needed to identify the rows, from the left. Returns all
 * non-numeric columns if fewer do not suffice, and none if all columns are numeric.
 */
export async function guessKeys(before: ResultStore, after: ResultStore, locale: CellLocale): Promise<string[]> {
  const categories = commonColumns(before, after).filter((column) => {
    const source = after.columns[column.after];
    return source !== undefined && cellFormat(source, locale).kind !== 'number';
  });
  for (let count = 1; count <= categories.length; count++) {
    const columns = categories.slice(0, count).map((column) => column.after);
    if (await areUnique(after, columns)) return categories.slice(0, count).map(({ key }) => key);
  }
  return categories.map(({ key }) => key);
}

async function areUnique(store: ResultStore, columns: readonly number[]): Promise<boolean> {
  const pacer = new Pacer(undefined);
  const seen = new Set<string>();
  const rows = Math.min(store.rowCount, sampledRows);
  for (let row = 0; row < rows; row++) {
    const key = keyText(store, row, columns);
    if (seen.has(key)) return false;
    seen.add(key);
    if (row % rowsPerLook === 0 && pacer.isDue) await pacer.pause();
  }
  return true;
}

/**
 * Parses `0.01` as an absolute and `1%` as a relative tolerance. Empty means none; undefined if the text is neither.
 */
export function readTolerance(text: string): Tolerance | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return noTolerance;
  const parts = /^(\d+(?:[.,]\d+)?|[.,]\d+)\s*(%?)$/.exec(trimmed);
  if (parts === null) return undefined;
  const value = Number((parts[1] ?? '').replace(',', '.'));
  return parts[2] === '%' ? { absolute: 0, relative: value / 100 } : { absolute: value, relative: 0 };
}
