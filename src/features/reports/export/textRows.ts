import type { BytePages } from '../../../client/results/bytePages.ts';
import type { CellArrays } from '../../../client/results/cellReader.ts';
import type { ColumnData } from '../../../client/results/columnData.ts';
import { cellTag } from '../../../client/results/resultCell.ts';
import { openTextRows } from '../../../client/results/wasm/textRowsInstance.ts';
import type { TextRowsInstance } from '../../../client/results/wasm/textRowsInstance.ts';
import type { ByteSink } from './byteSink.ts';
import type { TextOfCell } from './exportSource.ts';
import type { TextColumn, TextFormat } from '../../../editor/csv.ts';

/** Address of a text or page that JavaScript writes instead of WebAssembly. */
const own = -1;
/** Copying 16 or 32 bytes at a time may read this far past the end of a text. */
const slack = 32;
/** Bytes from here on never need escaping in any format. */
const ascii = 0x80;
/** Tag of a text, in the buffers, that JavaScript writes because the export changes it. */
const heldText = 255;

/** The cells to write as text, and the format. */
interface TextOrder {
  /** Cells of the columns. */
  data: readonly ColumnData[];
  columns: readonly TextColumn[];
  format: TextFormat;
  texts: readonly TextOfCell[];
  /** Whether rows are in store order, so that a page of texts is no longer needed once the next one begins. */
  isInOrder: boolean;
}

/**
 * Writes rows from the store as text, with WebAssembly. Cells are read directly into its memory. Dictionary texts, and
 * the pages of other texts, are copied there on demand.
 */
export class TextRows {
  readonly #wasm: TextRowsInstance;
  readonly #order: TextOrder;
  readonly #sink: ByteSink;
  readonly #gaps: readonly { first: string; next: string }[];
  readonly #arrays: readonly CellArrays[];
  #knownUsed = 0;
  /** Page number in each frame. */
  readonly #frames: (number | undefined)[];
  #nextFrame = 0;
  #room = 0;
  /** Start of the bytes not passed to the sink yet. */
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

  /** Returns undefined if WebAssembly does not load or does not support these rows. */
  static open(order: TextOrder, sink: ByteSink): TextRows | undefined {
    const wasm = openTextRows();
    const isPlain = order.format.plain.subarray(ascii).every((flag) => flag === 1);
    if (wasm === undefined || !isPlain || order.data.length > wasm.maxColumns) return undefined;
    const rows = new TextRows(wasm, order, sink);
    return rows.#describe() ? rows : undefined;
  }

  /** Buffers to fill with the cells of a column. */
  arrays(column: number): CellArrays {
    const arrays = this.#arrays[column];
    if (arrays === undefined) throw new RangeError(`no column ${column}`);
    return arrays;
  }

  /** Leaves the texts of columns that the export changes to JavaScript, in the first `count` rows of the buffers. */
  hold(count: number): void {
    for (const [column, text] of this.#order.texts.entries()) {
      if (text === undefined) continue;
      const { tags } = this.#arrays[column]!;
      for (let row = 0; row < count; row++) if (tags[row] === cellTag.text) tags[row] = heldText;
    }
  }

  /**
   * Writes the rows in the buffers from `start` to `end`. `start` is 0 or the end of the previous call.
   * @param isStart whether row 0 of the buffers is the first row of the export.
   * @throws write errors.
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

  /** Passes on the remaining bytes. @throws write errors. */
  async end(): Promise<void> {
    this.#wasm.module.moveTo(this.#from);
    await this.#handOn();
  }

  /** End of the current output buffer. */
  get #limit(): number {
    return this.#wasm.module.outAt.value + (this.#room + 1) * this.#wasm.outBytes;
  }

  /** Passes the current output buffer to the sink and switches to the other one, which is written at that point. */
  async #handOn(): Promise<void> {
    const { module, bytes, outBytes } = this.#wasm;
    const start = module.outAt.value + this.#room * outBytes;
    if (module.out.value === start) return;
    await this.#sink.pass(bytes.subarray(start, module.out.value));
    this.#room = 1 - this.#room;
    this.#from = module.outAt.value + this.#room * outBytes;
    module.moveTo(this.#from);
  }

  /** Writes a cell as a string. */
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
    const { data, format, texts } = this.#order;
    const tag = tags[row]!;
    const value = data[column]!.valueOf(tag === heldText ? cellTag.text : tag, slots[row]!);
    if (typeof value === 'string') return format.text(texts[column]?.(value) ?? value);
    if (typeof value !== 'object' || value === null) return String(value);
    return value.kind === 'json' ? format.json(value.text) : value.text;
  }

  /** Passes the format and the dictionaries to WebAssembly; false if they do not fit. */
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
      // JavaScript writes texts whose first byte may need more than quotes.
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

  /** Loads the source of a cell's text. */
  #bring(row: number, column: number): void {
    const { codeRanges, codes, places } = this.#wasm;
    const { tags, slots } = this.#arrays[column]!;
    const { dictionary, pages } = this.#order.data[column]!;
    const slot = slots[row]!;
    if (tags[row] === cellTag.code) {
      const entry = (codeRanges[column * 2]! + slot) * 2;
      const { format, texts } = this.#order;
      const stored = dictionary.textOf(slot);
      const text = format.text(texts[column]?.(stored) ?? stored);
      codes[entry] = this.#learn(text);
      codes[entry + 1] = Buffer.byteLength(text);
    } else {
      const page = pages.pageOf(slot);
      places[page] = this.#load(pages, page);
    }
  }

  /** Stores a formatted dictionary text; returns {@link own} if there is no space. */
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
   * Copies a page into WebAssembly memory, replacing another page if the memory is full. Returns {@link own} for a page
   * that is too long, or if rows in a different order would keep evicting pages.
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
