import { modify } from 'jsonc-parser';
import { scalarAt } from './scalarAt.ts';
import type { Edit, JSONPath, ModificationOptions } from 'jsonc-parser';

/** How inserted JSON is written: as the rest of the document. */
export interface JsonStyle {
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
export class PieceText {
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
