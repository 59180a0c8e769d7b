import * as z from 'zod';
import { withoutZeros } from '../exactJson.ts';
import type { JsonValueWriter } from '../queryRules.ts';

const serverInfo = z.object({ nodeVersion: z.object({ version: z.string().regex(/^\d/) }) });

/** The release in what a server says of itself; undefined for anything else. */
export function trinoRelease(text: string): string | undefined {
  try {
    return serverInfo.parse(JSON.parse(text)).nodeVersion.version;
  } catch {
    return undefined;
  }
}

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
export function baseOf(type: string): string {
  return type.replace(/\(.*?\)/g, '');
}

/** UTC and offsets as in ISO 8601; a zone with a name stays as it is. */
function momentText(moment: string): string {
  return withoutZeros(moment)
    .replace(/ UTC$/, 'Z')
    .replace(/ (?=[-+]\d\d:\d\d$)/, '');
}
