import { CellReader, type CellRun } from '../../../client/results/cellReader.ts';
import { Pacer } from '../../../client/results/pacer.ts';
import { blockRows, cellTag } from '../../../client/results/resultCell.ts';
import { ByteSink, type WriteBytes, knownTexts, EncodedTexts } from './byteSink.ts';
import { TextRows } from './textRows.ts';
import { columnTexts, type ExportSource, type ExportProgress, type TextOfCell } from './exportSource.ts';
import type { TextColumn, TextFormat } from '../../../editor/csv.ts';

const rowsPerLook = 256;
/** Below this number of rows, WebAssembly is not used. */
const fewRows = 1_000;

/** Writer of most rows: WebAssembly, or JavaScript, which also writes all other rows. The output is identical. */
export type TextEngine = 'wasm' | 'js';

/** Writes rows as text from the store's bytes: most cells are copied without creating strings. */
export async function writeText(
  source: ExportSource,
  format: TextFormat,
  write: WriteBytes,
  { signal, onProgress }: ExportProgress,
  engine: TextEngine = 'wasm',
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
  // WebAssembly's startup costs more than writing a small result.
  const isLarge = (source.rows?.length ?? source.store.rowCount) >= fewRows && engine === 'wasm' && !isAlone;
  const texts = columnTexts(source);
  const order = { data, columns, format: cells, texts, isInOrder: source.rows === undefined };
  const quick = isLarge ? TextRows.open(order, sink) : undefined;
  const arrays = quick && ((place: number) => quick.arrays(place));
  const reader = new CellReader(source.store, source.columns, source.rows, arrays);
  const rows = quick ?? new PlainRows(reader.runs, { columns, format: cells, texts }, sink);
  const pacer = new Pacer(signal);
  sink.text(format.head(columns));
  for (let start = 0; start < reader.rowCount; start += blockRows) {
    const count = reader.read(start);
    quick?.hold(count);
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

/** Writes rows cell by cell in JavaScript. */
class PlainRows {
  readonly #cells: readonly CellWriter[];
  readonly #around: EncodedTexts;
  readonly #sink: ByteSink;

  constructor(
    runs: readonly CellRun[],
    { columns, format, texts }: { columns: readonly TextColumn[]; format: TextFormat; texts: readonly TextOfCell[] },
    sink: ByteSink,
  ) {
    this.#sink = sink;
    this.#around = knownTexts([format.rowStart, format.rowGap + format.rowStart, format.rowEnd]);
    this.#cells = runs.map((run, index) => {
      const column = columns[index] ?? { key: '', title: '' };
      return new CellWriter(run, { column, format, text: texts[index] }, sink);
    });
  }

  /** Writes the rows from `start` to `end` of the runs. `isStart`: row 0 is the first row of the export. */
  write(start: number, end: number, isStart: boolean): void {
    for (let row = start; row < end; row++) {
      this.#sink.known(this.#around, isStart && row === 0 ? 0 : 1);
      let isFirst = true;
      for (const cell of this.#cells) if (cell.write(row, isFirst)) isFirst = false;
      this.#sink.known(this.#around, 2);
    }
  }
}

/** Texts common to all columns: by cell tag (missing, null, false, true), followed by the prefix of a cell. */
const before = cellTag.true + 1;
/** Longer texts are copied in one call. */
const longText = 128;

/** Writes the cells of a column as text. */
class CellWriter {
  readonly #run: CellRun;
  readonly #format: TextFormat;
  readonly #text: TextOfCell;
  readonly #sink: ByteSink;
  /** For the first cell of a row. */
  readonly #first: EncodedTexts;
  /** For all other cells. */
  readonly #next: EncodedTexts;
  /** Dictionary texts by code, with the prefix of a cell that is not the first. */
  readonly #codes: EncodedTexts;
  readonly #gapLength: number;
  readonly #quote: EncodedTexts;
  readonly #isEmptyPlain: boolean;
  #decimals = 0;
  #page: Buffer | undefined;
  #pageView: DataView = new DataView(new ArrayBuffer(0));

  constructor(
    run: CellRun,
    { column, format, text }: { column: TextColumn; format: TextFormat; text: TextOfCell },
    sink: ByteSink,
  ) {
    const { dictionary } = run.data;
    const gap = format.cellGap + format.cellStart(column);
    this.#run = run;
    this.#format = format;
    this.#text = text;
    this.#sink = sink;
    this.#first = constants(format, format.cellStart(column));
    this.#next = constants(format, gap);
    this.#codes = new EncodedTexts(dictionary.size, (code) => gap + this.#written(dictionary.textOf(code)));
    this.#gapLength = Buffer.byteLength(gap);
    this.#quote = knownTexts([format.quote]);
    this.#isEmptyPlain = format.text('') === format.quote + format.quote;
  }

  /** Writes the cell at `row` of the run; false if there is none. */
  write(row: number, isFirst: boolean): boolean {
    const tag = this.#run.tags[row]!;
    if (tag === cellTag.missing && this.#format.missing === undefined) return false;
    const slot = this.#run.slots[row]!;
    const around = isFirst ? this.#first : this.#next;
    if (tag === cellTag.code) {
      if (isFirst) this.#sink.known(around, before);
      this.#codes.learn(slot);
      this.#sink.known(this.#codes, slot, isFirst ? this.#gapLength : 0);
      return true;
    }
    if (tag < before) {
      this.#sink.known(around, tag);
      return true;
    }
    this.#sink.known(around, before);
    if (tag === cellTag.number) this.#decimals = this.#sink.number(slot, this.#decimals);
    else if (tag === cellTag.text) this.#run.data.pages.read(slot, this.#copy);
    else this.#sink.text(this.#rare(tag, slot));
    return true;
  }

  /** Copies a text unchanged, or as a string if it needs escaping. */
  readonly #copy = (page: Buffer, start: number, end: number): void => {
    const { plain, plainFirst } = this.#format;
    const sink = this.#sink;
    if (this.#text !== undefined) return sink.text(this.#written(page.toString('utf8', start, end)));
    let isPlain = start === end ? this.#isEmptyPlain : plainFirst[page[start]!] === 1;
    for (let at = start + 1; isPlain && at < end; at++) isPlain = plain[page[at]!] === 1;
    if (!isPlain) return sink.text(this.#format.text(page.toString('utf8', start, end)));
    sink.known(this.#quote, 0);
    // The last page ends with its last text.
    if (end + 3 > page.length || end - start > longText) sink.bytes(page, start, end);
    else sink.words(this.#viewOf(page), start, end - start);
    sink.known(this.#quote, 0);
  };

  #written(text: string): string {
    return this.#format.text(this.#text?.(text) ?? text);
  }

  #viewOf(page: Buffer): DataView {
    if (page !== this.#page) {
      this.#page = page;
      this.#pageView = new DataView(page.buffer, page.byteOffset, page.byteLength);
    }
    return this.#pageView;
  }

  #rare(tag: number, slot: number): string {
    const value = this.#run.data.valueOf(tag, slot);
    if (typeof value === 'string') return this.#format.text(value);
    if (typeof value !== 'object' || value === null) return '';
    return value.kind === 'json' ? this.#format.json(value.text) : value.text;
  }
}

function constants(format: TextFormat, start: string): EncodedTexts {
  return knownTexts([format.missing ?? '', format.null, 'false', 'true', ''].map((text) => start + text));
}
