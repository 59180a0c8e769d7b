import { FormulaError } from './formulaTokens.ts';
import { type Expression, operandsOf } from '../sql/tree.ts';

/** Each of these operators holds the one before: what walks through a formula goes down as far. */
const deepest = 500;
/** `IN`, BETWEEN and CASE write what they compare once for each value. */
const mostParts = 20_000;
/** Parts of all formulas of a report. */
export const mostPartsOfReport = 100_000;

interface Extent {
  depth: number;
  /** How many parts it has, those that it holds several times counted as often. */
  parts: number;
}

const extents = new WeakMap<Expression, Extent>();

/**
 * Gives the expression back. Each part is measured once, when the formula is read from the inside out.
 * @throws {FormulaError} when it is so deep or has so many parts that everybody would wait for it.
 */
export function requireBoundedExtent(expression: Expression): Expression {
  const { depth, parts } = extentOf(expression);
  if (depth > deepest)
    throw new FormulaError(`It joins more than ${deepest} values by operators; split it into fields`);
  if (parts > mostParts) {
    throw new FormulaError(
      `Its comparisons repeat what they compare until it has more than ${mostParts} parts; compare a shorter expression`,
    );
  }
  return expression;
}

/** How many parts an expression has. */
export function countParts(expression: Expression): number {
  return extentOf(expression).parts;
}

function extentOf(expression: Expression): Extent {
  const known = extents.get(expression);
  if (known) return known;
  const extent = { depth: 1, parts: 1 };
  for (const operand of operandsOf(expression)) {
    const { depth, parts } = extentOf(operand);
    extent.depth = Math.max(extent.depth, depth + 1);
    extent.parts += parts;
  }
  extents.set(expression, extent);
  return extent;
}
