const [quote = 0, backslash = 0, minus = 0, zero = 0] = Buffer.from('"\\-0');
const firstPlain = 0x20;
/** What a byte becomes at most within a JSON text: `\u001f`. */
const longestEscape = 6;
/** Digits of the largest whole number that fits into a signed word, and its sign. */
const longestWord = 11;
const growBy = 1.5;
const pieceOfText = 16_384;

/** How each byte that must not stand in a JSON text as it is has to be written. */
const escapes = Array.from({ length: 256 }, (_, byte) => {
  if (byte >= firstPlain && byte !== quote && byte !== backslash) return undefined;
  return Buffer.from(JSON.stringify(String.fromCharCode(byte)).slice(1, -1));
});

/**
 * JSON that is written byte by byte into memory that is used again. Values that a database sends as text go from its bytes
 * to these without becoming JavaScript strings.
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

  /** What has been written, until something else is. */
  get written(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Forgets what has been written. */
  clear(): void {
    this.#length = 0;
  }

  /** Bytes as they are. */
  raw(source: Uint8Array, start = 0, end = source.length): void {
    this.#reserve(end - start);
    const target = this.#bytes;
    let at = this.#length;
    for (let index = start; index < end; index += 1) target[at++] = source[index] ?? 0;
    this.#length = at;
  }

  /** ASCII as it is: numbers, words of JSON. */
  ascii(text: string): void {
    this.#reserve(text.length);
    const target = this.#bytes;
    let at = this.#length;
    for (let index = 0; index < text.length; index += 1) target[at++] = text.charCodeAt(index);
    this.#length = at;
  }

  /** A text in UTF-8, in quotes. */
  text(source: Uint8Array, start: number, end: number): void {
    this.#byte(quote);
    // Piece by piece, so that a long text does not reserve what it would take if all of it had to be escaped.
    for (let at = start; at < end; at += pieceOfText) this.#escaped(source, at, Math.min(at + pieceOfText, end));
    this.#byte(quote);
  }

  /** A whole number of at most 32 bits. */
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

  /** A number of a moment's part: `width` digits. */
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
