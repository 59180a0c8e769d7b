import * as z from 'zod';
import { type JsonRows } from '../database.ts';
import { rowsPerBatch } from '../queryRules.ts';

const head = z.object({ meta: z.array(z.object({ name: z.string(), type: z.string() })) });
const rowsBegin = '\t"data":';

/** The server broke off in the middle of its reply. */
export class BrokenReply extends Error {
  /** The server's number for the reason; empty when it gave none. */
  readonly number: string;

  constructor(line = '') {
    super('The reply has no end');
    this.number = /\]Code: (\d+), /.exec(line)?.[1] ?? '';
  }
}

/**
 * Reads a reply in the format JSONCompact, which has one row to a line. Rows become objects whose values are the bytes
 * that the server wrote: whole numbers and decimals keep every digit. A reply without its end is a failed query: the status
 * was sent long before.
 */
export class ClickhouseRows {
  readonly #lines: AsyncIterator<string>;
  #keys: string[] = [];
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
    await rows.#line();
    return rows;
  }

  /** Some rows, or undefined behind the last ones. @throws {BrokenReply} */
  async next(): Promise<JsonRows | undefined> {
    const objects: string[] = [];
    while (!this.#isAtEnd && objects.length < rowsPerBatch) {
      const line = await this.#line();
      if (line === '\t],') await this.#end();
      else if (line !== '') objects.push(this.#object(line));
    }
    return objects.length > 0 ? { count: objects.length, json: objects.join(',') } : undefined;
  }

  /** Everything behind the rows is of no use, but the connection is free only when it has been read. */
  async #end(): Promise<void> {
    for (let next = await this.#lines.next(); !next.done; next = await this.#lines.next());
    this.#isAtEnd = true;
  }

  #object(line: string): string {
    const values = elementsOf(line);
    if (values.length !== this.#keys.length) throw new BrokenReply(line);
    return `${values.map((value, index) => `${this.#keys[index]}${value}`).join('')}}`;
  }

  async #line(): Promise<string> {
    const next = await this.#lines.next();
    if (next.done) throw new BrokenReply();
    return next.value;
  }
}

const element = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|null|true|false/y;
const rowForm = /^\t\t\[(.*)\],?$/su;

/** The texts of a row's values; a list or structure becomes a text of its own. @throws {BrokenReply} */
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

/** Splits text at its line ends; a last line without one counts, too. */
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
