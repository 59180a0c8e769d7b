import {
  type Expression,
  isAggregate,
  operandsOf,
  type OutputColumn,
  predicateOperands,
  type Select,
  sourcesOf,
} from './tree.ts';

/** The same rows by grouping; a query of constants alone stays as it is. */
export function distinctAsGroups(select: Select): Select {
  const expressions = select.columns.map(({ expression }) => expression);
  const groups = expressions.filter((expression) => sourcesOf(expression).size > 0);
  if (!select.isDistinct || select.groupBy.length > 0 || expressions.some(isAggregate) || groups.length === 0)
    return select;
  return { ...select, isDistinct: false, groupBy: groups };
}

/** The same query without what the dialect's `isStrict` rules out. */
export function strictly(select: Select): Select {
  const meaning = (expression: Expression) => columnShown(expression, select)?.expression ?? expression;
  const varies = (expression: Expression) => isAggregate(expression) || sourcesOf(expression).size > 0;
  const sorted = new Set<string>();
  const orderBy = select.orderBy.filter(({ expression }) => {
    const text = JSON.stringify(meaning(expression));
    const isNew = varies(meaning(expression)) && !sorted.has(text);
    sorted.add(text);
    return isNew;
  });
  return { ...select, orderBy };
}

/** The column that a term of the order names. */
export function columnShown(expression: Expression, { columns }: Select): OutputColumn | undefined {
  return expression.kind === 'output' ? columns.find(({ alias }) => alias === expression.alias) : undefined;
}

/** The columns that a query reads, by source. */
export function columnsOf(select: Select): Map<string, Set<string>> {
  const used = new Map<string, Set<string>>();
  const visit = (expression: Expression): void => {
    if (expression.kind === 'column') {
      used.set(expression.source, (used.get(expression.source) ?? new Set()).add(expression.column));
    }
    operandsOf(expression).forEach(visit);
  };
  [...select.columns, ...select.orderBy].forEach(({ expression }) => visit(expression));
  select.groupBy.forEach(visit);
  [select.where, select.having].forEach((condition) => condition && predicateOperands(condition).forEach(visit));
  select.joins.forEach(({ on }) => on.forEach(({ left, right }) => [left, right].forEach(visit)));
  return used;
}
