import type { ComparisonOperator } from '../../../contract/operators.ts';
import { readTimeSpan, ValueError } from '../../security/rowSecurityValues.ts';
import { type ExpressionKind, isTimeKind, kindOf } from './expressionKinds.ts';
import { FormulaError } from './formulaTokens.ts';
import type { Expression } from '../sql/tree.ts';

/**
 * A comparison inside a formula. A text beside a date is read as a date.
 * @throws {FormulaError} when the two sides hold different kinds of values, which platforms would compare differently.
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

/** A kind in words. */
export function kindName(kind: ExpressionKind): string {
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
