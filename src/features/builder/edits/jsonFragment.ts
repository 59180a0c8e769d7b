import {
  modify,
  type Edit,
  type JSONPath,
  type ModificationOptions,
  createScanner,
  findNodeAtLocation,
  parseTree,
} from 'jsonc-parser';

/** Formatting for inserted JSON, the same as in the rest of the document. */
interface JsonStyle {
  tabSize: number;
  insertSpaces: boolean;
  eol: string;
}

/** A part of the text: a range of the original, or new text. */
type Piece = { start: number; end: number } | string;

/**
 * A JSON text that is edited step by step, each step based on the previous ones. {@link edits} returns all steps as
 * edits of the original; everything else keeps its formatting.
 */
export class JsonFragment {
  readonly #original: string;
  readonly #options: ModificationOptions;
  #pieces: Piece[];
  #text: string;

  constructor(original: string, style: JsonStyle) {
    this.#original = original;
    this.#options = { formattingOptions: style };
    this.#pieces = [{ start: 0, end: original.length }];
    this.#text = original;
  }

  /** The text after all steps. */
  get text(): string {
    return this.#text;
  }

  /** Sets the value at a path, or removes it if `value` is undefined. */
  set(path: JSONPath, value: unknown): void {
    const isScalar = value !== undefined && (typeof value !== 'object' || value === null);
    const place = isScalar ? scalarAt(this.#text, path) : undefined;
    if (place) return this.#apply([{ ...place, content: JSON.stringify(value) }]);
    this.#apply(modify(this.#text, path, value, this.#options));
  }

  /** Inserts a value into an array, before the entry at the end of the path; -1 appends it. */
  insert(path: JSONPath, value: unknown): void {
    this.#apply(modify(this.#text, path, value, { ...this.#options, isArrayInsertion: true }));
  }

  /** Replaces a range of the current text. */
  replace(offset: number, length: number, content: string): void {
    this.#apply([{ offset, length, content }]);
  }

  /** All steps as edits of the original, in order, neither overlapping nor adjacent. */
  get edits(): Edit[] {
    const edits: Edit[] = [];
    let reached = 0;
    let inserted = '';
    const close = (start: number) => {
      if (start > reached || inserted !== '')
        edits.push({ offset: reached, length: start - reached, content: inserted });
      inserted = '';
    };
    for (const piece of this.#pieces) {
      if (typeof piece === 'string') inserted += piece;
      else {
        close(piece.start);
        reached = piece.end;
      }
    }
    close(this.#original.length);
    return edits;
  }

  /** Applies later edits first to keep offsets valid. */
  #apply(edits: readonly Edit[]): void {
    for (const { offset, length, content } of edits.toSorted((one, other) => other.offset - one.offset)) {
      this.#text = this.#text.slice(0, offset) + content + this.#text.slice(offset + length);
      const [head, tail] = [this.#split(0, offset), this.#split(offset + length, Infinity)];
      this.#pieces = [...head, ...(content === '' ? [] : [content]), ...tail];
    }
  }

  /** The pieces of a range of the text before the current edit. */
  #split(from: number, to: number): Piece[] {
    let at = 0;
    return this.#pieces.flatMap((piece): Piece[] => {
      const length = typeof piece === 'string' ? piece.length : piece.end - piece.start;
      const [start, end] = [Math.max(0, from - at), Math.min(length, to - at)];
      at += length;
      if (start >= end) return [];
      return [
        typeof piece === 'string' ? piece.slice(start, end) : { start: piece.start + start, end: piece.start + end },
      ];
    });
  }
}

/** Detects the formatting of a text. */
export function styleOf(text: string): JsonStyle {
  const indent = /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ';
  const isTab = indent.startsWith('\t');
  return { tabSize: isTab ? 1 : indent.length, insertSpaces: !isTab, eol: text.includes('\r\n') ? '\r\n' : '\n' };
}

/**
 * The range of the text, number, boolean or null at a path in a valid JSON text; undefined if there is none. Stops
 * reading there and builds no tree: the builder calls it on every keystroke.
 */
export function scalarAt(text: string, path: JSONPath): { offset: number; length: number } | undefined {
  const walk = new Walk(text);
  for (const segment of path) {
    const isThere = typeof segment === 'string' ? walk.toProperty(segment) : walk.toEntry(segment);
    if (!isThere) return undefined;
  }
  return walk.isAtScalar ? walk.place : undefined;
}

/** A cursor that moves through a JSON text from value to value. The first character identifies a token. */
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

  /** Moves from an object to the value of a property. @returns false if there is none. */
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

  /** Moves from an array to an entry. @returns false if there is none. */
  toEntry(place: number): boolean {
    if (this.#token !== '[' || this.#next() === ']') return false;
    for (let at = 0; at < place; at++) {
      if (this.#skip() !== ',') return false;
      this.#next();
    }
    return place >= 0;
  }

  /** @returns the token after the current value. */
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

/** Moves an entry of an array to index `to`, keeping its formatting. */
export function reorderEntry(text: JsonFragment, path: JSONPath, from: number, to: number): void {
  const tree = parseTree(text.text);
  const entries = (tree && findNodeAtLocation(tree, path)?.children) ?? [];
  const [moving, first, second] = [entries[from], entries[0], entries[1]];
  if (from === to || !moving || !first || !second) return;
  const slice = (start: number, end: number) => text.text.slice(start, end);
  const end = (entry: { offset: number; length: number }) => entry.offset + entry.length;
  const separator = slice(end(first), second.offset);
  const content = slice(moving.offset, end(moving));

  const [before, after] = [entries[from - 1], entries[from + 1]];
  const cutAt = after ? moving.offset : before ? end(before) : moving.offset;
  const cutTo = after ? after.offset : end(moving);
  const next = entries[to > from ? to + 1 : to];
  const last = entries.at(-1);
  const [putAt, put] = next ? [next.offset, content + separator] : [last ? end(last) : cutAt, separator + content];

  const steps = [
    { at: cutAt, length: cutTo - cutAt, content: '' },
    { at: putAt, length: 0, content: put },
  ];
  for (const step of steps.toSorted((one, other) => other.at - one.at))
    text.replace(step.at, step.length, step.content);
}
