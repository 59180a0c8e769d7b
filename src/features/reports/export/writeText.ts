import { CellReader } from '../../../client/results/cellReader.ts';
import type { CellRun } from '../../../client/results/cellReader.ts';
import { Pacer } from '../../../client/results/pacer.ts';
import { blockRows } from '../../../client/results/resultCell.ts';
import { ByteSink } from './byteSink.ts';
import type { WriteBytes } from './byteSink.ts';
import { CellWriter } from './cellWriter.ts';
import { knownTexts } from './knownTexts.ts';
import type { KnownTexts } from './knownTexts.ts';
import { TextRows } from './textRows.ts';
import type { ExportSource, ExportProgress } from './exportSource.ts';
import type { TextColumn, TextFormat } from '../../../editor/csv.ts';

const rowsPerLook = 256;
/** Fewer rows are written without WebAssembly. */
const fewRows = 1_000;

/** What writes most rows: WebAssembly, or JavaScript, which writes all others. They give the same. */
export type TextTwin = 'wasm' | 'js';

/** Writes rows as text, from the store's bytes: most cells are copied without becoming strings. */
export async function writeText(
  source: ExportSource,
  format: TextFormat,
  write: WriteBytes,
  { signal, onProgress }: ExportProgress,
  twin: TextTwin = 'wasm',
): Promise<void> {
  const sink = new ByteSink(write);
  const columns = source.columns.map((column): TextColumn => {
    const { key = '', header = '' } = source.store.columns[column] ?? {};
    return { key, title: header };
  });
  const { alone } = format;
  const isAlone = columns.length === 1 && alone !== undefined;
  const cells = isAlone ? alone : format;
  const data = source.columns.map((column) => source.store.columnData(column));
  // What WebAssembly needs to begin with is more than a small result takes to write.
  const isLarge = (source.rows?.length ?? source.store.rowCount) >= fewRows && twin === 'wasm' && !isAlone;
  const order = { data, columns, format: cells, isInOrder: source.rows === undefined };
  const quick = isLarge ? TextRows.open(order, sink) : undefined;
  const arrays = quick && ((place: number) => quick.arrays(place));
  const reader = new CellReader(source.store, source.columns, source.rows, arrays);
  const rows = quick ?? new PlainRows(reader.runs, columns, cells, sink);
  const pacer = new Pacer(signal);
  sink.text(format.head(columns));
  for (let start = 0; start < reader.rowCount; start += blockRows) {
    const count = reader.read(start);
    for (let row = 0; row < count; row += rowsPerLook) {
      await rows.write(row, Math.min(row + rowsPerLook, count), start === 0);
      if (sink.isFull) await sink.drain();
      if (pacer.isDue) await pacer.pause();
    }
    onProgress?.(start + count);
  }
  await quick?.end();
  sink.text(format.tail);
  await sink.end();
}

/** Writes rows cell by cell. */
class PlainRows {
  readonly #cells: readonly CellWriter[];
  readonly #around: KnownTexts;
  readonly #sink: ByteSink;

  constructor(runs: readonly CellRun[], columns: readonly TextColumn[], format: TextFormat, sink: ByteSink) {
    this.#sink = sink;
    this.#around = knownTexts([format.rowStart, format.rowGap + format.rowStart, format.rowEnd]);
    this.#cells = runs.map((run, index) => new CellWriter(run, columns[index] ?? { key: '', title: '' }, format, sink));
  }

  /** Writes the rows from `start` to `end` of the runs; `isStart`: row 0 is the first of all. */
  write(start: number, end: number, isStart: boolean): void {
    for (let row = start; row < end; row++) {
      this.#sink.known(this.#around, isStart && row === 0 ? 0 : 1);
      let isFirst = true;
      for (const cell of this.#cells) if (cell.write(row, isFirst)) isFirst = false;
      this.#sink.known(this.#around, 2);
    }
  }
}
