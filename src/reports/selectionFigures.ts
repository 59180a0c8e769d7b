import { CellReader } from '../client/results/cellReader.ts';
import type { CellRun } from '../client/results/cellReader.ts';
import { Pacer } from '../client/results/pacer.ts';
import { blockRows, cellTag } from '../client/results/resultCell.ts';
import { ValueCounts } from '../client/results/valueCounts.ts';
import type { SelectionFigures } from '../protocol/resultCells.ts';
import { NumberTotals } from './numberTotals.ts';
import type { ResultView } from './resultView.ts';

/** Different values that are told apart at most: beyond, counting would take more memory than it is worth. */
const mostDistinct = 200_000;

/**
 * Count, distinct values, cells without a value, and sum, least and greatest of the numbers in a rectangle of cells.
 * Text in a column of numbers counts as the number it writes. Works in slices of some 8 ms.
 * @param rows row numbers; all rows without it.
 * @throws the signal's reason once it has fired.
 */
export async function selectionFigures(
  view: ResultView,
  rows: Uint32Array | undefined,
  columns: readonly number[],
  signal: AbortSignal,
): Promise<SelectionFigures> {
  return (await countCells(view, rows, columns, new Pacer(signal))).figures;
}

/** As {@link selectionFigures}, with the values counted, by column. */
export async function countCells(
  view: ResultView,
  rows: Uint32Array | undefined,
  columns: readonly number[],
  pacer: Pacer,
): Promise<{ figures: SelectionFigures; values: readonly ValueCounts[] }> {
  const reader = new CellReader(view.store, columns, rows);
  const totals = new NumberTotals();
  const counters = reader.runs.map((run, index) => {
    const isNumeric = view.columns[columns[index] ?? -1]?.format.kind === 'number';
    return new CellCounter(run, isNumeric, totals);
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

/** Different values of all columns together. */
function countDistinct(counters: readonly CellCounter[]): number {
  const [first] = counters;
  if (first !== undefined && counters.length === 1) return first.values.size;
  const distinct = new Set<string | number>();
  for (const { values } of counters) {
    for (const { value } of values.values()) if (distinct.size < mostDistinct) distinct.add(value);
  }
  return distinct.size;
}

/** Counts the cells of one column. */
class CellCounter {
  readonly values: ValueCounts;
  readonly #run: CellRun;
  readonly #isNumeric: boolean;

  readonly #totals: NumberTotals;

  /**
   * @param isNumeric whether text counts as the number it writes.
   * @param totals takes in the numbers.
   */
  constructor(run: CellRun, isNumeric: boolean, totals: NumberTotals) {
    this.#run = run;
    this.#totals = totals;
    this.#isNumeric = isNumeric;
    this.values = new ValueCounts(run, mostDistinct);
  }

  /** Takes in the first `count` cells of the run. */
  add(count: number): void {
    const { data, tags, slots } = this.#run;
    this.values.add(count);
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
