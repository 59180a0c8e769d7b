import { type Dialect, doubleQuoted, standardLike } from './dialect.ts';
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
  ROUND: (number, decimals) => `round(${number}, CAST(${decimals || '0'} AS integer))`,
  WEEKDAY: (moment) => `day_of_week(${moment})`,
  HOUR: (moment) => `hour(CAST(${moment} AS timestamp(6)))`,
  MINUTE: (moment) => `minute(CAST(${moment} AS timestamp(6)))`,
};

/** Widens a whole number; leaves a fraction unchanged. */
function roomy(number: string): string {
  return `${number} + CAST(0 AS decimal(19, 0))`;
}

/** SQL for Trino. Placeholders are numbered; the driver replaces each by its value as a typed literal. */
export const trinoDialect: Dialect = {
  ...duckdbDialect,
  ...standardLike,
  platform: 'trino',
  displayName: 'Trino',
  quote: doubleQuoted,
  placeholder: (index) => `?${index}`,
  arithmetic: (left, operator, right) => `(${roomy(left)}) ${operator} ${right}`,
  call(name, args) {
    const [first = '', second = ''] = args;
    if (name === 'CONCAT') {
      return `concat_ws('', ${args.map((each) => `CAST(${each} AS varchar)`).join(', ')})`;
    }
    return calls[name]?.(first, second) ?? duckdbDialect.call(name, args);
  },
  aggregate(name, argument) {
    const [, distinct = '', value = ''] = /^(DISTINCT )?([^]*)$/.exec(argument) ?? [];
    switch (name) {
      case 'SUM':
        return `sum(${distinct}${roomy(value)})`;
      case 'AVG':
        return `avg(${distinct}CAST(${value} AS double))`;
      case 'STDDEV':
        return `stddev_samp(${argument})`;
      default:
        return duckdbDialect.aggregate(name, argument);
    }
  },
  cast: (operand, to) => `TRY_CAST(${operand} AS ${castTypes[to]})`,
};
