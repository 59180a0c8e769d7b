import * as z from 'zod';
import { type JsonRows } from '../database.ts';
import { rowsPerBatch } from '../queryRules.ts';
import { JsonBytes } from '../jsonBytes.ts';
import { BrokenReply, numberOf, reasonOf } from './failures.ts';
import type { ReplyLines } from './reply.ts';
import { RowWriter } from './rowWriter.ts';

const head = z.object({ meta: z.array(z.object({ name: z.string(), type: z.string() })) });
/** Characters read for the reason of an aborted reply. */
const longestReason = 100_000;
/** Bytes that a batch of short rows takes. */
const usualBatch = 64 * 1024;
const lineBreak = 0x0a;
const rowsBegin = '\t"data":';
/** What follows the rows. Some releases end an aborted result as valid JSON with an `exception`. */
const tail = z.object({ rows: z.number(), exception: z.string().optional() });

/**
 * Reads a reply in the format JSONCompact, which has one row per line. Rows become objects whose values are the bytes
 * that the server wrote: whole numbers and decimals keep every digit. A truncated reply is a failed query: the status
 * was sent long before.
 */
export class ClickhouseRows {
  readonly #lines: ReplyLines;
  /** Of the reply's header; see {@link reasonOf}. */
  readonly #tag: string | undefined;
  #writer = new RowWriter([]);
  /** In turn: rows are read ahead while those before are sent. */
  readonly #batches = [new JsonBytes(usualBatch), new JsonBytes(usualBatch)] as const;
  #isSecond = false;
  #count = 0;
  #isAtEnd = false;
  /** The last line that is no row, and what follows it. */
  #pending = '';

  private constructor(lines: ReplyLines, tag: string | undefined) {
    this.#lines = lines;
    this.#tag = tag;
  }

  /** Reads up to the first row. @throws {BrokenReply} */
  static async open(lines: ReplyLines, tag?: string): Promise<ClickhouseRows> {
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
    this.#writer = new RowWriter(meta);
    await this.#line();
    this.#pending = '';
  }

  async #batch(): Promise<JsonRows | undefined> {
    this.#isSecond = !this.#isSecond;
    const json = this.#batches[this.#isSecond ? 1 : 0];
    json.clear();
    while (!this.#isAtEnd) {
      const count = await this.#writeRows(json);
      this.#count += count;
      if (count > 0) return { count, json: json.written };
      if ((await this.#line()) === '\t],') await this.#end();
      else throw new BrokenReply();
    }
    return undefined;
  }

  /** Writes rows that are here, waiting if none is; returns how many. Stops before a line that is no row. */
  async #writeRows(json: JsonBytes): Promise<number> {
    const lines = await this.#lines.complete();
    if (!lines) return 0;
    let count = 0;
    let at = 0;
    while (at < lines.length && count < rowsPerBatch) {
      if (lines[at] === lineBreak) {
        at += 1;
        continue;
      }
      const next = this.#writer.write(lines, at, json, count > 0);
      if (next === undefined) break;
      at = next;
      count += 1;
    }
    this.#lines.take(at);
    return count;
  }

  /**
   * Reads everything after the rows: it tells whether they are all, and the connection is free only after it.
   * @throws {BrokenReply}
   */
  async #end(): Promise<void> {
    this.#pending = '';
    for (let line = await this.#lines.next(); line !== undefined; line = await this.#lines.next())
      this.#pending += `${line}\n`;
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
      while (this.#pending.length < longestReason) {
        const line = await this.#lines.next();
        if (line === undefined) break;
        this.#pending += `${line}\n`;
      }
    } catch (error) {
      return { error };
    }
    return undefined;
  }

  async #line(): Promise<string> {
    const line = await this.#lines.next();
    if (line === undefined) throw new BrokenReply();
    this.#pending = line;
    return line;
  }
}

/** @throws {BrokenReply} */
function tailOf(text: string): z.output<typeof tail> {
  try {
    return tail.parse(JSON.parse(`{${text}`));
  } catch {
    throw new BrokenReply();
  }
}
