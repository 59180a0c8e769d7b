import { ReportError } from '../reportError.ts';
import type { LikePart, SqlValue } from '../../security/rowSecurityPredicate.ts';
import { type Dialect, isNumeric, singleQuoted } from './dialect.ts';
import { duckdbDialect, standardCall } from './duckdbDialect.ts';
import type { FunctionName } from './functions.ts';
import type { CastType } from './tree.ts';

/** Case-sensitive; sorts by character code. */
function exact(text: string): string {
  return `CAST(${text} AS nvarchar(max)) COLLATE Latin1_General_100_BIN2`;
}

/** Casts that return null for invalid input; an empty text would be 0 otherwise. */
const casts: Record<CastType, (operand: string) => string> = {
  text: exact,
  number: (operand) => ifNotEmpty(operand, `TRY_CAST(${operand} AS float)`),
  integer: (operand) => ifNotEmpty(operand, `TRY_CAST(ROUND(TRY_CAST(${operand} AS decimal(38, 10)), 0) AS bigint)`),
  date: (operand) => `TRY_CONVERT(date, ${operand}, 23)`,
  timestamp: (operand) => `TRY_CONVERT(datetime2(6), ${operand}, 121)`,
};

/** Without the zeros at the end of a decimal, and without a point at the end. */
function numberText(operand: string): string {
  const text = `CAST(${operand} AS nvarchar(max))`;
  const withoutZeros = withoutEnd(text, '0');
  return exact(
    `CASE WHEN ${text} LIKE N'%.%' AND ${text} NOT LIKE N'%e%' THEN ${withoutEnd(withoutZeros, '.')} ELSE ${text} END`,
  );
}

/** Without all of one character at the end of a text that has no blanks. */
function withoutEnd(text: string, character: string): string {
  return `REPLACE(RTRIM(REPLACE(${text}, N'${character}', N' ')), N' ', N'${character}')`;
}

function ifNotEmpty(operand: string, then: string): string {
  return `CASE WHEN LTRIM(CAST(${operand} AS nvarchar(max))) <> N'' THEN ${then} END`;
}

/** The first letter of a value's name is its type. */
const placeholders = {
  text: (index: number) => `@t${index}`,
  number: (index: number) => `CAST(@n${index} AS decimal(38, 10))`,
  date: (index: number) => `CAST(@d${index} AS date)`,
  timestamp: (index: number) => `CAST(@m${index} AS datetime2(6))`,
} as const;

const calls: Partial<Record<FunctionName, (first: string, second: string, third: string) => string>> = {
  TRIM: (text) => `LTRIM(RTRIM(${text}))`,
  // LEN does not count trailing blanks.
  LENGTH: (text) => `(LEN(${text} + N'.') - 1)`,
  SUBSTRING: (text, from, count) => `SUBSTRING(${text}, ${from}, ${count || '2147483647'})`,
  ROUND: (number, decimals) => `ROUND(${number}, ${decimals || '0'})`,
  CEILING: (number) => `CEILING(${number})`,
  YEAR: part('year'),
  QUARTER: part('quarter'),
  MONTH: part('month'),
  WEEK: part('iso_week'),
  DAY: part('day'),
  WEEKDAY: (moment) => `((DATEPART(weekday, ${moment}) + @@DATEFIRST + 5) % 7 + 1)`,
  HOUR: part('hour'),
  MINUTE: part('minute'),
  MONTHSTART: (moment) => `DATEFROMPARTS(DATEPART(year, ${moment}), DATEPART(month, ${moment}), 1)`,
  QUARTERSTART: (moment) => `DATEFROMPARTS(DATEPART(year, ${moment}), DATEPART(quarter, ${moment}) * 3 - 2, 1)`,
  YEARSTART: (moment) => `DATEFROMPARTS(DATEPART(year, ${moment}), 1, 1)`,
  DAYSBETWEEN: (from, to) => `DATEDIFF(day, ${from}, ${to})`,
};

function part(name: string): (moment: string) => string {
  return (moment) => `DATEPART(${name}, ${moment})`;
}

/** Widens a whole number; leaves a fraction unchanged. */
function roomy(number: string): string {
  return `${number} + CAST(0 AS decimal(19, 0))`;
}

function literal({ type, text }: SqlValue): string {
  if (type === 'number') return text;
  if (type === 'text') return `N${singleQuoted(text)}`;
  return `CAST(${singleQuoted(text)} AS ${type === 'date' ? 'date' : 'datetime2(6)'})`;
}

/**
 * SQL for SQL Server 2017 and later. Its `=` ignores trailing blanks, so texts are compared once to use the index and
 * once more exactly; groups do not distinguish trailing blanks.
 */
export const mssqlDialect: Dialect = {
  ...duckdbDialect,
  platform: 'mssql',
  displayName: 'SQL Server',
  isStrict: true,
  quote(name) {
    if (name === '' || name.includes('\0')) throw new ReportError('A database name is empty or holds a NUL character');
    return `[${name.replaceAll(']', ']]')}]`;
  },
  placeholder: (index, { type }) => placeholders[type](index),
  literal,
  constant: (value) => (value ? '1 = 1' : '1 = 0'),
  text: exact,
  compare(operand, operator, value, type) {
    if (type !== 'text') return `${operand} ${operator} ${value}`;
    const marked = `${exact(operand)} + N'.' ${operator} ${value} + N'.'`;
    if (operator === '=') return `(${operand} = ${value} AND ${marked})`;
    return operator === '<>' ? marked : `${exact(operand)} ${operator} ${value}`;
  },
  oneOf(operand, values, isNegated, type) {
    const word = isNegated ? 'NOT IN' : 'IN';
    if (type !== 'text') return `${operand} ${word} (${values.join(', ')})`;
    const marked = `${exact(operand)} + N'.' ${word} (${values.map((value) => `${value} + N'.'`).join(', ')})`;
    return isNegated ? marked : `(${operand} IN (${values.join(', ')}) AND ${marked})`;
  },
  likeText: (pattern: readonly LikePart[]) =>
    pattern
      .map((piece) => {
        if ('literal' in piece) return piece.literal.replace(/[\\%_[]/g, (character) => `\\${character}`);
        return piece.any === 'many' ? '%' : '_';
      })
      .join(''),
  like: (operand, pattern, isNegated) => `${exact(operand)} ${isNegated ? 'NOT LIKE' : 'LIKE'} ${pattern} ESCAPE N'\\'`,
  arithmetic: (left, operator, right) => `(${roomy(left)}) ${operator} ${right}`,
  divide: (left, right) => `CAST(${left} AS float) / NULLIF(${right}, 0)`,
  modulo: (left, right) => `CAST(${left} AS decimal(38, 10)) % NULLIF(CAST(${right} AS decimal(38, 10)), 0)`,
  call(name, args) {
    const [first = '', second = '', third = ''] = args;
    if (name === 'CONCAT') return `CONCAT(${args.join(', ')}, N'')`;
    return calls[name]?.(first, second, third) ?? standardCall(name, args);
  },
  aggregate(name, argument) {
    const [, distinct = '', value = ''] = /^(DISTINCT )?([^]*)$/.exec(argument) ?? [];
    switch (name) {
      case 'COUNT':
        return `COUNT_BIG(${argument})`;
      case 'SUM':
        return `SUM(${distinct}${roomy(value)})`;
      case 'AVG':
        return `AVG(${distinct}CAST(${value} AS float))`;
      case 'STDDEV':
        return `STDEV(${argument})`;
      case 'VARIANCE':
        return `VAR(${argument})`;
      default:
        return `${name}(${argument})`;
    }
  },
  cast: (operand, to, from) => (to === 'text' && isNumeric(from) ? numberText(operand) : casts[to](operand)),
  // The driver's connections return null if a number cannot be computed.
  guard: (operand) => operand,
  // An alias may not be part of an expression.
  orderTerm: (_, isDescending, meaning) =>
    `CASE WHEN ${meaning} IS NULL THEN 1 ELSE 0 END, ${meaning}${isDescending ? ' DESC' : ''}`,
  limit: (count) => ({ afterSelect: `TOP (${count})`, atEnd: '' }),
};
