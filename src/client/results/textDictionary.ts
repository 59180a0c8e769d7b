/**
 * Initial value of every hash; `mixHash` adds the text in little-endian words of four bytes, the last one zero-padded.
 */
export const hashSeed = 0x2f0b4a27;

/** Adds one word to a hash. */
export function mixHash(hash: number, word: number): number {
  return (Math.imul(hash, 0x5bd1e995) + word) | 0;
}

/** Hash of `length` bytes of `source` from `start`; `source` must be readable three bytes further. */
export function hashText(source: DataView, start: number, length: number): number {
  let hash = hashSeed;
  let i = 0;
  for (; i + 4 <= length; i += 4) hash = mixHash(hash, source.getInt32(start + i, true));
  return i === length ? hash : mixHash(hash, source.getInt32(start + i, true) & tailMask(length));
}

/** Mask of the bytes in the last word of a text of `length` bytes that belong to the text. */
export function tailMask(length: number): number {
  return (length & 3) === 0 ? -1 : (1 << ((length & 3) * 8)) - 1;
}

/** Mixes all bits of a hash into its lowest ones. */
function spread(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b);
  return (mixed ^ (mixed >>> 15)) & 0x3fffffff;
}

/** Per entry: hash, index of its first word, length in bytes. */
const entryFields = 3;

/**
 * Maps equal byte strings to equal codes, counted from 0. An open-addressing hash table over typed arrays: no object
 * per text.
 */
export class TextDictionary {
  /** Number of distinct texts. */
  size = 0;
  private table = new Int32Array(64);
  private entries = new Int32Array(32 * entryFields);
  private words = new Int32Array(128);
  private usedWords = 0;
  private readonly maxSize: number;
  private readonly maxProbes: number;

  /**
   * @param maxSize maximum number of texts.
   * @param maxProbes positions probed per text, so that texts crafted to collide cannot slow it down.
   */
  constructor(maxSize: number, maxProbes: number) {
    this.maxSize = maxSize;
    this.maxProbes = maxProbes;
  }

  /** Bytes of memory in use. */
  get heldBytes(): number {
    return this.table.byteLength + this.entries.byteLength + this.words.byteLength;
  }

  /**
   * Code of `length` bytes of `source` from `start`, new or existing; -1 if the dictionary is full.
   * @param source readable three bytes past the text.
   * @param hash `hashText` of the same bytes.
   */
  intern(source: DataView, start: number, length: number, hash: number): number {
    const table = this.table;
    const entries = this.entries;
    const mask = table.length - 1;
    let place = spread(hash);
    for (let probe = 0; probe < this.maxProbes; probe++) {
      const code = table[place++ & mask]! - 1;
      if (code < 0) return this.add(source, start, length, hash);
      const entry = code * entryFields;
      if (
        entries[entry] === hash &&
        entries[entry + 2] === length &&
        this.equals(entries[entry + 1]!, source, start, length)
      ) {
        return code;
      }
    }
    return -1;
  }

  /** The bytes of `code`, not copied. */
  bytesOf(code: number): Buffer {
    const entry = code * entryFields;
    const length = this.entries[entry + 2];
    const first = this.entries[entry + 1];
    if (length === undefined || first === undefined) throw new RangeError(`no text has code ${code}`);
    return Buffer.from(this.words.buffer, first * 4, length);
  }

  /** The text of `code`. */
  textOf(code: number): string {
    return this.bytesOf(code).toString('utf8');
  }

  /** Frees the memory used for growing and lookup; nothing can be interned afterwards. */
  finish(): void {
    this.words = this.words.slice(0, this.usedWords);
    this.entries = this.entries.slice(0, this.size * entryFields);
    this.table = new Int32Array(0);
  }

  private equals(word: number, source: DataView, start: number, length: number): boolean {
    const words = this.words;
    let at = start;
    const whole = start + (length & ~3);
    while (at < whole) {
      if (source.getInt32(at, true) !== words[word]) return false;
      at += 4;
      word++;
    }
    return (length & 3) === 0 || (source.getInt32(at, true) & tailMask(length)) === words[word];
  }

  private add(source: DataView, start: number, length: number, hash: number): number {
    if (this.size === this.maxSize) return -1;
    const wordCount = (length + 3) >> 2;
    this.reserve(wordCount);
    const code = this.size++;
    this.entries.set([hash, this.usedWords, length], code * entryFields);
    for (let i = 0; i < wordCount; i++) this.words[this.usedWords + i] = source.getInt32(start + i * 4, true);
    this.usedWords += wordCount;
    if (wordCount > 0) this.words[this.usedWords - 1]! &= tailMask(length);
    this.place(hash, code);
    return code;
  }

  private reserve(wordCount: number): void {
    if (this.usedWords + wordCount > this.words.length) {
      this.words = grown(this.words, Math.max(this.words.length * 2, this.usedWords + wordCount));
    }
    if ((this.size + 1) * entryFields > this.entries.length)
      this.entries = grown(this.entries, this.entries.length * 2);
    if (this.size * 2 < this.table.length) return;
    this.table = new Int32Array(this.table.length * 2);
    for (let code = 0; code < this.size; code++) this.place(this.entries[code * entryFields]!, code);
  }

  private place(hash: number, code: number): void {
    const mask = this.table.length - 1;
    let at = spread(hash) & mask;
    while (this.table[at] !== 0) at = (at + 1) & mask;
    this.table[at] = code + 1;
  }
}

function grown(array: Int32Array, length: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(length);
  larger.set(array);
  return larger;
}
