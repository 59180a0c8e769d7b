import type { ComparisonOperator } from '../../../contract/operators.ts';
import { patternOf } from '../../security/rowSecurityConditions.ts';
import { readNumber } from '../../security/rowSecurityValues.ts';
import { type ExpressionKind, kindOf } from './expressionKinds.ts';
import { compared, expectArgument, expectKind, castTypeOf, functionOf } from './formulaKinds.ts';
import { requireBoundedExtent } from './formulaExtent.ts';
import { FormulaError, readTokens, type Token, TokenCursor } from './formulaTokens.ts';
import { aggregates, functionRow, isAggregateName, type FunctionName, type ValueKind } from '../sql/functions.ts';
import { type Expression, isAggregate } from '../sql/tree.ts';

/** Resolves the names in a formula. */
export interface FormulaScope {
  /** The field that contains the formula, written `?`. */
  ownColumn(): Expression | undefined;
  /** A column written `alias.column`. */
  column(alias: string, column: string): Expression | undefined;
  /** A field written as its label, in brackets or quotes, or as a bare word. */
  label(label: string): Expression | undefined;
  /** Reference day (`YYYY-MM-DD`) of relative dates. */
  today: string;
}

/**
 * Parses a formula into the syntax tree. The grammar is closed: numbers, texts in single quotes, fields, `+ - * / %
 * ||`, comparisons, AND, OR, NOT, IN, BETWEEN, LIKE, IS NULL, CASE, CAST, and the functions of functions.ts. No text of
 * the formula reaches a database: names are looked up, values are bound.
 * @throws {FormulaError} with what was found, and its position.
 */
export function readFormula(formula: string, scope: FormulaScope): Expression {
  const parser = new FormulaParser(readTokens(formula), scope);
  const expression = parser.whole();
  if (kindOf(expression) === 'boolean') {
    throw new FormulaError('It is a condition; put it into CASE WHEN … THEN … END');
  }
  return expression;
}

const deepest = 50;

class FormulaParser {
  readonly #cursor: TokenCursor;
  readonly #scope: FormulaScope;
  #depth = 0;

  constructor(tokens: readonly Token[], scope: FormulaScope) {
    this.#cursor = new TokenCursor(tokens);
    this.#scope = scope;
  }

  whole(): Expression {
    const expression = this.#or();
    if (this.#cursor.peek().kind !== 'end') throw this.#cursor.unexpected('an operator or the end');
    return expression;
  }

  #or(): Expression {
    this.#depth += 1;
    if (this.#depth > deepest) throw new FormulaError(`It is nested more than ${deepest} levels deep`);
    let left = this.#and();
    while (this.#cursor.takeWord('OR')) left = this.#logical('or', left, this.#and());
    this.#depth -= 1;
    return left;
  }

  #and(): Expression {
    let left = this.#not();
    while (this.#cursor.takeWord('AND')) left = this.#logical('and', left, this.#not());
    return left;
  }

  #logical(operator: 'and' | 'or', left: Expression, right: Expression): Expression {
    this.#expectKind(left, 'boolean', operator.toUpperCase());
    this.#expectKind(right, 'boolean', operator.toUpperCase());
    return requireBoundedExtent({ kind: 'logical', operator, left, right });
  }

  #not(): Expression {
    let isNegated = false;
    while (this.#cursor.takeWord('NOT')) isNegated = !isNegated;
    const operand = this.#comparison();
    if (!isNegated) return operand;
    this.#expectKind(operand, 'boolean', 'NOT');
    return { kind: 'not', operand };
  }

  #comparison(): Expression {
    const left = this.#sum();
    const sign = this.#cursor.takeSign('=', '<>', '!=', '<', '<=', '>', '>=');
    if (sign) return this.#compared(left, sign === '!=' ? '<>' : sign, this.#sum());
    if (this.#cursor.takeWord('IS')) {
      const isNegated = this.#cursor.takeWord('NOT');
      this.#cursor.expectWord('NULL');
      return { kind: 'test', predicate: { kind: 'null', operand: left, isNegated } };
    }
    const isNegated = this.#cursor.takeWord('NOT');
    const test = this.#wordTest(left);
    if (!test && isNegated) throw this.#cursor.unexpected('IN, BETWEEN or LIKE');
    return test && isNegated ? { kind: 'not', operand: test } : (test ?? left);
  }

  #wordTest(left: Expression): Expression | undefined {
    if (this.#cursor.takeWord('IN')) {
      this.#cursor.expectSign('(');
      const options = this.#list().map((option) => this.#compared(left, '=', option));
      return requireBoundedExtent(anyOf(options));
    }
    if (this.#cursor.takeWord('BETWEEN')) {
      const low = this.#compared(left, '>=', this.#sum());
      this.#cursor.expectWord('AND');
      return { kind: 'logical', operator: 'and', left: low, right: this.#compared(left, '<=', this.#sum()) };
    }
    if (this.#cursor.takeWord('LIKE')) {
      const pattern = this.#cursor.take();
      if (pattern.kind !== 'text') throw this.#cursor.unexpected('a text in quotes', pattern);
      this.#expectKind(left, 'text', 'LIKE');
      const predicate = { kind: 'like', operand: left, pattern: patternOf(pattern.text), isNegated: false } as const;
      return { kind: 'test', predicate };
    }
    return undefined;
  }

  #sum(): Expression {
    let left = this.#product();
    for (;;) {
      const sign = this.#cursor.takeSign('+', '-', '||');
      if (!sign) return left;
      const right = this.#product();
      left =
        sign === '||'
          ? requireBoundedExtent({ kind: 'call', name: 'CONCAT', arguments: [left, right] })
          : this.#arithmetic(sign, left, right);
    }
  }

  #product(): Expression {
    let left = this.#factor();
    for (;;) {
      const sign = this.#cursor.takeSign('*', '/', '%');
      if (!sign) return left;
      left = this.#arithmetic(sign, left, this.#factor());
    }
  }

  #arithmetic(operator: '+' | '-' | '*' | '/' | '%', left: Expression, right: Expression): Expression {
    this.#expectKind(left, 'number', operator);
    this.#expectKind(right, 'number', operator);
    return requireBoundedExtent({ kind: 'arithmetic', operator, left, right });
  }

  #factor(): Expression {
    let isNegative = false;
    for (let sign = this.#cursor.takeSign('-', '+'); sign; sign = this.#cursor.takeSign('-', '+')) {
      if (sign === '-') isNegative = !isNegative;
    }
    const operand = this.#primary();
    if (!isNegative) return operand;
    this.#expectKind(operand, 'number', '-');
    if (operand.kind === 'value') return { kind: 'value', value: readNumber(`-${operand.value.text}`) };
    return { kind: 'negative', operand };
  }

  #primary(): Expression {
    const token = this.#cursor.take();
    switch (token.kind) {
      case 'number':
        return { kind: 'value', value: readNumber(token.text) };
      case 'text':
        return { kind: 'value', value: { type: 'text', text: token.text } };
      case 'label':
        return this.#reference(token);
      case 'name':
        return this.#word(token);
      case 'sign':
        if (token.text === '?') return this.#found(this.#scope.ownColumn(), token);
        if (token.text === '(') {
          const expression = this.#or();
          this.#cursor.expectSign(')');
          return expression;
        }
        break;
      case 'end':
        break;
    }
    throw this.#cursor.unexpected('a value or a field', token);
  }

  #word(token: Token): Expression {
    const word = token.text.toUpperCase();
    if (word === 'NULL') return { kind: 'null' };
    if (word === 'CASE') return this.#case();
    if (!this.#cursor.takeSign('(')) return this.#reference(token);
    if (word === 'CAST') return this.#cast();
    if (word === 'IIF' || word === 'IF') return this.#ifCall(token);
    if (isAggregateName(word)) return this.#aggregate(word, token);
    const name = functionOf(word);
    if (!name) throw new FormulaError(`${token.text} at ${token.at} is not a formula function`);
    return this.#call(name, token);
  }

  #reference(token: Token): Expression {
    if (!this.#cursor.takeSign('.')) return this.#found(this.#scope.label(token.text), token);
    const column = this.#cursor.take();
    if (column.kind !== 'name' && column.kind !== 'label') throw this.#cursor.unexpected('a column', column);
    return this.#found(this.#scope.column(token.text, column.text), {
      ...token,
      text: `${token.text}.${column.text}`,
    });
  }

  #found(expression: Expression | undefined, token: Token): Expression {
    if (!expression) throw new FormulaError(`"${token.text}" at ${token.at} is not a field of the report type`);
    return expression;
  }

  #case(): Expression {
    const subject = this.#cursor.isWord('WHEN') ? undefined : this.#or();
    const branches: { when: Expression; then: Expression }[] = [];
    while (this.#cursor.takeWord('WHEN')) {
      const test = this.#or();
      const when = subject ? this.#compared(subject, '=', test) : test;
      this.#expectKind(when, 'boolean', 'WHEN');
      this.#cursor.expectWord('THEN');
      branches.push({ when, then: this.#or() });
    }
    if (branches.length === 0) throw this.#cursor.unexpected('WHEN');
    const otherwise = this.#cursor.takeWord('ELSE') ? this.#or() : undefined;
    this.#cursor.expectWord('END');
    return this.#sameKinds({ kind: 'case', branches, otherwise });
  }

  #ifCall(token: Token): Expression {
    const [when, then, otherwise, ...rest] = this.#list();
    if (!when || !then || !otherwise || rest.length > 0) {
      throw new FormulaError(`${token.text} at ${token.at} takes a condition and two values`);
    }
    this.#expectKind(when, 'boolean', token.text);
    return this.#sameKinds({ kind: 'case', branches: [{ when, then }], otherwise });
  }

  #sameKinds(expression: Extract<Expression, { kind: 'case' }>): Expression {
    const kind = kindOf(expression);
    for (const { then } of expression.branches) this.#expectKind(then, kind, 'CASE');
    if (expression.otherwise) this.#expectKind(expression.otherwise, kind, 'CASE');
    return expression;
  }

  #cast(): Expression {
    const operand = this.#or();
    this.#cursor.expectWord('AS');
    const token = this.#cursor.take();
    const to = token.kind === 'name' ? castTypeOf(token.text) : undefined;
    if (!to) throw this.#cursor.unexpected('TEXT, NUMBER, INTEGER, DATE or TIMESTAMP', token);
    this.#cursor.expectSign(')');
    return { kind: 'cast', operand, to };
  }

  #aggregate(name: keyof typeof aggregates, token: Token): Expression {
    if (name === 'COUNT' && this.#cursor.takeSign('*')) {
      this.#cursor.expectSign(')');
      return { kind: 'aggregate', name, argument: undefined, isDistinct: false };
    }
    const isDistinct = this.#cursor.takeWord('DISTINCT');
    const argument = this.#or();
    this.#cursor.expectSign(')');
    if (isAggregate(argument)) throw new FormulaError(`${token.text} at ${token.at} contains another aggregate`);
    this.#expectArgument(argument, aggregates[name].takes, token);
    return { kind: 'aggregate', name, argument, isDistinct };
  }

  #call(name: FunctionName, token: Token): Expression {
    const args = this.#list();
    const { takes, required, repeats } = functionRow(name);
    if (args.length < required || (!repeats && args.length > takes.length)) {
      const count = required === takes.length ? String(required) : `${required} to ${takes.length}`;
      throw new FormulaError(`${token.text} at ${token.at} takes ${count} values`);
    }
    args.forEach((argument, index) => {
      this.#expectArgument(argument, takes[Math.min(index, takes.length - 1)] ?? 'any', token);
    });
    return { kind: 'call', name, arguments: args };
  }

  #list(): Expression[] {
    const items = [this.#or()];
    while (this.#cursor.takeSign(',')) items.push(this.#or());
    this.#cursor.expectSign(')');
    return items;
  }

  #expectArgument(argument: Expression, takes: ValueKind, { text, at }: Token): void {
    expectArgument(argument, takes, { user: text, at, before: this.#cursor.peek().at });
  }

  #expectKind(expression: Expression, wanted: ExpressionKind, user: string): void {
    expectKind(expression, wanted, { user, before: this.#cursor.peek().at });
  }

  #compared(left: Expression, operator: ComparisonOperator, right: Expression): Expression {
    return requireBoundedExtent(compared(left, operator, right, this.#scope.today));
  }
}

/** Splits in halves, so that a long list does not create a deep tree. */
function anyOf(options: readonly Expression[]): Expression {
  const [only] = options;
  if (options.length === 1 && only) return only;
  const middle = Math.ceil(options.length / 2);
  return {
    kind: 'logical',
    operator: 'or',
    left: anyOf(options.slice(0, middle)),
    right: anyOf(options.slice(middle)),
  };
}
