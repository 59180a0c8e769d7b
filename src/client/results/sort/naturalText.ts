const zero = 0x30;
const separator = 0;

const combiningMarks = /\p{M}+/gu;

/**
 * Writes bytes whose plain byte order is the natural order of texts: case and accents do not count, runs of digits count
 * as numbers (`a9` before `a10`). The text itself follows behind a zero, so that only equal texts are equal, and texts
 * that differ in case or accents alone still have an order.
 * @param source UTF-8 text from `start` to `end`.
 * @param target receives the bytes from `at`; needs `naturalSize` bytes of room.
 * @returns the index in `target` past them.
 */
export function writeNatural(source: Buffer, start: number, end: number, target: Buffer, at: number): number {
  if (isAscii(source, start, end)) at = writeFolded(source, start, end, target, at);
  else {
    const plain = source.toString('utf8', start, end).normalize('NFKD').replace(combiningMarks, '');
    const folded = Buffer.from(plain.toLowerCase());
    at = writeFolded(folded, 0, Math.min(folded.length, (end - start) * 4), target, at);
  }
  target[at++] = separator;
  return at + source.copy(target, at, start, end);
}

/** Bytes that `writeNatural` needs at most for a text of `length` bytes. */
export function naturalSize(length: number): number {
  return length * 13 + 1;
}

function isAscii(source: Uint8Array, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if (source[i]! >= 0x80) return false;
  return true;
}

/** Capital letters become small ones; a run of digits becomes `0`, its length without leading zeros, and the digits. */
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
