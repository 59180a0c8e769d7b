import { CellReader } from '../../client/results/cellReader.ts';
import type { CellRun } from '../../client/results/cellReader.ts';
import { Pacer } from '../../client/results/pacer.ts';
import { blockRows } from '../../client/results/resultCell.ts';
import { ByteSink } from './byteSink.ts';
import type { WriteBytes } from './byteSink.ts';
import { CellWriter } from './cellWriter.ts';
import { knownTexts } from './knownTexts.ts';
import type { KnownTexts } from './knownTexts.ts';
import { TextRows } from './textRows.ts';
import type { ExportSource, ExportProgress } from './exportSource.ts';
import type { TextColumn, TextFormat } from './textFormat.ts';

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
  const reader = new CellReader(source.store, source.columns, source.rows);
  const sink = new ByteSink(write);
  const titles = source.columns.map((column): TextColumn => {
    const { key = '', header = '' } = source.store.columns[column] ?? {};
    return { key, title: header };
  });
  // What WebAssembly needs to begin with is more than a small result takes to write.
  const isLarge = reader.rowCount >= fewRows && twin === 'wasm';
  const quick = isLarge ? TextRows.open(reader.runs, titles, format, sink) : undefined;
  const rows = new PlainRows(reader.runs, titles, format, sink);
  const pacer = new Pacer(signal);
  sink.text(format.head(titles));
  for (let start = 0; start < reader.rowCount; start += blockRows) {
    const count = reader.read(start);
    const step = quick?.mostRows ?? rowsPerLook;
    for (let row = 0; row < count; row += step) {
      const end = Math.min(row + step, count);
      const isStart = start + row === 0;
      if ((await quick?.write(row, end, isStart)) !== true) {
        await quick?.end();
        rows.write(row, end, isStart);
      }
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

  /** Writes the rows from `start` to `end` of the runs. */
  write(start: number, end: number, isStart: boolean): void {
    for (let row = start; row < end; row++) {
      this.#sink.known(this.#around, isStart && row === start ? 0 : 1);
      let isFirst = true;
      for (const cell of this.#cells) if (cell.write(row, isFirst)) isFirst = false;
      this.#sink.known(this.#around, 2);
    }
  }
}
