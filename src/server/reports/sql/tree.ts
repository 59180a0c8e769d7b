import type { SecuredSource } from '../../security/rowSecurity.ts';
import type { ComparisonOperator } from '../../../contract/operators.ts';
import type { ColumnKind, Predicate, SqlValue } from '../../security/rowSecurityPredicate.ts';
import type { AggregateName, FunctionName } from './functions.ts';

/** Types that a formula may cast to. */
export type CastType = 'text' | 'number' | 'integer' | 'date' | 'timestamp';

/** A value computed per row, or per group if it contains an aggregate. */
export type Expression =
  /** A column of the source or sub-select named `source` in the query; `holds` is the kind of its values. */
  | { kind: 'column'; source: string; column: string; holds: ColumnKind }
  /** A column of the query's own result, in a sort. */
  | { kind: 'output'; alias: string; holds: ColumnKind }
  | { kind: 'value'; value: SqlValue }
  | { kind: 'null' }
  | { kind: 'arithmetic'; operator: '+' | '-' | '*' | '/' | '%'; left: Expression; right: Expression }
  | { kind: 'negative'; operand: Expression }
  | { kind: 'comparison'; operator: ComparisonOperator; left: Expression; right: Expression }
  | { kind: 'logical'; operator: 'and' | 'or'; left: Expression; right: Expression }
  | { kind: 'not'; operand: Expression }
  | { kind: 'test'; predicate: Predicate<Expression> }
  | { kind: 'call'; name: FunctionName; arguments: readonly Expression[] }
  /** Counts rows if there is no argument. */
  | { kind: 'aggregate'; name: AggregateName; argument: Expression | undefined; isDistinct: boolean }
  | { kind: 'case'; branches: readonly CaseBranch[]; otherwise: Expression | undefined }
  | { kind: 'cast'; operand: Expression; to: CastType }
  /** Returns NULL if the operand cannot be computed for a row, on platforms that would fail instead. */
  | { kind: 'guarded'; operand: Expression };

export interface CaseBranch {
  when: Expression;
  then: Expression;
}

/** A condition over expressions. */
export type Condition = Predicate<Expression>;

/** A query in place of a table; safe because everything inside it is. */
export interface Subselect {
  select: Select;
  alias: string;
}

/** Source of a query: tables that passed row security, or queries over such tables. */
export type Source = SecuredSource | Subselect;

export interface Join {
  kind: 'inner' | 'left';
  source: Source;
  /** Pairs of columns that must be equal. */
  on: readonly { left: Expression; right: Expression }[];
}

/** Column of a query's result. */
export interface OutputColumn {
  expression: Expression;
  alias: string;
}

/** A query. Rows are sorted with nulls last. */
export interface Select {
  isDistinct: boolean;
  columns: readonly OutputColumn[];
  from: Source;
  joins: readonly Join[];
  where: Condition | undefined;
  groupBy: readonly Expression[];
  having: Condition | undefined;
  orderBy: readonly { expression: Expression; isDescending: boolean }[];
  /** Maximum rows returned. */
  limit: number | undefined;
}

/** A query of `columns` from `from` and nothing else. */
export function plainSelect(columns: readonly OutputColumn[], from: Source): Select {
  return {
    isDistinct: false,
    columns,
    from,
    joins: [],
    where: undefined,
    groupBy: [],
    having: undefined,
    orderBy: [],
    limit: undefined,
  };
}

/** The expressions directly inside an expression. */
export function operandsOf(expression: Expression): Expression[] {
  switch (expression.kind) {
    case 'column':
    case 'output':
    case 'value':
    case 'null':
      return [];
    case 'arithmetic':
    case 'comparison':
    case 'logical':
      return [expression.left, expression.right];
    case 'negative':
    case 'not':
    case 'cast':
    case 'guarded':
      return [expression.operand];
    case 'test':
      return predicateOperands(expression.predicate);
    case 'call':
      return [...expression.arguments];
    case 'aggregate':
      return expression.argument ? [expression.argument] : [];
    case 'case':
      return [
        ...expression.branches.flatMap(({ when, then }) => [when, then]),
        ...(expression.otherwise ? [expression.otherwise] : []),
      ];
  }
}

/** The expressions that a condition compares. */
export function predicateOperands(predicate: Condition): Expression[] {
  switch (predicate.kind) {
    case 'constant':
      return [];
    case 'and':
    case 'or':
      return predicate.predicates.flatMap(predicateOperands);
    default:
      return [predicate.operand];
  }
}

/** Whether the expression is computed per group of rows. */
export function isAggregate(expression: Expression): boolean {
  return expression.kind === 'aggregate' || operandsOf(expression).some(isAggregate);
}

/** Names of the sources that an expression reads. */
export function sourcesOf(expression: Expression): Set<string> {
  if (expression.kind === 'column') return new Set([expression.source]);
  return new Set(operandsOf(expression).flatMap((operand) => [...sourcesOf(operand)]));
}
