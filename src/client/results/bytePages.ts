const pageSize = 2 ** 18;
/** Shorter lengths take one byte, others five. */
const longLength = 255;
/** Word-wise copying writes up to three bytes too many; a length takes up to five. */
const slack = 8;

/**
 * Append-only storage of byte strings in pages of 256 KiB, so that growing never copies existing data. The address of a
 * string is page number times page size plus its offset in the page. A string longer than a page gets its own.
 */
export class BytePages {
  private readonly pages: Buffer[] = [];
  private page: Buffer = Buffer.alloc(0);
  private view: DataView = new DataView(new ArrayBuffer(0));
  private used = pageSize;
  private held = 0;

  /** Bytes of memory in use. */
  get heldBytes(): number {
    return this.held;
  }

  /** Address of the next string to be appended; pass it to `rewind` to discard everything appended since. */
  get top(): number {
    return this.pages.length === 0 ? 0 : (this.pages.length - 1) * pageSize + this.used;
  }

  /** Discards everything appended since `top` was read. */
  rewind(top: number): void {
    const used = top % pageSize;
    const count = Math.floor(top / pageSize) + (used > 0 ? 1 : 0);
    while (this.pages.length > count) this.held -= this.pages.pop()?.length ?? 0;
    this.use(this.pages[count - 1] ?? Buffer.alloc(0), used > 0 ? used : pageSize);
  }

  /**
   * Stores `length` bytes of `source` and returns their address.
   * @param source readable up to three bytes past the end of the string.
   */
  append(source: DataView, start: number, length: number): number {
    if (this.used + length + slack > pageSize) this.turnPage(length);
    const address = this.top;
    let at = this.used;
    if (length < longLength) this.view.setUint8(at++, length);
    else {
      this.view.setUint8(at, longLength);
      this.view.setUint32(at + 1, length, true);
      at += 5;
    }
    if (length > 128) this.page.set(new Uint8Array(source.buffer, source.byteOffset + start, length), at);
    else for (let i = 0; i < length; i += 4) this.view.setInt32(at + i, source.getInt32(start + i, true), true);
    this.used = Math.min(at + length, pageSize);
    return address;
  }

  /** Number of pages. */
  get pageCount(): number {
    return this.pages.length;
  }

  /** Number of the page that contains an address. */
  pageOf(address: number): number {
    return Math.floor(address / pageSize);
  }

  /**
   * A whole page, not copied. Its strings follow each other: one byte of length, 255 for longer ones, whose length
   * takes four more bytes, little-endian; then the bytes.
   */
  bytesOf(page: number): Buffer {
    const bytes = this.pages[page];
    if (bytes === undefined) throw new RangeError(`no page ${page}`);
    return bytes;
  }

  /** Calls `use` with the byte string at `address`, from `start` to `end` of a page, without copying it. */
  read<T>(address: number, use: (page: Buffer, start: number, end: number) => T): T {
    const number = this.pageOf(address);
    const page = this.bytesOf(number);
    const at = placeOf(address, number);
    const length = page[at]!;
    return length < longLength
      ? use(page, at + 1, at + 1 + length)
      : use(page, at + 5, at + 5 + page.readUInt32LE(at + 1));
  }

  /** Start of the byte string at `address` in its page. */
  startOf(address: number): number {
    return this.read(address, (_, start) => start);
  }

  /** End of the byte string at `address` in its page (exclusive). */
  endOf(address: number): number {
    return this.read(address, (_, __, end) => end);
  }

  /**
   * Whether the text at `address` contains `needle`, lower-case ASCII, ignoring case. Undefined if the text has
   * non-ASCII bytes, which only string functions can lower-case.
   */
  contains(address: number, needle: Uint8Array): boolean | undefined {
    return this.read(address, (page, start, end) => containsBytes(page, start, end, needle));
  }

  /** Hash of the bytes at `address`, the same as {@link hashOf} of the same bytes. */
  hashAt(address: number): number {
    return this.read(address, hashBytes);
  }

  hashOf(bytes: Uint8Array): number {
    return hashBytes(bytes, 0, bytes.length);
  }

  /** Whether the bytes at two addresses are equal. */
  isSame(one: number, other: number): boolean {
    return one === other || this.read(other, (page, start, end) => this.holds(one, page.subarray(start, end)));
  }

  /** Whether the bytes at `address` equal `bytes`. */
  holds(address: number, bytes: Uint8Array): boolean {
    return this.read(address, (page, start, end) => page.compare(bytes, 0, bytes.length, start, end) === 0);
  }

  /** The UTF-8 text at `address`. */
  textAt(address: number): string {
    return this.read(address, (page, start, end) => page.toString('utf8', start, end));
  }

  /** Frees the unused rest of the last page; nothing can be appended afterwards. */
  finish(): void {
    const last = this.pages.at(-1);
    if (last === undefined || last.length > pageSize) return;
    this.pages.pop();
    const exact = Buffer.allocUnsafeSlow(this.used);
    last.copy(exact);
    this.pages.push(exact);
    this.held += exact.length - last.length;
    this.use(exact, pageSize);
  }

  private turnPage(length: number): void {
    // Zero-filled, so that a page with only ASCII texts is entirely ASCII.
    const page = Buffer.alloc(Math.max(pageSize, length + slack));
    this.pages.push(page);
    this.held += page.length;
    this.use(page, 0);
  }

  private use(page: Buffer, used: number): void {
    this.page = page;
    this.view = new DataView(page.buffer, page.byteOffset, page.byteLength);
    this.used = used;
  }
}

function containsBytes(bytes: Uint8Array, start: number, end: number, needle: Uint8Array): boolean | undefined {
  let matched = 0;
  for (let at = start; at < end; at++) {
    let code = bytes[at]!;
    if (code >= 0x80) return undefined;
    if ((code - 0x41) >>> 0 < 26) code |= 0x20;
    if (code === needle[matched]) {
      if (++matched === needle.length) return true;
    } else if (matched > 0) {
      // Restart after the start of this attempt.
      at -= matched;
      matched = 0;
    }
  }
  return false;
}

/** Offset of an address in its page; the remainder operator would be slower. */
function placeOf(address: number, page: number): number {
  return address - page * pageSize;
}

function hashBytes(bytes: Uint8Array, start: number, end: number): number {
  let hash = end - start;
  for (let at = start; at < end; at++) hash = (Math.imul(hash, 0x5bd1e995) + bytes[at]!) | 0;
  return hash ^ (hash >>> 15);
}
