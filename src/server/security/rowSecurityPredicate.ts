import type { ComparisonOperator, Operator } from '../../contract/operators.ts';

/** What a column holds, as far as comparisons care. `unixTime` counts seconds since 1970. */
export type ColumnKind = 'text' | 'number' | 'date' | 'timestamp' | 'unixTime';

/**
 * A value to be bound, never written into SQL that runs. `number` keeps its digits as text, so nothing is rounded;
 * `date` is `YYYY-MM-DD`, `timestamp` is `YYYY-MM-DD HH:MM:SS` with up to six decimals.
 */
export interface SqlValue {
  type: 'text' | 'number' | 'date' | 'timestamp';
  text: string;
}

/** Part of a LIKE pattern: a wildcard, or text that stands for itself whatever characters it holds. */
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
   * A condition whose values are shown as placeholders where SQL is read by people. `unmasked` is what those read who may
   * read policies, if it differs. `actual` is what runs; without it (a prompt that has no value yet) the condition cannot run.
   */
  | {
      kind: 'template';
      operand: Operand;
      operator: Operator;
      placeholders: readonly string[];
      unmasked?: Predicate<Operand>;
      actual: Predicate<Operand> | undefined;
    };

/** Stands for the value of a policy in SQL that is read by somebody who may not read policies. */
export const maskedValue = '{policy}';

/** True for no row at all. */
export const nothing = { kind: 'constant', value: false } as const;

/** All of `predicates`; a single one stands alone. */
export function allOf<Operand>(predicates: readonly Predicate<Operand>[]): Predicate<Operand> {
  const [first] = predicates;
  return predicates.length === 1 && first ? first : { kind: 'and', predicates };
}

/** Any of `predicates`; a single one stands alone. */
export function anyOf<Operand>(predicates: readonly Predicate<Operand>[]): Predicate<Operand> {
  const [first] = predicates;
  return predicates.length === 1 && first ? first : { kind: 'or', predicates };
}

/** How many values a condition binds. */
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

/** One link of a chain of conditions: `joiner` leads to the next link. */
export interface ChainLink<Operand> {
  predicate: Predicate<Operand> | undefined;
  joiner: 'AND' | 'OR';
}

/**
 * Joins a chain of conditions as SQL would: AND binds tighter than OR, and the last joiner has no effect. A link without
 * a predicate restricts nothing and is left out; undefined when none is left.
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
