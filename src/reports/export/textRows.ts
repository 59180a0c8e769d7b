import type { BytePages } from '../../client/results/bytePages.ts';
import type { CellRun } from '../../client/results/cellReader.ts';
import { areAll } from '../../client/results/columnBlock.ts';
import { cellTag } from '../../client/results/resultCell.ts';
import { openTextRows } from '../../client/results/wasm/textRowsInstance.ts';
import type { TextRowsInstance } from '../../client/results/wasm/textRowsInstance.ts';
import type { ByteSink } from './byteSink.ts';
import type { TextColumn, TextFormat } from './textFormat.ts';

/** Slot of a cell that is written here and not by WebAssembly. */
const own = -1;
/** What copying sixteen bytes at a time may read behind a text. */
const slack = 16;
/** Bytes beyond this need no escapes in any format. */
const ascii = 0x80;

/** Texts of one column's dictionary as they lie in the memory of WebAssembly, by code: address and length in one; 0 unknown. */
type KnownTexts = Float64Array;

/**
 * Writes rows as text by WebAssembly, from what the store holds: texts that repeat and the pages of those that do not are
 * copied into its memory once. Rows whose texts are spread over more pages than fit there are left to the twin, CellWriter.
 */
export class TextRows {
  readonly #wasm: TextRowsInstance;
  readonly #runs: readonly CellRun[];
  readonly #format: TextFormat;
  readonly #sink: ByteSink;
  readonly #gaps: readonly { first: string; next: string }[];
  readonly #known: KnownTexts[];
  #knownUsed = 0;
  /** Address of each page's copy, by number of the page; 0 for those that have none. */
  readonly #places: number[] = [];
  /** Numbers of the pages that are copied, by frame. */
  readonly #frames: (number | undefined)[];
  /** Frames that the rows being written need. */
  readonly #used = new Set<number>();
  #nextFrame = 0;
  #room = 0;
  /** Where the bytes begin that were not handed on yet. */
  #from: number;

  private constructor(
    wasm: TextRowsInstance,
    runs: readonly CellRun[],
    columns: readonly TextColumn[],
    format: TextFormat,
    sink: ByteSink,
  ) {
    this.#wasm = wasm;
    this.#runs = runs;
    this.#format = format;
    this.#sink = sink;
    this.#gaps = columns.map((column) => {
      const first = format.cellStart(column);
      return { first, next: format.cellGap + first };
    });
    this.#known = runs.map(({ data }) => new Float64Array(data.dictionary.size));
    this.#frames = new Array<undefined>(wasm.module.frames.value).fill(undefined);
    this.#from = wasm.module.outAt.value;
  }

  /** Undefined where WebAssembly does not load, or does not write such rows. */
  static open(
    runs: readonly CellRun[],
    columns: readonly TextColumn[],
    format: TextFormat,
    sink: ByteSink,
  ): TextRows | undefined {
    const wasm = openTextRows();
    const isPlain = format.plain.subarray(ascii).every((flag) => flag === 1);
    if (wasm === undefined || !isPlain || runs.length > wasm.maxColumns) return undefined;
    const rows = new TextRows(wasm, runs, columns, format, sink);
    return rows.#describe() ? rows : undefined;
  }

  /**
   * Writes the rows of the runs from `start` to `end`, at most as many as one call takes.
   * @param isStart whether the first of them is the first of all.
   * @returns false, with nothing written, when they are the twin's.
   * @throws what writing threw.
   */
  async write(start: number, end: number, isStart: boolean): Promise<boolean> {
    if (!this.#give(start, end)) return false;
    const { module } = this.#wasm;
    module.begin(this.#from);
    for (;;) {
      const limit = this.#limit;
      const doublesQuotes = this.#format.doublesQuotes ? 1 : 0;
      const status = module.writeRows(end - start, this.#runs.length, limit, isStart ? 1 : 0, doublesQuotes);
      if (status === module.allWritten.value) break;
      if (status === module.notMine.value) await this.#writeOwn(start + module.row.value, module.column.value);
      else await this.#handOn();
    }
    this.#from = module.out.value;
    return true;
  }

  /** Rows that are written at once. */
  get mostRows(): number {
    return this.#wasm.maxRows;
  }

  /** Hands on what is left, before others write. @throws what writing threw. */
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
    const { data, tags, slots } = this.#runs[column]!;
    const value = data.valueOf(tags[row]!, slots[row]!);
    if (typeof value === 'string') return this.#format.text(value);
    if (typeof value !== 'object' || value === null) return String(value);
    return value.kind === 'json' ? this.#format.json(value.text) : value.text;
  }

  /** Tells WebAssembly about the format; false when that does not fit. */
  #describe(): boolean {
    const { around, cells, bytes, module } = this.#wasm;
    const { rowStart, rowGap, rowEnd, missing, null: nothing, plain, plainFirst, quote, doublesQuotes } = this.#format;
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
      const isOwn = plainFirst[code] === 0 && (plain[code] === 1 || !doublesQuotes || isLineEnd(code));
      bytes[module.specialFirstAt.value + code] = isOwn ? 2 : 1 - plainFirst[code]!;
    }
    return fits;
  }

  /** Gives rows to WebAssembly; false when the pages of their texts do not fit. */
  #give(start: number, end: number): boolean {
    const { tags, slots, maxRows } = this.#wasm;
    this.#used.clear();
    for (const [column, run] of this.#runs.entries()) {
      const first = column * maxRows;
      tags.set(run.tags.subarray(start, end), first);
      slots.set(run.slots.subarray(start, end), first);
      // What has no text lies there as it is wanted.
      const tag = run.tags[start] ?? cellTag.missing;
      if (tag <= cellTag.number && areAll(run.tags, tag, start, end)) continue;
      if (!this.#translate(column, first, end - start)) return false;
    }
    return true;
  }

  /** Turns codes and addresses of a column into places in the memory of WebAssembly. */
  #translate(column: number, first: number, count: number): boolean {
    const { tags, slots } = this.#wasm;
    const known = this.#known[column]!;
    const { pages } = this.#runs[column]!.data;
    for (let i = first; i < first + count; i++) {
      const tag = tags[i];
      if (tag === cellTag.code) {
        const code = slots[i]!;
        slots[i] = known[code]! || (known[code] = this.#learn(column, code));
      } else if (tag === cellTag.text) {
        const address = slots[i]!;
        const page = pages.pageOf(address);
        const place = this.#places[page] || this.#load(pages, page);
        if (place === 0) return false;
        this.#used.add(page);
        slots[i] = place < 0 ? own : place + pages.offsetOf(address);
      }
    }
    return true;
  }

  /** Keeps a text of the dictionary as it is written; {@link own} when there is no room for it. */
  #learn(column: number, code: number): number {
    const { module, bytes } = this.#wasm;
    const text = this.#format.text(this.#runs[column]!.data.dictionary.textOf(code));
    const length = Buffer.byteLength(text);
    if (length > module.longestText.value || this.#knownUsed + length + slack > module.knownBytes.value) return own;
    const at = module.knownAt.value + this.#knownUsed;
    bytes.write(text, at);
    this.#knownUsed += length;
    return at * 2 ** module.lengthBits.value + length;
  }

  /** Copies a page into a frame that these rows do not need; 0 when there is none, -1 when the page is too long. */
  #load(pages: BytePages, page: number): number {
    const { module, bytes } = this.#wasm;
    const content = pages.bytesOf(page);
    if (content.length > module.frameBytes.value) return (this.#places[page] = own);
    for (let tried = 0; tried < this.#frames.length; tried++) {
      const frame = this.#nextFrame;
      this.#nextFrame = (frame + 1) % this.#frames.length;
      const before = this.#frames[frame];
      if (before !== undefined && this.#used.has(before)) continue;
      if (before !== undefined) this.#places[before] = 0;
      this.#frames[frame] = page;
      const place = module.framesAt.value + frame * module.frameBytes.value;
      content.copy(bytes, place);
      return (this.#places[page] = place);
    }
    return 0;
  }
}

const longestConstant = 512;

function isLineEnd(code: number): boolean {
  return code === 0x09 || code === 0x0a || code === 0x0d;
}
