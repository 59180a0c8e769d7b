import type { Pacer } from '../pacer.ts';
import { sortByKeys } from './radixSort.ts';

/** Runs up to this length are sorted by comparison. */
const shortRun = 48;
/** Texts processed between two looks at the clock. */
const stepTexts = 4096;

/** Sort keys of texts, numbered from 0 in insertion order, as bytes outside the JavaScript heap. */
export class TextKeys {
  count = 0;
  private bytes = Buffer.alloc(1024);
  private view = new DataView(this.bytes.buffer, this.bytes.byteOffset, this.bytes.length);
  private ends = new Float64Array(256);
  private used = 0;

  /** Adds the UTF-8 text from `start` to `end` of `source`; returns its number. */
  add(source: Buffer, start: number, end: number): number {
    const wanted = this.used + naturalSize(end - start) + 4;
    if (wanted > this.bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(wanted, this.bytes.length * 2));
      this.bytes.copy(larger, 0, 0, this.used);
      this.bytes = larger;
      this.view = new DataView(larger.buffer, larger.byteOffset, larger.length);
    }
    if (this.count === this.ends.length) {
      const larger = new Float64Array(this.count * 2);
      larger.set(this.ends);
      this.ends = larger;
    }
    this.used = writeNatural(source, start, end, this.bytes, this.used);
    this.ends[this.count] = this.used;
    return this.count++;
  }

  /** Length of a key. */
  lengthOf(text: number): number {
    return this.ends[text]! - this.startOf(text);
  }

  /** Four bytes of a key from `depth`, as a big-endian number; zeros after its end. */
  wordAt(text: number, depth: number): number {
    const at = this.startOf(text) + depth;
    const left = this.ends[text]! - at;
    if (left >= 4) return this.view.getUint32(at);
    return left <= 0 ? 0 : (this.view.getUint32(at) & (-1 << ((4 - left) * 8))) >>> 0;
  }

  /** Compares two keys that are equal before `depth`. */
  compare(one: number, other: number, depth: number): number {
    const length = Math.max(this.lengthOf(one), this.lengthOf(other));
    for (; depth < length; depth += 4) {
      const difference = this.wordAt(one, depth) - this.wordAt(other, depth);
      if (difference !== 0) return difference;
    }
    return 0;
  }

  private startOf(text: number): number {
    return text === 0 ? 0 : this.ends[text - 1]!;
  }
}

/** Ranks of texts in natural order, by text number, from 0; equal texts share a rank. */
export async function rankTexts(keys: TextKeys, pacer: Pacer): Promise<Uint32Array> {
  const order = await sortTexts(keys, pacer);
  const ranks = new Uint32Array(keys.count);
  let rank = 0;
  for (let i = 1; i < order.length; i++) {
    if (keys.compare(order[i - 1]!, order[i]!, 0) !== 0) rank++;
    ranks[order[i]!] = rank;
    if (i % stepTexts === 0 && pacer.isDue) await pacer.pause();
  }
  return ranks;
}

/** Sorts by eight bytes at a time, then each run of texts that are equal in those by the next eight. */
async function sortTexts(keys: TextKeys, pacer: Pacer): Promise<Uint32Array> {
  const order = Uint32Array.from({ length: keys.count }, (_, text) => text);
  const spare = new Uint32Array(keys.count);
  const high = new Uint32Array(keys.count);
  const low = new Uint32Array(keys.count);
  const runs = [{ start: 0, end: keys.count, depth: 0 }];
  for (let run = runs.pop(), step = 0; run !== undefined; run = runs.pop(), step++) {
    const { start, end, depth } = run;
    if (end - start <= shortRun) {
      sortShortRun(order, keys, start, end, depth);
      if (step % 64 === 0 && pacer.isDue) await pacer.pause();
      continue;
    }
    for (let i = start; i < end; i++) {
      const text = order[i]!;
      high[text] = keys.wordAt(text, depth);
      low[text] = keys.wordAt(text, depth + 4);
      if (i % stepTexts === 0 && pacer.isDue) await pacer.pause();
    }
    await sortByKeys(order, low, spare, pacer, { start, end });
    await sortByKeys(order, high, spare, pacer, { start, end });
    let first = start;
    for (let i = start + 1; i <= end; i++) {
      const text = order[first]!;
      const next = order[i]!;
      if (i < end && high[text] === high[next] && low[text] === low[next]) continue;
      if (i - first > 1 && keys.lengthOf(text) > depth + 8) runs.push({ start: first, end: i, depth: depth + 8 });
      first = i;
    }
  }
  return order;
}

function sortShortRun(order: Uint32Array, keys: TextKeys, start: number, end: number, depth: number): void {
  for (let i = start + 1; i < end; i++) {
    const text = order[i]!;
    let place = i;
    while (place > start && keys.compare(order[place - 1]!, text, depth) > 0) {
      order[place] = order[place - 1]!;
      place--;
    }
    order[place] = text;
  }
}

const zero = 0x30;
const separator = 0;

const combiningMarks = /\p{M}+/gu;

/**
 * Writes bytes whose byte order is the natural order of texts: ignores case and accents, compares runs of digits as
 * numbers (`a9` before `a10`). The text itself follows after a zero, so that only equal texts are equal, and texts that
 * differ only in case or accents still have an order.
 * @param source UTF-8 text from `start` to `end`.
 * @param target receives the bytes from `at`; needs room for `naturalSize` bytes.
 * @returns the index in `target` after them.
 */
function writeNatural(source: Buffer, start: number, end: number, target: Buffer, at: number): number {
  if (isAscii(source, start, end)) at = writeFolded(source, start, end, target, at);
  else {
    const plain = source.toString('utf8', start, end).normalize('NFKD').replace(combiningMarks, '');
    const folded = Buffer.from(plain.toLowerCase());
    at = writeFolded(folded, 0, Math.min(folded.length, (end - start) * 4), target, at);
  }
  target[at++] = separator;
  return at + source.copy(target, at, start, end);
}

/** Maximum number of bytes that `writeNatural` needs for a text of `length` bytes. */
function naturalSize(length: number): number {
  return length * 13 + 1;
}

function isAscii(source: Uint8Array, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if (source[i]! >= 0x80) return false;
  return true;
}

/** Lower-cases letters; replaces a run of digits by `0`, its length without leading zeros, and the digits. */
function writeFolded(source: Uint8Array, start: number, end: number, target: Uint8Array, at: number): number {
  for (let i = start; i < end;) {
    const code = source[i]!;
    if ((code - zero) >>> 0 >= 10) {
      target[at++] = code >= 0x41 && code <= 0x5a ? code + 0x20 : Math.max(code, 1);
      i++;
      continue;
    }
    let first = i;
    while (i < end && (source[i]! - zero) >>> 0 < 10) i++;
    while (first < i - 1 && source[first] === zero) first++;
    target[at++] = zero;
    target[at++] = Math.min(i - first, 255);
    for (; first < i; first++) target[at++] = source[first]!;
  }
  return at;
}
