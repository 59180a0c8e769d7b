import { DatabaseError } from '../database.ts';
import { plainText, withoutZeros } from '../exactJson.ts';
import type { JsonValueWriter } from '../queryRules.ts';

/** How a column is read from SQL Server, and how its values become JSON. */
export interface MssqlColumn {
  name: string;
  /** Type to cast the column to, such that the driver preserves every digit and character of its values. */
  sentAs: string;
  write: JsonValueWriter<unknown>;
}

/** Above this the driver has rounded: money arrives as a floating-point number, which holds 15 digits. */
const mostExactMoney = 1e11;

/**
 * Maps the server's description of a column. Decimals and times would arrive as JavaScript numbers and dates, which
 * hold fewer digits: they are read as text. Bytes become hexadecimal text.
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
      // Their own text has no seconds and does not sort; they hold only milliseconds.
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
