import * as z from 'zod';
import { type JsonRows } from '../database.ts';
import { rowsPerBatch } from '../queryRules.ts';

const head = z.object({ meta: z.array(z.object({ name: z.string(), type: z.string() })) });
/** Characters read for the reason of an aborted reply. */
const longestReason = 100_000;
const rowsBegin = '\t"data":';
/** What follows the rows. Some releases end an aborted result as valid JSON with an `exception`. */
const tail = z.object({ rows: z.number(), exception: z.string().optional() });

/** The server aborted its reply. */
export class BrokenReply extends Error {
  /** ClickHouse error number of the reason; empty if the reply has none. */
  readonly number: string;

  constructor(line = '') {
    super('The reply has no end');
    this.number = /\bCode: (\d+)[,.] (?:e\.displayText\(\) = )?DB::Exception/.exec(line)?.[1] ?? '';
  }
}

/**
 * Reads a reply in the format JSONCompact, which has one row per line. Rows become objects whose values are the bytes
 * that the server wrote: whole numbers and decimals keep every digit. A truncated reply is a failed query: the status
 * was sent long before.
 */
export class ClickhouseRows {
  readonly #lines: AsyncIterator<string>;
  #keys: string[] = [];
  /** Whether a column fills its texts with zero bytes up to a fixed length. */
  #arePadded: boolean[] = [];
  #count = 0;
  #isAtEnd = false;

  private constructor(lines: AsyncIterator<string>) {
    this.#lines = lines;
  }

  /** Reads up to the first row. @throws {BrokenReply} */
  static async open(lines: AsyncIterator<string>): Promise<ClickhouseRows> {
    const rows = new ClickhouseRows(lines);
    let text = '';
    for (let line = await rows.#line(); line !== rowsBegin; line = await rows.#line()) text += line;
    const { meta } = head.parse(JSON.parse(`${text.replace(/,\s*$/, '')}}`));
    rows.#keys = meta.map(({ name }, index) => `${index === 0 ? '{' : ','}${JSON.stringify(name)}:`);
    rows.#arePadded = meta.map(({ type }) => paddedType.test(type));
    await rows.#line();
    return rows;
  }

  /** Next rows, or undefined after the last ones. @throws {BrokenReply} */
  async next(): Promise<JsonRows | undefined> {
    try {
      return await this.#batch();
    } catch (error) {
      throw error instanceof BrokenReply && error.number === '' ? new BrokenReply(await this.#rest()) : error;
    }
  }

  async #batch(): Promise<JsonRows | undefined> {
    const objects: string[] = [];
    while (!this.#isAtEnd && objects.length < rowsPerBatch) {
      const line = await this.#line();
      if (line === '\t],') await this.#end();
      else if (line !== '') objects.push(this.#object(line));
    }
    return objects.length > 0 ? { count: objects.length, json: objects.join(',') } : undefined;
  }

  /**
   * Reads everything after the rows: it tells whether they are all, and the connection is free only after it.
   * @throws {BrokenReply}
   */
  async #end(): Promise<void> {
    let text = '';
    for (let next = await this.#lines.next(); !next.done; next = await this.#lines.next()) text += next.value;
    const { rows, exception } = tailOf(text);
    if (exception !== undefined || rows !== this.#count) throw new BrokenReply(exception);
    this.#isAtEnd = true;
  }

  /** The rest of the reply, up to a limit. Recent releases write the reason of an aborted reply after its rows. */
  async #rest(): Promise<string> {
    let text = '';
    for (
      let next = await this.#lines.next();
      !next.done && text.length < longestReason;
      next = await this.#lines.next()
    )
      text += `${next.value}\n`;
    return text;
  }

  #object(line: string): string {
    const values = elementsOf(line);
    if (values.length !== this.#keys.length) throw new BrokenReply(line);
    this.#count += 1;
    return `${values.map((value, index) => `${this.#keys[index]}${this.#arePadded[index] ? withoutPadding(value) : value}`).join('')}}`;
  }

  async #line(): Promise<string> {
    const next = await this.#lines.next();
    if (next.done) throw new BrokenReply();
    return next.value;
  }
}

const paddedType = /^(?:LowCardinality\(|Nullable\()*FixedString\(/;

function withoutPadding(text: string): string {
  return text.replace(/(?:\\u0000)+"$/, '"');
}

/** @throws {BrokenReply} */
function tailOf(text: string): z.output<typeof tail> {
  try {
    return tail.parse(JSON.parse(`{${text}`));
  } catch {
    throw new BrokenReply(text);
  }
}

const element = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|null|true|false/y;
const rowForm = /^\t\t\[(.*)\],?$/su;

/** The texts of a row's values; a list or structure becomes a text. @throws {BrokenReply} */
function elementsOf(line: string): string[] {
  const row = rowForm.exec(line)?.[1];
  if (row === undefined) throw new BrokenReply(line);
  const found: string[] = [];
  let at = 0;
  while (at < row.length) {
    element.lastIndex = at;
    const plain = element.exec(row)?.[0];
    const text = plain ?? nested(row, at);
    at += text.length;
    if (at < row.length && !row.startsWith(', ', at)) throw new BrokenReply();
    at += 2;
    found.push(plain ?? JSON.stringify(text));
  }
  return found;
}

function nested(row: string, start: number): string {
  let depth = 0;
  for (let at = start; at < row.length; at += 1) {
    const character = row[at];
    if (character === '"') at = endOfText(row, at);
    else if (character === '[' || character === '{') depth += 1;
    else if (character === ']' || character === '}') depth -= 1;
    if (depth === 0) return row.slice(start, at + 1);
  }
  throw new BrokenReply();
}

function endOfText(row: string, start: number): number {
  for (let at = start + 1; at < row.length; at += 1) {
    if (row[at] === '\\') at += 1;
    else if (row[at] === '"') return at;
  }
  throw new BrokenReply();
}

/** Splits text at line breaks; includes a last line without one. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  rest += decoder.decode();
  if (rest !== '') yield rest;
}
