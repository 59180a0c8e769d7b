import { CellReader } from '../../client/results/cellReader.ts';
import { Pacer } from '../../client/results/pacer.ts';
import { blockRows } from '../../client/results/resultCell.ts';
import { ByteSink } from './byteSink.ts';
import type { WriteBytes } from './byteSink.ts';
import { CellWriter } from './cellWriter.ts';
import { knownTexts } from './knownTexts.ts';
import type { ExportSource, ExportProgress } from './exportSource.ts';
import type { TextColumn, TextFormat } from './textFormat.ts';

const rowsPerLook = 256;

/** Writes rows as text, from the store's bytes: most cells are copied without becoming strings. */
export async function writeText(
  source: ExportSource,
  format: TextFormat,
  write: WriteBytes,
  { signal, onProgress }: ExportProgress,
): Promise<void> {
  const reader = new CellReader(source.store, source.columns, source.rows);
  const sink = new ByteSink(write);
  const titles = source.columns.map((column): TextColumn => {
    const { key = '', header = '' } = source.store.columns[column] ?? {};
    return { key, title: header };
  });
  const cells = reader.runs.map(
    (run, index) => new CellWriter(run, titles[index] ?? { key: '', title: '' }, format, sink),
  );
  const around = knownTexts([format.rowStart, format.rowGap + format.rowStart, format.rowEnd]);
  const pacer = new Pacer(signal);
  sink.text(format.head(titles));
  for (let start = 0; start < reader.rowCount; start += blockRows) {
    const count = reader.read(start);
    for (let row = 0; row < count; row++) {
      sink.known(around, start + row === 0 ? 0 : 1);
      let isFirst = true;
      for (const cell of cells) if (cell.write(row, isFirst)) isFirst = false;
      sink.known(around, 2);
      if (row % rowsPerLook !== 0) continue;
      if (sink.isFull) await sink.drain();
      if (pacer.isDue) await pacer.pause();
    }
    onProgress?.(start + count);
  }
  sink.text(format.tail);
  await sink.end();
}
