import { endOfString, maxDepth, parseCounted, parseExactJson, tooDeep } from './exactJson.ts';

/** Characters of a list that are read at once: some milliseconds of work. */
const charsAtOnce = 500_000;

const openList = 0x5b;
const closeList = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;
const comma = 0x2c;
const quote = 0x22;

/**
 * {@link parseExactJson} with a rest after every piece of a long list, so that whoever waits can go on or give up: replies of
 * thousands of users have tens of megabytes. What is no long list is read at once.
 * @throws {SyntaxError}, {RepeatedKeyError} and {JsonLimitError} as that does.
 */
export function* parseExactJsonInSteps(text: string, atOnce = charsAtOnce): Generator<void, unknown> {
  if (text.length <= atOnce || text.charCodeAt(0) !== openList) return parseExactJson(text);
  const entries: unknown[] = [];
  let count = 0;
  const reader = new EntryReader(text);
  for (;;) {
    const piece = reader.next(atOnce);
    // Between two commas, and after the last one, there must be something.
    if (piece.trim() === '' && !(reader.isAtEnd && entries.length === 0)) throw new SyntaxError('an entry is missing');
    const { value, values } = parseCounted(`[${piece}]`, count);
    count = values;
    if (Array.isArray(value)) for (const entry of value) entries.push(entry);
    if (reader.isAtEnd) return entries;
    yield;
  }
}

/** Cuts the text of a list at the commas between its entries. */
class EntryReader {
  readonly #text: string;
  #start = 1;
  /** Whether the list has ended. */
  isAtEnd = false;

  constructor(text: string) {
    this.#text = text;
  }

  /** Whole entries of so many characters at least, with the commas between them. @throws {SyntaxError} for a list without end. */
  next(atOnce: number): string {
    const text = this.#text;
    let depth = 1;
    for (let at = this.#start; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === openList || code === openObject) {
        depth += 1;
        if (depth > maxDepth) throw tooDeep();
      } else if (code === quote) at = endOfString(text, at);
      else if (code === closeList || code === closeObject) {
        depth -= 1;
        if (depth === 0) return this.#end(at);
      } else if (code === comma && depth === 1 && at - this.#start >= atOnce) {
        const piece = text.slice(this.#start, at);
        this.#start = at + 1;
        return piece;
      }
    }
    throw new SyntaxError('the list has no end');
  }

  #end(at: number): string {
    if (this.#text.charCodeAt(at) !== closeList || this.#text.slice(at + 1).trim() !== '') {
      throw new SyntaxError('the list does not end where its text ends');
    }
    this.isAtEnd = true;
    return this.#text.slice(this.#start, at);
  }
}
