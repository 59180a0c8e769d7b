import type { FieldTypeCode } from '../../../contract/fieldTypes.ts';

/** Kind of a function's argument or result. `same` is the kind of its first argument. */
export type ValueKind = 'text' | 'number' | 'time' | 'any' | 'same';

interface FunctionRow {
  /** Kinds of the arguments; those after `required` are optional, and `repeats` allows any number of the last. */
  takes: readonly ValueKind[];
  required: number;
  repeats?: boolean;
  gives: ValueKind;
  description: string;
}

function row(takes: readonly ValueKind[], gives: ValueKind, description: string, required = takes.length): FunctionRow {
  return { takes, required, gives, description };
}

/**
 * Functions that a formula may call, the same on every platform. None has side effects or depends on external state.
 */
export const functions = {
  UPPER: row(['text'], 'text', 'Text in uppercase'),
  LOWER: row(['text'], 'text', 'Text in lowercase'),
  TRIM: row(['text'], 'text', 'Text without leading and trailing spaces'),
  LTRIM: row(['text'], 'text', 'Text without leading spaces'),
  RTRIM: row(['text'], 'text', 'Text without trailing spaces'),
  LENGTH: row(['text'], 'number', 'Number of characters'),
  SUBSTRING: row(['text', 'number', 'number'], 'text', 'Part of a text from a position (the first is 1)', 2),
  LEFT: row(['text', 'number'], 'text', 'First characters of a text'),
  RIGHT: row(['text', 'number'], 'text', 'Last characters of a text'),
  REPLACE: row(['text', 'text', 'text'], 'text', 'Text with one part replaced by another'),
  CONCAT: { ...row(['any', 'any'], 'text', 'Joined texts; nulls count as empty', 1), repeats: true },
  ABS: row(['number'], 'number', 'Absolute value of a number'),
  ROUND: row(['number', 'number'], 'number', 'Number rounded to the given decimals', 1),
  FLOOR: row(['number'], 'number', 'Number rounded down to a whole number'),
  CEILING: row(['number'], 'number', 'Number rounded up to a whole number'),
  SIGN: row(['number'], 'number', '-1, 0 or 1'),
  YEAR: row(['time'], 'number', 'Year of a date'),
  QUARTER: row(['time'], 'number', 'Quarter of a date, 1 to 4'),
  MONTH: row(['time'], 'number', 'Month of a date, 1 to 12'),
  WEEK: row(['time'], 'number', 'ISO week of a date'),
  DAY: row(['time'], 'number', 'Day of the month'),
  WEEKDAY: row(['time'], 'number', 'Day of the week, Monday 1 to Sunday 7'),
  HOUR: row(['time'], 'number', 'Hour of a time, 0 to 23'),
  MINUTE: row(['time'], 'number', 'Minute of a time'),
  DATEONLY: row(['time'], 'time', 'Date without the time'),
  MONTHSTART: row(['time'], 'time', 'First day of the month'),
  QUARTERSTART: row(['time'], 'time', 'First day of the quarter'),
  YEARSTART: row(['time'], 'time', 'First day of the year'),
  DAYSBETWEEN: row(['time', 'time'], 'number', 'Days from the first date to the second'),
  COALESCE: { ...row(['any', 'any'], 'same', 'First value that is not null'), repeats: true },
  NULLIF: row(['any', 'any'], 'same', 'Null if both values are equal, otherwise the first value'),
} satisfies Record<string, FunctionRow>;

export type FunctionName = keyof typeof functions;

/** Aggregates that a formula may call or a field may use. */
export const aggregates = {
  COUNT: { takes: 'any', gives: 'number', description: 'Number of values that are not null' },
  SUM: { takes: 'number', gives: 'number', description: 'Sum of the values' },
  AVG: { takes: 'number', gives: 'number', description: 'Average of the values' },
  MIN: { takes: 'any', gives: 'same', description: 'Smallest value' },
  MAX: { takes: 'any', gives: 'same', description: 'Largest value' },
  STDDEV: { takes: 'number', gives: 'number', description: 'Standard deviation of a sample' },
  VARIANCE: { takes: 'number', gives: 'number', description: 'Variance of a sample' },
} as const satisfies Record<string, { takes: ValueKind; gives: ValueKind; description: string }>;

export type AggregateName = keyof typeof aggregates;

/** Whether `name` (upper case) is a function that formulas may call. */
export function isFunctionName(name: string): name is FunctionName {
  return Object.hasOwn(functions, name);
}

/** Whether `name` (upper case) is an aggregate. */
export function isAggregateName(name: string): name is AggregateName {
  return Object.hasOwn(aggregates, name);
}

/** The row of a function, typed to expose the optional parts of {@link FunctionRow}. */
export function functionRow(name: FunctionName): FunctionRow {
  return functions[name];
}

/** Group of a function in the function picker. API description, SQL function (type). */
export function functionGroup(name: FunctionName | AggregateName): string {
  if (isAggregateName(name)) return 'Aggregate';
  const [first] = functions[name].takes;
  return { text: 'String', number: 'Numeric', time: 'Date', any: 'General' }[first as 'text'];
}

/** Field type code of a function's result. API description, SQL function (rdatatype). */
export function resultType(name: FunctionName | AggregateName): FieldTypeCode {
  const { gives } = isAggregateName(name) ? aggregates[name] : functions[name];
  if (gives === 'number') return 'num';
  return gives === 'time' ? 'doz' : 'cha';
}
