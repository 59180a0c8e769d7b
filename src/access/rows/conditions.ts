import { comparedAs, comparisonDoubt } from '../../contract/columnComparison.ts';
import type { StoredKind } from '../../contract/columnTypes.ts';
import type { PolicyOperator } from '../../contract/operators.ts';
import {
  fill,
  listOf,
  onlyText,
  plainText,
  ValueError,
  type Filled,
  type TagValues,
} from '../../contract/policyValues.ts';

/** What a constraint compares. */
export interface Comparison {
  readonly column: string;
  readonly columnType: string;
  readonly operator: PolicyOperator;
  readonly value: string;
  readonly value2: string;
}

/** A comparison with a user's own values. */
export interface Condition {
  /** In lower case and without quotes. */
  readonly column: string;
  readonly columnType: string;
  readonly operator: 'in' | 'not in' | 'like' | '<' | '<=' | '>' | '>=';
  readonly texts: readonly string[];
  /** Identify the texts: equal keys select the same rows. */
  readonly keys: ReadonlySet<string>;
}

/** The conditions of a comparison, of which all must hold; undefined if it shows no row. */
export function conditionsOf(comparison: Comparison, valuesOf: TagValues): Condition[] | undefined {
  try {
    return filledConditions(comparison, valuesOf);
  } catch (error) {
    if (error instanceof ValueError) return undefined;
    throw error;
  }
}

function filledConditions(comparison: Comparison, valuesOf: TagValues): Condition[] | undefined {
  const { operator, value, value2, column, columnType } = comparison;
  const ways = fill(value, valuesOf);
  if (ways.length === 0) return undefined;
  const condition = (as: Condition['operator'], texts: readonly string[], keys: readonly string[] = texts) =>
    texts.length === 0 ? undefined : [{ column, columnType, operator: as, texts, keys: new Set(keys) }];
  switch (operator) {
    case '=':
      return condition('in', ways.map(plainText));
    case '<>':
      return condition('not in', ways.map(plainText));
    case 'in':
    case 'not in':
      return condition(operator, listOf(ways));
    case 'like':
      return condition('like', ways.map(plainText), ways.map(patternKey));
    case 'between': {
      const from = condition('>=', [onlyText(ways)]);
      const to = condition('<=', [onlyText(fill(value2, valuesOf))]);
      return from && to && [...from, ...to];
    }
    default:
      return condition(operator, [onlyText(ways)]);
  }
}

/** Distinguishes patterns: wildcards count in the value's own text, not in what a placeholder is filled with. */
function patternKey(way: Filled): string {
  return JSON.stringify(way.map(({ text, isTag }) => [isTag, text]));
}

const kinds: readonly StoredKind[] = ['text', 'number', 'date', 'timestamp'];

/**
 * Whether every row of `one` is certainly a row of `other`, whatever the type of the column is: the type decides
 * whether a comparison is allowed, and a comparison that is not shows no row.
 */
export function isWithin(one: Condition, other: Condition): boolean {
  return one.column === other.column && kinds.every((kind) => isWithinFor(kind, one, other));
}

function isWithinFor(kind: StoredKind, one: Condition, other: Condition): boolean {
  if (isUncertain(kind, one)) return true;
  if (isUncertain(kind, other) || one.columnType !== other.columnType) return false;
  switch (one.operator) {
    case 'in':
    case 'like': {
      if (other.operator !== one.operator || !isSubset(one.keys, other.keys)) return false;
      // An invalid date among several would show no row.
      const isTime = kind === 'date' || kind === 'timestamp' || one.columnType !== '';
      return !isTime || other.texts.every((text) => one.texts.includes(text) || isDay(text));
    }
    case 'not in':
      return other.operator === 'not in' && isSubset(other.keys, one.keys);
    case '<':
    case '<=':
      return other.operator.startsWith('<') && isLooser(one, other, 1);
    case '>':
    case '>=':
      return other.operator.startsWith('>') && isLooser(one, other, -1);
  }
}

function isSubset(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return [...one].every((key) => other.has(key));
}

function isUncertain(kind: StoredKind, { columnType, operator, texts }: Condition): boolean {
  return comparisonDoubt(comparedAs(kind, columnType), operator, texts) !== undefined;
}

/** Whether `other` is the looser bound of the two; `direction` is 1 for upper bounds, -1 for lower ones. */
function isLooser(one: Condition, other: Condition, direction: 1 | -1): boolean {
  const [mine = ''] = one.texts;
  const [theirs = ''] = other.texts;
  const order = mine === theirs ? 0 : compared(theirs, mine);
  if (order === undefined) return false;
  if (order === 0) return !one.operator.endsWith('=') || other.operator.endsWith('=');
  return order * direction > 0;
}

/** Order of two whole days or two numbers; undefined if it depends on the type of the column. */
function compared(one: string, other: string): number | undefined {
  if (isDay(one) && isDay(other)) return one === other ? 0 : one < other ? -1 : 1;
  const [left, right] = [scaled(one), scaled(other)];
  if (left === undefined || right === undefined) return undefined;
  return left === right ? 0 : left < right ? -1 : 1;
}

/** A plain decimal number, in units of its tenth decimal. */
function scaled(text: string): bigint | undefined {
  const {
    sign = '',
    whole = '',
    decimals = '',
  } = /^(?<sign>-?)(?<whole>\d{1,18})(?:\.(?<decimals>\d{1,10}))?$/.exec(text)?.groups ?? {};
  return whole === '' ? undefined : BigInt(`${sign}${whole}${decimals.padEnd(10, '0')}`);
}

function isDay(text: string): boolean {
  if (!/^[1-9]\d{3}-\d\d-\d\d$/.test(text)) return false;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

/** Conditions that must all hold. */
export type Clause = readonly Condition[];
/** Clauses of which one must hold; none means no row. */
export type Restriction = readonly Clause[];

/** For more combinations, restrictions are compared one by one. */
const clausesAtMost = 200;

/** Whether every row that all of `some` show is certainly a row that all of `others` show. */
export function areWithin(some: readonly Restriction[], others: readonly Restriction[]): boolean {
  const together = product(some);
  return others.every((other) => (together ? [together] : some).some((one) => isRestrictionWithin(one, other)));
}

function isRestrictionWithin(one: Restriction, other: Restriction): boolean {
  return one.every((clause) => other.some((wider) => isClauseWithin(clause, wider)));
}

function isClauseWithin(clause: Clause, wider: Clause): boolean {
  return wider.every((needed) => clause.some((condition) => isWithin(condition, needed)));
}

/** One restriction for several that must all hold; undefined if it is too large. */
function product(restrictions: readonly Restriction[]): Restriction | undefined {
  let clauses: Clause[] = [[]];
  for (const restriction of restrictions) {
    if (clauses.length * restriction.length > clausesAtMost) return undefined;
    clauses = clauses.flatMap((left) => restriction.map((right) => [...left, ...right]));
  }
  return clauses;
}
