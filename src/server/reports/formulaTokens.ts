/** A formula that cannot be read. */
export class FormulaError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'FormulaError';
  }
}

/** Smallest piece of a formula. `name` is a bare word, `label` a field's name in brackets or double quotes. */
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
 * Cuts a formula into tokens, the last of which is `end`. Text loses its quotes, labels their brackets.
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
