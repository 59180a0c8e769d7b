import { FormulaError } from './formulaTokens.ts';
import { type Expression, operandsOf } from '../sql/tree.ts';
import { kindOf } from './expressionKinds.ts';

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

/**
 * Characters that the functions of a formula may make together for one row: databases compute some thousand rows at once and
 * keep what each function gives.
 */
const mostCharacters = 100_000;
/** Characters that all formulas of a report may make together for one row. */
export const mostOfReport = 400_000;
/** A column counts as a text of so many characters. */
const columnCharacters = 1_000;
/** A number or a date as text. */
const scalarCharacters = 400;
/** Capital and small letters of one character are at most three. */
const caseGrowth = 3;

/**
 * Refuses a formula whose texts may grow beyond measure, before a database sees it.
 * @returns how many characters its functions may make.
 * @throws {FormulaError} that names the function.
 */
export function requireBoundedTexts(formula: Expression): number {
  let made = 0;
  const measure = (expression: Expression, isPart: boolean): number => {
    const isJoin = expression.kind === 'call' && expression.name === 'CONCAT';
    // A join of joins makes its text once.
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

/** Most characters of an expression's value; `operands` are those of its operands. */
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

/** Fewest characters of a text that is looked for: an empty one is not found. */
function shortestOf(sought: Expression | undefined, characters: number): number {
  return sought?.kind === 'value' ? Math.max(1, characters) : 1;
}

/** A count of characters where the formula gives one. */
function countOf(count: Expression | undefined): number {
  const number = count?.kind === 'value' ? Number(count.value.text) : NaN;
  return number >= 0 ? Math.ceil(number) : Infinity;
}
