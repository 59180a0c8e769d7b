import { CellReader } from '../../client/results/cellReader.ts';
import type { CellRun } from '../../client/results/cellReader.ts';
import { Pacer } from '../../client/results/pacer.ts';
import { blockRows, cellTag } from '../../client/results/resultCell.ts';
import { ByteSink } from './byteSink.ts';
import type { WriteBytes } from './byteSink.ts';
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
  const firstStart = Buffer.from(format.rowStart);
  const nextStart = Buffer.from(format.rowGap + format.rowStart);
  const rowEnd = Buffer.from(format.rowEnd);
  const pacer = new Pacer(signal);
  sink.text(format.head(titles));
  for (let start = 0; start < reader.rowCount; start += blockRows) {
    const count = reader.read(start);
    for (let row = 0; row < count; row++) {
      const before = start + row === 0 ? firstStart : nextStart;
      sink.bytes(before, 0, before.length);
      let isFirst = true;
      for (const cell of cells) if (cell.write(row, isFirst)) isFirst = false;
      sink.bytes(rowEnd, 0, rowEnd.length);
      if (row % rowsPerLook !== 0) continue;
      if (sink.isFull) await sink.drain();
      if (pacer.isDue) await pacer.pause();
    }
    onProgress?.(start + count);
  }
  sink.text(format.tail);
  await sink.end();
}

/** Writes the cells of one column. */
class CellWriter {
  readonly #run: CellRun;
  readonly #format: TextFormat;
  readonly #sink: ByteSink;
  readonly #start: Buffer;
  readonly #next: Buffer;
  readonly #quote: Buffer;
  /** The texts of the dictionary as they are written, by code, once they were met. */
  readonly #known: (Buffer | undefined)[];

  constructor(run: CellRun, column: TextColumn, format: TextFormat, sink: ByteSink) {
    this.#run = run;
    this.#format = format;
    this.#sink = sink;
    this.#start = Buffer.from(format.cellStart(column));
    this.#next = Buffer.from(format.cellGap + format.cellStart(column));
    this.#quote = Buffer.from(format.quote);
    this.#known = new Array<Buffer | undefined>(run.data.dictionary.size).fill(undefined);
  }

  /** Writes the cell at `row` of the run; false when there is none to write. */
  write(row: number, isFirst: boolean): boolean {
    const tag = this.#run.tags[row]!;
    const sink = this.#sink;
    if (tag === cellTag.missing && this.#format.missing === undefined) return false;
    const before = isFirst ? this.#start : this.#next;
    if (before.length === 1) sink.byte(before[0]!);
    else if (before.length > 0) sink.bytes(before, 0, before.length);
    const slot = this.#run.slots[row]!;
    switch (tag) {
      case cellTag.number:
        sink.number(slot);
        break;
      case cellTag.code: {
        const bytes = (this.#known[slot] ??= Buffer.from(this.#format.text(this.#run.data.dictionary.textOf(slot))));
        sink.bytes(bytes, 0, bytes.length);
        break;
      }
      case cellTag.text:
        this.#run.data.pages.read(slot, (page, start, end) => this.#copy(page, start, end));
        break;
      default:
        sink.text(this.#rare(tag, slot));
    }
    return true;
  }

  /** Copies a text as it is, or, where it needs escaping, as a string. */
  #copy(page: Buffer, start: number, end: number): void {
    const { plain, plainFirst } = this.#format;
    let isPlain = start === end || plainFirst[page[start]!] === 1;
    for (let at = start + 1; isPlain && at < end; at++) isPlain = plain[page[at]!] === 1;
    if (!isPlain) return this.#sink.text(this.#format.text(page.toString('utf8', start, end)));
    const quote = this.#quote;
    if (quote.length > 0) this.#sink.bytes(quote, 0, quote.length);
    this.#sink.bytes(page, start, end);
    if (quote.length > 0) this.#sink.bytes(quote, 0, quote.length);
  }

  #rare(tag: number, slot: number): string {
    const format = this.#format;
    const value = this.#run.data.valueOf(tag, slot);
    if (value === undefined) return format.missing ?? '';
    if (value === null) return format.null;
    if (typeof value === 'string') return format.text(value);
    if (typeof value === 'object') return value.kind === 'json' ? format.json(value.text) : value.text;
    return String(value);
  }
}
