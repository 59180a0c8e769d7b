import { type Dialect, doubleQuoted } from './dialect.ts';
import { duckdbDialect } from './duckdbDialect.ts';
import type { FunctionName } from './functions.ts';
import type { CastType } from './tree.ts';

const castTypes: Record<CastType, string> = {
  text: 'varchar',
  number: 'double',
  integer: 'bigint',
  date: 'date',
  timestamp: 'timestamp(6)',
};

const calls: Partial<Record<FunctionName, (first: string, second: string) => string>> = {
  LEFT: (text, count) => `substr(${text}, 1, ${count})`,
  RIGHT: (text, count) => `substr(${text}, greatest(length(${text}) - ${count} + 1, 1))`,
  WEEKDAY: (moment) => `day_of_week(${moment})`,
};

/** SQL for Trino. Placeholders are numbered, which the driver undoes; each value carries its type where it is given. */
export const trinoDialect: Dialect = {
  ...duckdbDialect,
  platform: 'trino',
  displayName: 'Trino',
  quote: doubleQuoted,
  placeholder: (index) => `?${index}`,
  call(name, args) {
    const [first = '', second = ''] = args;
    if (name === 'CONCAT') {
      return `concat_ws('', ${args.map((each) => `CAST(${each} AS varchar)`).join(', ')})`;
    }
    return calls[name]?.(first, second) ?? duckdbDialect.call(name, args);
  },
  aggregate: (name, argument) =>
    name === 'STDDEV' ? `stddev_samp(${argument})` : duckdbDialect.aggregate(name, argument),
  cast: (operand, to) => `TRY_CAST(${operand} AS ${castTypes[to]})`,
};
