import type { CellRun } from './cellReader.ts';
import { cellTag } from './resultCell.ts';

/** Initial number of entries in a table. */
const firstRoom = 64;
const bits = new Float64Array(1);
const words = new Uint32Array(bits.buffer);

/** Counts numeric keys in the order of their first occurrence; no object per key. */
class KeyCounts {
  size = 0;
  keys = new Float64Array(firstRoom);
  counts = new Uint32Array(firstRoom);
  #hashes = new Int32Array(firstRoom);
  #table = new Int32Array(firstRoom * 2);
  readonly #most: number;
  readonly #isSame: (one: number, other: number) => boolean;

  /** @param most maximum number of keys; further ones are not counted. */
  constructor(most: number, isSame: (one: number, other: number) => boolean) {
    this.#most = most;
    this.#isSame = isSame;
  }

  /** Counts a key; false if it is new and there is no room for it. */
  add(key: number, hash: number): boolean {
    const mask = this.#table.length - 1;
    let place = hash & mask;
    for (let entry = this.#table[place]! - 1; entry >= 0; entry = this.#table[place]! - 1) {
      if (this.#hashes[entry] === hash && this.#isSame(this.keys[entry]!, key)) {
        this.counts[entry]!++;
        return true;
      }
      place = (place + 1) & mask;
    }
    if (this.size === this.#most) return false;
    if (this.size === this.keys.length) return this.#grow(key, hash);
    this.keys[this.size] = key;
    this.#hashes[this.size] = hash;
    this.counts[this.size] = 1;
    this.#table[place] = ++this.size;
    return true;
  }

  /** Entry whose key has this hash and satisfies `isSame`; -1 if there is none. */
  find(hash: number, isSame: (key: number) => boolean): number {
    const mask = this.#table.length - 1;
    for (let place = hash & mask; this.#table[place] !== 0; place = (place + 1) & mask) {
      const entry = this.#table[place]! - 1;
      if (this.#hashes[entry] === hash && isSame(this.keys[entry]!)) return entry;
    }
    return -1;
  }

  #grow(key: number, hash: number): boolean {
    const room = this.size * 2;
    const { keys, counts } = this;
    const hashes = this.#hashes;
    this.keys = new Float64Array(room);
    this.counts = new Uint32Array(room);
    this.#hashes = new Int32Array(room);
    this.keys.set(keys);
    this.counts.set(counts);
    this.#hashes.set(hashes);
    this.#table = new Int32Array(room * 2);
    const mask = room * 2 - 1;
    for (let entry = 0; entry < this.size; entry++) {
      let place = hashes[entry]! & mask;
      while (this.#table[place] !== 0) place = (place + 1) & mask;
      this.#table[place] = entry + 1;
    }
    return this.add(key, hash);
  }
}

/** A value and its number of occurrences. */
export interface CountedValue {
  /** Texts, and everything that is neither text nor number, as text. */
  value: string | number;
  count: number;
}

/**
 * Counts the distinct values of a column, using the stored numbers and texts and creating hardly any strings. A number
 * differs from the same number as text.
 */
export class ValueCounts {
  /** Number of cells without a value. */
  nulls = 0;
  /** Whether there are more distinct values than the limit; the others are not counted. */
  isCapped = false;
  readonly #run: CellRun;
  readonly #most: number;
  readonly #codes: Uint32Array;
  readonly #numbers: KeyCounts;
  readonly #texts: KeyCounts;
  readonly #others = new Map<string, number>();
  #areCodesMerged = false;

  /** @param most maximum number of distinct values of each kind. */
  constructor(run: CellRun, most: number) {
    const { pages, dictionary } = run.data;
    this.#run = run;
    this.#most = most;
    this.#codes = new Uint32Array(dictionary.size);
    this.#numbers = new KeyCounts(most, (one, other) => one === other);
    this.#texts = new KeyCounts(most, (one, other) => pages.isSame(one, other));
  }

  /** Counts the first `count` cells of the run. */
  add(count: number): void {
    const { data, tags, slots } = this.#run;
    for (let i = 0; i < count; i++) {
      const tag = tags[i]!;
      const slot = slots[i]!;
      if (tag <= cellTag.null) this.nulls++;
      else if (tag === cellTag.code) this.#codes[slot]!++;
      else if (tag === cellTag.number) this.#note(this.#numbers.add(slot + 0, hashNumber(slot + 0)));
      else if (tag === cellTag.text) this.#note(this.#texts.add(slot, data.pages.hashAt(slot)));
      else this.#other(tag, slot);
    }
  }

  /** Number of distinct values counted. */
  get size(): number {
    this.#mergeCodes();
    let codes = 0;
    for (const count of this.#codes) if (count > 0) codes++;
    return this.#numbers.size + this.#texts.size + this.#others.size + codes;
  }

  /** All values counted. */
  *values(): Generator<CountedValue> {
    this.#mergeCodes();
    const { dictionary, pages } = this.#run.data;
    for (const [code, count] of this.#codes.entries()) if (count > 0) yield { value: dictionary.textOf(code), count };
    for (let i = 0; i < this.#texts.size; i++) {
      yield { value: pages.textAt(this.#texts.keys[i]!), count: this.#texts.counts[i]! };
    }
    for (let i = 0; i < this.#numbers.size; i++) {
      yield { value: this.#numbers.keys[i]!, count: this.#numbers.counts[i]! };
    }
    for (const [value, count] of this.#others) yield { value, count };
  }

  /** The `most` most frequent values; ties in the order of their first occurrence. */
  frequent(most: number): CountedValue[] {
    this.#mergeCodes();
    const { dictionary, pages } = this.#run.data;
    const found: { count: number; value: () => string | number }[] = [];
    const offer = (count: number, value: () => string | number) => {
      if (count <= (found[most - 1]?.count ?? 0)) return;
      const place = found.findIndex((each) => each.count < count);
      found.splice(place < 0 ? found.length : place, 0, { count, value });
      if (found.length > most) found.pop();
    };
    for (let code = 0; code < this.#codes.length; code++) offer(this.#codes[code]!, () => dictionary.textOf(code));
    const { keys: addresses, counts: textCounts } = this.#texts;
    for (let i = 0; i < this.#texts.size; i++) offer(textCounts[i]!, () => pages.textAt(addresses[i]!));
    const { keys, counts } = this.#numbers;
    for (let i = 0; i < this.#numbers.size; i++) offer(counts[i]!, () => keys[i] ?? 0);
    for (const [value, count] of this.#others) offer(count, () => value);
    return found.map(({ value, count }) => ({ value: value(), count }));
  }

  #note(isCounted: boolean): void {
    if (!isCounted) this.isCapped = true;
  }

  #other(tag: number, slot: number): void {
    const value = this.#run.data.valueOf(tag, slot);
    const text = typeof value === 'object' ? (value?.text ?? '') : String(value);
    const count = this.#others.get(text);
    if (count === undefined && this.#others.size >= this.#most) this.isCapped = true;
    else this.#others.set(text, (count ?? 0) + 1);
  }

  /** A column that stopped using its dictionary stores its texts elsewhere too: counts these once. */
  #mergeCodes(): void {
    if (this.#areCodesMerged || this.#texts.size === 0) return;
    this.#areCodesMerged = true;
    const { dictionary, pages } = this.#run.data;
    for (const [code, count] of this.#codes.entries()) {
      if (count === 0) continue;
      const bytes = dictionary.bytesOf(code);
      const entry = this.#texts.find(pages.hashOf(bytes), (address) => pages.holds(address, bytes));
      if (entry < 0) continue;
      this.#texts.counts[entry]! += count;
      this.#codes[code] = 0;
    }
  }
}

function hashNumber(value: number): number {
  bits[0] = value;
  const mixed = Math.imul(words[0]! ^ Math.imul(words[1]!, 0x5bd1e995), 0x45d9f3b);
  return mixed ^ (mixed >>> 15);
}
