import { ReportError } from '../reportError.ts';
import type { LikePart } from '../../security/rowSecurityPredicate.ts';
import { type Dialect, isNumeric, numberForm, plainNumberForm, singleQuoted } from './dialect.ts';
import { duckdbDialect, standardCall } from './duckdbDialect.ts';
import type { FunctionName } from './functions.ts';
import type { CastType } from './tree.ts';

/** Casts that return null for invalid input, as on the other platforms; MySQL's own return 0. */
const casts: Record<Exclude<CastType, 'text'>, (operand: string) => string> = {
  number: (operand) => ifNumber(operand, `CAST(${operand} AS DOUBLE)`),
  integer(operand) {
    const exact = `CAST(${operand} AS DECIMAL(65, 20))`;
    return ifNumber(operand, `CASE WHEN abs(${exact}) < 9.2e18 THEN CAST(round(${exact}) AS SIGNED) END`);
  },
  date: (operand) => ifDate(operand, `CAST(${operand} AS DATE)`),
  timestamp: (operand) => ifDate(operand, `CAST(${operand} AS DATETIME(6))`),
};

function ifNumber(operand: string, then: string): string {
  return `CASE WHEN ${operand} REGEXP '${numberForm}' THEN ${then} END`;
}

function ifDate(operand: string, then: string): string {
  return `CASE WHEN ${operand} REGEXP '^[0-9]{4}-[0-9]{2}-[0-9]{2}([^0-9]|$)' THEN ${then} END`;
}

const placeholders = {
  number: (value: string) => `CAST(${value} AS DECIMAL(65, 20))`,
  date: (value: string) => `CAST(${value} AS DATE)`,
  timestamp: (value: string) => `CAST(${value} AS DATETIME(6))`,
} as const;

const calls: Partial<Record<FunctionName, (first: string, second: string) => string>> = {
  LENGTH: (text) => `char_length(${text})`,
  ROUND(number, decimals) {
    const places = decimals && `, ${decimals}`;
    // Halves of DOUBLE would become even numbers. Beyond the decimals, fractions are whole.
    return `CASE WHEN abs(${number}) < 1e44 THEN round(CAST(${number} AS DECIMAL(65, 20))${places}) ELSE round(${number}${places}) END`;
  },
  WEEK: (moment) => `week(${moment}, 3)`,
  WEEKDAY: (moment) => `(weekday(${moment}) + 1)`,
  DATEONLY: (moment) => `CAST(${moment} AS DATE)`,
  MONTHSTART: (moment) => `CAST(date_format(${moment}, '%Y-%m-01') AS DATE)`,
  QUARTERSTART: (moment) => `(makedate(year(${moment}), 1) + INTERVAL (quarter(${moment}) - 1) QUARTER)`,
  YEARSTART: (moment) => `makedate(year(${moment}), 1)`,
  DAYSBETWEEN: (from, to) => `datediff(${to}, ${from})`,
};

/**
 * SQL for MySQL and MariaDB. Placeholders are numbered, and the driver converts them; LIKE escapes with `!`, which is
 * independent of the server's mode. `collation` is sensitive to case and trailing blanks; its name differs between the
 * two.
 */
function dialectWith(collation: 'utf8mb4_nopad_bin' | 'utf8mb4_0900_bin'): Dialect {
  const exactText = (text: string) => `CONVERT(${text} USING utf8mb4) COLLATE ${collation}`;
  return {
    ...duckdbDialect,
    platform: 'mysql',
    displayName: 'MySQL',
    forVersion: (version) => (/mariadb/i.test(version) ? mysqlDialect : mysql8Dialect),
    quote(name) {
      if (name === '' || name.includes('\0'))
        throw new ReportError('A database name is empty or holds a NUL character');
      return `\`${name.replaceAll('`', '``')}\``;
    },
    placeholder: (index, { type }) => (type === 'text' ? exactText(`?${index}`) : placeholders[type](`?${index}`)),
    literal: ({ type, text }) => {
      if (type === 'number') return text;
      return type === 'text' ? singleQuoted(text) : `${type.toUpperCase()} ${singleQuoted(text)}`;
    },
    text: exactText,
    likeText: (pattern: readonly LikePart[]) =>
      pattern
        .map((part) => {
          if ('literal' in part) return part.literal.replace(/[!%_]/g, (character) => `!${character}`);
          return part.any === 'many' ? '%' : '_';
        })
        .join(''),
    like: (operand, pattern, isNegated) => `${operand} ${isNegated ? 'NOT LIKE' : 'LIKE'} ${pattern} ESCAPE '!'`,
    divide: (left, right) => `CAST(${left} AS DOUBLE) / nullif(${right}, 0)`,
    modulo: (left, right) => `${left} % nullif(${right}, 0)`,
    call(name, args) {
      const [first = '', second = ''] = args;
      if (name === 'CONCAT') return `concat_ws('', ${args.join(', ')})`;
      return calls[name]?.(first, second) ?? standardCall(name, args);
    },
    aggregate(name, argument) {
      switch (name) {
        case 'AVG': {
          // The average of decimals would only have four more digits.
          const [, distinct = '', value = ''] = /^(DISTINCT )?([^]*)$/.exec(argument) ?? [];
          return `avg(${distinct}CAST(${value} AS DOUBLE))`;
        }
        case 'STDDEV':
          return `stddev_samp(${argument})`;
        default:
          return duckdbDialect.aggregate(name, argument);
      }
    },
    cast(operand, to, from) {
      if (to !== 'text') return casts[to](operand);
      return exactText(isNumeric(from) ? `regexp_substr(${operand}, '${plainNumberForm}')` : operand);
    },
    guard: (operand) => operand,
    // An alias of an aggregate may not be part of an expression.
    orderTerm: (_, isDescending, meaning) => `${meaning} IS NULL, ${meaning}${isDescending ? ' DESC' : ''}`,
  };
}

/** SQL for MariaDB, and for display. */
export const mysqlDialect = dialectWith('utf8mb4_nopad_bin');

const mysql8Dialect = dialectWith('utf8mb4_0900_bin');
