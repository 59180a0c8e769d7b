import { ReportError } from '../reportError.ts';
import type { SqlValue } from '../../security/rowSecurityPredicate.ts';
import { type Dialect, escapedLike, isNumeric, numberForm, plainNumberForm } from './dialect.ts';
import { duckdbDialect, standardCall } from './duckdbDialect.ts';
import type { FunctionName } from './functions.ts';
import type { CastType } from './tree.ts';

const farEnd = '2147483647';
/**
 * Maximum values written as separate comparisons; longer lists are written as a list, which prevents the use of
 * indexes.
 */
const mostAlternatives = 50;

const calls: Partial<Record<FunctionName, (first: string, second: string, third: string) => string>> = {
  UPPER: (text) => `upperUTF8(${text})`,
  LOWER: (text) => `lowerUTF8(${text})`,
  TRIM: (text) => `replaceRegexpAll(${text}, '^ +| +$', '')`,
  LTRIM: (text) => `replaceRegexpOne(${text}, '^ +', '')`,
  RTRIM: (text) => `replaceRegexpOne(${text}, ' +$', '')`,
  LENGTH: (text) => `lengthUTF8(${text})`,
  SUBSTRING: (text, from, count) => `substringUTF8(${text}, toUInt64(${from}), toUInt64(${count || farEnd}))`,
  LEFT: (text, count) => `substringUTF8(${text}, 1, toUInt64(${count}))`,
  RIGHT: (text, count) => `reverseUTF8(substringUTF8(reverseUTF8(${text}), 1, toUInt64(${count})))`,
  REPLACE: (text, from, to) => `replaceAll(${text}, ${from}, ${to})`,
  // Halves of floating-point numbers would become even numbers. The result keeps the type of the number.
  ROUND(number, decimals) {
    const places = decimals && `, ${decimals}`;
    // A decimal becomes the nearest floating-point number through its text only.
    const exact = `toString(round(toDecimal256OrNull(toString(${number}), 20)${places}))`;
    return `if(toTypeName(${number}) LIKE '%Float%' AND abs(${number}) < 1e50, CAST(${exact}, toTypeName(toNullable(${number}))), round(${number}${places}))`;
  },
  SIGN: (number) => `CASE WHEN ${number} > 0 THEN 1 WHEN ${number} < 0 THEN -1 WHEN ${number} = 0 THEN 0 END`,
  YEAR: (moment) => `toYear(${moment})`,
  QUARTER: (moment) => `toQuarter(${moment})`,
  MONTH: (moment) => `toMonth(${moment})`,
  WEEK: (moment) => `toISOWeek(${moment})`,
  DAY: (moment) => `toDayOfMonth(${moment})`,
  WEEKDAY: (moment) => `toDayOfWeek(${moment})`,
  // A date without a time has no hour there. The conversion keeps the time zone of a moment.
  HOUR: (moment) => `toHour(toDateTime64(${moment}, 0))`,
  MINUTE: (moment) => `toMinute(toDateTime64(${moment}, 0))`,
  // Days from 1900 to 2299; toDate and toStartOfMonth return days of 1970 to 2149.
  DATEONLY: (moment) => `toDate32(${moment})`,
  MONTHSTART: (moment) => `makeDate32(toYear(${moment}), toMonth(${moment}), 1)`,
  QUARTERSTART: (moment) => `makeDate32(toYear(${moment}), toQuarter(${moment}) * 3 - 2, 1)`,
  YEARSTART: (moment) => `makeDate32(toYear(${moment}), 1, 1)`,
  DAYSBETWEEN: (from, to) => `dateDiff('day', toDate32(${from}), toDate32(${to}))`,
  NULLIF: (one, other) => `nullIf(${one}, ${other})`,
};

const casts: Record<CastType, (operand: string) => string> = {
  text: (operand) => `toString(${operand})`,
  number: (operand) => ifNumber(operand, (text) => `toFloat64OrNull(${text})`),
  integer: (operand) =>
    ifNumber(operand, (text) => {
      const fraction = `toFloat64OrNull(${text})`;
      const rounded = `if(${fraction} < 0, -1, 1) * toInt64(floor(abs(${fraction}) + 0.5))`;
      return `coalesce(toInt64OrNull(${text}), CASE WHEN abs(${fraction}) < 9.2e18 THEN ${rounded} END)`;
    }),
  date: (operand) => ifDate(operand, 'toDate32OrNull', (day) => `toDate32OrNull(${day})`),
  timestamp: (operand) =>
    ifDate(operand, 'toDate32OrNull', () => `parseDateTime64BestEffortOrNull(toString(${operand}), 6)`),
};

/** `then` is given the text of a number, without blanks. */
function ifNumber(operand: string, then: (text: string) => string): string {
  const text = `toString(${operand})`;
  return `CASE WHEN match(${text}, '${numberForm}') THEN ${then(`replaceAll(${text}, ' ', '')`)} END`;
}

/** Without the check, a day after the end of its month would become one of the next month. */
function ifDate(operand: string, parse: string, then: (day: string) => string): string {
  const day = `substring(toString(${operand}), 1, 10)`;
  return `CASE WHEN toString(${parse}(${day})) = ${day} THEN ${then(day)} END`;
}

/** A bound value: a column of the table sent with the query. */
function bound(index: number): string {
  return `(SELECT p${index} FROM _bound)`;
}

function isWhole(text: string): boolean {
  return /^-?\d{1,18}$/.test(text) || (/^-?\d+$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text));
}

const [leastInt256, mostInt256, mostUInt256] = [-(2n ** 255n), 2n ** 255n - 1n, 2n ** 256n - 1n];
/** Digits that a floating-point number certainly keeps, and those of the widest decimal. */
const [digitsOfFloat, digitsOfDecimal] = [15, 76];

/** The type that keeps every digit of a number, where there is one. */
function wideNumber(text: string, value: string): string | undefined {
  if (/^-?\d{1,78}$/.test(text)) {
    const number = BigInt(text);
    if (number >= leastInt256 && number <= mostInt256) return `toInt256(${value})`;
    return number > 0n && number <= mostUInt256 ? `toUInt256(${value})` : undefined;
  }
  const [found, whole = '', fraction = ''] = /^-?(\d+)\.(\d+)$/.exec(text) ?? [];
  const digits = whole.length + fraction.length;
  return found !== undefined && digits > digitsOfFloat && digits <= digitsOfDecimal
    ? `toDecimal256(${value}, ${fraction.length})`
    : undefined;
}

/**
 * A comparison of a criterion with moments, in the time zone in which its operand is shown. The zone of a column is a
 * constant, which keeps its index; that of an aggregate or formula is none, so its text is read as if it were in UTC.
 */
function inZone(operand: string, values: readonly string[], type: SqlValue['type']): [string, readonly string[]] {
  const areMoments = type === 'timestamp' && values.every((value) => value.startsWith('toDateTime64('));
  if (!areMoments) return [operand, values];
  const isColumn = /^`(?:[^`\\]|\\.)*`$/s.test(operand);
  // What is finer than any value keeps a seventh decimal: cut off, it would be found by what it does not show.
  const text = `replaceRegexpOne(toString(${operand}), '([.][0-9]{6})[0-9]*[1-9].*$', '\\\\11')`;
  const zone = isColumn ? `timezoneOf(toDateTime64(${operand}, 6))` : `'UTC'`;
  return [
    // Where there is no moment, toDateTime64 fails on its empty text.
    isColumn ? operand : `toDateTime64OrNull(${text}, 7, 'UTC')`,
    values.map((value) => `${value.slice(0, -1)}, ${zone})`),
  ];
}

/** What a column shows, whatever its type: structures as JSON, texts of a fixed length without the zero bytes that fill them. */
function shownText(column: string): string {
  const json = `toJSONString(${column})`;
  return `if(match(${json}, '^[[{]'), ${json}, replaceRegexpOne(toString(${column}), '\\0+$', ''))`;
}

/** Types that do not compare with what they show, or may do so and find nothing. */
const otherTypes =
  '^(LowCardinality[(]|Nullable[(])*(FixedString|Array|Map|Tuple|JSON|Variant|Dynamic|Point|Ring|(Multi)?(LineString|Polygon)|Geometry)';

/** Whether a bound number is a fraction, which cannot be compared directly with a whole number or decimal. */
function isFraction(value: string): boolean {
  return value.startsWith('toFloat64(');
}

/** Compares whole numbers exactly, even in a list that also contains fractions. */
function compare(operand: string, operator: string, value: string): string {
  return `${isFraction(value) ? `toFloat64(${operand})` : operand} ${operator} ${value}`;
}

function literal({ type, text }: SqlValue): string {
  if (type === 'number') return text;
  const quoted = `'${text.replace(/[\\']/g, (character) => `\\${character}`)}'`;
  if (type === 'text') return quoted;
  return `${type === 'date' ? 'toDate' : 'toDateTime'}(${quoted})`;
}

/** A number as a value of the widest type of its kind, in which sums of fewer than 10^38 numbers of 128 bits have room. */
function roomy(number: string): string {
  const wideInteger = `replaceRegexpOne(toTypeName(${number}), 'U?Int(64|128)', 'Int256')`;
  return `CAST(${number}, replaceRegexpOne(${wideInteger}, 'Decimal[(][0-9]+', 'Decimal(76'))`;
}

/** Sums overflow silently: a sum far from its approximation becomes null. */
function guardedSum(argument: string, widen = (number: string) => number): string {
  const [, distinct = '', value = ''] = /^(DISTINCT )?([^]*)$/.exec(argument) ?? [];
  const about = `sum(${distinct}toFloat64(${value}))`;
  const exact = `sum(${distinct}${widen(`toNullable(${value})`)})`;
  return `CASE WHEN abs(toFloat64(${exact}) - ${about}) <= 1e-6 * sum(${distinct}abs(toFloat64(${value}))) THEN ${exact} END`;
}

/** The dialect without approximate arithmetic. */
const exactDialect: Dialect = {
  ...duckdbDialect,
  platform: 'clickhouse',
  displayName: 'ClickHouse',
  forVersion: (version) => dialectOfRelease(Number.parseInt(version, 10)),
  renamesColumns: true,
  // Version 18 returns some rows twice when it reads with several threads.
  groupsDistinct: true,
  quote(name) {
    if (name === '' || name.includes('\0')) throw new ReportError('A database name is empty or holds a NUL character');
    return `\`${name.replace(/[\\`]/g, (character) => `\\${character}`)}\``;
  },
  placeholder(index, { type, text }) {
    switch (type) {
      case 'text':
        return bound(index);
      case 'date':
        return `toDate32(${bound(index)})`;
      case 'timestamp':
        return `toDateTime64(${bound(index)}, 6)`;
      case 'number':
        return isWhole(text)
          ? `toInt64(${bound(index)})`
          : (wideNumber(text, bound(index)) ?? `toFloat64(${bound(index)})`);
    }
  },
  compare,
  oneOf(operand, values, isNegated, type) {
    if (values.length > mostAlternatives) {
      const wholes = values.filter((value) => !isFraction(value));
      const fractions = values.filter(isFraction);
      const lists = [
        ...(wholes.length > 0 ? [duckdbDialect.oneOf(operand, wholes, isNegated, type)] : []),
        ...(fractions.length > 0 ? [duckdbDialect.oneOf(`toFloat64(${operand})`, fractions, isNegated, type)] : []),
      ];
      // Null is in no list there, so NOT IN would be true for it.
      return `CASE WHEN ${operand} IS NOT NULL THEN ${lists.join(isNegated ? ' AND ' : ' OR ')} END`;
    }
    const tests = values.map((value) => compare(operand, isNegated ? '<>' : '=', value));
    return tests.length === 1 ? (tests[0] ?? '') : `(${tests.join(isNegated ? ' AND ' : ' OR ')})`;
  },
  literal,
  constant: (value) => (value ? '1 = 1' : '1 = 0'),
  likeText: escapedLike,
  like: (operand, pattern, isNegated) => `${operand} ${isNegated ? 'NOT LIKE' : 'LIKE'} ${pattern}`,
  // Adding 0 turns a negative zero, which would be a separate group, into an ordinary one.
  arithmetic: (left, operator, right) => `${left} ${operator} ${right}${operator === '*' ? ' + 0' : ''}`,
  divide: (left, right) => `toFloat64(${left}) / nullIf(toFloat64(${right}), 0) + 0`,
  modulo: (left, right) => `${left} % nullIf(${right}, 0)`,
  call(name, args) {
    const [first = '', second = '', third = ''] = args;
    if (name === 'CONCAT') return `concat(${args.map((each) => `ifNull(toString(${each}), '')`).join(', ')}, '')`;
    return calls[name]?.(first, second, third) ?? standardCall(name, args);
  },
  aggregate(name, argument) {
    const [, distinct = '', value = ''] = /^(DISTINCT )?([^]*)$/.exec(argument) ?? [];
    switch (name) {
      case 'COUNT':
        // Without rows, the count of a nullable value is null in old versions.
        return `ifNull(count(${argument}), 0)`;
      case 'SUM':
        return guardedSum(argument);
      case 'AVG':
        return `avg(${distinct}toFloat64(toNullable(${value})))`;
      case 'STDDEV':
        return `stddevSamp(${distinct}toFloat64(toNullable(${value})))`;
      case 'VARIANCE':
        return `varSamp(${distinct}toFloat64(toNullable(${value})))`;
      default:
        return `${name.toLowerCase()}(${distinct}toNullable(${value}))`;
    }
  },
  having: (condition) => `ifNull(${condition}, 0)`,
  cast: (operand, to, from) =>
    to === 'text' && isNumeric(from) ? `extract(toString(${operand}), '${plainNumberForm}')` : casts[to](operand),
  guard: (operand, approximate) =>
    approximate
      ? `CASE WHEN abs(toFloat64(${operand}) - ${approximate()}) <= 1e-6 * abs(${approximate()}) THEN ${operand} END`
      : operand,
};

/** Calculates with floating-point numbers only, which cannot overflow. */
const approximateDialect: Dialect = {
  ...exactDialect,
  arithmetic: (left, operator, right) => `toFloat64(${left}) ${operator} toFloat64(${right})`,
  modulo: (left, right) => `toFloat64(${left}) % nullIf(toFloat64(${right}), 0)`,
  guard: (operand) => operand,
};

const withoutZones: Dialect = { ...exactDialect, approximate: approximateDialect };

/** Releases that have types of 256 bits. */
const aggregate: Dialect['aggregate'] = (name, argument) =>
  name === 'SUM' ? guardedSum(argument, roomy) : exactDialect.aggregate(name, argument);

const usualDialect: Dialect = {
  ...withoutZones,
  aggregate,
  approximate: { ...approximateDialect, aggregate },
  // The condition is a constant, so other columns keep their index.
  comparedText: (column) => `if(match(toTypeName(${column}), '${otherTypes}'), ${shownText(column)}, ${column})`,
  // Leaves a text as it is, and cuts the zero bytes off that fill one of a fixed length.
  textInFormula: (column) => `toString(${column})`,
  inCriteria: {
    compare(operand, operator, value, type) {
      const [compared, [zoned = value]] = inZone(operand, [value], type);
      return compare(compared, operator, zoned);
    },
    oneOf: (operand, values, isNegated, type) => withoutZones.oneOf(...inZone(operand, values, type), isNegated, type),
  },
};

/**
 * SQL for ClickHouse. Aggregates of an empty set are 0 there unless their argument is nullable, so it always is. Values
 * are the columns `p1`, `p2` … of a one-row table `_bound`, which every version accepts with a query. LIKE supports no
 * escape character except the backslash.
 */
export const clickhouseDialect: Dialect = {
  ...usualDialect,
  ofOtherTypes: { ...usualDialect, comparedText: shownText },
};

const callsBefore23: typeof calls = {
  ROUND: (number, decimals) => `round(${number}${decimals && `, ${decimals}`})`,
  HOUR: (moment) => `toHour(${moment})`,
  MINUTE: (moment) => `toMinute(${moment})`,
  DATEONLY: (moment) => `toDate(${moment})`,
  MONTHSTART: (moment) => `toStartOfMonth(${moment})`,
  QUARTERSTART: (moment) => `toStartOfQuarter(${moment})`,
  YEARSTART: (moment) => `toStartOfYear(${moment})`,
  DAYSBETWEEN: (from, to) => `(toRelativeDayNum(${to}) - toRelativeDayNum(${from}))`,
};

const castsBefore23: Partial<typeof casts> = {
  date: (operand) => ifDate(operand, 'toDateOrNull', (day) => `toDateOrNull(${day})`),
  timestamp: (operand) => ifDate(operand, 'toDateOrNull', () => `parseDateTimeBestEffortOrNull(toString(${operand}))`),
};

/** Releases that compute days of 1970 to 2149 only. */
const before23: Dialect = {
  ...withoutZones,
  call(name, args) {
    const [first = '', second = '', third = ''] = args;
    return callsBefore23[name]?.(first, second, third) ?? clickhouseDialect.call(name, args);
  },
  cast: (operand, to, from) => castsBefore23[to]?.(operand) ?? clickhouseDialect.cast(operand, to, from),
};

/** Servers that support no dates, with or without a time, before 1970. */
const before21: Dialect = {
  ...before23,
  placeholder(index, value) {
    if (value.type === 'date') return `toDate(${bound(index)})`;
    if (value.type === 'timestamp') return `toDateTime(substring(${bound(index)}, 1, 19))`;
    if (value.type === 'number' && !isWhole(value.text)) return `toFloat64(${bound(index)})`;
    return clickhouseDialect.placeholder(index, value);
  },
  // A date and a date with a time compare as plain numbers there.
  compare: (operand, operator, value, type) =>
    clickhouseDialect.compare(type === 'timestamp' ? `toDateTime(${operand})` : operand, operator, value, type),
};

function dialectOfRelease(release: number): Dialect {
  if (release < 21) return before21;
  return release < 23 ? before23 : clickhouseDialect;
}
