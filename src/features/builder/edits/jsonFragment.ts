import {
  modify,
  type Edit,
  type JSONPath,
  type ModificationOptions,
  createScanner,
  findNodeAtLocation,
  parseTree,
} from 'jsonc-parser';

/** How inserted JSON is written: as the rest of the document. */
interface JsonStyle {
  tabSize: number;
  insertSpaces: boolean;
  eol: string;
}

/** A part of the text: characters of the original, or new ones. */
type Piece = { start: number; end: number } | string;

/**
 * A JSON text that is changed step by step, where every step sees the ones before it. In the end {@link edits} tells all of
 * them as changes of the original: whatever no step touched stays as it was written.
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

  /** The text after all steps so far. */
  get text(): string {
    return this.#text;
  }

  /** Sets the value at a path, or takes it away where `value` is undefined. */
  set(path: JSONPath, value: unknown): void {
    const isScalar = value !== undefined && (typeof value !== 'object' || value === null);
    const place = isScalar ? scalarAt(this.#text, path) : undefined;
    if (place) return this.#apply([{ ...place, content: JSON.stringify(value) }]);
    this.#apply(modify(this.#text, path, value, this.#options));
  }

  /** Puts a value into an array, before the entry that the path ends with; -1 is the end. */
  insert(path: JSONPath, value: unknown): void {
    this.#apply(modify(this.#text, path, value, { ...this.#options, isArrayInsertion: true }));
  }

  /** Replaces a stretch of the text as it is now. */
  replace(offset: number, length: number, content: string): void {
    this.#apply([{ offset, length, content }]);
  }

  /** All steps as changes of the original, in its order, none touching another. */
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

  /** Later ones first, so that offsets stay true. */
  #apply(edits: readonly Edit[]): void {
    for (const { offset, length, content } of edits.toSorted((one, other) => other.offset - one.offset)) {
      this.#text = this.#text.slice(0, offset) + content + this.#text.slice(offset + length);
      const [head, tail] = [this.#split(0, offset), this.#split(offset + length, Infinity)];
      this.#pieces = [...head, ...(content === '' ? [] : [content]), ...tail];
    }
  }

  /** The pieces of a stretch of the text before the current change. */
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

/** The style that a text is written in. */
export function styleOf(text: string): JsonStyle {
  const indent = /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ';
  const isTab = indent.startsWith('\t');
  return { tabSize: isTab ? 1 : indent.length, insertSpaces: !isTab, eol: text.includes('\r\n') ? '\r\n' : '\n' };
}

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

/** Moves an entry of an array so that it becomes the one at `to`; its text goes along as it is written. */
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
