import * as z from 'zod';
import { parseExact, withoutZeros } from '../exactJson.ts';
import type { JsonValueWriter } from '../queryRules.ts';

/** A page of a query's result, or of its progress. */
export const trinoPage = z.object({
  nextUri: z.string().optional(),
  columns: z.array(z.object({ name: z.string(), type: z.string() })).optional(),
  // A check of each value would copy them, and take as long as parsing.
  data: z.custom<unknown[][]>((rows) => Array.isArray(rows) && rows.every(Array.isArray)).optional(),
  error: z.object({ message: z.string(), errorName: z.string(), errorType: z.string() }).optional(),
});

export type TrinoPage = z.infer<typeof trinoPage>;

const serverInfo = z.object({ nodeVersion: z.object({ version: z.string().regex(/^\d/) }) });

/** The release in what a server says of itself; undefined for anything else. */
export function trinoRelease(text: string): string | undefined {
  try {
    return serverInfo.parse(JSON.parse(text)).nodeVersion.version;
  } catch {
    return undefined;
  }
}

/**
 * Parses a page; numbers keep every digit. Most pages contain no number that a double would change: reading those
 * exactly takes ten times as long. @throws Error for anything else.
 */
export function readTrinoPage(text: string): TrinoPage {
  const page = trinoPage.parse(JSON.parse(text));
  return page.data && needsDigits(page) ? trinoPage.parse(parseExact(text)) : page;
}

/** Whether a value of a page can differ from the number that JavaScript reads: a large integer, or one in a structure. */
function needsDigits({ columns = [], data = [] }: TrinoPage): boolean {
  const bases = columns.map(({ type }) => baseOf(type));
  if (bases.some((base) => !plainTypes.has(base))) return true;
  const large = bases.flatMap((base, index) => (base === 'bigint' ? [index] : []));
  return data.some((row) => large.some((index) => row[index] !== null && !Number.isSafeInteger(row[index])));
}

/** Types whose values Trino sends as a text, a number or a boolean, never as a structure. */
const plainTypes: ReadonlySet<string> = new Set([
  ...['boolean', 'tinyint', 'smallint', 'integer', 'bigint', 'real', 'double', 'decimal', 'char', 'varchar'],
  ...['varbinary', 'date', 'time', 'time with time zone', 'timestamp', 'timestamp with time zone', 'uuid'],
]);

const numberForm = /^-?\d+(\.\d+)?([eE][-+]?\d+)?$/;

/**
 * Converts a column's values to JSON. Trino sends decimals, NaN and infinity as text; lists and structures become a
 * text.
 */
export function trinoWriter(type: string): JsonValueWriter<unknown> {
  switch (baseOf(type)) {
    case 'tinyint':
    case 'smallint':
    case 'integer':
    case 'bigint':
    case 'boolean':
      return (value) => JSON.stringify(value);
    case 'decimal':
      return (value) => (typeof value === 'string' && numberForm.test(value) ? value : 'null');
    case 'real':
    case 'double':
      return (value) =>
        typeof value === 'string'
          ? 'null'
          : JSON.stringify(typeof value === 'number' ? value : Number(JSON.stringify(value)));
    case 'timestamp':
    case 'timestamp with time zone':
    case 'time':
    case 'time with time zone':
      return (value) => JSON.stringify(typeof value === 'string' ? momentText(value) : value);
    case 'varbinary':
      return (value) => JSON.stringify(Buffer.from(String(value), 'base64').toString('hex').toUpperCase());
    default:
      return (value) => JSON.stringify(typeof value === 'string' ? value : JSON.stringify(value));
  }
}

/** A type without its parameters. */
function baseOf(type: string): string {
  return type.replace(/\(.*?\)/g, '');
}

/** UTC and offsets as in ISO 8601; a zone with a name stays as it is. */
function momentText(moment: string): string {
  return withoutZeros(moment)
    .replace(/ UTC$/, 'Z')
    .replace(/ (?=[-+]\d\d:\d\d$)/, '');
}
