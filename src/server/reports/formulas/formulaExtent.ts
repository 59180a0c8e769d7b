import { FormulaError } from './formulaTokens.ts';
import { type Expression, operandsOf } from '../sql/tree.ts';
import { kindOf } from './expressionKinds.ts';

/**
 * Maximum nesting: each operator in a chain contains the previous one, and code that walks a formula recurses as deep.
 */
const deepest = 500;
/** Maximum parts: `IN`, BETWEEN and CASE repeat their operand for each value. */
const mostParts = 20_000;
/** Maximum parts of all formulas of a report. */
export const mostPartsOfReport = 100_000;

interface Extent {
  depth: number;
  /** Number of parts; repeated ones are counted each time. */
  parts: number;
}

const extents = new WeakMap<Expression, Extent>();

/**
 * Returns the expression. Each part is measured once, when the parser has read it, from the inside out.
 * @throws {FormulaError} when it is so deep or has so many parts that it would block other calls.
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

/** Number of parts of an expression. */
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

/**
 * Maximum characters that a formula's functions may produce together per row: databases compute several thousand rows
 * at once and hold the result of each function in memory.
 */
const mostCharacters = 100_000;
/** Maximum characters that all formulas of a report may produce together per row. */
export const mostOfReport = 400_000;
/** Assumed characters of a column's text. */
const columnCharacters = 1_000;
/** Assumed characters of a number or a date as text. */
const scalarCharacters = 400;
/** A case conversion turns one character into three at most. */
const caseGrowth = 3;

/**
 * Rejects a formula whose texts may grow too long, before a database receives it.
 * @returns the number of characters that its functions may produce.
 * @throws {FormulaError} that names the function.
 */
export function requireBoundedTexts(formula: Expression): number {
  let made = 0;
  const measure = (expression: Expression, isPart: boolean): number => {
    const isJoin = expression.kind === 'call' && expression.name === 'CONCAT';
    // Nested joins produce their text only once.
    const operands = operandsOf(expression).map((operand) => measure(operand, isJoin));
    const characters = charactersOf(expression, operands);
    if (expression.kind !== 'call' || (isJoin && isPart) || kindOf(expression) !== 'text') return characters;
    made += characters;
    if (made > mostCharacters) {
      throw new FormulaError(
        `${expression.name} could make its texts longer than ${mostCharacters} characters (columns count as ` +
          `${columnCharacters}); shorten what goes in with LEFT or SUBSTRING`,
      );
    }
    return characters;
  };
  measure(formula, false);
  return made;
}

/** Maximum characters of an expression's value; `operands` are those of its operands. */
function charactersOf(expression: Expression, operands: readonly number[]): number {
  if (expression.kind === 'value') return expression.value.text.length;
  if (expression.kind === 'null') return 0;
  const kind = kindOf(expression);
  if (kind !== 'text' && kind !== 'unknown') return scalarCharacters;
  if (expression.kind === 'column' || expression.kind === 'output') return columnCharacters;
  const longest = operands.reduce((most, each) => Math.max(most, each), 0);
  if (expression.kind !== 'call') return longest;
  const [text = 0, second = 0, third = 0] = operands;
  switch (expression.name) {
    case 'UPPER':
    case 'LOWER':
      return text * caseGrowth;
    case 'CONCAT':
      return operands.reduce((sum, each) => sum + each, 0);
    case 'REPLACE':
      return text * Math.max(1, third / shortestOf(expression.arguments[1], second));
    case 'LEFT':
    case 'RIGHT':
      return Math.min(text, countOf(expression.arguments[1]));
    case 'SUBSTRING':
      return Math.min(text, countOf(expression.arguments[2]));
    default:
      return longest;
  }
}

/** Minimum characters of a searched text: an empty one is never found. */
function shortestOf(sought: Expression | undefined, characters: number): number {
  return sought?.kind === 'value' ? Math.max(1, characters) : 1;
}

/** A count of characters if it is a constant, otherwise infinity. */
function countOf(count: Expression | undefined): number {
  const number = count?.kind === 'value' ? Number(count.value.text) : NaN;
  return number >= 0 ? Math.ceil(number) : Infinity;
}
