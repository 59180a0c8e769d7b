import type { PolicyConstraint } from '../../../src/server/security/policyConstraint.ts';
import type { Tags } from './policyOracle.ts';

/*
 * What a policy means, written as an administrator of PostgreSQL writes it: a condition for CREATE POLICY. Shares nothing
 * with the gate but the form of a constraint.
 */

/** What is stored in a column, by its name. */
export type ColumnKinds = Readonly<Record<string, 'text' | 'number' | 'date'>>;

const none = 'false';

/** The condition on the rows of a table that all policies let through. */
export function nativeCondition(
  table: string,
  columns: ColumnKinds,
  policies: readonly (readonly PolicyConstraint[])[],
  tags: Tags,
): string {
  const conditions = policies.map((constraints) => {
    const own = constraints.filter(({ TableName }) => TableName.toLowerCase() === table.toLowerCase());
    // In SQL, too, AND binds tighter than OR.
    return own
      .map((constraint, index) => {
        const joiner = index === own.length - 1 ? '' : ` ${constraint.Logical} `;
        return `(${condition(columns, constraint, tags)})${joiner}`;
      })
      .join('');
  });
  const stated = conditions.filter((text) => text !== '');
  return stated.length === 0 ? 'true' : stated.map((text) => `(${text})`).join(' AND ');
}

function condition(columns: ColumnKinds, constraint: PolicyConstraint, tags: Tags): string {
  const { ColumnName, Operator, Value, Value2 } = constraint;
  const column = ColumnName.toLowerCase();
  const kind = columns[column];
  const isList = Operator === 'in' || Operator === 'not in';
  const [low, high] = [textsOf(Value, tags, isList), textsOf(Value2, tags, false)];
  if (kind === undefined || low.length === 0) return none;
  if (Operator === 'like') return kind === 'text' ? likes(column, Value, low) : none;
  const values = low.map((text) => literal(kind, text));
  const highs = high.map((text) => literal(kind, text));
  if (values.includes(undefined)) return none;
  const list = values.join(', ');
  const isNegated = Operator === '<>' || Operator === 'not in';
  // A text may spell a day in many ways, and has no order that a policy could mean.
  if (kind === 'text' && isNegated && low.some((text) => /^\d{4}-\d/.test(text))) return none;
  if (isNegated) return `${column} NOT IN (${list})`;
  if (Operator === '=' || Operator === 'in') return `${column} IN (${list})`;
  if (kind === 'text' || values.length > 1) return none;
  if (Operator !== 'between') return `${column} ${Operator} ${list}`;
  return highs.length === 1 && highs[0] !== undefined ? `${column} BETWEEN ${list} AND ${highs[0]}` : none;
}

/** The texts that a value means: a tag's, or its own; those of a list without blanks around them. */
function textsOf(value: string, tags: Tags, isList: boolean): string[] {
  const label = /^\/#(.*)#\/$/.exec(value)?.[1];
  const texts = label === undefined ? [value] : (tags[label] ?? []);
  const split = isList ? texts.flatMap((text) => text.split(',').map((item) => item.trim())) : texts;
  return split.filter((text) => text !== '');
}

/** A tag's text is only itself; in a policy's own text, `%` and `_` are wildcards. */
function likes(column: string, value: string, texts: readonly string[]): string {
  if (value.startsWith('/#')) return `${column} IN (${texts.map(quoted).join(', ')})`;
  return `${column} LIKE ${quoted(value)} ESCAPE ''`;
}

/** A literal; undefined where the text is no value of the kind. */
function literal(kind: 'text' | 'number' | 'date', text: string): string | undefined {
  if (kind === 'text') return quoted(text);
  if (kind === 'number') return /^-?\d+(\.\d+)?$/.test(text) ? text : undefined;
  return /^\d{4}-\d{2}-\d{2}$/.test(text) ? `DATE ${quoted(text)}` : undefined;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
