import type { SqlValue } from '../../security/rowSecurityPredicate.ts';
import type { Dialect } from './dialect.ts';

/*
 * SQL of policy conditions: they compare exactly where a database compares loosely, and a value that does not match its
 * column's type satisfies none of them.
 */

type Conditions = Pick<Dialect, 'compare' | 'oneOf' | 'like'>;
type ValueType = SqlValue['type'];

const byPlatform: Readonly<Record<string, ((dialect: Dialect) => Conditions) | undefined>> = {
  duckdb: (dialect) =>
    guarded(
      exactTexts(dialect, (operand) => `CAST(${operand} AS VARCHAR) COLLATE C`),
      notNan((operand) => `NOT isnan(CAST(${operand} AS DOUBLE))`),
    ),
  postgresql: (dialect) =>
    guarded(
      exactTexts(dialect, (operand) => `CAST(${operand} AS text) COLLATE "C"`),
      notNan((operand) => `${operand} <> 'NaN'::numeric`),
    ),
  clickhouse(dialect) {
    const numbers = guarded(
      dialect,
      notNan((operand) => `${operand} = ${operand}`),
    );
    return {
      ...numbers,
      compare: (operand, operator, value, type) =>
        isTime(type)
          ? `(${dialect.compare(operand, operator, value, type)} AND ${isClickhouseDay(value)})`
          : numbers.compare(operand, operator, value, type),
    };
  },
  // Trino leaves comparisons of texts to the databases behind it, some of which compare loosely; not those of bytes.
  trino(dialect) {
    const bytes = (text: string) => `to_utf8(CAST(${text} AS varchar))`;
    const like: Conditions['like'] = (operand, ...more) => dialect.like(`from_utf8(${bytes(operand)})`, ...more);
    return guarded(
      { ...exactTexts(dialect, bytes, bytes), like },
      notNan((operand) => `${operand} = ${operand}`),
    );
  },
  // A date with a zero month or day is less than every other one.
  mysql: (dialect) =>
    guarded(dialect, (operand, type) =>
      isTime(type) ? `month(${operand}) > 0 AND dayofmonth(${operand}) > 0` : undefined,
    ),
  sqlite: (dialect) => {
    const typed = guarded(dialect, (operand, type) =>
      type === 'text' ? `typeof(${operand}) = 'text'` : `typeof(${operand}) IN ('integer', 'real')`,
    );
    return {
      ...typed,
      compare: (operand, operator, value, type) =>
        isTime(type)
          ? `(${sqliteMoment(operand)} ${operator} ${sqliteValue(value)} AND ${isSqliteMoment(operand)})`
          : typed.compare(operand, operator, value, type),
    };
  },
};

/** The conditions of policies in a dialect. */
export function policyConditions(dialect: Dialect): Conditions {
  return byPlatform[dialect.platform]?.(dialect) ?? dialect;
}

/** Additional check of a value; `isOpen` marks conditions that any different or greater value satisfies. */
type Guard = (operand: string, type: ValueType, isOpen: boolean) => string | undefined;

function guarded({ compare, oneOf, like }: Conditions, guard: Guard): Conditions {
  const both = (condition: string, more: string | undefined) =>
    more === undefined ? condition : `(${condition} AND ${more})`;
  return {
    compare: (operand, operator, value, type) =>
      both(compare(operand, operator, value, type), guard(operand, type, ['<>', '>', '>='].includes(operator))),
    oneOf: (operand, values, isNegated, type) =>
      both(oneOf(operand, values, isNegated, type), guard(operand, type, isNegated)),
    like: (operand, pattern, isNegated) => both(like(operand, pattern, isNegated), guard(operand, 'text', isNegated)),
  };
}

/** NaN differs from every number, and is greater than all of them in some databases. */
function notNan(test: (operand: string) => string): Guard {
  return (operand, type, isOpen) => (type === 'number' && isOpen ? test(operand) : undefined);
}

/**
 * Conditions that compare texts by character, regardless of the column's collation. `exact` converts the column to such
 * a text, and `exactValue` the values; equality also compares the column itself, so that its index is used.
 */
function exactTexts(
  { compare, oneOf, like }: Conditions,
  exact: (operand: string) => string,
  exactValue = (value: string) => value,
): Conditions {
  return {
    compare(operand, operator, value, type) {
      if (type !== 'text') return compare(operand, operator, value, type);
      const condition = compare(exact(operand), operator, exactValue(value), type);
      return operator === '=' ? `(${compare(operand, operator, value, type)} AND ${condition})` : condition;
    },
    oneOf(operand, values, isNegated, type) {
      if (type !== 'text') return oneOf(operand, values, isNegated, type);
      const condition = oneOf(exact(operand), values.map(exactValue), isNegated, type);
      return isNegated ? condition : `(${oneOf(operand, values, isNegated, type)} AND ${condition})`;
    },
    like: (operand, pattern, isNegated) => like(exact(operand), pattern, isNegated),
  };
}

function isTime(type: ValueType): boolean {
  return type === 'date' || type === 'timestamp';
}

const midnight = `'00:00:00.000000'`;
const digit = '[0-9]';
const momentForm = `'${digit.repeat(4)}-${digit.repeat(2)}-${digit.repeat(2)} [0-2]${digit}:[0-5]${digit}:[0-5]${digit}.${digit.repeat(6)}'`;

/**
 * SQLite stores dates and times as text, possibly with less than microsecond precision or with a T: in a common form
 * they compare correctly.
 */
function sqliteMoment(column: string): string {
  const time = `substr(${column}, 12)`;
  return `(substr(${column}, 1, 10) || ' ' || ${time} || substr(${midnight}, length(${time}) + 1))`;
}

/** A bound date, with or without a time, in the form of {@link sqliteMoment}. */
function sqliteValue(value: string): string {
  return `(${value} || substr(' ' || ${midnight}, length(${value}) - 9))`;
}

function isSqliteMoment(column: string): string {
  const day = `substr(${column}, 1, 10)`;
  return [
    `typeof(${column}) = 'text'`,
    `${sqliteMoment(column)} GLOB ${momentForm}`,
    `substr(${column}, 11, 1) IN ('', ' ', 'T')`,
    `substr(${column}, 12, 2) < '24'`,
    `date(${day}) = ${day}`,
  ].join(' AND ');
}

/** Whether ClickHouse supports a bound date: it would convert an unsupported one to a different date. */
function isClickhouseDay(value: string): string {
  const bound = /\(SELECT p\d+ FROM _bound\)/.exec(value)?.[0] ?? `''`;
  return `substring(toString(${value}), 1, 10) = substring(${bound}, 1, 10)`;
}
