import type { LikePart } from '../../security/rowSecurityPredicate.ts';
import { type Dialect, doubleQuoted, isNumeric, singleQuoted } from './dialect.ts';
import { duckdbDialect, standardCall } from './duckdbDialect.ts';
import type { FunctionName } from './functions.ts';
import type { CastType } from './tree.ts';

/** Casts that return null for invalid input, as on the other platforms; SQLite's own return 0. The reader adds functions for numbers. */
const casts: Record<CastType, (operand: string) => string> = {
  text: (operand) => `CAST(${operand} AS TEXT)`,
  number: (operand) => `to_number(${operand})`,
  integer: (operand) => `to_integer(${operand})`,
  date: (operand) => ifDate(operand, `date(${operand})`),
  timestamp: (operand) => ifDate(operand, `rtrim(rtrim(datetime(${operand}, 'subsec'), '0'), '.')`),
};

/** Without the check, a date after the end of its month would become one of the next month. */
function ifDate(operand: string, then: string): string {
  return `CASE WHEN ${operand} GLOB '[0-9][0-9][0-9][0-9]-[01][0-9]-[0-3][0-9]*' AND date(substr(${operand}, 1, 10)) = substr(${operand}, 1, 10) THEN ${then} END`;
}

const calls: Partial<Record<FunctionName, (first: string, second: string, third: string) => string>> = {
  LEFT: (text, count) => `substr(${text}, 1, ${count})`,
  RIGHT: (text, count) => `substr(${text}, -(${count}), ${count})`,
  SUBSTRING: (text, from, count) => `substr(${text}, ${from}${count && `, ${count}`})`,
  ROUND: (number, decimals) => `round_decimal(${number}, ${decimals || '0'})`,
  YEAR: strftime('%Y'),
  QUARTER: (moment) => `((CAST(strftime('%m', ${moment}) AS INTEGER) + 2) / 3)`,
  MONTH: strftime('%m'),
  WEEK: strftime('%V'),
  DAY: strftime('%d'),
  WEEKDAY: strftime('%u'),
  HOUR: strftime('%H'),
  MINUTE: strftime('%M'),
  DATEONLY: (moment) => `date(${moment})`,
  MONTHSTART: (moment) => `date(${moment}, 'start of month')`,
  QUARTERSTART: (moment) =>
    `date(${moment}, 'start of month', '-' || ((strftime('%m', ${moment}) - 1) % 3) || ' months')`,
  YEARSTART: (moment) => `date(${moment}, 'start of year')`,
  DAYSBETWEEN: (from, to) => `CAST(julianday(date(${to})) - julianday(date(${from})) AS INTEGER)`,
};

function strftime(format: string): (moment: string) => string {
  return (moment) => `CAST(strftime('${format}', ${moment}) AS INTEGER)`;
}

/** SQL for SQLite. Dates are stored as text; LIKE ignores case, so patterns are written for GLOB. */
export const sqliteDialect: Dialect = {
  ...duckdbDialect,
  platform: 'sqlite',
  displayName: 'SQLite',
  quote: doubleQuoted,
  placeholder: (index, { type }) => (type === 'text' ? `(?${index} COLLATE BINARY)` : `?${index}`),
  literal: ({ type, text }) => (type === 'number' ? text : singleQuoted(text)),
  constant: (value) => (value ? '1 = 1' : '1 = 0'),
  text: (column) => `${column} COLLATE BINARY`,
  oneOf: (operand, values, isNegated, type) =>
    duckdbDialect.oneOf(`${operand} COLLATE BINARY`, values, isNegated, type),
  likeText: (pattern: readonly LikePart[]) =>
    pattern
      .map((part) => {
        if ('literal' in part) return part.literal.replace(/[*?[]/g, (character) => `[${character}]`);
        return part.any === 'many' ? '*' : '?';
      })
      .join(''),
  like: (operand, pattern, isNegated) => `${operand} ${isNegated ? 'NOT GLOB' : 'GLOB'} ${pattern}`,
  divide: (left, right) => `CAST(${left} AS REAL) / nullif(${right}, 0)`,
  call: (name, args) => {
    const [first = '', second = '', third = ''] = args;
    return calls[name]?.(first, second, third) ?? standardCall(name, args);
  },
  modulo: (left, right) => `mod(${left}, nullif(${right}, 0))`,
  // The reader adds the spread of values to SQLite.
  aggregate: (name, argument) =>
    name === 'STDDEV' ? `stddev_samp(${argument})` : duckdbDialect.aggregate(name, argument),
  cast: (operand, to, from) => (to === 'text' && isNumeric(from) ? `number_text(${operand})` : casts[to](operand)),
  guard: (operand) => operand,
};
