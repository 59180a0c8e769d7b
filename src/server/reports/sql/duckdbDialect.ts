import type { LikePart, SqlValue } from '../../security/rowSecurityPredicate.ts';
import { type Dialect, doubleQuoted, singleQuoted } from './dialect.ts';
import type { FunctionName } from './functions.ts';
import type { CastType } from './tree.ts';

const castTypes: Record<CastType, string> = {
  text: 'VARCHAR',
  number: 'DOUBLE',
  integer: 'BIGINT',
  date: 'DATE',
  timestamp: 'TIMESTAMP',
};

const calls: Record<FunctionName, (args: readonly string[]) => string> = {
  UPPER: named('upper'),
  LOWER: named('lower'),
  TRIM: named('trim'),
  LTRIM: named('ltrim'),
  RTRIM: named('rtrim'),
  LENGTH: named('length'),
  SUBSTRING: named('substring'),
  LEFT: named('left'),
  RIGHT: named('right'),
  REPLACE: named('replace'),
  CONCAT: named('concat'),
  ABS: named('abs'),
  ROUND: named('round'),
  FLOOR: named('floor'),
  CEILING: named('ceil'),
  SIGN: named('sign'),
  YEAR: named('year'),
  QUARTER: named('quarter'),
  MONTH: named('month'),
  WEEK: named('week'),
  DAY: named('day'),
  WEEKDAY: named('isodow'),
  HOUR: named('hour'),
  MINUTE: named('minute'),
  DATEONLY: ([moment = '']) => `CAST(${moment} AS DATE)`,
  MONTHSTART: truncated('month'),
  QUARTERSTART: truncated('quarter'),
  YEARSTART: truncated('year'),
  DAYSBETWEEN: ([from = '', to = '']) => `date_diff('day', CAST(${from} AS DATE), CAST(${to} AS DATE))`,
  COALESCE: named('coalesce'),
  NULLIF: named('nullif'),
};

function named(name: string): (args: readonly string[]) => string {
  return (args) => `${name}(${args.join(', ')})`;
}

function truncated(part: string): (args: readonly string[]) => string {
  return ([moment = '']) => `CAST(date_trunc('${part}', ${moment}) AS DATE)`;
}

/** SQL for DuckDB. Casts and guarded expressions return null instead of an error, which could reveal hidden rows. */
export const duckdbDialect: Dialect = {
  platform: 'duckdb',
  displayName: 'DuckDB',
  quote: doubleQuoted,
  placeholder: (index, { type }) =>
    type === 'date' || type === 'timestamp' ? `CAST($${index} AS ${type.toUpperCase()})` : `$${index}`,
  literal,
  constant: (value) => (value ? 'TRUE' : 'FALSE'),
  text: (column) => column,
  compare: (operand, operator, value) => `${operand} ${operator} ${value}`,
  oneOf: (operand, values, isNegated) => `${operand} ${isNegated ? 'NOT IN' : 'IN'} (${values.join(', ')})`,
  // DuckDB's LIKE with ESCAPE backtracks over every position of a text for each %, for minutes and without a way to
  // interrupt it. The time of its regular expressions is linear in the text.
  likeText: (parts) => parts.map(regexOf).join(''),
  like: (operand, pattern, isNegated) => `${isNegated ? 'NOT ' : ''}regexp_full_match(${operand}, ${pattern}, 's')`,
  arithmetic: (left, operator, right) => `${left} ${operator} ${right}`,
  divide: (left, right) => `CAST(${left} AS DOUBLE) / nullif(${right}, 0)`,
  modulo: (left, right) => `${left} % nullif(${right}, 0)`,
  call: (name, args) => calls[name](args),
  aggregate: (name, argument) => `${name === 'VARIANCE' ? 'var_samp' : name.toLowerCase()}(${argument})`,
  cast: (operand, to) => `TRY_CAST(${operand} AS ${castTypes[to]})`,
  guard: (operand) => `TRY(${operand})`,
  orderTerm: (expression, isDescending) => `${expression}${isDescending ? ' DESC' : ''} NULLS LAST`,
  limit: (count) => ({ afterSelect: '', atEnd: `LIMIT ${count}` }),
};

function regexOf(part: LikePart): string {
  if ('any' in part) return part.any === 'many' ? '.*' : '.';
  return part.literal.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&');
}

function literal({ type, text }: SqlValue): string {
  if (type === 'number') return text;
  return type === 'text' ? singleQuoted(text) : `${type.toUpperCase()} ${singleQuoted(text)}`;
}
