/** A formula that cannot be parsed. */
export class FormulaError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'FormulaError';
  }
}

/** Token of a formula. `name` is a bare word, `label` a field's name in brackets or double quotes. */
export interface Token {
  kind: 'number' | 'text' | 'name' | 'label' | 'sign' | 'end';
  text: string;
  /** Position in the formula, from 1. */
  at: number;
}

const longestFormula = 10_000;

const forms: readonly [Token['kind'] | 'space', RegExp][] = [
  ['space', /\s+/y],
  ['number', /(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?(?![\w.])/y],
  ['text', /'(?:[^']|'')*'/y],
  ['label', /\[[^\][]+\]|"[^"]+"/y],
  ['name', /[A-Za-z_][A-Za-z0-9_]*/y],
  ['sign', /<>|!=|<=|>=|\|\||[-+*/%=<>(),.?]/y],
];

/**
 * Splits a formula into tokens, the last of which is `end`. Removes the quotes of texts and the brackets of labels.
 * @throws {FormulaError} for a character that no token begins with: there are no comments, semicolons or parameters.
 */
export function readTokens(formula: string): Token[] {
  if (formula.length > longestFormula) throw new FormulaError(`It is longer than ${longestFormula} characters`);
  const tokens: Token[] = [];
  let at = 0;
  while (at < formula.length) {
    const [kind, text] = tokenAt(formula, at);
    if (kind === 'text') tokens.push({ kind, text: text.slice(1, -1).replaceAll("''", "'"), at: at + 1 });
    else if (kind === 'label') tokens.push({ kind, text: text.slice(1, -1), at: at + 1 });
    else if (kind !== 'space') tokens.push({ kind, text, at: at + 1 });
    at += text.length;
  }
  tokens.push({ kind: 'end', text: 'the end', at: at + 1 });
  return tokens;
}

function tokenAt(formula: string, at: number): [Token['kind'] | 'space', string] {
  for (const [kind, form] of forms) {
    form.lastIndex = at;
    const found = form.exec(formula);
    if (found) return [kind, found[0]];
  }
  throw new FormulaError(`"${formula.slice(at, at + 1)}" at ${at + 1} has no meaning in a formula`);
}

/** Iterates over the tokens of a formula. */
export class TokenCursor {
  readonly #tokens: readonly Token[];
  #next = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  /** The next token; `end` repeatedly at the end. */
  peek(): Token {
    return this.#tokens[Math.min(this.#next, this.#tokens.length - 1)] ?? { kind: 'end', text: 'the end', at: 1 };
  }

  take(): Token {
    const token = this.peek();
    this.#next += 1;
    return token;
  }

  /** Whether the next token is this keyword, ignoring case. */
  isWord(word: string): boolean {
    const token = this.peek();
    return token.kind === 'name' && token.text.toUpperCase() === word;
  }

  /** Consumes a keyword if it is next. */
  takeWord(word: string): boolean {
    const isAhead = this.isWord(word);
    if (isAhead) this.#next += 1;
    return isAhead;
  }

  /** Consumes one of `signs` if it is next. */
  takeSign<Sign extends string>(...signs: readonly Sign[]): Sign | undefined {
    const token = this.peek();
    const sign = signs.find((each) => token.kind === 'sign' && token.text === each);
    if (sign !== undefined) this.#next += 1;
    return sign;
  }

  /** Consumes `sign`. @throws {FormulaError} when the next token is not `sign`. */
  expectSign(sign: string): void {
    if (this.takeSign(sign) === undefined) throw this.unexpected(`"${sign}"`);
  }

  /** Consumes a keyword. @throws {FormulaError} when the next token is another one. */
  expectWord(word: string): void {
    if (!this.takeWord(word)) throw this.unexpected(word);
  }

  /** The error that another token was expected. */
  unexpected(wanted: string, token = this.peek()): FormulaError {
    return new FormulaError(`${wanted} is expected at ${token.at} instead of "${token.text}"`);
  }
}
