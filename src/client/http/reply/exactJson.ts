import * as l10n from '../../../l10n/l10n.ts';

/*
 * JSON that survives a round trip: an integer that a number cannot hold becomes a bigint and is written back exactly.
 * Keys keep their order, except those that look like array indexes, which JavaScript puts first.
 */

declare global {
  interface JSON {
    rawJSON(text: string): unknown;
    parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown;
  }
}

/** Maximum nesting depth; real documents have about a dozen levels. */
export const maxDepth = 200;
/**
 * Maximum number of values: those of 50,000 users have about five million, and each takes far more memory than its
 * text.
 */
const maxValues = 20_000_000;
/** Maximum number of digits in an integer: converting more takes too long. */
const maxDigits = 1000;
/** May match an integer beyond 2^53. Only then is each number checked, which is several times slower. */
const manyDigits = /\d{16}/;

/** The JSON exceeds the limits on nesting, values or digits. */
export class JsonLimitError extends Error {}

/** An object has a key twice, so its value is ambiguous. */
export class RepeatedKeyError extends SyntaxError {
  constructor() {
    super(l10n.t('an object in it has a duplicate key'));
  }
}

/**
 * Parses JSON; integers beyond 2^53 become bigints. `__proto__` is a plain field. A repeated key is an error: a refusal
 * could hide behind a second ErrorCode, and a save would drop the other value.
 * @throws {SyntaxError} for invalid JSON. @throws {RepeatedKeyError} for a repeated key. @throws {JsonLimitError} when
 * it is nested too deeply or a number is too large.
 */
export function parseExactJson(text: string): unknown {
  return parseCounted(text).value;
}

/**
 * {@link parseExactJson} for part of a document.
 * @param before number of values in the previous parts.
 * @returns also the maximum number of values including those.
 */
export function parseCounted(text: string, before = 0): { value: unknown; values: number } {
  const { levels, keys, values } = outlineOf(text, maxDepth);
  if (levels > maxDepth) throw tooDeep();
  if (before + values > maxValues) throw new JsonLimitError(l10n.t('it contains more than {0} values', maxValues));
  const value = parseNumbers(text);
  if (keysIn(value) !== keys) throw new RepeatedKeyError();
  return { value, values: before + values };
}

/** The error for a document nested deeper than {@link maxDepth}. */
export function tooDeep(): JsonLimitError {
  return new JsonLimitError(l10n.t('it is nested more than {0} levels deep', maxDepth));
}

/** Whether an object in `text` has a repeated key. `value` is the parsed `text`. */
export function repeatsKey(text: string, value: unknown): boolean {
  return outlineOf(text, Infinity).keys !== keysIn(value);
}

function parseNumbers(text: string): unknown {
  if (!manyDigits.test(text) && !/\d[eE]/.test(text)) return JSON.parse(text) as unknown;
  return JSON.parse(text, (_key, value, { source }) => {
    if (typeof value !== 'number' || source === undefined) return value;
    if (!Number.isSafeInteger(value) && /^-?\d+$/.test(source)) {
      if (source.length > maxDigits) throw new JsonLimitError(l10n.t('a number has more than {0} digits', maxDigits));
      return BigInt(source);
    }
    if (!Number.isFinite(value)) throw new JsonLimitError(l10n.t('a number is too large'));
    return value;
  });
}

/** Total number of fields of all objects in `value`. */
function keysIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const part of value as unknown[]) if (typeof part === 'object') count += keysIn(part);
    return count;
  }
  for (const part of Object.values(value)) count += typeof part === 'object' ? 1 + keysIn(part) : 1;
  return count;
}

/** Writes JSON; bigints become integers. */
export function writeExactJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'bigint' ? JSON.rawJSON(part.toString()) : part,
  );
}

/** The same value with bigints rounded to numbers, for checks that only support numbers. */
export function roundedNumbers(value: unknown): unknown {
  return JSON.parse(writeExactJson(value)) as unknown;
}

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;
const comma = 0x2c;

/**
 * Nesting depth of arrays and objects in `text`, number of keys as written (one colon each) and maximum number of
 * values. Reads the text once, no further than `most` levels, without recursion. Strings, which are most of a document,
 * are skipped at the speed of a search.
 */
function outlineOf(text: string, most: number): { levels: number; keys: number; values: number } {
  let depth = 0;
  let levels = 0;
  let keys = 0;
  let values = 1;
  for (let at = 0; at < text.length && levels <= most; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      at = endOfString(text, at);
    } else if (code === colon) {
      keys += 1;
    } else if (code === comma) {
      values += 1;
    } else if (code === 0x5b || code === 0x7b) {
      depth += 1;
      values += 1;
      levels = Math.max(levels, depth);
    } else if (code === 0x5d || code === 0x7d) depth -= 1;
  }
  return { levels, keys, values };
}

/** End of the string that starts at `start`: the next quote after an even number of backslashes. */
export function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let before = at - 1;
    while (text.charCodeAt(before) === backslash) before -= 1;
    if ((at - before) % 2 === 1) return at;
  }
  return text.length;
}
