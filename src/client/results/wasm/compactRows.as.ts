/**
 * AssemblyScript, compiled to WebAssembly by build.ts; compactRows.ts is its only caller and ../rowScanner.ts its twin.
 *
 * Reads rows that are written without white space and have the expected keys in the expected order; it stops before the
 * first row that is not. It writes the cells by column: tag and number, or tag and code of a text that it remembers. Other
 * cells it only finds the end of and lists as pending, for the twin to keep: texts it does not remember, texts with
 * escapes, long numbers. All that works on a fixed memory, which begins with a part for the compiler's constants.
 */

/** Rows that one call reads at most. */
export const maxRows: i32 = 256;
/** Columns that a row may have. */
export const maxColumns: i32 = 64;
/** Bytes of a key with quotes, colon and the byte before. */
export const maxKeyBytes: i32 = 64;
/** Bytes of texts that are remembered. */
export const maxKnownBytes: i32 = 48;
export const windowBytes: i32 = 262208;

/** The bytes to read, followed by at least 16 zeros. */
export const windowAt: i32 = 4096;
/** Per column: the key with `{` or `,` before it. */
export const keysAt: i32 = windowAt + windowBytes;
/** Per column, in bytes: the length of that. */
export const keyLengthsAt: i32 = keysAt + maxColumns * maxKeyBytes;
/** Per column, in bytes: whether its texts are looked up. */
export const interningAt: i32 = keyLengthsAt + maxColumns;
/** Per column and row: what the cell is kept as, one byte. */
export const tagsAt: i32 = interningAt + maxColumns;
/** Per column and row: number or code, a double. */
export const slotsAt: i32 = tagsAt + maxColumns * maxRows;
/** Per pending cell, four words: row, column and kind in one; where its bytes begin; how many; hash of a text. */
export const pendingAt: i32 = slotsAt + maxColumns * maxRows * 8;
/** Per column: texts it remembers. */
const knownAt: i32 = pendingAt + maxColumns * maxRows * 16;
/** An open hash table of entries of 64 bytes: length, code, eight unused bytes, text. No code is 0: they are one too high. */
const knownTexts: i32 = 512;
const knownProbes: i32 = 4;

/** Index past the last row read. */
export let next: i32 = 0;
/** Pending cells of the rows read. */
export let pending: i32 = 0;

// As in cellTag of ../resultCell.ts.
const tagNull: u8 = 1;
const tagFalse: u8 = 2;
const tagTrue: u8 = 3;
const tagNumber: u8 = 4;
const tagCode: u8 = 6;
/** Kinds of pending cells. */
const pendingText: i32 = 0;
const pendingOther: i32 = 1;
/** Digits that a double always keeps. */
const safeDigits: i32 = 15;
const powersOfTen: StaticArray<f64> = [
  1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
];

/** Reads up to `rows` rows from index `at` on; returns how many it read. */
export function scanRows(at: i32, columns: i32, rows: i32): i32 {
  let place = windowAt + at;
  let row = 0;
  let whole = 0;
  pending = 0;
  while (row < rows) {
    place = scanRow(place, columns, row);
    if (place == 0) break;
    row++;
    whole = pending;
    next = place - windowAt;
    if (load<u8>(place) != 0x2c) break;
    place++;
  }
  pending = whole;
  return row;
}

/** Lets column `column` remember `code` for the text at index `at`. */
export function remember(column: i32, at: i32, length: i32, code: i32): void {
  const text = windowAt + at;
  const first = knownHash(text, length);
  let place = knownPlace(column, first + (code & (knownProbes - 1)));
  for (let probe = 0; probe < knownProbes; probe++) {
    const free = knownPlace(column, first + probe);
    if (load<i32>(free, 4) != 0) continue;
    place = free;
    break;
  }
  store<i32>(place, length);
  store<i32>(place, code + 1, 4);
  memory.copy(place + 16, text, length);
}

/** Lets column `column` forget its texts. */
export function forget(column: i32): void {
  memory.fill(knownPlace(column, 0), 0, knownTexts * 64);
}

/** Reads the row at address `at`; returns the address past it, 0 if it is not as expected or its bytes run out. */
function scanRow(at: i32, columns: i32, row: i32): i32 {
  for (let column = 0; column < columns; column++) {
    const length = <i32>load<u8>(keyLengthsAt + column);
    if (!isSame(at, keysAt + column * maxKeyBytes, length)) return 0;
    at += length;
    const code = load<u8>(at);
    if (code == 0x22) at = scanText(at, column, row);
    else if (code == 0x6e) at = load<i32>(at) == 0x6c6c756e ? keep(at + 4, column, row, tagNull, 0) : 0;
    else if (code == 0x74) at = load<i32>(at) == 0x65757274 ? keep(at + 4, column, row, tagTrue, 0) : 0;
    else if (code == 0x66) at = load<i32>(at + 1) == 0x65736c61 ? keep(at + 5, column, row, tagFalse, 0) : 0;
    else at = scanNumber(at, column, row);
    if (at == 0) return 0;
  }
  return load<u8>(at) == 0x7d ? at + 1 : 0;
}

/** Writes a cell; returns `end`. */
// @ts-ignore: decorator
@inline
function keep(end: i32, column: i32, row: i32, tag: u8, slot: f64): i32 {
  const cell = column * maxRows + row;
  store<u8>(tagsAt + cell, tag);
  store<f64>(slotsAt + (cell << 3), slot);
  return end;
}

/** Lists a cell as pending. */
// @ts-ignore: decorator
@inline
function defer(kind: i32, at: i32, length: i32, hash: i32, column: i32, row: i32): void {
  const entry = pendingAt + (pending++ << 4);
  store<i32>(entry, (row << 8) | (column << 1) | kind);
  store<i32>(entry, at - windowAt, 4);
  store<i32>(entry, length, 8);
  store<i32>(entry, hash, 12);
}

function scanText(quote: i32, column: i32, row: i32): i32 {
  const at = quote + 1;
  let end = textStop(at);
  const code = load<u8>(end);
  if (code != 0x22) {
    while (load<u8>(end) == 0x5c) end = textStop(end + 2);
    if (load<u8>(end) != 0x22) return 0;
    defer(pendingOther, quote, end + 1 - quote, 0, column, row);
    return end + 1;
  }
  const length = end - at;
  if (load<u8>(interningAt + column) == 0) {
    defer(pendingText, at, length, 0, column, row);
    return end + 1;
  }
  if (length <= maxKnownBytes) {
    const first = knownHash(at, length);
    for (let probe = 0; probe < knownProbes; probe++) {
      const known = knownPlace(column, first + probe);
      const code = load<i32>(known, 4);
      if (code == 0) break;
      if (load<i32>(known) == length && isSame(at, known + 16, length)) {
        return keep(end + 1, column, row, tagCode, <f64>(code - 1));
      }
    }
  }
  defer(pendingText, at, length, dictionaryHash(at, length), column, row);
  return end + 1;
}

/** Reads numbers of up to 15 digits without exponent; of any other, only the end. */
function scanNumber(at: i32, column: i32, row: i32): i32 {
  const isNegative = load<u8>(at) == 0x2d;
  const start = at + i32(isNegative);
  let place = start;
  let digits: u64 = 0;
  let digit = <u32>load<u8>(place) - 0x30;
  while (digit < 10) {
    digits = digits * 10 + digit;
    digit = <u32>load<u8>(++place) - 0x30;
  }
  const whole = place - start;
  let scale = 0;
  if (load<u8>(place) == 0x2e) {
    digit = <u32>load<u8>(++place) - 0x30;
    while (digit < 10) {
      digits = digits * 10 + digit;
      digit = <u32>load<u8>(++place) - 0x30;
      scale++;
    }
    if (scale == 0) return 0;
  }
  if (whole == 0 || (whole > 1 && load<u8>(start) == 0x30)) return 0;
  if (whole + scale > safeDigits || !isSeparator(load<u8>(place))) {
    while (isInNumber(load<u8>(place))) place++;
    if (!isSeparator(load<u8>(place))) return 0;
    defer(pendingOther, at, place - at, 0, column, row);
    return place;
  }
  let value = <f64>digits;
  // Both are exact, so that their quotient is the double next to the number.
  if (scale > 0) value /= unchecked(powersOfTen[scale]);
  return keep(place, column, row, tagNumber, isNegative ? -value : value);
}

// @ts-ignore: decorator
@inline
function isSeparator(code: u8): bool {
  return code == 0x2c || code == 0x7d;
}

/** Digits, signs, points, e and E. */
function isInNumber(code: u8): bool {
  return <u32>code - 0x30 < 10 || code == 0x2e || code == 0x2d || code == 0x2b || (code | 0x20) == 0x65;
}

/** Address of the first byte from `at` that is a quote, a backslash or a control byte, zero at the window's end included. */
// @ts-ignore: decorator
@inline
function textStop(at: i32): i32 {
  let stops = stopsAt(at);
  while (stops == 0) stops = stopsAt((at += 16));
  return at + ctz(stops);
}

/** A bit for each of 16 bytes, set where a text must stop. */
// @ts-ignore: decorator
@inline
function stopsAt(at: i32): i32 {
  const bytes = v128.load(at);
  const quotes = i8x16.eq(bytes, i8x16.splat(0x22));
  const backslashes = i8x16.eq(bytes, i8x16.splat(0x5c));
  const controls = i8x16.lt_u(bytes, i8x16.splat(0x20));
  return i8x16.bitmask(v128.or(v128.or(quotes, backslashes), controls));
}

/** Whether `length` bytes are the same; reads up to 15 more. */
// @ts-ignore: decorator
@inline
function isSame(one: i32, other: i32, length: i32): bool {
  while (length >= 16) {
    if (v128.any_true(v128.xor(v128.load(one), v128.load(other)))) return false;
    one += 16;
    other += 16;
    length -= 16;
  }
  const lanes = i8x16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  const counted = i8x16.lt_u(lanes, i8x16.splat(<i8>length));
  return !v128.any_true(v128.and(v128.xor(v128.load(one), v128.load(other)), counted));
}

// @ts-ignore: decorator
@inline
function knownPlace(column: i32, place: i32): i32 {
  return knownAt + ((column * knownTexts + (place & (knownTexts - 1))) << 6);
}

/** Hash of a text by its length, its first and its last eight bytes. */
// @ts-ignore: decorator
@inline
function knownHash(at: i32, length: i32): i32 {
  let head = load<u64>(at);
  let tail: u64 = 0;
  if (length >= 8) tail = load<u64>(at + length - 8);
  else head &= ((<u64>1) << (<u64>length << 3)) - 1;
  const mixed = (head ^ <u64>length) * 0x9e3779b97f4a7c15 + tail * 0xc2b2ae3d27d4eb4f;
  return <i32>(((mixed ^ (mixed >> 29)) * 0xbf58476d1ce4e5b9) >> 40);
}

/** As hashText of ../textDictionary.ts. */
// @ts-ignore: decorator
@inline
function dictionaryHash(at: i32, length: i32): i32 {
  let hash: i32 = 0x2f0b4a27;
  let rest = length;
  for (; rest >= 4; rest -= 4, at += 4) hash = hash * 0x5bd1e995 + load<i32>(at);
  return rest == 0 ? hash : hash * 0x5bd1e995 + (load<i32>(at) & ((1 << (rest << 3)) - 1));
}
