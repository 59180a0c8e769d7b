/**
 * AssemblyScript, compiled to WebAssembly by build.ts; reports/export/textRows.ts is its only caller and
 * reports/export/cellWriter.ts beside that its twin.
 *
 * Writes cells, given by column as tag and slot, as rows of text. What it cannot write it stops before, for the caller to
 * write: numbers of many digits, texts that need escapes other than doubled quotes. All that works on a fixed memory, which
 * begins with a part for the compiler's constants.
 */

/** Rows that are given at once: a block of the store. */
export const maxRows: i32 = 4096;
export const maxColumns: i32 = 64;
/** Texts that never change: those around cells and rows. */
export const constantBytes: i32 = 65536;
/** Texts of dictionaries. */
export const knownBytes: i32 = 4194304;
/** Codes of texts in dictionaries, of all columns together. */
export const maxCodes: i32 = 131072;
/** Copies of pages of other texts, which memory is taken for once they are written to. */
export const frames: i32 = 48;
export const frameBytes: i32 = 262144;
/** Pages that have a place in {@link placesAt}. */
export const maxPages: i32 = 8192;
/** Bits of a text's address that are its place in a page. */
export const pageBits: i32 = 18;
/** Longer texts are written by the caller. */
export const longestText: i32 = 65535;
/** Bytes written before they are taken away; there are two such rooms. */
export const outBytes: i32 = 524288;

/** Per byte: 1 where a text that begins with it needs escapes, 2 where these are the caller's. */
export const specialFirstAt: i32 = 4096;
/** Per low half of a byte, a bit for each high half with which it needs escapes. */
export const specialAt: i32 = specialFirstAt + 256;
/** Addresses and lengths of the texts around rows: before the first, before others, behind each; and around plain texts. */
export const aroundAt: i32 = specialAt + 16;
/**
 * Per column, addresses and lengths of ten texts: for the first cell of a row those of a cell that is missing, null, false
 * or true, and what stands before any other; then the same for other cells. Length -1: there is no such cell.
 */
export const cellsAt: i32 = aroundAt + 32;
/** Per column, in bytes: decimals that its last number had; the next probably has as many. */
const likelyAt: i32 = cellsAt + maxColumns * 80;
/** Per column: number of its first code among those of all columns, and how many codes it has. */
export const codeRangesAt: i32 = likelyAt + maxColumns;
export const tagsAt: i32 = codeRangesAt + maxColumns * 8;
export const slotsAt: i32 = tagsAt + maxColumns * maxRows;
export const constantsAt: i32 = slotsAt + maxColumns * maxRows * 8;
/** Per code: address of its text as it is written, and its length; address 0 while nobody asked for it, -1: the caller's. */
export const codesAt: i32 = constantsAt + constantBytes;
/** Per page: address of its copy; 0 while there is none, -1: its texts are the caller's. */
export const placesAt: i32 = codesAt + maxCodes * 8;
export const knownAt: i32 = placesAt + maxPages * 4;
export const framesAt: i32 = knownAt + knownBytes;
export const outAt: i32 = framesAt + frames * frameBytes;

/** Where the next byte is written. */
export let out: i32 = outAt;
/** Where writing stopped. */
export let row: i32 = 0;
export let column: i32 = 0;
/** Whether the row has no cell yet. */
export let isFirst: bool = true;
/** Whether what stands before the row is written. */
let hasBegun: bool = false;

/** How writing came out. */
export const allWritten: i32 = 0;
export const noRoom: i32 = 1;
/** The cell at `row` and `column` is for the caller to write, which then goes on behind it. */
export const notMine: i32 = 2;
/** The text of that cell, or its page, is to be brought here first. */
export const wanted: i32 = 3;

// As in cellTag of ../resultCell.ts.
const tagNumber: i32 = 4;
const tagCode: i32 = 6;
const tagText: i32 = 7;
/** Bytes that a number and what stands around a cell and a row may need, and what copying writes too many. */
const room: i32 = 2048;
const mostDecimals: i32 = 6;
const largestWhole: f64 = 1e15;
const powersOfTen: StaticArray<f64> = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6];

/** Begins with rows that were just given; `to` is where to write. */
export function begin(to: i32): void {
  out = to;
  row = 0;
  column = 0;
  isFirst = true;
  hasBegun = false;
}

/** Goes on writing elsewhere. */
export function moveTo(to: i32): void {
  out = to;
}

/** The caller wrote the cell: goes on behind it. */
export function skip(to: i32): void {
  out = to;
  isFirst = false;
  column++;
}

/**
 * Writes on, up to row `rows`.
 * @param end nothing is written from there on.
 * @param isStart whether row 0 is the first of all.
 * @param doublesQuotes whether texts with special bytes are quoted, their quotes doubled; otherwise they are the caller's.
 */
export function writeRows(rows: i32, columns: i32, end: i32, isStart: bool, doublesQuotes: bool): i32 {
  // Globals live in memory: the loops work on copies.
  let to = out;
  let at = row;
  let place = column;
  let isNone = isFirst;
  let status = allWritten;
  const leavesOut = load<i32>(cellsAt, 4) < 0;
  while (at < rows) {
    if (to + room > end) {
      status = noRoom;
      break;
    }
    if (!hasBegun) {
      to = copyConstant(to, aroundAt + (isStart && at == 0 ? 0 : 8));
      hasBegun = true;
    }
    while (place < columns) {
      const cell = place * maxRows + at;
      if (!leavesOut || load<u8>(tagsAt + cell) != 0) {
        const next = writeCell(to, cell, place, isNone, end, doublesQuotes);
        if (next < 0) {
          status = -next;
          break;
        }
        to = next;
        isNone = false;
      }
      place++;
    }
    if (status != allWritten) break;
    to = copyConstant(to, aroundAt + 16);
    at++;
    place = 0;
    isNone = true;
    hasBegun = false;
  }
  out = to;
  row = at;
  column = place;
  isFirst = isNone;
  return status;
}

/** Writes a cell to address `to`; returns the address behind it, or, with nothing written, why not, negated. */
// @ts-ignore: decorator
@inline
function writeCell(to: i32, cell: i32, column: i32, isFirst: bool, end: i32, doublesQuotes: bool): i32 {
  const tag = <i32>load<u8>(tagsAt + cell);
  const texts = cellsAt + column * 80 + (isFirst ? 0 : 40);
  if (to + room > end) return -noRoom;
  if (tag < tagNumber) return copyConstant(to, texts + (tag << 3));
  const slot = load<f64>(slotsAt + (cell << 3));
  if (tag == tagNumber) {
    const written = writeNumber(copyConstant(to, texts + 32), slot, column);
    return written == 0 ? -notMine : written;
  }
  if (tag == tagCode) {
    const code = <i32>slot;
    const range = codeRangesAt + (column << 3);
    if (code >= load<i32>(range, 4)) return -notMine;
    const entry = codesAt + ((load<i32>(range) + code) << 3);
    const at = load<i32>(entry);
    if (at <= 0) return at == 0 ? -wanted : -notMine;
    const length = load<i32>(entry, 4);
    if (to + length + room > end) return -noRoom;
    return copy(copyConstant(to, texts + 32), at, length);
  }
  if (tag != tagText) return -notMine;
  const page = <i32>(<u64>slot >> pageBits);
  if (page >= maxPages) return -notMine;
  const place = load<i32>(placesAt + (page << 2));
  if (place <= 0) return place == 0 ? -wanted : -notMine;
  return writeText(to, texts, place + <i32>(<u64>slot & ((1 << pageBits) - 1)), end, doublesQuotes);
}

// @ts-ignore: decorator
@inline
function writeText(to: i32, texts: i32, text: i32, end: i32, doublesQuotes: bool): i32 {
  let length = <i32>load<u8>(text++);
  if (length == 255) {
    length = load<i32>(text);
    text += 4;
    if (length > longestText) return -notMine;
  }
  const first = length == 0 ? 0 : <i32>load<u8>(specialFirstAt + <i32>load<u8>(text));
  if (first == 0 && !hasSpecial(text, length)) {
    if (to + length + room > end) return -noRoom;
    to = copyConstant(copyConstant(to, texts + 32), aroundAt + 24);
    return copyConstant(copy(to, text, length), aroundAt + 24);
  }
  if (!doublesQuotes || first == 2) return -notMine;
  if (to + length * 2 + room > end) return -noRoom;
  return copyQuoted(copyConstant(to, texts + 32), text, length);
}

/** Whether one of some bytes needs escapes. */
// @ts-ignore: decorator
@inline
function hasSpecial(at: i32, length: i32): bool {
  const low = v128.load(specialAt);
  const bits = i8x16(1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0);
  const lanes = i8x16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  while (length > 0) {
    const bytes = v128.load(at);
    const lows = i8x16.swizzle(low, v128.and(bytes, i8x16.splat(15)));
    const highs = i8x16.swizzle(bits, i8x16.shr_u(bytes, 4));
    let found = v128.and(lows, highs);
    if (length < 16) found = v128.and(found, i8x16.lt_u(lanes, i8x16.splat(<i8>length)));
    if (v128.any_true(found)) return true;
    at += 16;
    length -= 16;
  }
  return false;
}

// @ts-ignore: decorator
@inline
function copyConstant(to: i32, entry: i32): i32 {
  const from = load<i32>(entry);
  const length = load<i32>(entry, 4);
  v128.store(to, v128.load(from));
  for (let i = 16; i < length; i += 16) v128.store(to + i, v128.load(from + i));
  return to + length;
}

/** Copies up to 31 bytes too many: most texts need no loop, whatever their length; returns the address behind them. */
// @ts-ignore: decorator
@inline
function copy(to: i32, from: i32, length: i32): i32 {
  v128.store(to, v128.load(from));
  v128.store(to, v128.load(from, 16), 16);
  for (let i = 32; i < length; i += 16) v128.store(to + i, v128.load(from + i));
  return to + length;
}

function copyQuoted(to: i32, from: i32, length: i32): i32 {
  store<u8>(to++, 0x22);
  for (let i = 0; i < length; i++) {
    const code = load<u8>(from + i);
    store<u8>(to++, code);
    if (code == 0x22) store<u8>(to++, code);
  }
  store<u8>(to++, 0x22);
  return to;
}

/**
 * Writes a number as the language does; returns the address behind it, 0 when it has many digits. Eight digits are made
 * and stored at once, and what is too much of them overwritten: how many there are decides no branch.
 */
function writeNumber(to: i32, value: f64, column: i32): i32 {
  const size = Math.abs(value);
  if (!(size < largestWhole)) return 0;
  let decimals = <i32>load<u8>(likelyAt + column);
  let scale = unchecked(powersOfTen[decimals]);
  let whole = nearest<f64>(size * scale);
  while (decimals == 0 ? whole != size : whole / scale != size) {
    if (++decimals > mostDecimals) return 0;
    scale = unchecked(powersOfTen[decimals]);
    whole = nearest<f64>(size * scale);
  }
  if (whole >= largestWhole) return 0;
  store<u8>(likelyAt + column, <u8>decimals);
  store<u8>(to, 0x2d);
  to += i32(value < 0);
  let low = <u32>whole;
  let least = 7 - decimals;
  if (whole >= 1e8) {
    const high = <u32>(<u64>whole / 100000000);
    low = <u32>(<u64>whole - <u64>high * 100000000);
    const digits = eightDigits(high);
    const zeros = <i32>ctz(digits) >> 3;
    store<u64>(to, (digits | ascii) >> (zeros << 3));
    to += 8 - zeros;
    least = 0;
  }
  const digits = eightDigits(low);
  const zeros = min(<i32>ctz(digits) >> 3, least);
  store<u64>(to, (digits | ascii) >> (zeros << 3));
  to += 8 - decimals - zeros;
  const shown = decimals - min(<i32>clz(digits) >> 3, decimals);
  if (shown == 0) return to;
  store<u8>(to, 0x2e);
  store<u64>(to + 1, (digits | ascii) >> ((8 - decimals) << 3));
  return to + 1 + shown;
}

/** Eight zeros as text. */
const ascii: u64 = 0x3030303030303030;

/**
 * The digits of a number below 100,000,000, one in each byte, the first in the lowest. Halves are taken apart until every
 * digit is alone, all of them in one register; multiplying and shifting divides by 100 and by 10, exactly for so few digits.
 */
// @ts-ignore: decorator
@inline
function eightDigits(value: u32): u64 {
  const high = value / 10000;
  const fours = <u64>high | (<u64>(value - high * 10000) << 32);
  const hundreds = ((fours * 10486) >> 20) & 0x0000007f0000007f;
  const twos = hundreds | ((fours - hundreds * 100) << 16);
  const tens = ((twos * 103) >> 10) & 0x000f000f000f000f;
  return tens | ((twos - tens * 10) << 8);
}
