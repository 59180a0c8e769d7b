import { ReportError } from '../reportError.ts';
import type { ComparisonOperator } from '../../../contract/operators.ts';
import type { LikePart, SqlValue } from '../../security/rowSecurityPredicate.ts';
import type { AggregateName, FunctionName } from './functions.ts';
import type { CastType } from './tree.ts';

/** How one database platform writes what the syntax tree says. Every method takes and gives SQL text. */
export interface Dialect {
  /** Value of a registered server's DatabasePlatform. */
  readonly platform: string;
  /** Name as a person writes it. */
  readonly displayName: string;
  /** The same platform as a server of this version, in its own words, speaks it; where versions differ. */
  forVersion?(version: string): Dialect;
  /**
   * An alias of the result hides a column of the same name, even where the column is qualified: sources then give their
   * columns names of their own, and several joins are nested.
   */
  readonly renamesColumns?: true;
  /** What stands between a source and its alias; ` AS ` where it is not said. */
  readonly tableAlias?: ' ';
  /**
   * Nothing is sorted by constants or twice by the same, distinct rows only by what they show, and
   * rows of a source only where they are limited.
   */
  readonly isStrict?: true;
  /** Distinct rows are made by grouping: DISTINCT itself is not to be relied on. */
  readonly groupsDistinct?: true;
  /** A name as a quoted identifier. @throws {ReportError} when the platform cannot hold it. */
  quote(name: string): string;
  /** Stands for the bound value number `index`, counted from 1. The text depends on the value's type, never on its text. */
  placeholder(index: number, value: SqlValue): string;
  /** A value as people read it. Only for SQL that never runs. */
  literal(value: SqlValue): string;
  /** A condition that is always true or always false. */
  constant(value: boolean): string;
  /** A column of text such that it groups, compares and sorts by the codes of its characters. */
  text(column: string): string;
  compare(operand: string, operator: ComparisonOperator, value: string, type: SqlValue['type']): string;
  /** A sum, difference or product; where the platform would fail or wrap around, whole numbers get more room. */
  arithmetic(left: string, operator: '+' | '-' | '*', right: string): string;
  /** Whether the operand is one of the values, texts exactly. */
  oneOf(operand: string, values: readonly string[], isNegated: boolean, type: SqlValue['type']): string;
  /** Pattern text to bind for {@link like}. */
  likeText(pattern: readonly LikePart[]): string;
  /** Exact in case, wildcards as {@link likeText} wrote them. */
  like(operand: string, pattern: string, isNegated: boolean): string;
  /** Division with decimals; null where the divisor is 0. */
  divide(left: string, right: string): string;
  /** Remainder of a division, of fractions too; null where the divisor is 0. */
  modulo(left: string, right: string): string;
  call(name: FunctionName, args: readonly string[]): string;
  aggregate(name: AggregateName, argument: string): string;
  /** A condition on groups, where the platform does not take an unknown one as false. */
  having?(condition: string): string;
  cast(operand: string, to: CastType): string;
  /** See the tree's `guarded`. `approximate` gives a number of the operand's size that cannot wrap around. */
  guard(operand: string, approximate: (() => string) | undefined): string;
  /** Writes what {@link guard} calls approximate. */
  readonly approximate?: Dialect;
  /** A term of ORDER BY with nulls last. `meaning` is the expression itself where `expression` is a column's alias. */
  orderTerm(expression: string, isDescending: boolean, meaning: string): string;
  /** Limits a query's rows: text after SELECT (and DISTINCT), and text at the end. */
  limit(count: number): { afterSelect: string; atEnd: string };
}

/** The dialect as a server of this version speaks it; the one for people where the version is not known. */
export function spokenBy(dialect: Dialect, { version }: { version?: string }): Dialect {
  return version === undefined ? dialect : (dialect.forVersion?.(version) ?? dialect);
}

/** A name between double quotes, as standard SQL has it. @throws {ReportError} for a name with a NUL character. */
export function doubleQuoted(name: string): string {
  if (name === '' || name.includes('\0')) throw new ReportError('A database name is empty or holds a NUL character');
  return name.includes('"') ? `"${name.replaceAll('"', '""')}"` : `"${name}"`;
}

/** A text between single quotes, for people to read. */
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

/** LIKE as standard SQL has it. */
export const standardLike: Pick<Dialect, 'likeText' | 'like'> = {
  likeText: escapedLike,
  like: (operand, pattern, isNegated) => `${operand} ${isNegated ? 'NOT LIKE' : 'LIKE'} ${pattern} ESCAPE '\\'`,
};
