import * as z from 'zod';
import { parseExact, withoutZeros } from '../exactJson.ts';
import type { JsonValueWriter } from '../queryRules.ts';

/** A page of a query's result, or of its progress. */
export const trinoPage = z.object({
  nextUri: z.string().optional(),
  columns: z.array(z.object({ name: z.string(), type: z.string() })).optional(),
  data: z.array(z.array(z.unknown())).optional(),
  error: z.object({ message: z.string(), errorName: z.string(), errorType: z.string() }).optional(),
});

export type TrinoPage = z.infer<typeof trinoPage>;

/** Parses a page; numbers keep every digit. @throws Error for anything else. */
export function readTrinoPage(text: string): TrinoPage {
  return trinoPage.parse(parseExact(text));
}

const numberForm = /^-?\d+(\.\d+)?([eE][-+]?\d+)?$/;

/**
 * Converts a column's values to JSON. Trino sends decimals, NaN and infinity as text; lists and structures become a
 * text.
 */
export function trinoWriter(type: string): JsonValueWriter<unknown> {
  const base = type.replace(/\(.*?\)/g, '');
  switch (base) {
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
      return (value) => (typeof value === 'string' ? 'null' : JSON.stringify(value));
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

/** UTC and offsets as in ISO 8601; a zone with a name stays as it is. */
function momentText(moment: string): string {
  return withoutZeros(moment)
    .replace(/ UTC$/, 'Z')
    .replace(/ (?=[-+]\d\d:\d\d$)/, '');
}
