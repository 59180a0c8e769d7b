import type { JsonBytes } from '../jsonBytes.ts';

const [quote = 0, backslash = 0, comma = 0, space = 0, minus = 0, zero = 0, nine = 0] = Buffer.from('"\\, -09');
const [openList = 0, closeList = 0, openObject = 0, closeObject = 0] = Buffer.from('[]{}');
const [tab, lineBreak] = [0x09, 0x0a];
const firstPlain = 0x20;
/** Bytes of numbers. */
const ofNumber = Array.from({ length: 256 }, (_, byte) => '0123456789.eE+-'.includes(String.fromCharCode(byte)));
const words = ['null', 'true', 'false'].map((word) => Buffer.from(word));
const zeroByte = Buffer.from('\\u0000');
const [separator, end, endOfText] = [Buffer.from(','), Buffer.from('}'), Buffer.from('"')];
const paddedType = /^(?:LowCardinality\(|Nullable\()*FixedString\(/;

/** A column of a result, as the reply describes it. */
interface Column {
  name: string;
  type: string;
}

/**
 * Writes rows of the format JSONCompact as objects, byte by byte: values become no JavaScript strings, and keep every
 * digit. A list or structure becomes a text.
 */
export class RowWriter {
  readonly #keys: readonly Buffer[];
  /** Whether a column fills its texts with zero bytes up to a fixed length. */
  readonly #arePadded: readonly boolean[];

  constructor(columns: readonly Column[]) {
    this.#keys = columns.map(({ name }, index) => Buffer.from(`${index === 0 ? '{' : ','}${JSON.stringify(name)}:`));
    this.#arePadded = columns.map(({ type }) => paddedType.test(type));
  }

  /**
   * Writes the row in the line at `start`, after a comma if `isNext`. `lines` ends with a line break.
   * @returns where the next line begins; undefined if this one is not a row, then nothing is written.
   */
  write(lines: Buffer, start: number, json: JsonBytes, isNext: boolean): number | undefined {
    const { length } = json;
    if (isNext) json.raw(separator);
    const next = this.#row(lines, start, json);
    if (next === undefined) json.cut(length);
    return next;
  }

  #row(lines: Buffer, start: number, json: JsonBytes): number | undefined {
    if (lines[start] !== tab || lines[start + 1] !== tab || lines[start + 2] !== openList) return undefined;
    let at = start + 3;
    for (let column = 0; column < this.#keys.length; column += 1) {
      if (column > 0) {
        if (lines[at] !== comma || lines[at + 1] !== space) return undefined;
        at += 2;
      }
      const after = afterValue(lines, at);
      if (after === undefined) return undefined;
      json.raw(this.#keys[column] ?? end);
      if (lines[at] === openList || lines[at] === openObject) json.text(lines, at, after);
      else if (this.#arePadded[column] && lines[at] === quote) {
        json.raw(lines, at, afterPadded(lines, at + 1, after - 1));
        json.raw(endOfText);
      } else json.raw(lines, at, after);
      at = after;
    }
    if (lines[at] !== closeList) return undefined;
    at += lines[at + 1] === comma ? 2 : 1;
    if (lines[at] !== lineBreak) return undefined;
    json.raw(end);
    return at + 1;
  }
}

/** Where a complete value ends. */
function afterValue(lines: Buffer, start: number): number | undefined {
  const first = lines[start] ?? lineBreak;
  if (first === quote) return afterText(lines, start);
  if (first === minus || (first >= zero && first <= nine)) {
    let at = start + 1;
    while (ofNumber[lines[at] ?? lineBreak]) at += 1;
    return at;
  }
  if (first === openList || first === openObject) return afterNested(lines, start);
  const word = words.find((each) => each.compare(lines, start, start + each.length) === 0);
  return word && start + word.length;
}

/** Where the text ends that begins with a quote at `start`. */
function afterText(lines: Buffer, start: number): number | undefined {
  for (let at = start + 1; ; at += 1) {
    const byte = lines[at] ?? lineBreak;
    if (byte === quote) return at + 1;
    if (byte < firstPlain) return undefined;
    if (byte === backslash) at += 1;
  }
}

function afterNested(lines: Buffer, start: number): number | undefined {
  let depth = 0;
  for (let at = start; ; at += 1) {
    const byte = lines[at] ?? lineBreak;
    if (byte === lineBreak) return undefined;
    if (byte === openList || byte === openObject) depth += 1;
    else if (byte === closeList || byte === closeObject) depth -= 1;
    else if (byte === quote) {
      const after = afterText(lines, at);
      if (after === undefined) return undefined;
      at = after - 1;
    }
    if (depth === 0) return at + 1;
  }
}

/** Where the zero bytes begin that fill a text up to its end. */
function afterPadded(lines: Buffer, start: number, stop: number): number {
  let after = start;
  for (let at = start; at < stop;) {
    if (lines[at] !== backslash) after = at += 1;
    else if (zeroByte.compare(lines, at, at + zeroByte.length) === 0) at += zeroByte.length;
    else after = at += 2;
  }
  return after;
}
