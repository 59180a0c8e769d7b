import { ReportError } from '../reportError.ts';
import type { SqlValue } from '../../security/rowSecurityPredicate.ts';
import { type Dialect, isNumeric, singleQuoted, standardLike } from './dialect.ts';
import { duckdbDialect, standardCall } from './duckdbDialect.ts';
import type { FunctionName } from './functions.ts';
import type { CastType } from './tree.ts';

/** Casts that return null for invalid input: an error could reveal hidden rows. */
const casts: Record<CastType, (operand: string) => string> = {
  text: (operand) => `TO_CHAR(${operand})`,
  number: (operand) => ifNumber(operand, `TO_NUMBER(${operand})`),
  integer: (operand) => ifNumber(operand, `ROUND(TO_NUMBER(${operand}))`),
  date: (operand) => ifDate(operand, `TO_DATE(SUBSTR(${operand}, 1, 10), 'YYYY-MM-DD')`),
  timestamp: (operand) => ifDate(operand, `TO_TIMESTAMP(SUBSTR(${operand}, 1, 19), 'YYYY-MM-DD HH24:MI:SS')`),
};

function ifNumber(operand: string, then: string): string {
  const form = String.raw`'^ *[-+]?([0-9]{1,30}(\.[0-9]{0,30})?|\.[0-9]{1,30})([eE][-+]?[0-9]{1,2})? *$'`;
  return `CASE WHEN REGEXP_LIKE(TO_CHAR(${operand}), ${form}) THEN ${then} END`;
}

function ifDate(operand: string, then: string): string {
  const time = String.raw`([ T]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?)?$`;
  const form = `'^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])${time}'`;
  const lastDay = `EXTRACT(DAY FROM LAST_DAY(TO_DATE(SUBSTR(${operand}, 1, 7), 'YYYY-MM')))`;
  const isInMonth = `TO_NUMBER(SUBSTR(${operand}, 9, 2)) <= ${lastDay}`;
  return `CASE WHEN REGEXP_LIKE(${operand}, ${form}) THEN CASE WHEN ${isInMonth} THEN ${then} END END`;
}

const momentForm = 'YYYY-MM-DD HH24:MI:SS.FF6';

const placeholders = {
  text: (name: string) => name,
  number: (name: string) => `TO_NUMBER(${name})`,
  date: (name: string) => `TO_DATE(${name}, 'YYYY-MM-DD')`,
  timestamp: (name: string) => `TO_TIMESTAMP(${name}, '${momentForm}')`,
} as const;

const calls: Partial<Record<FunctionName, (first: string, second: string, third: string) => string>> = {
  SUBSTRING: (text, from, count) => `SUBSTR(${text}, ${from}${count && `, ${count}`})`,
  LEFT: (text, count) => `SUBSTR(${text}, 1, ${count})`,
  RIGHT: (text, count) => `SUBSTR(${text}, GREATEST(LENGTH(${text}) - ${count} + 1, 1))`,
  YEAR: (moment) => `EXTRACT(YEAR FROM ${moment})`,
  QUARTER: part('Q'),
  MONTH: (moment) => `EXTRACT(MONTH FROM ${moment})`,
  WEEK: part('IW'),
  DAY: (moment) => `EXTRACT(DAY FROM ${moment})`,
  WEEKDAY: (moment) => `(TRUNC(${moment}) - TRUNC(${moment}, 'IW') + 1)`,
  HOUR: part('HH24'),
  MINUTE: part('MI'),
  DATEONLY: (moment) => `TRUNC(${moment})`,
  MONTHSTART: (moment) => `TRUNC(${moment}, 'MM')`,
  QUARTERSTART: (moment) => `TRUNC(${moment}, 'Q')`,
  YEARSTART: (moment) => `TRUNC(${moment}, 'YYYY')`,
  DAYSBETWEEN: (from, to) => `(TRUNC(${to}) - TRUNC(${from}))`,
};

function part(form: string): (moment: string) => string {
  return (moment) => `TO_NUMBER(TO_CHAR(${moment}, '${form}'))`;
}

function literal({ type, text }: SqlValue): string {
  if (type === 'number') return text;
  return type === 'text' ? singleQuoted(text) : `${type.toUpperCase()} ${singleQuoted(text)}`;
}

/**
 * SQL for Oracle 12 and later. Values are named, so that one may occur several times. An empty text is null there,
 * which no dialect can change.
 */
export const oracleDialect: Dialect = {
  ...duckdbDialect,
  ...standardLike,
  platform: 'oracle',
  displayName: 'Oracle',
  tableAlias: ' ',
  quote(name) {
    // A double quote in a name cannot be escaped.
    if (name === '' || /["\0]/.test(name)) {
      throw new ReportError('A database name is empty or holds a double quote or a NUL character');
    }
    return `"${name}"`;
  },
  placeholder: (index, { type }) => placeholders[type](`:v${index}`),
  literal,
  constant: (value) => (value ? '1 = 1' : '1 = 0'),
  divide: (left, right) => `${left} / NULLIF(${right}, 0)`,
  modulo: (left, right) => `MOD(${left}, NULLIF(${right}, 0))`,
  call(name, args) {
    const [first = '', second = '', third = ''] = args;
    if (name === 'CONCAT') return `(${args.join(' || ')})`;
    return calls[name]?.(first, second, third) ?? standardCall(name, args);
  },
  aggregate: (name, argument) =>
    name === 'STDDEV' ? `stddev_samp(${argument})` : duckdbDialect.aggregate(name, argument),
  cast: (operand, to, from) =>
    to === 'text' && isNumeric(from)
      ? // A fraction has no 0 before its point there.
        String.raw`REGEXP_REPLACE(TO_CHAR(${operand}), '^(-?)\.', '\10.')`
      : casts[to](operand),
  guard: (operand) => operand,
  limit: (count) => ({ afterSelect: '', atEnd: `FETCH FIRST ${count} ROWS ONLY` }),
};
