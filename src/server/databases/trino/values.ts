import { type BoundValue, DatabaseError, type RowQuery } from '../database.ts';
import { plainNumber } from '../plainNumber.ts';

const dateForm = /^\d{4}-\d{2}-\d{2}$/;
const timestampForm = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(:\d{2})?(?:\.(\d{1,6}))?)?$/;
const mostDigits = 38;

/**
 * Replaces the numbered placeholders of a query by its values. Trino's protocol has no bound values: even its prepared
 * statements take their values as SQL. Each value is written as a literal of its type after its form is checked; names
 * and texts in the query are left unchanged.
 * @throws {DatabaseError} of kind `refused` for a value that does not match its type.
 */
export function withTrinoValues({ sql, values }: RowQuery, name: string): string {
  return sql.replace(/"(?:[^"]|"")*"|'(?:[^']|'')*'|\?(\d+)/g, (token, number: string | undefined) => {
    if (number === undefined) return token;
    const value = values[Number(number) - 1];
    const literal = value && trinoLiteral(value);
    if (literal === undefined)
      throw new DatabaseError('refused', `${name} cannot hold the value ${number} of the query`);
    return literal;
  });
}

/** A value as a literal of its type; undefined if it does not match. */
export function trinoLiteral({ type, text }: BoundValue): string | undefined {
  switch (type) {
    case 'text':
      return text.includes('\0') ? undefined : `'${text.replaceAll("'", "''")}'`;
    case 'number':
      return numberLiteral(text);
    case 'date':
      return dateForm.test(text) ? `DATE '${text}'` : undefined;
    case 'timestamp': {
      const [found, day, time = '00:00', seconds = ':00', fraction = ''] = timestampForm.exec(text) ?? [];
      return found === undefined ? undefined : `TIMESTAMP '${day} ${time}${seconds}.${fraction.padEnd(6, '0')}'`;
    }
  }
}

/** The type is explicit, because a bare number in GROUP BY would be a column's position. */
function numberLiteral(text: string): string | undefined {
  const number = plainNumber(text);
  const [found, sign = '', whole = '', fraction = ''] = /^([+-]?)(\d+)(?:\.(\d+))?$/.exec(number) ?? [];
  if (found === undefined) return undefined;
  if (whole.length + fraction.length > mostDigits) return `DOUBLE '${Number(text)}'`;
  if (fraction !== '' || whole.length > 18) return `DECIMAL '${sign}${whole}${fraction && `.${fraction}`}'`;
  return `${whole.length > 9 ? 'BIGINT' : 'INTEGER'} '${sign}${whole}'`;
}
