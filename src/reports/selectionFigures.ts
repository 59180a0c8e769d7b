import { CellReader } from '../client/results/cellReader.ts';
import type { CellRun } from '../client/results/cellReader.ts';
import { Pacer } from '../client/results/pacer.ts';
import { blockRows, cellTag } from '../client/results/resultCell.ts';
import type { SelectionFigures } from '../protocol/resultsPage.ts';
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
  const reader = new CellReader(view.store, columns, rows);
  const counters = reader.runs.map((run, index) => {
    const isNumeric = view.columns[columns[index] ?? -1]?.format.kind === 'number';
    return new CellCounter(run, isNumeric);
  });
  const pacer = new Pacer(signal);
  for (let start = 0; start < reader.rowCount; start += blockRows) {
    const count = reader.read(start);
    for (const counter of counters) counter.add(count);
    if (pacer.isDue) await pacer.pause();
  }
  return sumUp(counters, reader.rowCount * columns.length);
}

function sumUp(counters: readonly CellCounter[], cells: number): SelectionFigures {
  const distinct = new Set<string | number>();
  const figures: SelectionFigures = { cells, distinct: 0, isCapped: false, nulls: 0, numbers: 0 };
  for (const counter of counters) {
    figures.nulls += counter.nulls;
    figures.isCapped ||= counter.isCapped;
    for (const value of counter.distinctValues()) if (distinct.size < mostDistinct) distinct.add(value);
    if (counter.numbers === 0) continue;
    figures.numbers += counter.numbers;
    figures.sum = (figures.sum ?? 0) + counter.sum;
    figures.min = Math.min(figures.min ?? Infinity, counter.min);
    figures.max = Math.max(figures.max ?? -Infinity, counter.max);
  }
  figures.distinct = distinct.size;
  figures.isCapped ||= distinct.size >= mostDistinct;
  return figures;
}

/** Counts the cells of one column. */
class CellCounter {
  nulls = 0;
  numbers = 0;
  sum = 0;
  min = Infinity;
  max = -Infinity;
  isCapped = false;
  readonly #run: CellRun;
  readonly #isNumeric: boolean;
  readonly #codes: Uint8Array;
  readonly #others = new Set<string | number>();

  constructor(run: CellRun, isNumeric: boolean) {
    this.#run = run;
    this.#isNumeric = isNumeric;
    this.#codes = new Uint8Array(run.data.dictionary.size);
  }

  /** Takes in the first `count` cells of the run. */
  add(count: number): void {
    const { data, tags, slots } = this.#run;
    for (let i = 0; i < count; i++) {
      const tag = tags[i]!;
      const slot = slots[i]!;
      if (tag <= cellTag.null) this.nulls++;
      else if (tag === cellTag.number) {
        this.#number(slot);
        this.#distinct(slot);
      } else if (tag === cellTag.code) {
        this.#codes[slot] = 1;
        if (this.#isNumeric) this.#text(data.dictionary.textOf(slot));
      } else {
        const value = data.valueOf(tag, slot);
        const text = typeof value === 'object' ? (value?.text ?? '') : String(value);
        this.#distinct(text);
        if (this.#isNumeric || tag === cellTag.exact) this.#text(text);
      }
    }
  }

  /** The different values met: numbers, and texts. */
  *distinctValues(): Generator<string | number> {
    for (const [code, isMet] of this.#codes.entries()) if (isMet === 1) yield this.#run.data.dictionary.textOf(code);
    yield* this.#others;
  }

  #text(text: string): void {
    const number = text.trim() === '' ? NaN : Number(text);
    if (Number.isFinite(number)) this.#number(number);
  }

  #number(value: number): void {
    this.numbers++;
    this.sum += value;
    if (value < this.min) this.min = value;
    if (value > this.max) this.max = value;
  }

  #distinct(value: string | number): void {
    if (this.#others.size < mostDistinct) this.#others.add(value);
    else this.isCapped = true;
  }
}
