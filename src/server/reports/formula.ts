import { patternOf } from '../security/rowSecurityConditions.ts';
import type { ComparisonOperator } from '../security/rowSecurityPredicate.ts';
import { readNumber } from '../security/rowSecurityValues.ts';
import { type ExpressionKind, isTimeKind, kindOf } from './expressionKinds.ts';
import { compared, kindName } from './formulaComparison.ts';
import { FormulaError, readTokens, type Token } from './formulaTokens.ts';
import {
  aggregates,
  functionRow,
  isAggregateName,
  isFunctionName,
  type FunctionName,
  type ValueKind,
} from './sql/functions.ts';
import { type CastType, type Expression, isAggregate } from './sql/tree.ts';

/** Finds what a formula's names stand for. */
export interface FormulaScope {
  /** The field that the formula belongs to, written `?`. */
  ownColumn(): Expression | undefined;
  /** A column written `alias.column`. */
  column(alias: string, column: string): Expression | undefined;
  /** A field written by its label, in brackets or quotes, or as a bare word. */
  label(label: string): Expression | undefined;
  /** Day (`YYYY-MM-DD`) that relative dates count from. */
  today: string;
}

/**
 * Reads a formula into the syntax tree. Its grammar is all there is: numbers, texts in single quotes, fields, `+ - * / %
 * ||`, comparisons, AND, OR, NOT, IN, BETWEEN, LIKE, IS NULL, CASE, CAST, and the functions of functions.ts. Nothing of
 * the formula's own text reaches a database: names are looked up, values are bound.
 * @throws {FormulaError} saying what was found, and where.
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

class FormulaParser {
  readonly #tokens: readonly Token[];
  readonly #scope: FormulaScope;
  #next = 0;
  #depth = 0;

  constructor(tokens: readonly Token[], scope: FormulaScope) {
    this.#tokens = tokens;
    this.#scope = scope;
  }

  whole(): Expression {
    const expression = this.#or();
    if (this.#peek().kind !== 'end') throw this.#unexpected('an operator or the end');
    return expression;
  }

  #or(): Expression {
    this.#depth += 1;
    if (this.#depth > deepest) throw new FormulaError(`It is nested more than ${deepest} levels deep`);
    let left = this.#and();
    while (this.#takeWord('OR')) left = this.#logical('or', left, this.#and());
    this.#depth -= 1;
    return left;
  }

  #and(): Expression {
    let left = this.#not();
    while (this.#takeWord('AND')) left = this.#logical('and', left, this.#not());
    return left;
  }

  #logical(operator: 'and' | 'or', left: Expression, right: Expression): Expression {
    this.#expectKind(left, 'boolean', operator.toUpperCase());
    this.#expectKind(right, 'boolean', operator.toUpperCase());
    return { kind: 'logical', operator, left, right };
  }

  #not(): Expression {
    let isNegated = false;
    while (this.#takeWord('NOT')) isNegated = !isNegated;
    const operand = this.#comparison();
    if (!isNegated) return operand;
    this.#expectKind(operand, 'boolean', 'NOT');
    return { kind: 'not', operand };
  }

  #comparison(): Expression {
    const left = this.#sum();
    const sign = this.#takeSign('=', '<>', '!=', '<', '<=', '>', '>=');
    if (sign) return this.#compared(left, sign === '!=' ? '<>' : (sign as ComparisonOperator), this.#sum());
    if (this.#takeWord('IS')) {
      const isNegated = this.#takeWord('NOT');
      if (!this.#takeWord('NULL')) throw this.#unexpected('NULL');
      return { kind: 'test', predicate: { kind: 'null', operand: left, isNegated } };
    }
    const isNegated = this.#takeWord('NOT');
    const test = this.#wordTest(left);
    if (!test && isNegated) throw this.#unexpected('IN, BETWEEN or LIKE');
    return test && isNegated ? { kind: 'not', operand: test } : (test ?? left);
  }

  #wordTest(left: Expression): Expression | undefined {
    if (this.#takeWord('IN')) {
      this.#expectSign('(');
      const options = this.#list().map((option) => this.#compared(left, '=', option));
      return options.reduce((one, other) => ({ kind: 'logical', operator: 'or', left: one, right: other }));
    }
    if (this.#takeWord('BETWEEN')) {
      const low = this.#compared(left, '>=', this.#sum());
      if (!this.#takeWord('AND')) throw this.#unexpected('AND');
      return { kind: 'logical', operator: 'and', left: low, right: this.#compared(left, '<=', this.#sum()) };
    }
    if (this.#takeWord('LIKE')) {
      const pattern = this.#take();
      if (pattern.kind !== 'text') throw this.#unexpected('a text in quotes', pattern);
      this.#expectKind(left, 'text', 'LIKE');
      const predicate = { kind: 'like', operand: left, pattern: patternOf(pattern.text), isNegated: false } as const;
      return { kind: 'test', predicate };
    }
    return undefined;
  }

  #sum(): Expression {
    let left = this.#product();
    for (;;) {
      const sign = this.#takeSign('+', '-', '||');
      if (!sign) return left;
      const right = this.#product();
      left =
        sign === '||'
          ? { kind: 'call', name: 'CONCAT', arguments: [left, right] }
          : this.#arithmetic(sign as '+' | '-', left, right);
    }
  }

  #product(): Expression {
    let left = this.#factor();
    for (;;) {
      const sign = this.#takeSign('*', '/', '%');
      if (!sign) return left;
      left = this.#arithmetic(sign as '*' | '/' | '%', left, this.#factor());
    }
  }

  #arithmetic(operator: '+' | '-' | '*' | '/' | '%', left: Expression, right: Expression): Expression {
    this.#expectKind(left, 'number', operator);
    this.#expectKind(right, 'number', operator);
    return { kind: 'arithmetic', operator, left, right };
  }

  #factor(): Expression {
    let isNegative = false;
    for (let sign = this.#takeSign('-', '+'); sign; sign = this.#takeSign('-', '+')) {
      if (sign === '-') isNegative = !isNegative;
    }
    const operand = this.#primary();
    if (!isNegative) return operand;
    this.#expectKind(operand, 'number', '-');
    return { kind: 'negative', operand };
  }

  #primary(): Expression {
    const token = this.#take();
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
          this.#expectSign(')');
          return expression;
        }
    }
    throw this.#unexpected('a value or a field', token);
  }

  #word(token: Token): Expression {
    const word = token.text.toUpperCase();
    if (word === 'NULL') return { kind: 'null' };
    if (word === 'CASE') return this.#case();
    if (!this.#takeSign('(')) return this.#reference(token);
    if (word === 'CAST') return this.#cast();
    if (word === 'IIF' || word === 'IF') return this.#ifCall(token);
    if (isAggregateName(word)) return this.#aggregate(word, token);
    const name = synonyms[word] ?? word;
    if (!isFunctionName(name)) throw new FormulaError(`${token.text} at ${token.at} is no function of formulas`);
    return this.#call(name, token);
  }

  #reference(token: Token): Expression {
    if (!this.#takeSign('.')) return this.#found(this.#scope.label(token.text), token);
    const column = this.#take();
    if (column.kind !== 'name' && column.kind !== 'label') throw this.#unexpected('a column', column);
    return this.#found(this.#scope.column(token.text, column.text), {
      ...token,
      text: `${token.text}.${column.text}`,
    });
  }

  #found(expression: Expression | undefined, token: Token): Expression {
    if (!expression) throw new FormulaError(`"${token.text}" at ${token.at} is no field of the report type`);
    return expression;
  }

  #case(): Expression {
    const subject = this.#isWord('WHEN') ? undefined : this.#or();
    const branches: { when: Expression; then: Expression }[] = [];
    while (this.#takeWord('WHEN')) {
      const test = this.#or();
      const when = subject ? this.#compared(subject, '=', test) : test;
      this.#expectKind(when, 'boolean', 'WHEN');
      if (!this.#takeWord('THEN')) throw this.#unexpected('THEN');
      branches.push({ when, then: this.#or() });
    }
    if (branches.length === 0) throw this.#unexpected('WHEN');
    const otherwise = this.#takeWord('ELSE') ? this.#or() : undefined;
    if (!this.#takeWord('END')) throw this.#unexpected('END');
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
    if (!this.#takeWord('AS')) throw this.#unexpected('AS');
    const token = this.#take();
    const to = token.kind === 'name' ? castTypes[token.text.toUpperCase()] : undefined;
    if (!to) throw this.#unexpected('TEXT, NUMBER, INTEGER, DATE or TIMESTAMP', token);
    this.#expectSign(')');
    return { kind: 'cast', operand, to };
  }

  #aggregate(name: keyof typeof aggregates, token: Token): Expression {
    if (name === 'COUNT' && this.#takeSign('*')) {
      this.#expectSign(')');
      return { kind: 'aggregate', name, argument: undefined, isDistinct: false };
    }
    const isDistinct = this.#takeWord('DISTINCT');
    const argument = this.#or();
    this.#expectSign(')');
    if (isAggregate(argument)) throw new FormulaError(`${token.text} at ${token.at} holds another aggregate`);
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
    while (this.#takeSign(',')) items.push(this.#or());
    this.#expectSign(')');
    return items;
  }

  #expectArgument(argument: Expression, takes: ValueKind, token: Token): void {
    const kind = kindOf(argument);
    if (takes === 'time' ? isTimeKind(kind) || kind === 'unknown' : takes === 'any' && kind !== 'boolean') return;
    if (takes === 'text' || takes === 'number') this.#expectKind(argument, takes, token.text);
    else throw new FormulaError(`${token.text} at ${token.at} takes ${takes === 'time' ? 'a date' : 'a value'}`);
  }

  #expectKind(expression: Expression, wanted: ExpressionKind, user: string): void {
    const kind = kindOf(expression);
    if (kind === wanted || kind === 'unknown' || wanted === 'unknown') return;
    if (wanted === 'number' && kind === 'unixTime') return;
    if (isTimeKind(wanted) && isTimeKind(kind)) return;
    const before = this.#peek().at;
    throw new FormulaError(`${user} before ${before} takes ${kindName(wanted)}, but here is ${kindName(kind)}`);
  }

  #compared(left: Expression, operator: ComparisonOperator, right: Expression): Expression {
    return compared(left, operator, right, this.#scope.today);
  }

  #peek(): Token {
    return this.#tokens[Math.min(this.#next, this.#tokens.length - 1)] ?? { kind: 'end', text: 'the end', at: 1 };
  }

  #take(): Token {
    const token = this.#peek();
    this.#next += 1;
    return token;
  }

  #isWord(word: string): boolean {
    const token = this.#peek();
    return token.kind === 'name' && token.text.toUpperCase() === word;
  }

  #takeWord(word: string): boolean {
    const isNext = this.#isWord(word);
    if (isNext) this.#next += 1;
    return isNext;
  }

  #takeSign(...signs: string[]): string | undefined {
    const token = this.#peek();
    if (token.kind !== 'sign' || !signs.includes(token.text)) return undefined;
    this.#next += 1;
    return token.text;
  }

  #expectSign(sign: string): void {
    if (!this.#takeSign(sign)) throw this.#unexpected(`"${sign}"`);
  }

  #unexpected(wanted: string, token = this.#peek()): FormulaError {
    return new FormulaError(`${wanted} is expected at ${token.at}, but there is "${token.text}"`);
  }
}

