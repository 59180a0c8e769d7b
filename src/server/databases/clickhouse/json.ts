import * as z from 'zod';
import { type JsonRows } from '../database.ts';
import { rowsPerBatch } from '../queryRules.ts';
import { BrokenReply, numberOf, reasonOf } from './failures.ts';

const head = z.object({ meta: z.array(z.object({ name: z.string(), type: z.string() })) });
/** Characters read for the reason of an aborted reply. */
const longestReason = 100_000;
const rowsBegin = '\t"data":';
/** What follows the rows. Some releases end an aborted result as valid JSON with an `exception`. */
const tail = z.object({ rows: z.number(), exception: z.string().optional() });

/**
 * Reads a reply in the format JSONCompact, which has one row per line. Rows become objects whose values are the bytes
 * that the server wrote: whole numbers and decimals keep every digit. A truncated reply is a failed query: the status
 * was sent long before.
 */
export class ClickhouseRows {
  readonly #lines: AsyncIterator<string>;
  /** Of the reply's header; see {@link reasonOf}. */
  readonly #tag: string | undefined;
  #keys: string[] = [];
  /** Whether a column fills its texts with zero bytes up to a fixed length. */
  #arePadded: boolean[] = [];
  #count = 0;
  #isAtEnd = false;
  /** What was read since the last complete row. */
  #pending = '';

  private constructor(lines: AsyncIterator<string>, tag: string | undefined) {
    this.#lines = lines;
    this.#tag = tag;
  }

  /** Reads up to the first row. @throws {BrokenReply} */
  static async open(lines: AsyncIterator<string>, tag?: string): Promise<ClickhouseRows> {
    const rows = new ClickhouseRows(lines, tag);
    await rows.#whole(() => rows.#open());
    return rows;
  }

  /** Next rows, or undefined after the last ones. @throws {BrokenReply} */
  next(): Promise<JsonRows | undefined> {
    return this.#whole(() => this.#batch());
  }

  /** Runs a step; finds the reason if the reply ends within it. @throws {BrokenReply} */
  async #whole<Result>(step: () => Promise<Result>): Promise<Result> {
    try {
      return await step();
    } catch (error) {
      if (error instanceof BrokenReply && error.number !== '') throw error;
      const problem = error instanceof BrokenReply ? await this.#readReason() : { error };
      const number = reasonOf(this.#pending, this.#tag);
      throw number === '' && problem ? problem.error : new BrokenReply(number);
    }
  }

  async #open(): Promise<void> {
    let text = '';
    for (let line = await this.#line(); line !== rowsBegin; line = await this.#line()) {
      text += `${line}\n`;
      this.#pending = text;
    }
    const { meta } = head.parse(JSON.parse(`${text.replace(/,\s*$/, '')}}`));
    this.#keys = meta.map(({ name }, index) => `${index === 0 ? '{' : ','}${JSON.stringify(name)}:`);
    this.#arePadded = meta.map(({ type }) => paddedType.test(type));
    await this.#line();
    this.#pending = '';
  }

  async #batch(): Promise<JsonRows | undefined> {
    const objects: string[] = [];
    while (!this.#isAtEnd && objects.length < rowsPerBatch) {
      const line = await this.#line();
      if (line === '\t],') await this.#end();
      else if (line !== '') objects.push(this.#object(line));
      this.#pending = '';
    }
    return objects.length > 0 ? { count: objects.length, json: objects.join(',') } : undefined;
  }

  /**
   * Reads everything after the rows: it tells whether they are all, and the connection is free only after it.
   * @throws {BrokenReply}
   */
  async #end(): Promise<void> {
    this.#pending = '';
    for (let next = await this.#lines.next(); !next.done; next = await this.#lines.next())
      this.#pending += `${next.value}\n`;
    const { rows, exception } = tailOf(this.#pending);
    if (exception !== undefined || rows !== this.#count) throw new BrokenReply(numberOf(exception ?? ''));
    this.#isAtEnd = true;
  }

  /**
   * Reads the end of an aborted reply, up to a limit.
   * @returns the error if the connection broke, as it does on purpose after the reason.
   */
  async #readReason(): Promise<{ error: unknown } | undefined> {
    this.#pending += '\n';
    try {
      for (
        let next = await this.#lines.next();
        !next.done && this.#pending.length < longestReason;
        next = await this.#lines.next()
      )
        this.#pending += `${next.value}\n`;
    } catch (error) {
      return { error };
    }
    return undefined;
  }

  #object(line: string): string {
    const values = elementsOf(line);
    if (values.length !== this.#keys.length) throw new BrokenReply();
    this.#count += 1;
    return `${values.map((value, index) => `${this.#keys[index]}${this.#arePadded[index] ? withoutPadding(value) : value}`).join('')}}`;
  }

  async #line(): Promise<string> {
    const next = await this.#lines.next();
    if (next.done) throw new BrokenReply();
    this.#pending = next.value;
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
    throw new BrokenReply();
  }
}

const element = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|null|true|false/y;
const rowForm = /^\t\t\[(.*)\],?$/su;

/** The texts of a row's values; a list or structure becomes a text. @throws {BrokenReply} */
function elementsOf(line: string): string[] {
  const row = rowForm.exec(line)?.[1];
  if (row === undefined) throw new BrokenReply();
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
