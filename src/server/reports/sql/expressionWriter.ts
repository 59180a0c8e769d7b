import { kindOf } from '../formulas/expressionKinds.ts';
import type { Operator } from '../../../contract/operators.ts';
import { maskedValue, type Predicate, type SqlValue } from '../../security/rowSecurityPredicate.ts';
import { ReportError } from '../reportError.ts';
import type { Dialect } from './dialect.ts';
import { portableArguments } from './portableArguments.ts';
import { type Condition, type Expression, operandsOf } from './tree.ts';

/**
 * Maximum characters of one expression. Some functions are written as others that repeat their arguments at each level.
 */
const longestExpression = 200_000;
/** Maximum characters of all expressions of a query, each counted again in every expression that contains it. */
const mostWritten = 50_000_000;

/** Writes expressions and conditions of a query in a dialect. @throws {ReportError} when they become too long. */
export class ExpressionWriter {
  readonly #dialect: Dialect;
  /** Binds a value and returns its placeholder; undefined if the text is for display. */
  readonly #bind: ((value: SqlValue) => string) | undefined;
  /** Whether displayed text is for a user who may read policies. */
  readonly #readsPolicies: boolean;
  #written = 0;

  constructor(dialect: Dialect, bind: ((value: SqlValue) => string) | undefined, readsPolicies = false) {
    this.#dialect = dialect;
    this.#bind = bind;
    this.#readsPolicies = readsPolicies;
  }

  /** The text of a condition, without parentheses around it. */
  condition(condition: Condition): string {
    return this.predicate(condition, (operand) => this.#compared(operand), true);
  }

  #compared(operand: Expression): string {
    const text = this.plain(operand);
    return (this.#mayBeOther(operand) ? this.#dialect.comparedText?.(text) : undefined) ?? text;
  }

  /** Part of a formula. */
  #part(operand: Expression): string {
    const text = this.expression(operand);
    return (this.#mayBeOther(operand) ? this.#dialect.textInFormula?.(text) : undefined) ?? text;
  }

  /** Whether a text may have another type in the database. SQL that is only displayed stays readable. A formula of texts is a text. */
  #mayBeOther(operand: Expression): boolean {
    return this.#bind !== undefined && ['column', 'aggregate'].includes(operand.kind) && kindOf(operand) === 'text';
  }

  /** An expression for use where the other side determines how texts compare; a bare column can still use its index. */
  plain(expression: Expression): string {
    return expression.kind === 'column' ? this.column(expression) : this.expression(expression);
  }

  /** A column of a source. */
  column({ source, column }: { source: string; column: string }): string {
    const dialect = this.#dialect;
    if (dialect.renamesColumns) return dialect.quote(`${source}::${column}`);
    return `${dialect.quote(source)}.${dialect.quote(column)}`;
  }

  /** The text of a predicate whose operands are written by `write`; multiple parts are always in parentheses. */
  predicate<Operand>(predicate: Predicate<Operand>, write: (operand: Operand) => string, isCriterion = false): string {
    const dialect = this.#dialect;
    const { compare, oneOf } = { ...dialect, ...(isCriterion && dialect.inCriteria) };
    switch (predicate.kind) {
      case 'constant':
        return dialect.constant(predicate.value);
      case 'compare':
        return compare(
          write(predicate.operand),
          predicate.operator,
          this.#value(predicate.value),
          predicate.value.type,
        );
      case 'in': {
        const values = predicate.values.map((value) => this.#value(value));
        const type = predicate.values[0]?.type ?? 'text';
        return oneOf(write(predicate.operand), values, predicate.isNegated, type);
      }
      case 'like': {
        const text = dialect.likeText(predicate.pattern);
        return dialect.like(write(predicate.operand), this.#value({ type: 'text', text }), predicate.isNegated);
      }
      case 'null':
        return `${write(predicate.operand)} IS ${predicate.isNegated ? 'NOT ' : ''}NULL`;
      case 'and':
      case 'or': {
        if (predicate.predicates.length === 0) return dialect.constant(predicate.kind === 'and');
        // Always in parentheses: a bare OR would escape the adjacent condition.
        const inner = predicate.predicates.map((each) => this.predicate(each, write, isCriterion));
        return inner.length === 1 ? (inner[0] ?? '') : `(${inner.join(` ${predicate.kind.toUpperCase()} `)})`;
      }
      case 'template':
        if (!this.#bind) {
          if (this.#readsPolicies && predicate.unmasked) return this.predicate(predicate.unmasked, write, isCriterion);
          return templateText(write(predicate.operand), predicate.operator, predicate.placeholders);
        }
        if (!predicate.actual) throw new Error(`The prompt ${predicate.placeholders.join(', ')} has no value`);
        return this.predicate(predicate.actual, write, isCriterion);
    }
  }

  #value(value: SqlValue): string {
    return this.#bind ? this.#bind(value) : this.#dialect.literal(value);
  }

  /** The text of an expression, in parentheses if operator precedence requires it. */
  expression(expression: Expression): string {
    const text = this.#text(expression);
    this.#written += text.length;
    if (text.length > longestExpression || this.#written > mostWritten) {
      const problem = `The report's formulas become too long in the SQL of ${this.#dialect.displayName}`;
      throw new ReportError(`${problem}; nest fewer functions in each other, or use fewer formulas`);
    }
    return text;
  }

  #text(expression: Expression): string {
    const dialect = this.#dialect;
    const inner = (part: Expression) => this.#part(part);
    switch (expression.kind) {
      case 'column':
        return expression.holds === 'text' ? dialect.text(this.column(expression)) : this.column(expression);
      case 'output':
        return dialect.quote(expression.alias);
      case 'value':
        return this.#value(expression.value);
      case 'null':
        return 'NULL';
      case 'arithmetic': {
        const [left, right] = [inner(expression.left), inner(expression.right)];
        if (expression.operator === '/') return `(${dialect.divide(left, right)})`;
        if (expression.operator === '%') return `(${dialect.modulo(left, right)})`;
        return `(${dialect.arithmetic(left, expression.operator, right)})`;
      }
      case 'negative':
        return `(${dialect.arithmetic('0', '-', inner(expression.operand))})`;
      case 'comparison':
        return `(${inner(expression.left)} ${expression.operator} ${inner(expression.right)})`;
      case 'logical':
        return `(${inner(expression.left)} ${expression.operator.toUpperCase()} ${inner(expression.right)})`;
      case 'not':
        return `(NOT ${inner(expression.operand)})`;
      case 'test':
        return `(${this.condition(expression.predicate)})`;
      case 'call':
        return dialect.call(expression.name, portableArguments(expression).map(inner));
      case 'aggregate': {
        const argument = expression.argument ? this.expression(expression.argument) : '*';
        return dialect.aggregate(expression.name, `${expression.isDistinct ? 'DISTINCT ' : ''}${argument}`);
      }
      case 'case': {
        const branches = expression.branches.map(({ when, then }) => `WHEN ${inner(when)} THEN ${inner(then)}`);
        const otherwise = expression.otherwise ? ` ELSE ${inner(expression.otherwise)}` : '';
        return `CASE ${branches.join(' ')}${otherwise} END`;
      }
      case 'cast':
        return dialect.cast(inner(expression.operand), expression.to, kindOf(expression.operand));
      case 'guarded':
        return dialect.guard(this.expression(expression.operand), this.#approximate(expression.operand));
    }
  }

  #approximate(expression: Expression): (() => string) | undefined {
    const { approximate } = this.#dialect;
    if (!approximate || kindOf(expression) !== 'number' || !calculates(expression)) return undefined;
    return () => new ExpressionWriter(approximate, this.#bind, this.#readsPolicies).expression(expression);
  }
}

function calculates(expression: Expression): boolean {
  return expression.kind === 'arithmetic' || expression.kind === 'negative' || operandsOf(expression).some(calculates);
}

function templateText(operand: string, operator: Operator, placeholders: readonly string[]): string {
  const shown = placeholders.map(placeholderText);
  if (operator === 'between' || operator === 'not between') {
    return `${operand} ${operator.toUpperCase()} ${shown.join(' AND ')}`;
  }
  const value = shown.join(', ');
  if (operator === 'in' || operator === 'not in') return `${operand} ${operator.toUpperCase()} (${value})`;
  const pattern: Partial<Record<Operator, string>> = {
    contains: `LIKE '%' || ${value} || '%'`,
    'not contains': `NOT LIKE '%' || ${value} || '%'`,
    'starts with': `LIKE ${value} || '%'`,
    'ends with': `LIKE '%' || ${value}`,
  };
  return `${operand} ${pattern[operator] ?? `${operator.toUpperCase()} ${value}`}`;
}

/** A placeholder, or the mask of a policy's value, is written bare; a text that contains a placeholder is quoted. */
function placeholderText(text: string): string {
  return text === maskedValue || /^(\/#[^#'"\n]*#\/|\{\?[^}'"\n]*\})$/.test(text)
    ? text
    : `'${text.replaceAll("'", "''")}'`;
}
