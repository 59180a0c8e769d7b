import { CellReader } from '../../../../client/results/cellReader.ts';
import type { CellRun } from '../../../../client/results/cellReader.ts';
import { Pacer } from '../../../../client/results/pacer.ts';
import { blockRows, cellTag } from '../../../../client/results/resultCell.ts';
import { ValueCounts } from '../../../../client/results/valueCounts.ts';
import type { SelectionFigures } from '../../../../contract/pages/resultCells.ts';
import type { CellKind } from '../../../../contract/pages/resultsPage.ts';
import { dateTimeIn } from '../format/dateTimeText.ts';
import { NumberTotals } from './numberTotals.ts';
import type { ArrangedRows } from '../arrangedRows.ts';

/** Maximum number of distinct values to count. More would take too much memory. */
const mostDistinct = 200_000;

/**
 * Calculates count, distinct values, cells without a value, and the sum, minimum and maximum of the numbers in a
 * rectangle of cells; if only dates and times are selected, the first and the last. Text in a numeric column counts as
 * the number it represents; a number in a date column does not count as a number. Works in slices of about 8 ms.
 * @param rows row numbers; all rows if undefined.
 * @throws the signal's reason if aborted.
 */
export async function selectionFigures(
  arranged: ArrangedRows,
  rows: Uint32Array | undefined,
  columns: readonly number[],
  signal: AbortSignal,
): Promise<SelectionFigures> {
  const pacer = new Pacer(signal);
  const { figures, values } = await countCells(arranged, rows, columns, pacer);
  if (figures.numbers > 0) return figures;
  return { ...figures, ...(await momentEnds(arranged, columns, values, pacer)) };
}

/** The first and last date as displayed; empty if a column holds something else, or too many distinct values. */
async function momentEnds(
  arranged: ArrangedRows,
  columns: readonly number[],
  counts: readonly ValueCounts[],
  pacer: Pacer,
): Promise<{ min?: string; max?: string }> {
  let first = { at: Infinity, text: '' };
  let last = { at: -Infinity, text: '' };
  for (const [index, counted] of counts.entries()) {
    const { format, source } = arranged.columns[columns[index] ?? -1] ?? {};
    if (format?.kind !== 'moment' || counted.isCapped) return {};
    let met = 0;
    for (const { value } of counted.values()) {
      const at = dateTimeIn(source?.fieldType === 'dat' ? (format.write(value) ?? '') : value);
      if (Number.isNaN(at)) return {};
      if (at < first.at) first = { at, text: format.write(value) ?? '' };
      if (at > last.at) last = { at, text: format.write(value) ?? '' };
      if (++met % blockRows === 0 && pacer.isDue) await pacer.pause();
    }
  }
  // If a value is displayed as a number, its date format is not supported.
  const isKnown = [first, last].every(({ text }) => text !== '' && Number.isNaN(Number(text)));
  return isKnown ? { min: first.text, max: last.text } : {};
}

/** Like {@link selectionFigures}, and also returns the value counts by column. */
export async function countCells(
  arranged: ArrangedRows,
  rows: Uint32Array | undefined,
  columns: readonly number[],
  pacer: Pacer,
): Promise<{ figures: SelectionFigures; values: readonly ValueCounts[] }> {
  const reader = new CellReader(arranged.store, columns, rows);
  const totals = new NumberTotals();
  const counters = reader.runs.map((run, index) => {
    return new CellCounter(run, arranged.columns[columns[index] ?? -1]?.format.kind, totals);
  });
  for (let start = 0; start < reader.rowCount; start += blockRows) {
    const count = reader.read(start);
    for (const counter of counters) counter.add(count);
    if (pacer.isDue) await pacer.pause();
  }
  const figures = sumUp(counters, totals, reader.rowCount * columns.length);
  return { figures, values: counters.map(({ values }) => values) };
}

function sumUp(counters: readonly CellCounter[], totals: NumberTotals, cells: number): SelectionFigures {
  const { count: numbers, sum, average, least: min, greatest: max } = totals;
  const figures: SelectionFigures = { cells, distinct: 0, isCapped: false, nulls: 0, numbers, sum, average, min, max };
  for (const { values } of counters) {
    figures.nulls += values.nulls;
    figures.isCapped ||= values.isCapped;
  }
  const distinct = countDistinct(counters);
  figures.distinct = Math.min(distinct, mostDistinct);
  figures.isCapped ||= distinct >= mostDistinct;
  return figures;
}

/** Number of distinct values across all columns. */
function countDistinct(counters: readonly CellCounter[]): number {
  const [first] = counters;
  if (first !== undefined && counters.length === 1) return first.values.size;
  const distinct = new Set<string | number>();
  for (const { values } of counters) {
    for (const { value } of values.values()) if (distinct.size < mostDistinct) distinct.add(value);
  }
  return distinct.size;
}

/** Counts the cells of a column. */
class CellCounter {
  readonly values: ValueCounts;
  readonly #run: CellRun;
  readonly #isNumeric: boolean;
  readonly #isMoment: boolean;
  readonly #totals: NumberTotals;

  /**
   * @param kind of the column: in a numeric column, text counts as the number it represents.
   * @param totals receives the numbers.
   */
  constructor(run: CellRun, kind: CellKind | undefined, totals: NumberTotals) {
    this.#run = run;
    this.#totals = totals;
    this.#isNumeric = kind === 'number';
    this.#isMoment = kind === 'moment';
    this.values = new ValueCounts(run, mostDistinct);
  }

  /** Adds the first `count` cells of the run. */
  add(count: number): void {
    const { data, tags, slots } = this.#run;
    this.values.add(count);
    // Seconds since 1970 are not an amount.
    if (this.#isMoment) return;
    for (let i = 0; i < count; i++) {
      const tag = tags[i]!;
      if (tag === cellTag.number) this.#totals.add(slots[i]!);
      else if (tag === cellTag.exact || (this.#isNumeric && tag > cellTag.true)) {
        const value = data.valueOf(tag, slots[i]!);
        this.#totals.addText(typeof value === 'object' ? (value?.text ?? '') : String(value));
      }
    }
  }
}
