import type { LikePart, SqlValue } from '../../security/rowSecurityPredicate.ts';
import { type Dialect, doubleQuoted, isNumeric, numberForm, plainNumberForm, singleQuoted } from './dialect.ts';
import type { FunctionName } from './functions.ts';
import type { CastType } from './tree.ts';

/** Casts of texts: DuckDB's own also accept words such as `inf` and digits in groups. */
const castsOfText: Record<CastType, (text: string) => string> = {
  text: (text) => text,
  number: (text) => ifLike(text, numberForm, `TRY_CAST(${text} AS DOUBLE)`),
  integer: (text) => ifLike(text, numberForm, `TRY_CAST(${text} AS BIGINT)`),
  date: (text) => ifLike(text, dateForm, `TRY_CAST(${text} AS DATE)`),
  timestamp: (text) => ifLike(text, dateForm, `TRY_CAST(${text} AS TIMESTAMP)`),
};

const dateForm = '^[0-9]{4}-[0-9]{2}-[0-9]{2}([^0-9]|$)';

function ifLike(text: string, form: string, then: string): string {
  return `CASE WHEN regexp_matches(${text}, '${form}') THEN ${then} END`;
}

const casts: Record<CastType, (operand: string) => string> = {
  text: (operand) => `CAST(${operand} AS VARCHAR)`,
  number: (operand) => `TRY_CAST(${operand} AS DOUBLE)`,
  // A cast alone rounds halves of DOUBLE to even numbers.
  integer: (operand) => `TRY_CAST(round(${operand}) AS BIGINT)`,
  date: (operand) => `TRY_CAST(${operand} AS DATE)`,
  timestamp: (operand) => `TRY_CAST(${operand} AS TIMESTAMP)`,
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

/** A function as most platforms write it. */
export function standardCall(name: FunctionName, args: readonly string[]): string {
  return calls[name](args);
}

/** A whole number as a decimal, because functions convert it to DOUBLE otherwise; leaves a fraction unchanged. */
function exactWhole(number: string): string {
  return `${number} + CAST(0 AS DECIMAL(1, 0))`;
}

const ownCalls: Partial<typeof calls> = {
  ROUND([number = '', decimals]) {
    if (decimals === undefined || /^(\$|-?)\d+$/.test(decimals))
      return standardCall('ROUND', decimals ? [number, decimals] : [number]);
    // Decimals are only rounded to a constant number of places.
    return `round(CAST(${number} AS DOUBLE), CAST(${decimals} AS INTEGER))`;
  },
  FLOOR: ([number = '']) => `floor(${exactWhole(number)})`,
  CEILING: ([number = '']) => `ceil(${exactWhole(number)})`,
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
  call: (name, args) => ownCalls[name]?.(args) ?? standardCall(name, args),
  aggregate: (name, argument) => `${name === 'VARIANCE' ? 'var_samp' : name.toLowerCase()}(${argument})`,
  cast(operand, to, from) {
    if (to === 'text' && isNumeric(from)) return `regexp_extract(CAST(${operand} AS VARCHAR), '${plainNumberForm}')`;
    return (from === 'text' ? castsOfText : casts)[to](operand);
  },
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
