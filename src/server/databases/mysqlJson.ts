import mysql from 'mysql2';
import type { JsonValueWriter } from './queryRules.ts';

/** A value as the driver gives it with dates, decimals and large whole numbers as text. */
export type MysqlValue = string | number | Buffer;

const numberTypes = new Set<number>([
  mysql.Types.DECIMAL,
  mysql.Types.NEWDECIMAL,
  mysql.Types.TINY,
  mysql.Types.SHORT,
  mysql.Types.LONG,
  mysql.Types.INT24,
  mysql.Types.LONGLONG,
  mysql.Types.YEAR,
  mysql.Types.FLOAT,
  mysql.Types.DOUBLE,
]);

/** How a column's values become JSON. Bytes become hexadecimal text; MySQL holds neither NaN nor infinity. */
export function mysqlWriter(type: number | undefined): JsonValueWriter<MysqlValue> {
  if (type !== undefined && numberTypes.has(type)) return String;
  return (value) => JSON.stringify(Buffer.isBuffer(value) ? value.toString('hex').toUpperCase() : String(value));
}
