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
  /** The rows, in parts that are parsed when they are asked for. @throws as {@link readTrinoPage} does. */
  parts?: Iterable<unknown[][]> | undefined;
}

/** Letters of rows that are parsed at once: Trino sends megabytes in a page, and other calls wait meanwhile. */
const lettersAtOnce = 64 * 1024;
/** Precedes the rows. Text never contains it: a quotation mark in a text has a backslash before it. */
const beforeRows = '"data":[';

/**
 * Reads a page; numbers keep every digit.
 * @throws {TrinoFailure} for an error of the query. @throws Error for anything else that is not a page.
 */
export function readTrinoPage(text: string): TrinoPage {
  const at = text.length > 2 * lettersAtOnce ? text.indexOf(`${beforeRows}[`) : -1;
  // The next page is asked for before the end of this one is parsed.
  const head = at < 0 ? undefined : unlessCut(() => readReply(`${text.slice(0, at)}"rows":0}`));
  if (head?.nextUri !== undefined && head.columns)
    return { ...head, parts: partsOf(text, at + beforeRows.length, head.columns) };
  const { data, ...page } = readReply(text);
  return { ...page, parts: data && [data] };
}

function* partsOf(text: string, start: number, columns: Columns): Generator<unknown[][]> {
  const rowsUntil = (end: number) => readReply(`{${beforeRows}${text.slice(at, end)}]}`, columns).data ?? [];
  let at = start;
  for (;;) {
    // Between rows, but also in texts and structures: JSON that ends there is malformed.
    let end = text.indexOf('],[', at + lettersAtOnce) + 1;
    let rows = end === 0 ? [] : unlessCut(() => rowsUntil(end));
    if (!rows) {
      end = endOfRow(text, at);
      rows = end === 0 ? [] : rowsUntil(end);
    }
    if (end === 0) break;
    yield rows;
    at = end + 1;
  }
  const { data } = readReply(`{${beforeRows}${text.slice(at)}`, columns);
  if (data) yield data;
}

/** Where the first row ends after which enough are parsed at once; 0 if no other one follows. `start` is where a row starts. */
function endOfRow(text: string, start: number): number {
  let depth = 0;
  let isText = false;
  for (let at = start; at < text.length; at += 1) {
    const letter = text[at] ?? '';
    if (isText) {
      if (letter === '\\') at += 1;
      isText = letter !== '"';
      continue;
    }
    isText = letter === '"';
    if (letter === '[' || letter === '{') depth += 1;
    if (letter === ']' || letter === '}') depth -= 1;
    if (depth < 0) return 0;
    if (depth === 0 && letter === ']' && at >= start + lettersAtOnce) return text[at + 1] === ',' ? at + 1 : 0;
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
