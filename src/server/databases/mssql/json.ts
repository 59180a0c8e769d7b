import { DatabaseError } from '../database.ts';
import { plainText, withoutZeros } from '../exactJson.ts';
import type { JsonValueWriter } from '../queryRules.ts';

/** How a column leaves SQL Server, and how its values become JSON. */
export interface MssqlColumn {
  name: string;
  /** Type to ask for in place of its own, such that the driver keeps every digit and character of its values. */
  sentAs: string;
  write: JsonValueWriter<unknown>;
}

/** Beyond these the driver has rounded: money comes as a fraction, which holds 15 digits. */
const mostExactMoney = 1e11;

/**
 * Reads the server's own description of a column. Decimals and times would come as fractions and dates of JavaScript, which
 * hold fewer digits: they are asked for as text. Bytes become hexadecimal text.
 */
export function mssqlColumn(name: string, type: string, server: string): MssqlColumn {
  const base = /^[a-z0-9_ ]+/i.exec(type)?.[0].trim().toLowerCase() ?? '';
  switch (base) {
    case 'decimal':
    case 'numeric':
      return { name, sentAs: 'nvarchar(60)', write: String };
    case 'tinyint':
    case 'smallint':
    case 'int':
    case 'bigint':
    case 'float':
    case 'real':
      return { name, sentAs: type, write: String };
    case 'money':
    case 'smallmoney':
      return { name, sentAs: type, write: (value) => exactMoney(value, name, server) };
    case 'date':
    case 'time':
    case 'datetime2':
    case 'datetimeoffset':
      return { name, sentAs: 'nvarchar(60)', write: (value) => JSON.stringify(withoutZeros(String(value))) };
    case 'datetime':
    case 'smalldatetime':
      // Their own text has neither seconds nor an order; milliseconds are all they hold.
      return { name, sentAs: 'datetime2(3)', write: momentText };
    case 'char':
    case 'varchar':
    case 'text':
    case 'ntext':
      return { name, sentAs: 'nvarchar(max)', write: plainText };
    default:
      return { name, sentAs: type, write: base === 'bit' ? String : plainText };
  }
}

function exactMoney(value: unknown, name: string, server: string): string {
  if (Math.abs(Number(value)) < mostExactMoney) return String(value);
  const remedy = 'cast it to a decimal in a view';
  throw new DatabaseError('failed', `${server}: column "${name}" holds money too large to read exactly; ${remedy}`);
}

function momentText(value: unknown): string {
  if (!(value instanceof Date)) return plainText(value);
  return JSON.stringify(withoutZeros(value.toISOString().replace('T', ' ').replace('Z', '')));
}
