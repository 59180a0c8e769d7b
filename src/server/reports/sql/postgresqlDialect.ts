import { type Dialect, doubleQuoted, isNumeric, numberForm, plainNumberForm, standardLike } from './dialect.ts';
import { duckdbDialect, standardCall } from './duckdbDialect.ts';
import type { FunctionName } from './functions.ts';
import type { CastType } from './tree.ts';

/** Casts that return null for invalid input: an error could reveal hidden rows. */
const casts: Record<CastType, (operand: string) => string> = {
  text: (operand) => `CAST(${operand} AS text)`,
  number: (operand) => `CASE WHEN ${isNumber(operand)} THEN CAST(${operand} AS double precision) END`,
  integer(operand) {
    const exact = exactly(operand);
    return `CASE WHEN ${isNumber(operand)} THEN CASE WHEN abs(${exact}) < 9.2e18 THEN CAST(round(${exact}) AS bigint) END END`;
  },
  date: (operand) => ifDate(operand, 'CAST(left(t, 10) AS date)'),
  timestamp: (operand) => ifDate(operand, `CAST(left(t, 10) AS date) + CAST(coalesce(${timeOfDay}, '00:00') AS time)`),
};

const timeOfDay = String.raw`substring(t from '^.{10}[ T]((?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?)')`;

/** Every digit of a fraction; a direct conversion keeps 15. */
function exactly(operand: string): string {
  return `CAST(CAST(${operand} AS text) AS numeric)`;
}

function isNumber(operand: string): string {
  return `CAST(${operand} AS text) ~ '${numberForm}' AND length(CAST(${operand} AS text)) < 400`;
}

/** `then` reads the operand's text as `t`, which begins with a valid date. */
function ifDate(operand: string, then: string): string {
  const isDate = String.raw`t ~ '^(?!0000)\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])([^\d]|$)'`;
  const lastDay = `extract(day FROM CAST(left(t, 7) || '-01' AS date) + interval '1 month' - interval '1 day')`;
  const isInMonth = `CAST(substr(t, 9, 2) AS integer) <= ${lastDay}`;
  return `(SELECT CASE WHEN ${isDate} THEN CASE WHEN ${isInMonth} THEN ${then} END END FROM (SELECT CAST(${operand} AS text) AS t) AS x)`;
}

const bindTypes = { text: 'text', number: 'numeric', date: 'date', timestamp: 'timestamp' } as const;

const parts: Partial<Record<FunctionName, string>> = {
  YEAR: 'year',
  QUARTER: 'quarter',
  MONTH: 'month',
  WEEK: 'week',
  DAY: 'day',
  WEEKDAY: 'isodow',
};

/** SQL for PostgreSQL. Every bound value has an explicit type, so that the server never infers one for a comparison. */
export const postgresqlDialect: Dialect = {
  ...duckdbDialect,
  ...standardLike,
  platform: 'postgresql',
  displayName: 'PostgreSQL',
  quote: doubleQuoted,
  placeholder: (index, { type }) => `$${index}::${bindTypes[type]}`,
  text: (column) => `CAST(${column} AS text) COLLATE "C"`,
  // Texts are equal if their bytes are, in every collation; their order depends on the collation.
  compare: (operand, operator, value, type) =>
    `${operand} ${operator} ${value}${type === 'text' && operator !== '=' && operator !== '<>' ? ' COLLATE "C"' : ''}`,
  // Adding an unbounded numeric zero widens whole numbers and leaves fractions unchanged.
  arithmetic: (left, operator, right) => `(${left} + 0::numeric) ${operator} ${right}`,
  divide: (left, right) => `CAST(${left} AS double precision) / nullif(${right}, 0)`,
  modulo: (left, right) => `mod(CAST(${left} AS numeric), nullif(CAST(${right} AS numeric), 0))`,
  call(name, args) {
    const [first = '', second = ''] = args;
    const part = parts[name];
    if (part) return `CAST(extract(${part} FROM ${first}) AS integer)`;
    switch (name) {
      case 'UPPER':
      case 'LOWER':
        // The C collation has no capital letters beyond ASCII; the database's own collation does.
        return `${name.toLowerCase()}(${first} COLLATE "default") COLLATE "C"`;
      case 'HOUR':
      case 'MINUTE':
        // A date has no hour there.
        return `CAST(extract(${name.toLowerCase()} FROM CAST(${first} AS timestamp)) AS integer)`;
      case 'TRIM':
        return `btrim(${first})`;
      case 'LEFT':
      case 'RIGHT':
        return `${name.toLowerCase()}(${first}, CAST(${second} AS integer))`;
      case 'SUBSTRING':
        return `substring(${[first, ...args.slice(1).map((arg) => `CAST(${arg} AS integer)`)].join(', ')})`;
      case 'ROUND':
        return `round(${exactly(first)}, CAST(${second || '0'} AS integer))`;
      case 'ABS':
        return `abs(${first} + 0::numeric)`;
      case 'FLOOR':
      case 'CEILING':
        return `${name === 'FLOOR' ? 'floor' : 'ceil'}(${first} + 0::numeric)`;
      case 'DAYSBETWEEN':
        return `(CAST(${second} AS date) - CAST(${first} AS date))`;
      default:
        return standardCall(name, args);
    }
  },
  cast: (operand, to, from) =>
    to === 'text' && isNumeric(from)
      ? `substring(CAST(${operand} AS text) FROM '${plainNumberForm}')`
      : casts[to](operand),
  guard: (operand) => operand,
};
