import * as z from 'zod';
import { deepest, invalidJson, mostValues, requireKeepable, requireUtf8 } from './requestBody.ts';

/** Bytes parsed in one go. */
const usualPiece = 64 * 1024;
/** Maximum bytes of a text, which is parsed in one go. */
const longestText = 1024 * 1024;
/** Maximum fields of one object, which is copied in one go. */
const mostFields = 10_000;
/** Values checked in one go. */
const fewValues = 200;

const [quote, backslash, openBrace, closeBrace, openBracket, closeBracket, comma] = Buffer.from('"\\{}[],');

/** An object or array whose end has not been found yet. */
interface Open {
  isList: boolean;
  start: number;
  /** Start of the text that is not parsed yet; start of the current item. */
  from: number;
  item: number;
  fields: number;
  /** Filled in pieces; undefined as long as it may be parsed as part of its container. */
  value: unknown[] | Record<string, unknown> | undefined;
  /** Name of its field in its container. */
  key: string;
  /** Whether the current item has already been added because it was filled in pieces itself. */
  hasItem: boolean;
}

/**
 * Does the same as `parseBody` for a body that would block other calls: it yields between pieces.
 * @throws as `parseBody` does, and for a text or an object too large to parse in one go.
 */
export function* parseLargeBody(bytes: Buffer, piece = usualPiece): Generator<undefined, unknown, undefined> {
  requireUtf8(bytes);
  const reader = new PieceReader(bytes, piece);
  let textStart = -1;
  let pause = piece;
  for (let index = 0; index < bytes.length; index += 1) {
    if (index >= pause) {
      pause = index + piece;
      yield;
    }
    const byte = bytes[index];
    if (textStart >= 0) {
      if (byte === backslash) index += 1;
      else if (byte === quote) {
        if (index - textStart > longestText)
          throw new Error(`The body holds a text of more than ${longestText} bytes.`);
        textStart = -1;
      }
    } else if (byte === quote) textStart = index;
    else if (byte === comma) reader.next(index);
    else if (byte === openBrace || byte === openBracket) reader.open(index, byte === openBracket);
    else if (byte === closeBrace || byte === closeBracket) reader.close(index, byte === closeBracket);
  }
  return reader.end();
}

/** Assembles a document from pieces parsed by the JSON parser. */
class PieceReader {
  readonly #bytes: Buffer;
  readonly #piece: number;
  readonly #stack: Open[] = [];
  #values = 0;
  #end = 0;
  #result: Open['value'];

  constructor(bytes: Buffer, piece: number) {
    this.#bytes = bytes;
    this.#piece = piece;
  }

  open(start: number, isList: boolean): void {
    this.#count();
    // A document has only one value.
    if (this.#end > 0) throw invalidJson();
    this.#stack.push({
      ...{ isList, start, from: start + 1, item: start + 1, fields: 1 },
      ...{ value: undefined, key: '', hasItem: false },
    });
    if (this.#stack.length > deepest) throw new Error('The body nests too deeply.');
  }

  /** Handles a comma. */
  next(at: number): void {
    this.#count();
    const open = this.#stack.at(-1);
    if (!open) throw invalidJson();
    open.fields += 1;
    if (!open.isList && open.fields > mostFields) {
      throw new Error(`The body holds an object of more than ${mostFields} fields.`);
    }
    if (open.hasItem) this.#requireBlank(open.from, at);
    else if (at - open.from > this.#piece) {
      this.#fillApart();
      this.#add(open, at);
    }
    if (open.hasItem || open.from > at) open.from = at + 1;
    open.hasItem = false;
    open.item = at + 1;
  }

  close(at: number, isList: boolean): void {
    const open = this.#stack.pop();
    if (open?.isList !== isList) throw invalidJson();
    if (this.#stack.length === 0) this.#end = at + 1;
    if (!open.value) return;
    if (open.hasItem) this.#requireBlank(open.from, at);
    else this.#add(open, at);
    const holder = this.#stack.at(-1);
    if (!holder) {
      this.#result = open.value;
      return;
    }
    put(holder.value, open.key, open.value);
    holder.hasItem = true;
    holder.from = at + 1;
  }

  end(): unknown {
    if (this.#stack.length > 0) throw invalidJson();
    if (!this.#result) return parsedPiece(this.#bytes.toString());
    this.#requireBlank(this.#end, this.#bytes.length);
    return this.#result;
  }

  #count(): void {
    this.#values += 1;
    if (this.#values > mostValues) throw new Error(`The body holds more than ${mostValues} values.`);
  }

  /** Fills the innermost container, and thus all its ancestors, in pieces from now on. */
  #fillApart(): void {
    for (const [depth, open] of this.#stack.entries()) {
      if (open.value) continue;
      open.value = open.isList ? [] : {};
      const holder = this.#stack[depth - 1];
      if (!holder) {
        this.#requireBlank(0, open.start);
        continue;
      }
      if (holder.hasItem) throw invalidJson();
      if (holder.item > holder.from) this.#add(holder, holder.item - 1);
      if (holder.isList) this.#requireBlank(holder.item, open.start);
      else open.key = this.#keyAt(holder.item, open.start);
    }
  }

  /** Adds the items between the parsed text and `end`, a comma or the end of the container. */
  #add(open: Open, end: number): void {
    const text = this.#bytes.toString('utf8', open.from, end);
    const items = parsedPiece(open.isList ? `[${text}]` : `{${text}}`);
    const entries = Object.entries(items as object);
    if (entries.length === 0) throw invalidJson();
    for (const [key, item] of entries) put(open.value, key, item);
    open.from = end + 1;
  }

  #keyAt(from: number, to: number): string {
    const text = this.#bytes.toString('utf8', from, to).trimEnd();
    const key = text.endsWith(':') ? parsedPiece(text.slice(0, -1)) : undefined;
    if (typeof key !== 'string') throw invalidJson();
    return key;
  }

  #requireBlank(from: number, to: number): void {
    if (/[^ \t\r\n]/.test(this.#bytes.toString('latin1', from, to))) throw invalidJson();
  }
}

/** Like the JSON parser, treats `__proto__` as an ordinary field. */
function put(holder: Open['value'], key: string, value: unknown): void {
  if (Array.isArray(holder)) holder.push(value);
  else if (holder) Object.defineProperty(holder, key, { value, writable: true, enumerable: true, configurable: true });
}

function parsedPiece(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalidJson();
  }
  requireKeepable(value, text);
  return value;
}

/** Position and reason of a mismatch between a body and the contract. */
export interface BodyIssue {
  path: readonly PropertyKey[];
  message: string;
}

/** Checks a large value against its schema, without changing the value, and yields between its parts. */
export function* checkLargeBody(
  schema: z.core.$ZodType,
  value: unknown,
  path: readonly PropertyKey[] = [],
): Generator<undefined, BodyIssue | undefined, undefined> {
  yield;
  const inner = value === null || value === undefined ? schema : unwrapped(schema);
  const isLarge = typeof value === 'object' && value !== null && countUpTo(value, fewValues) >= fewValues;
  if (isLarge && inner instanceof z.ZodArray && Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      const issue = yield* checkLargeBody(inner.element, item, [...path, index]);
      if (issue) return issue;
    }
    return undefined;
  }
  if (isLarge && inner instanceof z.ZodObject && !Array.isArray(value)) {
    for (const [name, part] of Object.entries<z.core.$ZodType>(inner.shape)) {
      const issue = yield* checkLargeBody(part, Reflect.get(value, name), [...path, name]);
      if (issue) return issue;
    }
    return undefined;
  }
  const [issue] = z.safeParse(inner, value).error?.issues ?? [];
  return issue && { path: [...path, ...issue.path], message: issue.message };
}

/** Unwraps a schema to that of a value that is present. */
function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable ? unwrapped(schema.unwrap()) : schema;
}

/** Counts the values in a value, up to `most`. */
function countUpTo(value: object, most: number): number {
  const parts: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  let count = 0;
  for (const part of parts) {
    count += 1;
    if (count < most && typeof part === 'object' && part !== null) count += countUpTo(part, most - count);
    if (count >= most) return count;
  }
  return count;
}
