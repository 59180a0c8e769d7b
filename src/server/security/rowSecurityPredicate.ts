import type { ComparisonOperator, Operator } from '../../contract/operators.ts';

/** The kind of a column's values for comparisons. `unixTime` is seconds since 1970. */
export type ColumnKind = 'text' | 'number' | 'date' | 'timestamp' | 'unixTime';

/**
 * A value to bind as a parameter, never written into SQL that runs. `number` is text with all digits, so nothing is
 * rounded; `date` is `YYYY-MM-DD`, `timestamp` is `YYYY-MM-DD HH:MM:SS` with up to six decimals.
 */
export interface SqlValue {
  type: 'text' | 'number' | 'date' | 'timestamp';
  text: string;
}

/** Part of a LIKE pattern: a wildcard, or literal text, whatever characters it contains. */
export type LikePart = { any: 'many' | 'one' } | { literal: string };

/**
 * A condition on `Operand`: a column name inside the row-security gate, an expression inside a report. Combined with
 * three-valued logic as in SQL; an empty `and` is true, an empty `or` is false.
 */
export type Predicate<Operand> =
  | { kind: 'constant'; value: boolean }
  | { kind: 'compare'; operand: Operand; operator: ComparisonOperator; value: SqlValue }
  | { kind: 'in'; operand: Operand; values: readonly SqlValue[]; isNegated: boolean }
  | { kind: 'like'; operand: Operand; pattern: readonly LikePart[]; isNegated: boolean }
  | { kind: 'null'; operand: Operand; isNegated: boolean }
  | { kind: 'and' | 'or'; predicates: readonly Predicate<Operand>[] }
  /**
   * A condition whose values are shown as placeholders in SQL for display. `unmasked`, if different, is shown to
   * readers with access to policies. `actual` is what runs; without it (a prompt that has no value yet) the condition
   * cannot run.
   */
  | {
      kind: 'template';
      operand: Operand;
      operator: Operator;
      placeholders: readonly string[];
      unmasked?: Predicate<Operand>;
      actual: Predicate<Operand> | undefined;
    };

/** Replaces the value of a policy in SQL shown to readers without access to policies. */
export const maskedValue = '{policy}';

/** Matches no row. */
export const nothing = { kind: 'constant', value: false } as const;

/** All of `predicates`; a single one is returned unchanged. */
export function allOf<Operand>(predicates: readonly Predicate<Operand>[]): Predicate<Operand> {
  const [first] = predicates;
  return predicates.length === 1 && first ? first : { kind: 'and', predicates };
}

/** Any of `predicates`; a single one is returned unchanged. */
export function anyOf<Operand>(predicates: readonly Predicate<Operand>[]): Predicate<Operand> {
  const [first] = predicates;
  return predicates.length === 1 && first ? first : { kind: 'or', predicates };
}

/** Number of values that a condition binds. */
export function countValues(predicate: Predicate<unknown>): number {
  switch (predicate.kind) {
    case 'constant':
    case 'null':
      return 0;
    case 'compare':
    case 'like':
      return 1;
    case 'in':
      return predicate.values.length;
    case 'and':
    case 'or':
      return predicate.predicates.reduce((count, each) => count + countValues(each), 0);
    case 'template':
      return predicate.actual ? countValues(predicate.actual) : 0;
  }
}

/** One link of a chain of conditions: `joiner` joins it to the next. */
export interface ChainLink<Operand> {
  predicate: Predicate<Operand> | undefined;
  joiner: 'AND' | 'OR';
}

/**
 * Joins a chain of conditions as SQL would: AND binds tighter than OR, and the last joiner has no effect. A link
 * without a predicate restricts nothing and is omitted; undefined when none remains.
 */
export function joinChain<Operand>(links: readonly ChainLink<Operand>[]): Predicate<Operand> | undefined {
  let conjuncts: Predicate<Operand>[] = [];
  const alternatives = [conjuncts];
  for (const { predicate, joiner } of links) {
    if (predicate) conjuncts.push(predicate);
    if (joiner === 'OR') {
      conjuncts = [];
      alternatives.push(conjuncts);
    }
  }
  const kept = alternatives.filter((alternative) => alternative.length > 0).map((alternative) => allOf(alternative));
  return kept.length > 0 ? anyOf(kept) : undefined;
}
