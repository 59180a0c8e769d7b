import { createScanner } from 'jsonc-parser';
import type { JSONPath } from 'jsonc-parser';

/**
 * Where the text, number, truth value or null at a path stands in a valid JSON text; undefined where there is none. It reads
 * no further than that and builds no tree of the text: every keystroke in the builder asks for one such place.
 */
export function scalarAt(text: string, path: JSONPath): { offset: number; length: number } | undefined {
  const walk = new Walk(text);
  for (const segment of path) {
    const isThere = typeof segment === 'string' ? walk.toProperty(segment) : walk.toEntry(segment);
    if (!isThere) return undefined;
  }
  return walk.isAtScalar ? walk.place : undefined;
}

/** A way through a JSON text, from value to value. A token is told by its first character. */
class Walk {
  readonly #text: string;
  readonly #scanner;

  constructor(text: string) {
    this.#text = text;
    this.#scanner = createScanner(text, true);
    this.#scanner.scan();
  }

  get place(): { offset: number; length: number } {
    return { offset: this.#scanner.getTokenOffset(), length: this.#scanner.getTokenLength() };
  }

  get isAtScalar(): boolean {
    return !['', '{', '}', '[', ']', ',', ':'].includes(this.#token);
  }

  /** Goes from an object to the value of a property. @returns false where there is no such thing. */
  toProperty(name: string): boolean {
    if (this.#token !== '{') return false;
    while (this.#next() === '"') {
      const isSought = this.#scanner.getTokenValue() === name;
      this.#next();
      this.#next();
      if (isSought) return true;
      if (this.#skip() !== ',') return false;
    }
    return false;
  }

  /** Goes from a list to an entry. @returns false where there is no such thing. */
  toEntry(place: number): boolean {
    if (this.#token !== '[' || this.#next() === ']') return false;
    for (let at = 0; at < place; at++) {
      if (this.#skip() !== ',') return false;
      this.#next();
    }
    return place >= 0;
  }

  /** @returns the token behind the value that this is at. */
  #skip(): string {
    let depth = 0;
    do {
      if ('{['.includes(this.#token)) depth++;
      else if ('}]'.includes(this.#token)) depth--;
    } while (this.#next() !== '' && depth > 0);
    return this.#token;
  }

  #next(): string {
    this.#scanner.scan();
    return this.#token;
  }

  get #token(): string {
    return this.#text[this.#scanner.getTokenOffset()] ?? '';
  }
}
