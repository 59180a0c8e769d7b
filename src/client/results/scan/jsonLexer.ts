import type { ByteWindow } from './byteWindow.ts';
import { byte, hexValue, isDigit } from './jsonBytes.ts';
import { ResultReadError } from '../resultError.ts';
import { hashSeed, mixHash } from '../textDictionary.ts';
import * as l10n from '../../../l10n/l10n.ts';

/** The highest bit of each byte of a word. */
const highBits = 0x80808080 | 0;

/**
 * Finds the ends of JSON values and checks their grammar. Every method takes the index of a value's first byte and
 * returns the index after it; or returns -1 after setting `stoppedAt` and `expected` to where and why the bytes are not
 * JSON. A stop at or after the window's end only means that more bytes are needed.
 */
export class JsonLexer {
  /** Index at which scanning last stopped. */
  stoppedAt = 0;
  /** What would have been valid there. */
  expected = '';
  /** Hash of the bytes last scanned by `findTextEnd`. */
  textHash = 0;
  /** Whether the string last skipped by `skipText` has escapes. */
  hasEscapes = false;
  readonly window: ByteWindow;
  private readonly maxDepth: number;
  private readonly open: Uint8Array;

  /** @param maxDepth allowed levels of nesting, counted from the whole reply. */
  constructor(window: ByteWindow, maxDepth: number) {
    this.window = window;
    this.maxDepth = maxDepth;
    this.open = new Uint8Array(maxDepth);
  }

  /** Records a stop; always returns -1. */
  stop(at: number, expected: string): -1 {
    this.stoppedAt = at;
    this.expected = expected;
    return -1;
  }

  /** Index of the first non-whitespace byte from `at`. */
  skipSpace(at: number): number {
    const bytes = this.window.bytes;
    for (;;) {
      const code = bytes[at];
      if (code !== byte.space && code !== byte.newline && code !== byte.return && code !== byte.tab) return at;
      at++;
    }
  }

  /**
   * Index of the first byte from `at` that must not occur in a string: a quote, a backslash or a control byte,
   * including the window's end. Also hashes the bytes before it.
   * Tests four bytes at a time. In each byte, the highest bit of `(x - n) & ~x` is set if x is below n; a borrow may
   * also set it in higher bytes, so only the lowest byte found counts. Flipping the second bit moves the quote, 0x22,
   * right after the control bytes, so that one comparison finds both.
   */
  findTextEnd(at: number): number {
    const view = this.window.view;
    let hash = hashSeed;
    for (;;) {
      const word = view.getInt32(at, true);
      const flipped = word ^ 0x02020202;
      const backslash = word ^ 0x5c5c5c5c;
      const found = (((flipped - 0x21212121) & ~flipped) | ((backslash - 0x01010101) & ~backslash)) & highBits;
      if (found === 0) {
        hash = mixHash(hash, word);
        at += 4;
        continue;
      }
      const bits = (31 - Math.clz32(found & -found)) & 24;
      this.textHash = bits === 0 ? hash : mixHash(hash, word & ((1 << bits) - 1));
      return at + (bits >>> 3);
    }
  }

  /** Skips a string, including quotes. */
  skipText(at: number): number {
    const bytes = this.window.bytes;
    if (bytes[at] !== byte.quote) return this.stop(at, 'a string');
    this.hasEscapes = false;
    at++;
    for (;;) {
      at = this.findTextEnd(at);
      const code = bytes[at];
      if (code === byte.quote) return at + 1;
      if (code !== byte.backslash) return this.stop(at, 'the end of a string, without control characters in it');
      this.hasEscapes = true;
      at = this.skipEscape(at);
      if (at < 0) return -1;
    }
  }

  /** Skips a number. Stops at the window's end, since the number may continue. */
  skipNumber(at: number): number {
    const bytes = this.window.bytes;
    if (bytes[at] === byte.minus) at++;
    if (bytes[at] === byte.zero) at++;
    else at = this.skipDigits(at);
    if (at >= 0 && bytes[at] === byte.dot) at = this.skipDigits(at + 1);
    if (at >= 0 && (bytes[at]! | 0x20) === 0x65) {
      const sign = bytes[at + 1];
      at = this.skipDigits(sign === byte.plus || sign === byte.minus ? at + 2 : at + 1);
    }
    return at >= this.window.end ? this.stop(at, 'the end of a number') : at;
  }

  /** Skips `word`: true, false or null. */
  skipWord(at: number, word: string): number {
    for (let i = 0; i < word.length; i++) {
      if (this.window.bytes[at + i] !== word.charCodeAt(i)) return this.stop(at + i, `the word ${word}`);
    }
    return at + word.length;
  }

  /**
   * Skips a value of any kind.
   * @param depth enclosing levels.
   */
  skipValue(at: number, depth: number): number {
    const outside = depth;
    const bytes = this.window.bytes;
    for (;;) {
      const code = bytes[at]!;
      if (code !== byte.openObject && code !== byte.openArray) {
        at = this.skipScalar(at);
        if (at < 0 || depth === outside) return at;
      } else {
        this.enter(at, code, depth++);
        at = this.skipSpace(at + 1);
        if (bytes[at] !== code + 2) {
          if (code === byte.openObject) at = this.skipKey(at);
          if (at < 0) return -1;
          continue;
        }
      }
      // After a value, or at the end of an empty object or array.
      for (;;) {
        at = this.skipSpace(at);
        const open = this.open[depth - 1]!;
        if (bytes[at] === byte.comma) {
          at = this.skipSpace(at + 1);
          if (open === byte.openObject) at = this.skipKey(at);
          break;
        }
        if (bytes[at] !== open + 2) return this.stop(at, open === byte.openObject ? "',' or '}'" : "',' or ']'");
        at++;
        if (--depth === outside) return at;
      }
      if (at < 0) return -1;
    }
  }

  /** Skips a key, its colon and white space, up to the value. */
  skipKey(at: number): number {
    if (this.window.bytes[at] !== byte.quote) return this.stop(at, 'a key in quotes');
    at = this.skipText(at);
    if (at < 0) return -1;
    at = this.skipSpace(at);
    return this.window.bytes[at] === byte.colon ? this.skipSpace(at + 1) : this.stop(at, "':'");
  }

  private skipScalar(at: number): number {
    const code = this.window.bytes[at];
    if (code === byte.quote) return this.skipText(at);
    if (code === byte.minus || isDigit(code)) return this.skipNumber(at);
    if (code === byte.t) return this.skipWord(at, 'true');
    if (code === byte.f) return this.skipWord(at, 'false');
    if (code === byte.n) return this.skipWord(at, 'null');
    return this.stop(at, 'a value');
  }

  private skipDigits(at: number): number {
    if (at < 0 || !isDigit(this.window.bytes[at])) return this.stop(at, 'a digit');
    while (isDigit(this.window.bytes[at])) at++;
    return at;
  }

  private skipEscape(at: number): number {
    const bytes = this.window.bytes;
    const code = bytes[at + 1]!;
    if (code !== byte.u) {
      return code !== 0 && '"\\/bfnrt'.includes(String.fromCharCode(code))
        ? at + 2
        : this.stop(at + 1, 'an escape that JSON knows');
    }
    for (let i = at + 2; i < at + 6; i++) {
      if (hexValue(bytes[i]!) < 0) return this.stop(i, 'four hexadecimal digits');
    }
    return at + 6;
  }

  private enter(at: number, code: number, depth: number): void {
    if (depth >= this.maxDepth) {
      const message = l10n.t('The reply is nested more than {0} levels deep.', this.maxDepth);
      throw new ResultReadError('tooLarge', this.window.offset + at, message);
    }
    this.open[depth] = code;
  }
}
