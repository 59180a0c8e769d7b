/**
 * The bytes of a key as written in a reply, including quotes and colon, to recognize it again. Compares eight bytes at
 * a time as doubles, which differ if their bytes do; the last eight (for a short key, the last four) overlap the
 * previous ones. (Equal bytes could only differ as doubles, NaN, in invalid UTF-8; such keys are never recognized.)
 */
export class KeyBytes {
  /** The bytes; empty for a key that nothing matches. */
  readonly bytes: Uint8Array;
  private readonly length: number;
  private readonly words: Float64Array;
  private readonly lastWord: number;
  /** First and last four bytes of a key shorter than eight. */
  private readonly head: number;
  private readonly tail: number;

  /** The bytes of `view` from `start` to `end`; a key that nothing matches if omitted or shorter than four. */
  constructor(view?: DataView, start = 0, end = 0) {
    const length = end - start;
    const isKnown = view !== undefined && length >= 4;
    this.length = isKnown ? length : 0;
    this.bytes = isKnown ? new Uint8Array(view.buffer, view.byteOffset + start, length).slice() : new Uint8Array(0);
    this.words = new Float64Array(isKnown ? (length - 1) >> 3 : 0);
    for (let i = 0; i < this.words.length; i++) this.words[i] = view!.getFloat64(start + i * 8, true);
    this.lastWord = isKnown && length >= 8 ? view.getFloat64(end - 8, true) : 0;
    this.head = isKnown ? view.getInt32(start, true) : 0;
    this.tail = isKnown ? view.getInt32(end - 4, true) : 0;
  }

  /** Returns the index after these bytes if `view` has them at `at`, else -1. */
  match(view: DataView, at: number): number {
    const { length } = this;
    if (length < 8) {
      const isSame =
        length > 0 && view.getInt32(at, true) === this.head && view.getInt32(at + length - 4, true) === this.tail;
      return isSame ? at + length : -1;
    }
    const { words } = this;
    for (let i = 0; i < words.length; i++) if (view.getFloat64(at + i * 8, true) !== words[i]) return -1;
    return view.getFloat64(at + length - 8, true) === this.lastWord ? at + length : -1;
  }
}
