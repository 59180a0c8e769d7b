import { say } from '../words/say.ts';

/*
 * JSON that survives a round trip: an integer that a number cannot hold becomes a bigint, and is written back digit by
 * digit. Keys keep their order, but those that look like array indexes, which JavaScript puts first.
 */

declare global {
  interface JSON {
    rawJSON(text: string): unknown;
    parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown;
  }
}

/** Levels of nesting that are read; real documents have about a dozen. */
export const maxDepth = 200;
/** Digits of an integer that are read: converting more takes too long. */
const maxDigits = 1000;
/** What may be an integer beyond 2^53: only then is each number looked at, which takes several times as long. */
const manyDigits = /\d{16}/;

/** JSON that is nested, or holds a number, beyond what is read. */
export class JsonLimitError extends Error {}

/**
 * Parses JSON; integers beyond 2^53 become bigints. A key `__proto__` is a plain field.
 * @throws {SyntaxError} when it is no JSON. @throws {JsonLimitError} when it goes too deep or a number is too large.
 */
export function parseExactJson(text: string): unknown {
  if (isDeeper(text, maxDepth)) throw new JsonLimitError(say('it is nested more than {0} levels deep', maxDepth));
  if (!manyDigits.test(text) && !/\d[eE]/.test(text)) return JSON.parse(text) as unknown;
  return JSON.parse(text, (_key, value, { source }) => {
    if (typeof value !== 'number' || source === undefined) return value;
    if (!Number.isSafeInteger(value) && /^-?\d+$/.test(source)) {
      if (source.length > maxDigits) throw new JsonLimitError(say('a number has more than {0} digits', maxDigits));
      return BigInt(source);
    }
    if (!Number.isFinite(value)) throw new JsonLimitError(say('a number is too large'));
    return value;
  });
}

/** Writes JSON; bigints become integers. */
export function writeExactJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'bigint' ? JSON.rawJSON(part.toString()) : part,
  );
}

/** The same value with bigints rounded to numbers, for checks that know numbers only. */
export function roundedNumbers(value: unknown): unknown {
  return JSON.parse(writeExactJson(value)) as unknown;
}

const quote = 0x22;
const backslash = 0x5c;

/**
 * Whether arrays and objects in `text` are nested more than `levels` deep; reads it once and calls nothing itself. Strings,
 * which are most of a document, are skipped at the speed of a search.
 */
function isDeeper(text: string, levels: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      at = endOfString(text, at);
    } else if (code === 0x5b || code === 0x7b) {
      depth += 1;
      if (depth > levels) return true;
    } else if (code === 0x5d || code === 0x7d) depth -= 1;
  }
  return false;
}

/** Where the string that begins at `start` ends: at the next quote after an even number of backslashes. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let before = at - 1;
    while (text.charCodeAt(before) === backslash) before -= 1;
    if ((at - before) % 2 === 1) return at;
  }
  return text.length;
}
