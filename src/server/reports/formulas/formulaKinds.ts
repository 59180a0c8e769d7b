import { type ExpressionKind, isTimeKind, kindOf } from './expressionKinds.ts';
import { FormulaError } from './formulaTokens.ts';
import { type ValueKind, type FunctionName, isFunctionName } from '../sql/functions.ts';
import type { Expression, CastType } from '../sql/tree.ts';
import type { ComparisonOperator } from '../../../contract/operators.ts';
import { readTimeSpan } from '../../security/rowSecurityValues.ts';
import { ValueError } from '../../../contract/policyValues.ts';

const castTypes: Record<string, CastType> = {
  TEXT: 'text',
  VARCHAR: 'text',
  NUMBER: 'number',
  DOUBLE: 'number',
  FLOAT: 'number',
  INTEGER: 'integer',
  INT: 'integer',
  BIGINT: 'integer',
  DATE: 'date',
  DATETIME: 'timestamp',
  TIMESTAMP: 'timestamp',
};
const synonyms: Record<string, FunctionName> = {
  LEN: 'LENGTH',
  SUBSTR: 'SUBSTRING',
  CEIL: 'CEILING',
  UCASE: 'UPPER',
  LCASE: 'LOWER',
  IFNULL: 'COALESCE',
  ISNULL: 'COALESCE',
  NVL: 'COALESCE',
};

/** The type named after AS, ignoring case; undefined if unknown. */
export function castTypeOf(word: string): CastType | undefined {
  const name = word.toUpperCase();
  return Object.hasOwn(castTypes, name) ? castTypes[name] : undefined;
}

/** The function called by an upper-case word, by its name or a synonym from other databases; undefined if unknown. */
export function functionOf(word: string): FunctionName | undefined {
  const name = Object.hasOwn(synonyms, word) ? synonyms[word] : word;
  return name !== undefined && isFunctionName(name) ? name : undefined;
}

/** The operator or function that takes a value, and the position of the value. */
interface Taker {
  /** Operator or function as written in the formula. */
  user: string;
  /** Position of the token after the value, from 1. */
  before: number;
}

/** @throws {FormulaError} when a value is not of the expected kind; a value of unknown kind is always accepted. */
export function expectKind(expression: Expression, wanted: ExpressionKind, { user, before }: Taker): void {
  const kind = kindOf(expression);
  if (kind === wanted || kind === 'unknown' || wanted === 'unknown') return;
  if (wanted === 'number' && kind === 'unixTime') return;
  if (isTimeKind(wanted) && isTimeKind(kind)) return;
  throw new FormulaError(`${user} before ${before} takes ${kindName(wanted)}, but here is ${kindName(kind)}`);
}

/** @throws {FormulaError} when a function does not accept such an argument; its position `at` counts from 1. */
export function expectArgument(argument: Expression, takes: ValueKind, taker: Taker & { at: number }): void {
  const kind = kindOf(argument);
  if (takes === 'time' ? isTimeKind(kind) || kind === 'unknown' : takes === 'any' && kind !== 'boolean') return;
  if (takes === 'text' || takes === 'number') expectKind(argument, takes, taker);
  else throw new FormulaError(`${taker.user} at ${taker.at} takes ${takes === 'time' ? 'a date' : 'a value'}`);
}

/**
 * A comparison in a formula. A text compared with a date is parsed as a date.
 * @throws {FormulaError} when the two sides are of different kinds, which platforms would compare differently.
 */
export function compared(left: Expression, operator: ComparisonOperator, right: Expression, today: string): Expression {
  const [from, to] = [timeLiteral(left, right, today), timeLiteral(right, left, today)];
  const [leftKind, rightKind] = [kindOf(from), kindOf(to)].map((kind) => (kind === 'unixTime' ? 'number' : kind));
  const isComparable =
    leftKind === rightKind ||
    [leftKind, rightKind].includes('unknown') ||
    (leftKind && rightKind && isTimeKind(leftKind) && isTimeKind(rightKind));
  if (!isComparable || leftKind === 'boolean' || !leftKind || !rightKind) {
    throw new FormulaError(
      `${kindName(leftKind ?? 'unknown')} cannot be compared with ${kindName(rightKind ?? 'unknown')}`,
    );
  }
  return { kind: 'comparison', operator, left: from, right: to };
}

function timeLiteral(expression: Expression, other: Expression, today: string): Expression {
  const kind = kindOf(other);
  if (!isTimeKind(kind) || expression.kind !== 'value' || expression.value.type !== 'text') return expression;
  try {
    return { kind: 'value', value: readTimeSpan(expression.value.text, kind, today).from };
  } catch (error) {
    throw error instanceof ValueError ? new FormulaError(error.message) : error;
  }
}

/** Display text of a kind. */
function kindName(kind: ExpressionKind): string {
  switch (kind) {
    case 'number':
    case 'unixTime':
      return 'a number';
    case 'date':
    case 'timestamp':
      return 'a date';
    case 'boolean':
      return 'a condition';
    case 'unknown':
      return 'NULL';
    case 'text':
      return 'text';
  }
}
