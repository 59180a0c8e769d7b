/** Writes finished bytes. The caller may overwrite them once the promise has settled. */
export type WriteBytes = (bytes: Uint8Array) => Promise<void>;

const chunkBytes = 512 * 1024;
/** Space for a number, or for the delimiters around a cell. */
const smallRoom = 64;
const tens = [1, 10, 100, 1e3, 1e4, 1e5, 1e6];
const powers = [1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8];
/** Above this, `toString` converts numbers. */
const largestQuick = 1e9;

/** Number of bytes that copying word by word may read or write past the end. */
const slack = 4;

/**
 * Collects bytes in chunks; collects the next chunk while one is being written. Copies short pieces in words of four
 * bytes, which is faster than a call for each.
 */
export class ByteSink {
  #buffer = Buffer.allocUnsafeSlow(chunkBytes);
  #view = viewOf(this.#buffer);
  /** The buffer that is not in use for collecting. */
  #spare = Buffer.allocUnsafeSlow(chunkBytes);
  #writing: Promise<void> = Promise.resolve();
  #used = 0;
  readonly #write: WriteBytes;
  /** Bytes collected so far, including those already written. */
  total = 0;

  constructor(write: WriteBytes) {
    this.#write = write;
  }

  /** Whether to call {@link drain}. */
  get isFull(): boolean {
    return this.#used >= chunkBytes / 2;
  }

  /** Passes the collected bytes to the writer once the previous chunk is written. @throws the error of that write. */
  async drain(): Promise<void> {
    if (this.#used === 0) return;
    const bytes = this.#buffer.subarray(0, this.#used);
    await this.#writing;
    [this.#buffer, this.#spare] = [this.#spare, this.#buffer];
    this.#view = viewOf(this.#buffer);
    this.total += this.#used;
    this.#used = 0;
    this.#writing = this.#write(bytes);
    // The error is thrown by the next `drain`, `pass` or `end`, which awaits this write.
    this.#writing.catch(() => undefined);
  }

  /**
   * Appends externally collected bytes after the bytes collected here. Settles once the previous chunk is written;
   * `bytes` may be overwritten when the next call has settled.
   * @throws the error of the previous write.
   */
  async pass(bytes: Uint8Array): Promise<void> {
    await this.drain();
    await this.#writing;
    this.total += bytes.length;
    this.#writing = this.#write(bytes);
    this.#writing.catch(() => undefined);
  }

  /** Passes on the remaining bytes and waits until everything is written. @throws the write error. */
  async end(): Promise<void> {
    await this.drain();
    await this.#writing;
  }

  text(text: string): void {
    if (text === '') return;
    this.#reserve(text.length * 3);
    this.#used += this.#buffer.write(text, this.#used);
  }

  /** Appends the bytes from `start` to `end` of `source`. */
  bytes(source: Uint8Array, start: number, end: number): void {
    const length = end - start;
    this.#reserve(length);
    this.#buffer.set(source.subarray(start, end), this.#used);
    this.#used += length;
  }

  /** Appends an encoded text, without its first `skipped` bytes. */
  known({ view, starts, lengths }: EncodedTexts, index: number, skipped = 0): void {
    this.words(view, starts[index]! + skipped, lengths[index]! - skipped);
  }

  /** Appends `length` bytes of `source` from `start`. `source` must be readable three bytes past them. */
  words(source: DataView, start: number, length: number): void {
    if (this.#used + length + slack > this.#buffer.length) this.#reserve(length + slack);
    const view = this.#view;
    const used = this.#used;
    for (let i = 0; i < length; i += 4) view.setInt32(used + i, source.getInt32(start + i, true), true);
    this.#used = used + length;
  }

  /**
   * Appends the digits of a number, as JavaScript writes it.
   * @param likely its probable number of decimals, taken from the previous number in the column.
   * @returns its number of decimals; 0 if unknown.
   */
  number(value: number, likely = 0): number {
    if (this.#used + smallRoom > this.#buffer.length) this.#reserve(smallRoom);
    for (let decimals = likely; decimals < tens.length; decimals++) {
      const scale = tens[decimals]!;
      let whole = Math.round(value * scale);
      if (whole >= largestQuick || whole <= -largestQuick) break;
      if (whole / scale !== value) continue;
      if (whole === 0) {
        if (Object.is(value, -0)) break;
        decimals = 0;
      }
      // With this few digits, two texts never mean the same number: the one without trailing zeros is the shortest.
      while (decimals > 0 && whole % 10 === 0) {
        whole /= 10;
        decimals--;
      }
      this.#digits(whole, decimals);
      return decimals;
    }
    this.#used += this.#buffer.write(String(value), this.#used, 'latin1');
    return 0;
  }

  /**
   * Appends the digits of an integer below {@link largestQuick}, with a decimal point before the last `decimals`
   * digits.
   */
  #digits(whole: number, decimals: number): void {
    const buffer = this.#buffer;
    let rest = whole | 0;
    if (rest < 0) {
      buffer[this.#used++] = 0x2d;
      rest = -rest;
    }
    let length = 1;
    while (length < powers.length && rest >= powers[length]!) length++;
    if (length <= decimals) length = decimals + 1;
    let at = this.#used + length + (decimals > 0 ? 1 : 0);
    this.#used = at;
    for (let digit = 0; digit < length; digit++) {
      if (digit === decimals && decimals > 0) buffer[--at] = 0x2e;
      const next = (rest / 10) | 0;
      buffer[--at] = 0x30 + (rest - next * 10);
      rest = next;
    }
  }

  #reserve(bytes: number): void {
    if (this.#used + bytes <= this.#buffer.length) return;
    const grown = Buffer.allocUnsafeSlow(Math.max(this.#buffer.length * 2, this.#used + bytes));
    this.#buffer.copy(grown, 0, 0, this.#used);
    this.#buffer = grown;
    this.#view = viewOf(grown);
  }
}

function viewOf(bytes: Buffer): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** UTF-8 texts, encoded on first use into one contiguous buffer that can be read word by word. */
export class EncodedTexts {
  /** View of all texts so far. Replaced when it grows. */
  view: DataView;
  /** Start of each text; -1 if it is not encoded yet. */
  readonly starts: Int32Array;
  readonly lengths: Int32Array;
  readonly #make: (index: number) => string;
  #bytes: Buffer;
  #used = 0;

  /** @param make returns the text for an index below `count`. */
  constructor(count: number, make: (index: number) => string) {
    this.starts = new Int32Array(count).fill(-1);
    this.lengths = new Int32Array(count);
    this.#make = make;
    this.#bytes = Buffer.alloc(1024);
    this.view = viewOf(this.#bytes);
  }

  /** Encodes a text if needed. */
  learn(index: number): void {
    if (this.starts[index]! >= 0) return;
    const text = this.#make(index);
    const length = Buffer.byteLength(text);
    if (this.#used + length + slack > this.#bytes.length) {
      const larger = Buffer.alloc(Math.max(this.#bytes.length * 2, this.#used + length + slack));
      this.#bytes.copy(larger, 0, 0, this.#used);
      this.#bytes = larger;
      this.view = viewOf(larger);
    }
    this.#bytes.write(text, this.#used);
    this.starts[index] = this.#used;
    this.lengths[index] = length;
    this.#used += length;
  }
}

/** Encodes a fixed list of texts, by their index. */
export function knownTexts(texts: readonly string[]): EncodedTexts {
  const known = new EncodedTexts(texts.length, (index) => texts[index] ?? '');
  for (const index of texts.keys()) known.learn(index);
  return known;
}
