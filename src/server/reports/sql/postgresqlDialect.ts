import { type Dialect, doubleQuoted, escapedLike } from './dialect.ts';
import { duckdbDialect } from './duckdbDialect.ts';
import type { FunctionName } from './functions.ts';
import type { CastType } from './tree.ts';

const castTypes: Record<CastType, string> = {
  text: 'text',
  number: 'double precision',
  integer: 'bigint',
  date: 'date',
  timestamp: 'timestamp',
};

const bindTypes = { text: 'text', number: 'numeric', date: 'date', timestamp: 'timestamp' } as const;

const parts: Partial<Record<FunctionName, string>> = {
  YEAR: 'year',
  QUARTER: 'quarter',
  MONTH: 'month',
  WEEK: 'week',
  DAY: 'day',
  WEEKDAY: 'isodow',
  HOUR: 'hour',
  MINUTE: 'minute',
};

/** SQL for PostgreSQL. Every bound value carries its type, so that no comparison is decided by the server's guess. */
export const postgresqlDialect: Dialect = {
  ...duckdbDialect,
  platform: 'postgresql',
  displayName: 'PostgreSQL',
  quote: doubleQuoted,
  placeholder: (index, { type }) => `$${index}::${bindTypes[type]}`,
  likeText: escapedLike,
  divide: (left, right) => `CAST(${left} AS double precision) / nullif(${right}, 0)`,
  call(name, args) {
    const [first = '', second = ''] = args;
    const part = parts[name];
    if (part) return `CAST(extract(${part} FROM ${first}) AS integer)`;
    switch (name) {
      case 'TRIM':
        return `btrim(${first})`;
      case 'LEFT':
      case 'RIGHT':
        return `${name.toLowerCase()}(${first}, CAST(${second} AS integer))`;
      case 'SUBSTRING':
        return `substring(${[first, ...args.slice(1).map((arg) => `CAST(${arg} AS integer)`)].join(', ')})`;
      case 'ROUND':
        return `round(CAST(${first} AS numeric), CAST(${second || '0'} AS integer))`;
      case 'DAYSBETWEEN':
        return `(CAST(${second} AS date) - CAST(${first} AS date))`;
      default:
        return duckdbDialect.call(name, args);
    }
  },
  cast: (operand, to) => `CAST(${operand} AS ${castTypes[to]})`,
  guard: (operand) => operand,
};
