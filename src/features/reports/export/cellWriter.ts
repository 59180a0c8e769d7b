import type { CellRun } from '../../../client/results/cellReader.ts';
import { cellTag } from '../../../client/results/resultCell.ts';
import type { ByteSink } from './byteSink.ts';
import { KnownTexts, knownTexts } from './knownTexts.ts';
import type { TextColumn, TextFormat } from '../../../editor/csv.ts';

/** Texts that every column knows, by the tag of their cell: missing, null, false and true; and what stands before a cell. */
const before = cellTag.true + 1;
/** Longer texts are copied at once. */
const longText = 128;

/** Writes the cells of one column as text. */
export class CellWriter {
  readonly #run: CellRun;
  readonly #format: TextFormat;
  readonly #sink: ByteSink;
  /** For the first cell of a row. */
  readonly #first: KnownTexts;
  /** For all others. */
  readonly #next: KnownTexts;
  /** Each text of the dictionary by its code, with what stands before a cell that is not the first. */
  readonly #codes: KnownTexts;
  readonly #gapLength: number;
  readonly #quote: KnownTexts;
  readonly #isEmptyPlain: boolean;
  #decimals = 0;
  #page: Buffer | undefined;
  #pageView: DataView = new DataView(new ArrayBuffer(0));

  constructor(run: CellRun, column: TextColumn, format: TextFormat, sink: ByteSink) {
    const { dictionary } = run.data;
    const gap = format.cellGap + format.cellStart(column);
    this.#run = run;
    this.#format = format;
    this.#sink = sink;
    this.#first = constants(format, format.cellStart(column));
    this.#next = constants(format, gap);
    this.#codes = new KnownTexts(dictionary.size, (code) => gap + format.text(dictionary.textOf(code)));
    this.#gapLength = Buffer.byteLength(gap);
    this.#quote = knownTexts([format.quote]);
    this.#isEmptyPlain = format.text('') === format.quote + format.quote;
  }

  /** Writes the cell at `row` of the run; false when there is none to write. */
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

  /** Copies a text as it is, or, where it needs escaping, as a string. */
  readonly #copy = (page: Buffer, start: number, end: number): void => {
    const { plain, plainFirst } = this.#format;
    const sink = this.#sink;
    let isPlain = start === end ? this.#isEmptyPlain : plainFirst[page[start]!] === 1;
    for (let at = start + 1; isPlain && at < end; at++) isPlain = plain[page[at]!] === 1;
    if (!isPlain) return sink.text(this.#format.text(page.toString('utf8', start, end)));
    sink.known(this.#quote, 0);
    // The last page ends with its last text.
    if (end + 3 > page.length || end - start > longText) sink.bytes(page, start, end);
    else sink.words(this.#viewOf(page), start, end - start);
    sink.known(this.#quote, 0);
  };

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

function constants(format: TextFormat, start: string): KnownTexts {
  return knownTexts([format.missing ?? '', format.null, 'false', 'true', ''].map((text) => start + text));
}
