import { ReportError } from '../reportError.ts';
import type { ComparisonOperator } from '../../../contract/operators.ts';
import type { LikePart, SqlValue } from '../../security/rowSecurityPredicate.ts';
import type { ExpressionKind } from '../formulas/expressionKinds.ts';
import type { AggregateName, FunctionName } from './functions.ts';
import type { CastType } from './tree.ts';

/** Writes the syntax tree as SQL for one database platform. Every method takes and returns SQL text. */
export interface Dialect {
  /** Value of a registered server's DatabasePlatform. */
  readonly platform: string;
  /** Display name. */
  readonly displayName: string;
  /** The dialect for a server of this version, as reported by the server; omitted if versions do not differ. */
  forVersion?(version: string): Dialect;
  /**
   * An alias in the result hides a column of the same name, even if the column is qualified: sources then rename their
   * columns, and multiple joins are nested.
   */
  readonly renamesColumns?: true;
  /** Text between a source and its alias; default ` AS `. */
  readonly tableAlias?: ' ';
  /**
   * Omits sort terms that are constants or duplicates, sorts distinct rows only by shown columns, and sorts the rows of
   * a source only if they are limited.
   */
  readonly isStrict?: true;
  /** Distinct rows use GROUP BY, because DISTINCT is unreliable. */
  readonly groupsDistinct?: true;
  /** A name as a quoted identifier. @throws {ReportError} when the platform does not support the name. */
  quote(name: string): string;
  /** Placeholder of the bound value number `index`, counted from 1. Depends on the value's type, never on its text. */
  placeholder(index: number, value: SqlValue): string;
  /** A value for display. Only for SQL that is never executed. */
  literal(value: SqlValue): string;
  /** A condition that is always true or always false. */
  constant(value: boolean): string;
  /** A text column that groups, compares and sorts by character code. */
  text(column: string): string;
  compare(operand: string, operator: ComparisonOperator, value: string, type: SqlValue['type']): string;
  /** A sum, difference or product; if the platform would fail or overflow, whole numbers are widened. */
  arithmetic(left: string, operator: '+' | '-' | '*', right: string): string;
  /** Whether the operand is one of the values; texts compare exactly. */
  oneOf(operand: string, values: readonly string[], isNegated: boolean, type: SqlValue['type']): string;
  /** Pattern text to bind for {@link like}. */
  likeText(pattern: readonly LikePart[]): string;
  /** Case-sensitive; wildcards as written by {@link likeText}. */
  like(operand: string, pattern: string, isNegated: boolean): string;
  /** Division with decimals; null if the divisor is 0. */
  divide(left: string, right: string): string;
  /** Remainder of a division, also of fractions; null if the divisor is 0. */
  modulo(left: string, right: string): string;
  call(name: FunctionName, args: readonly string[]): string;
  aggregate(name: AggregateName, argument: string): string;
  /** A condition on groups, if the platform does not treat an unknown one as false. */
  having?(condition: string): string;
  /**
   * A number as text has no zeros at the end of its fraction; fractions become whole numbers by rounding halves away from
   * zero; a text that is no number or date becomes null. `from` is the kind of the operand.
   */
  cast(operand: string, to: CastType, from: ExpressionKind): string;
  /** See the tree's `guarded`. `approximate` returns a number of the operand's magnitude that cannot overflow. */
  guard(operand: string, approximate: (() => string) | undefined): string;
  /** What differs in criteria of reports, and never in policies. */
  readonly inCriteria?: Partial<Pick<Dialect, 'compare' | 'oneOf'>>;
  /** A column that is registered as a text, or its largest or least value, in a criterion; by default, it compares as it is. */
  comparedText?(column: string): string;
  /** Such a column or value as part of a formula, which sees what the column shows; by default, it is used as it is. */
  textInFormula?(column: string): string;
  /**
   * The dialect for columns that are registered as texts and hold something else: criteria compare what they show. For
   * a query whose types the database refuses, because this prevents the use of indexes.
   */
  readonly ofOtherTypes?: Dialect;
  /** Writes the `approximate` argument of {@link guard}. */
  readonly approximate?: Dialect;
  /** A term of ORDER BY with nulls last. `meaning` is the expression itself if `expression` is a column's alias. */
  orderTerm(expression: string, isDescending: boolean, meaning: string): string;
  /** Limits a query's rows: text after SELECT (and DISTINCT), and text at the end. */
  limit(count: number): { afterSelect: string; atEnd: string };
}

/** The dialect for a server of this version; the one for display if the version is unknown. */
export function spokenBy(dialect: Dialect, { version }: { version?: string }): Dialect {
  return version === undefined ? dialect : (dialect.forVersion?.(version) ?? dialect);
}

/** A text that CAST reads as a number, as a regular expression of every platform that has them. */
export const numberForm = '^ *[-+]?([0-9]+([.][0-9]*)?|[.][0-9]+)([eE][-+]?[0-9]{1,2})? *$';

/** Extracts the text of a number without zeros at the end of its fraction; a text with letters, such as 1e+20, is unchanged. */
export const plainNumberForm = '^.*[a-zA-Z].*$|^-?[0-9]*(?:[.][0-9]*[1-9])?';

/** Whether a kind of value is a number in SQL. */
export function isNumeric(kind: ExpressionKind): boolean {
  return kind === 'number' || kind === 'unixTime';
}

/** A name in double quotes, as in standard SQL. @throws {ReportError} for a name with a NUL character. */
export function doubleQuoted(name: string): string {
  if (name === '' || name.includes('\0')) throw new ReportError('A database name is empty or holds a NUL character');
  return name.includes('"') ? `"${name.replaceAll('"', '""')}"` : `"${name}"`;
}

/** A text in single quotes, for display. */
export function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** A LIKE pattern whose wildcards are escaped by a backslash. */
export function escapedLike(pattern: readonly LikePart[]): string {
  return pattern
    .map((part) => {
      if ('literal' in part) return part.literal.replace(/[\\%_]/g, (character) => `\\${character}`);
      return part.any === 'many' ? '%' : '_';
    })
    .join('');
}

/** LIKE as in standard SQL. */
export const standardLike: Pick<Dialect, 'likeText' | 'like'> = {
  likeText: escapedLike,
  like: (operand, pattern, isNegated) => `${operand} ${isNegated ? 'NOT LIKE' : 'LIKE'} ${pattern} ESCAPE '\\'`,
};
