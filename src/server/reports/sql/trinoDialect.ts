import type { ExpressionKind } from '../formulas/expressionKinds.ts';
import { type Dialect, doubleQuoted, isNumeric, numberForm, plainNumberForm, standardLike } from './dialect.ts';
import { duckdbDialect, standardCall } from './duckdbDialect.ts';
import type { FunctionName } from './functions.ts';
import type { CastType } from './tree.ts';

const casts: Record<CastType, (operand: string) => string> = {
  text: (operand) => `CAST(${operand} AS varchar)`,
  number: (operand) => `TRY_CAST(${operand} AS double)`,
  integer: (operand) => `TRY_CAST(round(${operand}) AS bigint)`,
  date: (operand) => `TRY_CAST(${operand} AS date)`,
  timestamp: (operand) => `TRY_CAST(${operand} AS timestamp(6))`,
};

const castsOfText: Record<CastType, (text: string) => string> = {
  text: (text) => text,
  number: (text) => ifLike(text, numberForm, `TRY_CAST(trim(${text}) AS double)`),
  integer(text) {
    const rounded = `TRY_CAST(round(TRY_CAST(trim(${text}) AS double)) AS bigint)`;
    return ifLike(text, numberForm, `coalesce(TRY_CAST(trim(${text}) AS bigint), ${rounded})`);
  },
  date: (text) => ifLike(text, dateForm, `TRY_CAST(substr(${text}, 1, 10) AS date)`),
  timestamp: (text) => ifLike(text, dateForm, `TRY_CAST(replace(${text}, 'T', ' ') AS timestamp(6))`),
};

const dateForm = '^[0-9]{4}-[0-9]{2}-[0-9]{2}([^0-9]|$)';
/** A moment without zeros at the end of its seconds. */
const momentForm = '^.*:[0-9]{2}([.][0-9]*[1-9])?';

function ifLike(text: string, form: string, then: string): string {
  return `CASE WHEN regexp_like(${text}, '${form}') THEN ${then} END`;
}

/** The text of a value. Texts of doubles have exponents; JSON's have none below 10 million. */
function textOf(operand: string, from: ExpressionKind): string {
  if (isNumeric(from)) return `regexp_extract(json_format(CAST(${operand} AS json)), '${plainNumberForm}')`;
  const text = casts.text(operand);
  return from === 'timestamp' ? `coalesce(regexp_extract(${text}, '${momentForm}'), ${text})` : text;
}

const calls: Partial<Record<FunctionName, (first: string, second: string, third: string) => string>> = {
  TRIM: (text) => `trim(BOTH ' ' FROM ${text})`,
  LTRIM: (text) => `trim(LEADING ' ' FROM ${text})`,
  RTRIM: (text) => `trim(TRAILING ' ' FROM ${text})`,
  // An empty text would be found between all characters.
  REPLACE: (text, from, to) => `CASE WHEN ${from} = '' THEN ${text} ELSE replace(${text}, ${from}, ${to}) END`,
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

/** What a column shows that holds a boolean, an identifier, an address, a time, an interval or JSON. */
function shownText(column: string): string {
  const time = '[0-9]{2}:[0-9]{2}:[0-9]{2}';
  // JSON has no text to cast to, unless it is a plain value; the format of null would be a text.
  const isJson = `typeof(${column}) = 'json' AND ${column} IS NOT NULL`;
  const text = `CASE WHEN ${isJson} THEN format('%s', ${column}) ELSE CAST(${column} AS varchar) END`;
  const withoutZeros = `regexp_replace(${text}, '^(${time}[.][0-9]*?)0+$', '$1')`;
  return `regexp_replace(${withoutZeros}, '^(${time})[.]$', '$1')`;
}

const usualDialect: Dialect = {
  ...duckdbDialect,
  ...standardLike,
  platform: 'trino',
  displayName: 'Trino',
  quote: doubleQuoted,
  placeholder: (index) => `?${index}`,
  arithmetic: (left, operator, right) => `(${roomy(left)}) ${operator} ${right}`,
  call(name, args) {
    const [first = '', second = '', third = ''] = args;
    if (name === 'CONCAT') return `concat_ws('', ${args.join(', ')})`;
    return calls[name]?.(first, second, third) ?? standardCall(name, args);
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
  cast(operand, to, from) {
    if (to === 'text') return textOf(operand, from);
    return (from === 'text' ? castsOfText : casts)[to](operand);
  },
};

/** SQL for Trino. Placeholders are numbered; the driver replaces each by its value as a typed literal. */
export const trinoDialect: Dialect = { ...usualDialect, ofOtherTypes: { ...usualDialect, comparedText: shownText } };
