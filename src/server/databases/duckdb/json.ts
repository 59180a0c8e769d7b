import {
  type DuckDBConnection,
  DuckDBDecimalValue,
  type DuckDBPreparedStatement,
  type DuckDBType,
  DuckDBTypeId,
} from '@duckdb/node-api';
import type { BoundValue, RowQuery } from '../database.ts';

/** Prepares a query and binds its values. */
export async function prepared(
  connection: DuckDBConnection,
  { sql, values }: RowQuery,
): Promise<DuckDBPreparedStatement> {
  const statement = await connection.prepare(sql);
  values.forEach((value, index) => bindValue(statement, index + 1, value));
  return statement;
}

const mostDigits = 38;

/** Binds numbers in the narrowest exact type; dates are bound as text that the statement casts. */
function bindValue(statement: DuckDBPreparedStatement, index: number, { type, text }: BoundValue): void {
  if (type !== 'number') {
    statement.bindVarchar(index, text);
    return;
  }
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  const digits = (whole + fraction).replace(/^0+(?=\d)/, '');
  if (whole === '' || digits.length > mostDigits || fraction.length > mostDigits) {
    statement.bindDouble(index, Number(text));
    return;
  }
  const value = BigInt(sign + digits);
  if (fraction !== '') {
    statement.bindDecimal(
      index,
      new DuckDBDecimalValue(value, Math.max(digits.length, fraction.length), fraction.length),
    );
  } else if (BigInt.asIntN(32, value) === value) {
    statement.bindInteger(index, Number(value));
  } else if (BigInt.asIntN(64, value) === value) {
    statement.bindBigInt(index, value);
  } else if (BigInt.asIntN(127, value) === value) {
    statement.bindHugeInt(index, value);
  } else {
    statement.bindDouble(index, Number(text));
  }
}

/**
 * Wraps `query` so that each row is the text of one JSON object and a comma. Values that JSON cannot represent become
 * null (NaN, infinity) or text (lists, structures, bytes).
 */
export async function rowsAsJson(connection: DuckDBConnection, query: RowQuery): Promise<string> {
  const inner = `(${query.sql}\n) AS r`;
  // The types of a statement with values are only certain after it has run.
  const probe = await prepared(connection, { ...query, sql: `SELECT * FROM ${inner} LIMIT 0` });
  const result = await probe.run();
  const columns = result.columnTypes().map((type, index) => {
    const name = `"${result.columnName(index).replaceAll('"', '""')}"`;
    return { name, value: jsonValue(`r.${name}`, type), isPlain: isPlain(type) };
  });
  const object = columns.every((column) => column.isPlain)
    ? 'r'
    : `struct_pack(${columns.map(({ name, value }) => `${name} := ${value}`).join(', ')})`;
  return `SELECT CAST(to_json(${object}) AS VARCHAR) || ',' FROM ${inner}`;
}

const floats = new Set([DuckDBTypeId.FLOAT, DuckDBTypeId.DOUBLE]);
const plainTypes = new Set([
  DuckDBTypeId.BOOLEAN,
  DuckDBTypeId.TINYINT,
  DuckDBTypeId.SMALLINT,
  DuckDBTypeId.INTEGER,
  DuckDBTypeId.BIGINT,
  DuckDBTypeId.UTINYINT,
  DuckDBTypeId.USMALLINT,
  DuckDBTypeId.UINTEGER,
  DuckDBTypeId.UBIGINT,
  DuckDBTypeId.HUGEINT,
  DuckDBTypeId.UHUGEINT,
  DuckDBTypeId.DECIMAL,
  DuckDBTypeId.VARCHAR,
  DuckDBTypeId.ENUM,
  DuckDBTypeId.DATE,
  DuckDBTypeId.TIME,
  DuckDBTypeId.TIMESTAMP,
  DuckDBTypeId.TIMESTAMP_S,
  DuckDBTypeId.TIMESTAMP_MS,
  DuckDBTypeId.TIMESTAMP_NS,
  DuckDBTypeId.TIMESTAMP_TZ,
  DuckDBTypeId.SQLNULL,
]);

function isPlain({ typeId }: DuckDBType): boolean {
  return plainTypes.has(typeId);
}

function jsonValue(column: string, type: DuckDBType): string {
  if (floats.has(type.typeId)) return `CASE WHEN isfinite(${column}) THEN ${column} END`;
  return isPlain(type) ? column : `CAST(${column} AS VARCHAR)`;
}
