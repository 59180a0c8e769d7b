const [quote = 0, backslash = 0, minus = 0, zero = 0] = Buffer.from('"\\-0');
const firstPlain = 0x20;
/** Maximum bytes of one escaped byte in JSON: `\u001f`. */
const longestEscape = 6;
/** Maximum characters of a signed 32-bit integer: its digits and the minus. */
const longestWord = 11;
const growBy = 1.5;
const pieceOfText = 16_384;

/** Escape sequence of each byte that needs one in JSON. */
const escapes = Array.from({ length: 256 }, (_, byte) => {
  if (byte >= firstPlain && byte !== quote && byte !== backslash) return undefined;
  return Buffer.from(JSON.stringify(String.fromCharCode(byte)).slice(1, -1));
});

/**
 * Writes JSON byte by byte into reused memory. Values that a database sends as text are copied from its bytes without
 * becoming JavaScript strings.
 */
export class JsonBytes {
  #bytes: Buffer;
  #length = 0;

  constructor(capacity: number) {
    this.#bytes = Buffer.allocUnsafeSlow(capacity);
  }

  get length(): number {
    return this.#length;
  }

  /** The written bytes, valid until the next write. */
  get written(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Discards the written bytes. */
  clear(): void {
    this.#length = 0;
  }

  /** Discards the bytes from `length` on. */
  cut(length: number): void {
    this.#length = length;
  }

  /** Writes bytes unchanged. */
  raw(source: Uint8Array, start = 0, end = source.length): void {
    this.#reserve(end - start);
    const target = this.#bytes;
    let at = this.#length;
    for (let index = start; index < end; index += 1) target[at++] = source[index] ?? 0;
    this.#length = at;
  }

  /** Writes ASCII unchanged: numbers and JSON keywords. */
  ascii(text: string): void {
    this.#reserve(text.length);
    const target = this.#bytes;
    let at = this.#length;
    for (let index = 0; index < text.length; index += 1) target[at++] = text.charCodeAt(index);
    this.#length = at;
  }

  /** Writes UTF-8 text as a quoted JSON string. */
  text(source: Uint8Array, start: number, end: number): void {
    this.#byte(quote);
    // In pieces, so that a long text does not reserve memory as if every byte had to be escaped.
    for (let at = start; at < end; at += pieceOfText) this.#escaped(source, at, Math.min(at + pieceOfText, end));
    this.#byte(quote);
  }

  /** Writes an integer of at most 32 bits. */
  word(value: number): void {
    this.#reserve(longestWord);
    let at = this.#length;
    let rest = value;
    if (rest < 0) {
      this.#bytes[at++] = minus;
      rest = -rest;
    }
    let digits = 1;
    for (let power = 10; power <= rest; power *= 10) digits += 1;
    this.#length = at + digits;
    for (let index = at + digits - 1; index >= at; index -= 1) {
      const next = Math.floor(rest / 10);
      this.#bytes[index] = zero + (rest - next * 10);
      rest = next;
    }
  }

  /** Writes a part of a date or time, zero-padded to `width` digits. */
  padded(value: number, width: number): void {
    this.#reserve(width);
    let rest = value;
    for (let index = this.#length + width - 1; index >= this.#length; index -= 1) {
      const next = Math.floor(rest / 10);
      this.#bytes[index] = zero + (rest - next * 10);
      rest = next;
    }
    this.#length += width;
  }

  #byte(byte: number): void {
    this.#reserve(1);
    this.#bytes[this.#length] = byte;
    this.#length += 1;
  }

  #escaped(source: Uint8Array, start: number, end: number): void {
    this.#reserve((end - start) * longestEscape);
    const target = this.#bytes;
    let at = this.#length;
    for (let index = start; index < end; index += 1) {
      const byte = source[index] ?? 0;
      if (byte >= firstPlain && byte !== quote && byte !== backslash) target[at++] = byte;
      else for (const part of escapes[byte] ?? []) target[at++] = part;
    }
    this.#length = at;
  }

  #reserve(more: number): void {
    const needed = this.#length + more;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.ceil(needed * growBy));
    larger.set(this.written);
    this.#bytes = larger;
  }
}
