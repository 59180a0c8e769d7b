import * as z from 'zod';
import { parseExact } from '../exactJson.ts';
import { TrinoFailure } from './failures.ts';
import { baseOf } from './json.ts';

const reply = z.object({
  nextUri: z.string().optional(),
  columns: z.array(z.object({ name: z.string(), type: z.string() })).optional(),
  // A check of each value would copy them, and take as long as parsing.
  data: z.custom<unknown[][]>((rows) => Array.isArray(rows) && rows.every(Array.isArray)).optional(),
  error: z.object({ message: z.string(), errorName: z.string(), errorType: z.string() }).optional(),
});

type Reply = z.infer<typeof reply>;
type Columns = NonNullable<Reply['columns']>;

/** A page of a query's result, or of its progress. */
export interface TrinoPage extends Pick<Reply, 'nextUri' | 'columns'> {
  /** The rows, in parts that are parsed when they are asked for; can be read once. @throws as {@link readTrinoPage} does. */
  parts?: Iterable<unknown[][]> | undefined;
}

/** Bytes of rows that are parsed at once: Trino sends megabytes in a page, and other calls wait meanwhile. */
const bytesAtOnce = 64 * 1024;
/** Precedes the rows. Text never contains it: a quotation mark in a text has a backslash before it. */
const beforeRows = '"data":[';
const [openList = 0, closeList = 0, openObject = 0, closeObject = 0] = Buffer.from('[]{}');
const [quote = 0, backslash = 0, comma = 0] = Buffer.from('"\\,');

/**
 * Reads a page; numbers keep every digit. A long page is kept as bytes, whose memory is released after its last row.
 * @throws {TrinoFailure} for an error of the query. @throws Error for anything else that is not a page.
 */
export function readTrinoPage(page: Buffer): TrinoPage {
  const at = page.length > 2 * bytesAtOnce ? page.indexOf(`${beforeRows}[`) : -1;
  // The next page is asked for before the end of this one is parsed.
  const head = at < 0 ? undefined : unlessCut(() => readReply(`${page.toString('utf8', 0, at)}"rows":0}`));
  if (head?.nextUri !== undefined && head.columns)
    return { ...head, parts: partsOf(page, at + beforeRows.length, head.columns) };
  const { data, ...rest } = readReply(page.toString());
  return { ...rest, parts: data && [data] };
}

function* partsOf(page: Buffer, start: number, columns: Columns): Generator<unknown[][]> {
  const rowsUntil = (end: number) => readReply(`{${beforeRows}${page.toString('utf8', at, end)}]}`, columns).data ?? [];
  let at = start;
  for (;;) {
    // Between rows, but also in texts and structures: JSON that ends there is malformed.
    let end = page.indexOf('],[', at + bytesAtOnce) + 1;
    let rows = end === 0 ? [] : unlessCut(() => rowsUntil(end));
    if (!rows) {
      end = endOfRow(page, at);
      rows = end === 0 ? [] : rowsUntil(end);
    }
    if (end === 0) break;
    yield rows;
    at = end + 1;
  }
  const { data } = readReply(`{${beforeRows}${page.toString('utf8', at)}`, columns);
  if (data) yield data;
  // Its memory is free now: as garbage, pages would add up to many megabytes.
  const { buffer, byteLength } = page;
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}

/** Where the first row ends after which enough are parsed at once; 0 if no other one follows. `start` is where a row starts. */
function endOfRow(page: Buffer, start: number): number {
  let depth = 0;
  let isText = false;
  for (let at = start; at < page.length; at += 1) {
    const byte = page[at];
    if (isText) {
      if (byte === backslash) at += 1;
      isText = byte !== quote;
      continue;
    }
    isText = byte === quote;
    if (byte === openList || byte === openObject) depth += 1;
    if (byte === closeList || byte === closeObject) depth -= 1;
    if (depth < 0) return 0;
    if (depth === 0 && byte === closeList && at >= start + bytesAtOnce) return page[at + 1] === comma ? at + 1 : 0;
  }
  return 0;
}

/** The result of `read`; undefined if the JSON that it reads was cut in the middle of a value. */
function unlessCut<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Most replies contain no number that a double would change: reading those exactly takes ten times as long. */
function readReply(json: string, known?: Columns): Reply {
  const read = reply.parse(JSON.parse(json));
  if (read.error) throw new TrinoFailure(read.error.errorName, read.error.message);
  const columns = known ?? read.columns ?? [];
  return read.data && needsDigits(columns, read.data) ? reply.parse(parseExact(json)) : read;
}

/** Whether a value can differ from the number that JavaScript reads: a large integer, or one in a structure. */
function needsDigits(columns: Columns, rows: readonly (readonly unknown[])[]): boolean {
  const bases = columns.map(({ type }) => baseOf(type));
  if (bases.some((base) => !plainTypes.has(base))) return true;
  const large = bases.flatMap((base, index) => (base === 'bigint' ? [index] : []));
  return rows.some((row) => large.some((index) => row[index] !== null && !Number.isSafeInteger(row[index])));
}

/** Types whose values Trino sends as a text, a number or a boolean, never as a structure. */
const plainTypes: ReadonlySet<string> = new Set([
  ...['boolean', 'tinyint', 'smallint', 'integer', 'bigint', 'real', 'double', 'decimal', 'char', 'varchar'],
  ...['varbinary', 'date', 'time', 'time with time zone', 'timestamp', 'timestamp with time zone', 'uuid'],
]);
