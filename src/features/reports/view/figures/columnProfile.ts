import { CellReader, type CellRun } from '../../../../client/results/cellReader.ts';
import { Pacer, quietSliceMs } from '../../../../client/results/pacer.ts';
import { blockRows, cellTag } from '../../../../client/results/resultCell.ts';
import type { ValueCounts } from '../../../../client/results/valueCounts.ts';
import type { ColumnProfile, ProfileBar, SelectionFigures } from '../../../../contract/pages/resultCells.ts';
import type { CellFormat } from '../format/cellFormat.ts';
import { dateTimeOf, dateTimeText, numberOf } from '../format/dateTimeText.ts';
import { rowCount, type ArrangedRows, type DisplayedColumn } from '../arrangedRows.ts';
import { countCells } from './selectionFigures.ts';

/** Maximum number of bars in a distribution. */
export const mostBars = 12;

type Extremes = Pick<ColumnProfile, 'least' | 'greatest' | 'mean'>;

/** A column profile without the names. */
type ProfileFigures = Omit<ColumnProfile, 'title' | 'typeName'>;

/**
 * The distribution of a column's values over the rows of a view: numbers and dates by ranges of equal width; texts, and
 * columns with few distinct values, by value, most frequent first. Reads the columns in short slices, because it runs
 * without a user request and must not delay the user's actions.
 * @throws the signal's reason if aborted.
 */
export async function columnProfile(
  arranged: ArrangedRows,
  column: number,
  signal: AbortSignal,
): Promise<ProfileFigures> {
  const shown = arranged.columns[column];
  if (shown === undefined) throw new RangeError(`The result has no column ${column}.`);
  const pacer = new Pacer(signal, quietSliceMs);
  const { figures, values } = await countCells(arranged, arranged.order, [column], pacer);
  signal.throwIfAborted();
  const [counted] = values;
  const profile = { column, rows: figures.cells, missing: figures.nulls, distinct: figures.distinct };
  const base = { ...profile, isCapped: figures.isCapped, ...extremes(figures, shown) };
  const isMeasured = figures.distinct > mostBars && (shown.format.kind === 'number' || shown.format.kind === 'moment');
  const ranges = isMeasured ? await rangesOf(arranged, column, shown, pacer, counted) : undefined;
  if (ranges !== undefined) return { ...base, ...ranges };
  const bars = valueBars(shown, counted);
  const others = figures.cells - figures.nulls - sumOf(bars);
  return { ...base, kind: 'values', bars, others };
}

function extremes({ average, min, max }: SelectionFigures, { format }: DisplayedColumn): Extremes {
  if (format.kind !== 'number' || average === undefined || min === undefined || max === undefined) return {};
  return { least: textOf(format, min), greatest: textOf(format, max), mean: textOf(format, Number(average.text)) };
}

function textOf(format: CellFormat, value: number | string): string {
  return format.write(value) ?? '';
}

function sumOf(bars: readonly ProfileBar[]): number {
  return bars.reduce((sum, { count }) => sum + count, 0);
}

/** Ranges of equal width between the minimum and maximum; undefined if these are equal or missing. */
async function rangesOf(
  arranged: ArrangedRows,
  column: number,
  { source, format }: DisplayedColumn,
  pacer: Pacer,
  counted: ValueCounts | undefined,
): Promise<(Pick<ColumnProfile, 'kind' | 'bars' | 'others'> & Extremes) | undefined> {
  const isMoment = format.kind === 'moment';
  // Dates of these columns lie elsewhere on the calendar than they are stored: measure them as shown.
  const isZoned = source.fieldType === 'dat';
  const read = isZoned ? (text: string) => dateTimeOf(textOf(format, text)) : isMoment ? dateTimeOf : numberOf;
  let least = Infinity;
  let greatest = -Infinity;
  const each = async (take: (value: number, count: number) => void) => {
    if (counted === undefined || counted.isCapped) return eachNumber(arranged, column, read, pacer, take);
    for (const { value, count } of counted.values()) {
      const number = typeof value === 'number' ? value : read(value);
      if (Number.isFinite(number)) take(number, count);
    }
  };
  await each((value) => {
    if (value < least) least = value;
    if (value > greatest) greatest = value;
  });
  const width = (greatest - least) / mostBars;
  if (!Number.isFinite(width) || width <= 0) return undefined;
  const counts = new Array<number>(mostBars).fill(0);
  await each((value, count) => {
    counts[Math.min(mostBars - 1, Math.floor((value - least) / width))]! += count;
  });
  const isText = isMoment && source.fieldType !== 'udt';
  const write = (value: number) =>
    isZoned ? dateTimeText(value).replace('T', ' ') : textOf(format, isText ? dateTimeText(value) : value);
  const bars = counts.map((count, bar) => ({
    label: `${write(least + bar * width)} – ${write(least + (bar + 1) * width)}`,
    count,
  }));
  const ends = isMoment ? { least: write(least), greatest: write(greatest) } : {};
  return { kind: 'ranges', bars, others: 0, ...ends };
}

/** The most frequent values. Numbers are in numeric order if all of them fit. */
function valueBars({ format }: DisplayedColumn, counted: ValueCounts | undefined): ProfileBar[] {
  const frequent = counted?.frequent(mostBars) ?? [];
  const isOrdered = counted !== undefined && counted.size <= mostBars && format.kind !== 'text';
  if (isOrdered) frequent.sort((one, other) => compareValues(one.value, other.value));
  return frequent.map(({ value, count }) => ({ label: textOf(format, value), count }));
}

function compareValues(one: string | number, other: string | number): number {
  const difference = Number(one) - Number(other);
  if (!Number.isNaN(difference)) return difference;
  return String(one) < String(other) ? -1 : 1;
}

async function eachNumber(
  arranged: ArrangedRows,
  column: number,
  read: (text: string) => number,
  pacer: Pacer,
  take: (value: number, count: number) => void,
): Promise<void> {
  const known = new Map<number, number>();
  await eachCell(arranged, column, pacer, ({ data, tags, slots }, i) => {
    const tag = tags[i]!;
    const slot = slots[i]!;
    let value = slot;
    if (tag <= cellTag.true) return;
    if (tag === cellTag.code) {
      const before = known.get(slot);
      value = before ?? read(data.dictionary.textOf(slot));
      if (before === undefined) known.set(slot, value);
    } else if (tag !== cellTag.number) {
      const stored = data.valueOf(tag, slot);
      value = typeof stored === 'string' ? read(stored) : typeof stored === 'object' ? read(stored?.text ?? '') : NaN;
    }
    if (Number.isFinite(value)) take(value, 1);
  });
}

async function eachCell(
  arranged: ArrangedRows,
  column: number,
  pacer: Pacer,
  take: (run: CellRun, i: number) => void,
): Promise<CellRun> {
  const reader = new CellReader(arranged.store, [column], arranged.order);
  const run = reader.runs[0]!;
  for (let start = 0; start < reader.rowCount; start += blockRows) {
    const count = reader.read(start);
    for (let i = 0; i < count; i++) take(run, i);
    if (pacer.isDue) await pacer.pause();
  }
  return run;
}

/** Column profiles of a view. Each is calculated once until rows are added, one after the other. */
export class ProfileCache {
  #arranged: ArrangedRows | undefined;
  #rows = -1;
  readonly #known = new Map<number, Promise<ProfileFigures>>();
  #last: Promise<unknown> = Promise.resolve();

  /** The profile of a column. @throws the signal's reason if aborted. */
  of(arranged: ArrangedRows, column: number, signal: AbortSignal): Promise<ProfileFigures> {
    if (arranged !== this.#arranged || rowCount(arranged) !== this.#rows) {
      this.#arranged = arranged;
      this.#rows = rowCount(arranged);
      this.#known.clear();
    }
    const known = this.#known.get(column);
    if (known !== undefined) return known;
    const count = () => {
      signal.throwIfAborted();
      return columnProfile(arranged, column, signal);
    };
    const profile = this.#last.then(count);
    this.#known.set(column, profile);
    // The caller handles a failure; continue with the next column.
    this.#last = profile.catch(() => {
      if (this.#known.get(column) === profile) this.#known.delete(column);
    });
    return profile;
  }
}
