import type { ByteWindow } from './byteWindow.ts';
import type { ColumnData } from '../columnData.ts';
import { longestInterned } from '../columnData.ts';
import { byte, isDigit, unescapeText } from './jsonBytes.ts';
import { KeyBytes } from './keyBytes.ts';
import type { JsonLexer } from './jsonLexer.ts';
import { keepsValue } from '../numberText.ts';
import { cellTag } from '../resultCell.ts';
import type { RowTable } from '../rowTable.ts';
import { hashText } from '../textDictionary.ts';

/** Levels that enclose a cell: the reply, `Data`, the row. */
const cellDepth = 3;
/** The last four bytes of the three words, as little-endian numbers. */
const nullWord = 0x6c6c756e;
const trueWord = 0x65757274;
const falseWord = 0x65736c61;
/** Maximum digits that always fit into 32 bits. */
const shortDigits = 9;
/** Maximum digits that a double always preserves. */
const safeDigits = 15;
const powersOfTen = Float64Array.from({ length: safeDigits + 1 }, (_, power) => Number(`1e${power}`));

/**
 * Writes rows, given as JSON objects, to a table. Rows usually repeat the keys of the previous row byte for byte: each
 * column stores its key's bytes and the column that followed, so that most keys cost a few word comparisons. Anything
 * else (other order, missing or new keys, white space, escapes) takes the slower path, per key or cell.
 * Methods take and return an index into the window, or -1 if the lexer recorded a stop.
 */
export class RowScanner {
  private readonly lexer: JsonLexer;
  private readonly window: ByteWindow;
  private readonly table: RowTable;
  /** The column that last started a row. */
  private firstColumn: ColumnData | undefined;
  /** The column that last ended a row. */
  private lastColumn: ColumnData | undefined;
  /** The column of the last key read. */
  private column: ColumnData | undefined;
  private scratch = Buffer.alloc(256);
  private scratchView = new DataView(this.scratch.buffer, this.scratch.byteOffset, this.scratch.length);

  constructor(lexer: JsonLexer, table: RowTable) {
    this.lexer = lexer;
    this.window = lexer.window;
    this.table = table;
  }

  /** Writes the row at `at` to the table's next row, without committing it. */
  scanRow(at: number): number {
    const bytes = this.window.bytes;
    const row = this.table.rowInBlock;
    if (bytes[at] !== byte.openObject) return this.lexer.stop(at, 'a row: an object');
    let previous: ColumnData | undefined;
    at = this.lexer.skipSpace(at + 1);
    this.lastColumn = undefined;
    if (bytes[at] === byte.closeObject) return at + 1;
    for (;;) {
      let column = previous === undefined ? this.firstColumn : previous.next;
      let value = column === undefined ? -1 : column.keyBytes.match(this.window.view, at);
      if (value < 0) {
        value = this.readKey(at, previous);
        if (value < 0) return -1;
        column = this.column;
      }
      at = this.scanCell(value, column!, row);
      if (at < 0) return -1;
      let code = bytes[at];
      if (code !== byte.comma && code !== byte.closeObject) {
        at = this.lexer.skipSpace(at);
        code = bytes[at];
      }
      if (code === byte.closeObject) {
        this.lastColumn = column;
        return at + 1;
      }
      if (code !== byte.comma) return this.lexer.stop(at, "',' or '}'");
      at++;
      if (bytes[at] !== byte.quote) at = this.lexer.skipSpace(at);
      previous = column;
    }
  }

  /** The columns of the last scanned row, in order and each once; empty if there are more than `max`. */
  lastRowColumns(max: number): ColumnData[] {
    const columns: ColumnData[] = [];
    if (this.lastColumn === undefined) return columns;
    for (let column = this.firstColumn; column !== undefined; column = column.next) {
      if (columns.length === max) return [];
      columns.push(column);
      if (column === this.lastColumn) break;
    }
    return columns;
  }

  /** Reads any key into `column`, as the successor of `previous`; returns the index after its colon. */
  private readKey(at: number, previous: ColumnData | undefined): number {
    const { lexer, window, table } = this;
    if (window.bytes[at] !== byte.quote) return lexer.stop(at, 'a key in quotes');
    const end = lexer.skipText(at);
    if (end < 0) return -1;
    const colon = lexer.skipSpace(end);
    if (window.bytes[colon] !== byte.colon) return lexer.stop(colon, "':'");
    const offset = window.offset + at;
    const column = lexer.hasEscapes
      ? table.column(String(JSON.parse(window.bytes.toString('utf8', at, end))), offset)
      : table.columnAt(table.keys.intern(window.view, at + 1, end - at - 2, lexer.textHash), offset);
    if (colon === end) column.keyBytes = new KeyBytes(window.view, at, end + 1);
    if (previous === undefined) this.firstColumn = column;
    else previous.next = column;
    this.column = column;
    return colon + 1;
  }

  /** Writes the cell whose value starts at `at`. */
  scanCell(at: number, column: ColumnData, row: number): number {
    const code = this.window.bytes[at];
    if (code === byte.quote) return this.scanText(at, column, row);
    if (code === byte.minus || isDigit(code)) return this.scanNumber(at, column, row);
    if (code === byte.n) return this.scanWord(at, 'null', nullWord, cellTag.null, column, row);
    if (code === byte.t) return this.scanWord(at, 'true', trueWord, cellTag.true, column, row);
    if (code === byte.f) return this.scanWord(at, 'false', falseWord, cellTag.false, column, row);
    const start = this.lexer.skipSpace(at);
    if (start > at) return this.scanCell(start, column, row);
    const end = this.lexer.skipValue(at, cellDepth);
    if (end >= 0) this.keep(column, row, cellTag.json, at, end - at);
    return end;
  }

  /** @param bytes the last four bytes of `word`. */
  private scanWord(at: number, word: string, bytes: number, tag: number, column: ColumnData, row: number): number {
    column.tags[row] = tag;
    const end = at + word.length;
    return this.window.view.getInt32(end - 4, true) === bytes ? end : this.lexer.skipWord(at, word);
  }

  private scanText(at: number, column: ColumnData, row: number): number {
    const end = this.lexer.findTextEnd(at + 1);
    if (this.window.bytes[end] !== byte.quote) return this.scanEscapedText(at, column, row);
    this.keepText(at + 1, end - at - 1, this.lexer.textHash, column, row);
    return end + 1;
  }

  /**
   * Writes a text cell without escapes.
   * @param hash its `hashText`, if the column still looks up texts.
   */
  keepText(start: number, length: number, hash: number, column: ColumnData, row: number): void {
    if (this.intern(column, row, this.window.view, start, length, hash)) return;
    this.keep(column, row, cellTag.text, start, length);
  }

  private scanEscapedText(at: number, column: ColumnData, row: number): number {
    const end = this.lexer.skipText(at);
    if (end < 0) return -1;
    if (end - at + 4 > this.scratch.length) {
      this.scratch = Buffer.alloc((end - at) * 2);
      this.scratchView = new DataView(this.scratch.buffer, this.scratch.byteOffset, this.scratch.length);
    }
    const length = unescapeText(this.window.bytes, at + 1, end - 1, this.scratch);
    if (length < 0) this.keep(column, row, cellTag.literal, at, end - at);
    else if (!this.intern(column, row, this.scratchView, 0, length, hashText(this.scratchView, 0, length))) {
      this.keep(column, row, cellTag.text, 0, length, this.scratchView);
    }
    return end;
  }

  /** Writes the code of a text if the column's dictionary accepts it. Returns whether it did. */
  private intern(
    column: ColumnData,
    row: number,
    view: DataView,
    start: number,
    length: number,
    hash: number,
  ): boolean {
    if (!column.isInterning || length > longestInterned) return false;
    const code = column.dictionary.intern(view, start, length, hash);
    if (code < 0) return false;
    column.tags[row] = cellTag.code;
    column.slots[row] = code;
    return true;
  }

  private keep(column: ColumnData, row: number, tag: number, start: number, length: number, view = this.window.view) {
    column.tags[row] = tag;
    column.slots[row] = this.table.pages.append(view, start, length);
  }

  /** Reads plain numbers of up to nine digits; passes others to `scanLongNumber`. */
  private scanNumber(at: number, column: ColumnData, row: number): number {
    const bytes = this.window.bytes;
    const isNegative = bytes[at] === byte.minus;
    const start = isNegative ? at + 1 : at;
    let place = start;
    let digits = 0;
    let limit = start + shortDigits;
    let digit = (bytes[place]! - byte.zero) >>> 0;
    while (digit < 10 && place < limit) {
      digits = (Math.imul(digits, 10) + digit) | 0;
      digit = (bytes[++place]! - byte.zero) >>> 0;
    }
    const point = place;
    let scale = 0;
    if (bytes[place] === byte.dot) {
      limit++;
      digit = (bytes[++place]! - byte.zero) >>> 0;
      while (digit < 10 && place < limit) {
        digits = (Math.imul(digits, 10) + digit) | 0;
        digit = (bytes[++place]! - byte.zero) >>> 0;
      }
      scale = place - point - 1;
    }
    const code = bytes[place];
    const isWhole = (code === byte.comma || code === byte.closeObject) && (place === point || scale > 0);
    if (!isWhole || point === start || (point - start > 1 && bytes[start] === byte.zero)) {
      return this.scanLongNumber(at, column, row);
    }
    const value = scale === 0 ? digits : digits / powersOfTen[scale]!;
    column.tags[row] = cellTag.number;
    column.slots[row] = isNegative ? -value : value;
    return place;
  }

  private scanLongNumber(at: number, column: ColumnData, row: number): number {
    const end = this.lexer.skipNumber(at);
    if (end < 0) return -1;
    const text = this.window.bytes.toString('latin1', at, end);
    const value = Number(text);
    const isSafe = text.length <= safeDigits && !text.includes('e') && !text.includes('E');
    if (isSafe || keepsValue(text, value)) {
      column.tags[row] = cellTag.number;
      column.slots[row] = value;
    } else this.keep(column, row, cellTag.exact, at, end - at);
    return end;
  }
}
