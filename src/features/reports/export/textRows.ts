import type { BytePages } from '../../../client/results/bytePages.ts';
import type { CellArrays } from '../../../client/results/cellReader.ts';
import type { ColumnData } from '../../../client/results/columnData.ts';
import { cellTag } from '../../../client/results/resultCell.ts';
import { openTextRows } from '../../../client/results/wasm/textRowsInstance.ts';
import type { TextRowsInstance } from '../../../client/results/wasm/textRowsInstance.ts';
import type { ByteSink } from './byteSink.ts';
import type { TextColumn, TextFormat } from '../../../editor/csv.ts';

/** Address of a text or a page that is written here and not by WebAssembly. */
const own = -1;
/** What copying sixteen bytes, or twice as many, at a time may read behind a text. */
const slack = 32;
/** Bytes beyond this need no escapes in any format. */
const ascii = 0x80;

/** What is written as text, and how. */
interface TextOrder {
  /** The columns' cells. */
  data: readonly ColumnData[];
  columns: readonly TextColumn[];
  format: TextFormat;
  /** Whether rows come in the store's order, so that a page of texts is done with when the next one begins. */
  isInOrder: boolean;
}

/**
 * Writes rows as text by WebAssembly, from what the store holds. Cells are read straight into its memory; texts that repeat,
 * and the pages of those that do not, are copied there when it asks for them.
 */
export class TextRows {
  readonly #wasm: TextRowsInstance;
  readonly #order: TextOrder;
  readonly #sink: ByteSink;
  readonly #gaps: readonly { first: string; next: string }[];
  readonly #arrays: readonly CellArrays[];
  #knownUsed = 0;
  /** Numbers of the pages that are copied, by frame. */
  readonly #frames: (number | undefined)[];
  #nextFrame = 0;
  #room = 0;
  /** Where the bytes begin that were not handed on yet. */
  #from: number;

  private constructor(wasm: TextRowsInstance, order: TextOrder, sink: ByteSink) {
    this.#wasm = wasm;
    this.#order = order;
    this.#sink = sink;
    this.#gaps = order.columns.map((column) => {
      const first = order.format.cellStart(column);
      return { first, next: order.format.cellGap + first };
    });
    this.#arrays = order.data.map((_, column) => wasm.cellsOf(column));
    this.#frames = new Array<undefined>(wasm.module.frames.value).fill(undefined);
    this.#from = wasm.module.outAt.value;
  }

  /** Undefined where WebAssembly does not load, or does not write such rows. */
  static open(order: TextOrder, sink: ByteSink): TextRows | undefined {
    const wasm = openTextRows();
    const isPlain = order.format.plain.subarray(ascii).every((flag) => flag === 1);
    if (wasm === undefined || !isPlain || order.data.length > wasm.maxColumns) return undefined;
    const rows = new TextRows(wasm, order, sink);
    return rows.#describe() ? rows : undefined;
  }

  /** Where the cells of a column are to be put. */
  arrays(column: number): CellArrays {
    const arrays = this.#arrays[column];
    if (arrays === undefined) throw new RangeError(`no column ${column}`);
    return arrays;
  }

  /**
   * Writes those rows of the arrays from `start` to `end`; `start` is 0, or where the call before ended.
   * @param isStart whether row 0 of the arrays is the first of all.
   * @throws what writing threw.
   */
  async write(start: number, end: number, isStart: boolean): Promise<void> {
    const { module } = this.#wasm;
    const { data, format } = this.#order;
    const doublesQuotes = format.doublesQuotes ? 1 : 0;
    if (start === 0) module.begin(this.#from);
    for (;;) {
      const status = module.writeRows(end, data.length, this.#limit, isStart ? 1 : 0, doublesQuotes);
      if (status === module.allWritten.value) break;
      if (status === module.wanted.value) this.#bring(module.row.value, module.column.value);
      else if (status === module.notMine.value) await this.#writeOwn(module.row.value, module.column.value);
      else await this.#handOn();
    }
    this.#from = module.out.value;
  }

  /** Hands on what is left. @throws what writing threw. */
  async end(): Promise<void> {
    this.#wasm.module.moveTo(this.#from);
    await this.#handOn();
  }

  /** End of the room that is being filled. */
  get #limit(): number {
    return this.#wasm.module.outAt.value + (this.#room + 1) * this.#wasm.outBytes;
  }

  /** Hands the room that is being filled to the sink and goes on in the other, which is written by then. */
  async #handOn(): Promise<void> {
    const { module, bytes, outBytes } = this.#wasm;
    const start = module.outAt.value + this.#room * outBytes;
    if (module.out.value === start) return;
    await this.#sink.pass(bytes.subarray(start, module.out.value));
    this.#room = 1 - this.#room;
    this.#from = module.outAt.value + this.#room * outBytes;
    module.moveTo(this.#from);
  }

  /** Writes one cell as a string. */
  async #writeOwn(row: number, column: number): Promise<void> {
    const { module, bytes } = this.#wasm;
    const { first = '', next = '' } = this.#gaps[column] ?? {};
    const text = (module.isFirst.value === 1 ? first : next) + this.#text(row, column);
    if (module.out.value + text.length * 3 > this.#limit) await this.#handOn();
    if (module.out.value + text.length * 3 <= this.#limit) {
      module.skip(module.out.value + bytes.write(text, module.out.value));
      return;
    }
    this.#sink.text(text);
    await this.#sink.drain();
    module.skip(module.out.value);
  }

  #text(row: number, column: number): string {
    const { tags, slots } = this.#arrays[column]!;
    const { data, format } = this.#order;
    const value = data[column]!.valueOf(tags[row]!, slots[row]!);
    if (typeof value === 'string') return format.text(value);
    if (typeof value !== 'object' || value === null) return String(value);
    return value.kind === 'json' ? format.json(value.text) : value.text;
  }

  /** Tells WebAssembly about the format and the dictionaries; false when that does not fit. */
  #describe(): boolean {
    const { around, cells, bytes, module } = this.#wasm;
    const { rowStart, rowGap, rowEnd, missing, null: nothing, plain, plainFirst, quote } = this.#order.format;
    let at = module.constantsAt.value;
    const end = at + module.constantBytes.value - slack;
    const keep = (text: string, into: Int32Array, entry: number) => {
      const length = Buffer.byteLength(text);
      if (length > longestConstant || at + length > end) return false;
      into[entry * 2] = at;
      into[entry * 2 + 1] = bytes.write(text, at);
      at += length;
      return true;
    };
    let fits = [rowStart, rowGap + rowStart, rowEnd, quote].every((text, i) => keep(text, around, i));
    for (const [column, { first, next }] of this.#gaps.entries()) {
      for (const [variant, gap] of [first, next].entries()) {
        const texts = [missing ?? '', nothing, 'false', 'true', ''];
        for (const [i, text] of texts.entries()) fits &&= keep(gap + text, cells, column * 10 + variant * 5 + i);
        if (missing === undefined) cells[(column * 10 + variant * 5) * 2 + 1] = -1;
      }
    }
    const special = bytes.subarray(module.specialAt.value, module.specialAt.value + 16).fill(0);
    for (let code = 0; code < 256; code++) {
      if (plain[code] === 0) special[code & 15]! |= 1 << (code >> 4);
      // A text whose first byte may need more than quotes is written here, not in WebAssembly.
      bytes[module.specialFirstAt.value + code] = plainFirst[code] === 0 ? 2 : 0;
    }
    let codes = 0;
    for (const [column, { dictionary }] of this.#order.data.entries()) {
      const count = Math.min(dictionary.size, module.maxCodes.value - codes);
      this.#wasm.codeRanges.set([codes, count], column * 2);
      codes += count;
    }
    return fits;
  }

  /** Brings what a cell's text is copied from. */
  #bring(row: number, column: number): void {
    const { codeRanges, codes, places } = this.#wasm;
    const { tags, slots } = this.#arrays[column]!;
    const { dictionary, pages } = this.#order.data[column]!;
    const slot = slots[row]!;
    if (tags[row] === cellTag.code) {
      const entry = (codeRanges[column * 2]! + slot) * 2;
      const text = this.#order.format.text(dictionary.textOf(slot));
      codes[entry] = this.#learn(text);
      codes[entry + 1] = Buffer.byteLength(text);
    } else {
      const page = pages.pageOf(slot);
      places[page] = this.#load(pages, page);
    }
  }

  /** Keeps a text of a dictionary as it is written; {@link own} when there is no room for it. */
  #learn(text: string): number {
    const { module, bytes } = this.#wasm;
    const length = Buffer.byteLength(text);
    if (length > module.longestText.value || this.#knownUsed + length + slack > module.knownBytes.value) return own;
    const at = module.knownAt.value + this.#knownUsed;
    bytes.write(text, at);
    this.#knownUsed += length;
    return at;
  }

  /**
   * Copies a page into the memory of WebAssembly, in the place of another where it is full; {@link own} for one that is too
   * long, or where rows in another order would ask for more pages than there is room for, again and again.
   */
  #load(pages: BytePages, page: number): number {
    const { module, bytes, places } = this.#wasm;
    const content = pages.bytesOf(page);
    const isFull = this.#frames[this.#nextFrame] !== undefined;
    if (content.length > module.frameBytes.value || (isFull && !this.#order.isInOrder)) return own;
    const frame = this.#nextFrame;
    this.#nextFrame = (frame + 1) % this.#frames.length;
    const before = this.#frames[frame];
    if (before !== undefined) places[before] = 0;
    this.#frames[frame] = page;
    const place = module.framesAt.value + frame * module.frameBytes.value;
    content.copy(bytes, place);
    return place;
  }
}

const longestConstant = 512;
