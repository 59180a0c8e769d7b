import { type ExpressionKind, isTimeKind, kindOf } from './expressionKinds.ts';
import { kindName } from './formulaComparison.ts';
import { FormulaError } from './formulaTokens.ts';
import type { ValueKind } from '../sql/functions.ts';
import type { Expression } from '../sql/tree.ts';

/** What takes a value, and where the formula stands behind the value. */
interface Taker {
  /** Operator or function, as the formula writes it. */
  user: string;
  /** Position of what comes after the value, from 1. */
  before: number;
}

/** @throws {FormulaError} when a value is of another kind than its taker wants; what is of no known kind fits any. */
export function expectKind(expression: Expression, wanted: ExpressionKind, { user, before }: Taker): void {
  const kind = kindOf(expression);
  if (kind === wanted || kind === 'unknown' || wanted === 'unknown') return;
  if (wanted === 'number' && kind === 'unixTime') return;
  if (isTimeKind(wanted) && isTimeKind(kind)) return;
  throw new FormulaError(`${user} before ${before} takes ${kindName(wanted)}, but here is ${kindName(kind)}`);
}

/** @throws {FormulaError} when a function, which stands `at` a position from 1, does not take such an argument. */
export function expectArgument(argument: Expression, takes: ValueKind, taker: Taker & { at: number }): void {
  const kind = kindOf(argument);
  if (takes === 'time' ? isTimeKind(kind) || kind === 'unknown' : takes === 'any' && kind !== 'boolean') return;
  if (takes === 'text' || takes === 'number') expectKind(argument, takes, taker);
  else throw new FormulaError(`${taker.user} at ${taker.at} takes ${takes === 'time' ? 'a date' : 'a value'}`);
}
