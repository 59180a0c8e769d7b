/** Bytes behind the last text that copying in words may read. */
const slack = 4;

/** Texts in UTF-8, each made when it is first wanted, side by side in one buffer that can be read in words. */
export class KnownTexts {
  /** Over all texts so far; replaced when it grows. */
  view: DataView;
  /** Where each text begins; -1 for those that are not known yet. */
  readonly starts: Int32Array;
  readonly lengths: Int32Array;
  readonly #make: (index: number) => string;
  #bytes: Buffer;
  #used = 0;

  /** @param make gives the text of an index below `count`. */
  constructor(count: number, make: (index: number) => string) {
    this.starts = new Int32Array(count).fill(-1);
    this.lengths = new Int32Array(count);
    this.#make = make;
    this.#bytes = Buffer.alloc(1024);
    this.view = viewOf(this.#bytes);
  }

  /** Makes sure that a text is there. */
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

/** Texts that are known from the start, by their place in the list. */
export function knownTexts(texts: readonly string[]): KnownTexts {
  const known = new KnownTexts(texts.length, (index) => texts[index] ?? '');
  for (const index of texts.keys()) known.learn(index);
  return known;
}

function viewOf(bytes: Buffer): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
