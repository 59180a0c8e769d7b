import type { LikePart } from '../../security/rowSecurityPredicate.ts';
import { type Dialect, doubleQuoted, singleQuoted } from './dialect.ts';
import { duckdbDialect } from './duckdbDialect.ts';
import type { FunctionName } from './functions.ts';
import type { CastType } from './tree.ts';

const castTypes: Record<CastType, (operand: string) => string> = {
  text: (operand) => `CAST(${operand} AS TEXT)`,
  number: (operand) => `CAST(${operand} AS REAL)`,
  integer: (operand) => `CAST(${operand} AS INTEGER)`,
  date: (operand) => `date(${operand})`,
  timestamp: (operand) => `datetime(${operand})`,
};

const calls: Partial<Record<FunctionName, (first: string, second: string, third: string) => string>> = {
  LEFT: (text, count) => `substr(${text}, 1, ${count})`,
  RIGHT: (text, count) => `substr(${text}, -(${count}), ${count})`,
  SUBSTRING: (text, from, count) => `substr(${text}, ${from}${count && `, ${count}`})`,
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

/** SQL for SQLite. Dates are text there; LIKE ignores case, so patterns are written for GLOB. */
export const sqliteDialect: Dialect = {
  ...duckdbDialect,
  platform: 'sqlite',
  displayName: 'SQLite',
  quote: doubleQuoted,
  placeholder: (index) => `?${index}`,
  literal: ({ type, text }) => (type === 'number' ? text : singleQuoted(text)),
  constant: (value) => (value ? '1 = 1' : '1 = 0'),
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
    return calls[name]?.(first, second, third) ?? duckdbDialect.call(name, args);
  },
  aggregate(name, argument) {
    const mean = `avg(${argument})`;
    const variance = `((avg((${argument}) * (${argument})) - ${mean} * ${mean}) * count(${argument}) / nullif(count(${argument}) - 1, 0))`;
    if (name === 'VARIANCE') return variance;
    return name === 'STDDEV' ? `sqrt(${variance})` : duckdbDialect.aggregate(name, argument);
  },
  cast: (operand, to) => castTypes[to](operand),
  guard: (operand) => operand,
};
