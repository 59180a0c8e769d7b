/** Bytes that are significant in JSON. */
export const byte = {
  tab: 0x09,
  newline: 0x0a,
  return: 0x0d,
  space: 0x20,
  quote: 0x22,
  plus: 0x2b,
  comma: 0x2c,
  minus: 0x2d,
  dot: 0x2e,
  slash: 0x2f,
  zero: 0x30,
  colon: 0x3a,
  openArray: 0x5b,
  backslash: 0x5c,
  closeArray: 0x5d,
  b: 0x62,
  f: 0x66,
  n: 0x6e,
  r: 0x72,
  t: 0x74,
  u: 0x75,
  openObject: 0x7b,
  closeObject: 0x7d,
} as const;

/** Whether `code` is a decimal digit. */
export function isDigit(code: number | undefined): boolean {
  return code !== undefined && (code - byte.zero) >>> 0 < 10;
}

/** Value of a hexadecimal digit; -1 for any other byte. */
export function hexValue(code: number): number {
  const decimal = code - byte.zero;
  if (decimal >>> 0 < 10) return decimal;
  const letter = (code | 0x20) - 0x61;
  return letter >>> 0 < 6 ? letter + 10 : -1;
}

/**
 * Writes the content of a valid JSON string as UTF-8, with escapes resolved.
 * @param source contains the content from `start` to `end`, without quotes.
 * @param target at least `end - start` bytes.
 * @returns bytes written, or -1 if the string has a lone surrogate, which UTF-8 cannot express.
 */
export function unescapeText(source: Uint8Array, start: number, end: number, target: Uint8Array): number {
  let out = 0;
  for (let at = start; at < end;) {
    const code = source[at++]!;
    if (code !== byte.backslash) {
      target[out++] = code;
      continue;
    }
    const escape = source[at++]!;
    if (escape !== byte.u) {
      target[out++] = shortEscape(escape);
      continue;
    }
    let point = hexWord(source, at);
    at += 4;
    if (point >= 0xd800 && point < 0xe000) {
      const isPair = point < 0xdc00 && source[at] === byte.backslash && source[at + 1] === byte.u;
      const low = isPair ? hexWord(source, at + 2) - 0xdc00 : -1;
      if (low < 0 || low >= 0x400) return -1;
      point = 0x10000 + ((point - 0xd800) << 10) + low;
      at += 6;
    }
    out = writePoint(point, target, out);
  }
  return out;
}

function shortEscape(code: number): number {
  switch (code) {
    case byte.b:
      return 0x08;
    case byte.f:
      return 0x0c;
    case byte.n:
      return byte.newline;
    case byte.r:
      return byte.return;
    case byte.t:
      return byte.tab;
    default:
      return code;
  }
}

function hexWord(source: Uint8Array, at: number): number {
  let value = 0;
  for (let i = at; i < at + 4; i++) value = (value << 4) | hexValue(source[i]!);
  return value;
}

function writePoint(point: number, target: Uint8Array, out: number): number {
  if (point < 0x80) {
    target[out++] = point;
    return out;
  }
  if (point < 0x800) target[out++] = 0xc0 | (point >> 6);
  else {
    if (point < 0x10000) target[out++] = 0xe0 | (point >> 12);
    else {
      target[out++] = 0xf0 | (point >> 18);
      target[out++] = 0x80 | ((point >> 12) & 0x3f);
    }
    target[out++] = 0x80 | ((point >> 6) & 0x3f);
  }
  target[out++] = 0x80 | (point & 0x3f);
  return out;
}
