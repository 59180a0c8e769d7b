import { ByteWindow } from './byteWindow.ts';
import { byte } from './jsonBytes.ts';
import { JsonLexer } from './jsonLexer.ts';
import { ResultReadError } from '../resultError.ts';
import type { ResultCaps } from '../resultError.ts';
import type { ResultStore } from '../resultStore.ts';
import { RowScanner } from './rowScanner.ts';
import { CompactRows } from '../wasm/compactRows.ts';
import { openCompactRows } from '../wasm/compactRowsInstance.ts';
import * as l10n from '../../../l10n/l10n.ts';

/** If a part larger than this is incomplete, it is scanned again only when twice as many bytes are available. */
const largePart = 4 * 1024;
const byteOrderMark = [0xef, 0xbb, 0xbf] as const;

/**
 * The part to read next. Each part is read at once: if its bytes are incomplete, it is read again from its start when
 * more have arrived. `other` is a reply that is not an object.
 */
type Part = 'start' | 'member' | 'afterMember' | 'firstRow' | 'row' | 'afterRow' | 'end' | 'other';

/** The engine that reads compact rows. Both give the same results. */
export type ScanEngine = 'wasm' | 'js';

/**
 * Reads the JSON reply of GetReportData, given in chunks, into a store: rows as they arrive, all other members as
 * parsed JSON. Accepts members in any order and any white space. API description, Reports.
 */
export class ResultScanner {
  private readonly store: ResultStore;
  private readonly caps: ResultCaps;
  private readonly window: ByteWindow;
  private readonly lexer: JsonLexer;
  private readonly rows: RowScanner;
  private readonly compactRows: CompactRows | undefined;
  private part: Part = 'start';
  /** Start of the current part in the window. */
  private at = 0;
  /** The window's end below which the same part is not read again. */
  private retryAt = 0;

  /** @param engine for compact rows: WebAssembly if it loads, or JavaScript, which reads all others. */
  constructor(store: ResultStore, caps: ResultCaps, engine: ScanEngine) {
    this.store = store;
    this.caps = caps;
    const wasm = engine === 'wasm' ? openCompactRows() : undefined;
    this.window = new ByteWindow(wasm?.window);
    this.lexer = new JsonLexer(this.window, caps.maxDepth);
    this.rows = new RowScanner(this.lexer, store.table);
    this.compactRows = wasm && new CompactRows(wasm, this.window, this.rows, store.table);
  }

  /**
   * Scans `piece`, of any length; takes about 3 ms per MB.
   * @throws ResultReadError when the bytes are not a report result or exceed a limit; earlier rows are in the store.
   */
  push(piece: Uint8Array): void {
    const room = this.caps.maxBytes - this.store.bytes;
    const taken = piece.length > room ? piece.subarray(0, room) : piece;
    try {
      this.window.append(taken);
      if (this.window.end >= this.retryAt) this.scan();
      this.store.table.checkHeldBytes(this.window.offset + this.at);
    } finally {
      this.store.advance(taken.length);
    }
    if (taken !== piece)
      this.failTooLarge(this.window.end, l10n.t('The reply is longer than {0} bytes.', this.caps.maxBytes));
  }

  /**
   * Ends scanning after the last byte. Returns the parsed reply if it is JSON but not an object.
   * @throws ResultReadError if the reply is incomplete.
   */
  end(): { isObject: true } | { isObject: false; reply: unknown } {
    this.scan();
    if (this.part === 'end') return { isObject: true };
    if (this.part === 'other') return { isObject: false, reply: this.parseOther() };
    const length = this.window.offset + this.window.end;
    const message = l10n.t('The reply ends after {0} bytes; expected {1}.', length, this.lexer.expected);
    throw new ResultReadError('truncated', length, message);
  }

  /** Ends scanning; nothing is read afterwards. */
  close(): void {
    this.compactRows?.close();
  }

  /** Reads parts until the bytes are used up, then removes the scanned bytes from the window. */
  private scan(): void {
    const { window, lexer } = this;
    while (this.readPart());
    if (lexer.stoppedAt < window.end) this.failMalformed(lexer.stoppedAt, lexer.expected);
    window.consume(this.at);
    this.at = 0;
    const left = window.end;
    if (left > this.caps.maxRowBytes) {
      this.failTooLarge(0, l10n.t('The reply has a row or a member of more than {0} bytes.', this.caps.maxRowBytes));
    }
    this.retryAt = left > largePart ? Math.min(left * 2, this.caps.maxRowBytes + 1) : 0;
  }

  /** Reads the next part. Returns whether to continue; if not, the lexer has recorded where and why it stopped. */
  private readPart(): boolean {
    switch (this.part) {
      case 'start':
        return this.readStart();
      case 'member':
        return this.readMember();
      case 'afterMember':
        return this.readSeparator(byte.closeObject, 'member', 'end', "',' or '}'");
      case 'firstRow':
        return this.readFirstRow();
      case 'row':
        return this.readRows();
      case 'afterRow':
        return this.readSeparator(byte.closeArray, 'row', 'afterMember', "',' or ']'");
      case 'end':
        return this.stop(this.skipSpace(), 'nothing more');
      case 'other':
        return this.stop(this.window.end, 'the end');
    }
  }

  private readStart(): boolean {
    const { bytes, end } = this.window;
    const mark = byteOrderMark.findIndex((code, i) => bytes[i] !== code);
    if (mark > 0 && mark >= end) return this.stop(end, 'a byte order mark');
    const first = this.lexer.skipSpace(mark === -1 ? byteOrderMark.length : 0);
    if (first >= end) return this.stop(end, 'a report result');
    if (bytes[first] !== byte.openObject) return this.turnTo('other', 0);
    const next = this.lexer.skipSpace(first + 1);
    return bytes[next] === byte.closeObject ? this.turnTo('end', next + 1) : this.turnTo('member', first + 1);
  }

  private readMember(): boolean {
    const { lexer, window } = this;
    const key = this.skipSpace();
    const value = lexer.skipKey(key);
    if (value < 0) return false;
    if (value >= window.end) return this.stop(window.end, 'a value');
    const keyEnd = lexer.skipText(key);
    const name = String(JSON.parse(window.bytes.toString('utf8', key, keyEnd)));
    if (name === 'Data') return this.readData(value);
    // If two members contradict each other, the last one must not hide a failed run.
    if (name !== 'Columns' && name in this.store.envelope) this.failMalformed(key, `no second ${name}`);
    const end = lexer.skipValue(value, 1);
    if (end < 0) return false;
    this.store.addMember(name, JSON.parse(window.bytes.toString('utf8', value, end)), window.offset + key);
    return this.turnTo('afterMember', end);
  }

  private readData(at: number): boolean {
    if (this.store.hasRows) this.failMalformed(at, 'no second Data');
    const code = this.window.bytes[at];
    if (code === byte.openArray) {
      this.store.beginRows();
      return this.turnTo('firstRow', at + 1);
    }
    if (code !== byte.n) return this.stop(at, 'an array of rows or null');
    const end = this.lexer.skipWord(at, 'null');
    if (end < 0) return false;
    this.store.beginRows();
    return this.turnTo('afterMember', end);
  }

  private readFirstRow(): boolean {
    const at = this.skipSpace();
    if (at >= this.window.end) return this.stop(at, "a row or ']'");
    return this.window.bytes[at] === byte.closeArray ? this.turnTo('afterMember', at + 1) : this.turnTo('row', at);
  }

  /** Reads consecutive compact rows. */
  private readRows(): boolean {
    const { window, compactRows } = this;
    const { table } = this.store;
    for (;;) {
      const at = this.skipSpace();
      const room = this.caps.maxRows - table.rowCount;
      if (room <= 0) this.failTooLarge(at, l10n.t('The reply has more than {0} rows.', this.caps.maxRows));
      let next = compactRows === undefined ? -1 : compactRows.scanRows(at, room);
      if (next < 0) {
        next = this.readRow(at);
        if (next < 0) return false;
        compactRows?.learn();
      }
      if (window.bytes[next] !== byte.comma) return this.turnTo('afterRow', next);
      this.at = next + 1;
    }
  }

  private readRow(at: number): number {
    const { table } = this.store;
    const top = table.pages.top;
    const next = this.rows.scanRow(at);
    if (next < 0) table.pages.rewind(top);
    else table.commitRow();
    return next;
  }

  private readSeparator(close: number, after: Part, atClose: Part, expected: string): boolean {
    const at = this.skipSpace();
    const code = this.window.bytes[at];
    if (code === byte.comma) return this.turnTo(after, at + 1);
    if (code === close) return this.turnTo(atClose, at + 1);
    return this.stop(at, expected);
  }

  private parseOther(): unknown {
    const text = this.window.bytes.toString('utf8', 0, this.window.end).replace(/^\ufeff/, '');
    try {
      return JSON.parse(text);
    } catch {
      return this.failMalformed(0, 'a JSON object');
    }
  }

  /** Skips white space permanently, so that it is never read again. */
  private skipSpace(): number {
    this.at = this.lexer.skipSpace(this.at);
    return this.at;
  }

  private turnTo(part: Part, at: number): true {
    this.part = part;
    this.at = at;
    return true;
  }

  private stop(at: number, expected: string): false {
    this.lexer.stop(at, expected);
    return false;
  }

  private failMalformed(at: number, expected: string): never {
    const offset = this.window.offset + at;
    const found = JSON.stringify(String.fromCharCode(this.window.bytes[at] ?? 0));
    const message = l10n.t(
      'The reply is not a report result: at byte {0}, found {1} instead of {2}.',
      offset,
      found,
      expected,
    );
    throw new ResultReadError('malformed', offset, message);
  }

  private failTooLarge(at: number, message: string): never {
    throw new ResultReadError('tooLarge', this.window.offset + at, message);
  }
}
