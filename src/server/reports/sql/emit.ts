import { SecuredSource } from '../../security/rowSecurity.ts';
import type { SqlValue } from '../../security/rowSecurityPredicate.ts';
import { ReportError } from '../reportError.ts';
import type { Dialect } from './dialect.ts';
import { ExpressionWriter } from './expressionWriter.ts';
import { policyConditions } from './policyConditions.ts';
import {
  type Condition,
  type Join,
  predicateOperands,
  type Select,
  type Source,
  type Expression,
  isAggregate,
  operandsOf,
  type OutputColumn,
  sourcesOf,
} from './tree.ts';

/** A statement to run: its text contains no values, only placeholders `1` to `values.length`. */
export interface Statement {
  sql: string;
  values: readonly SqlValue[];
}

/** Maximum characters of SQL: a database needs a hundred times as many bytes to parse it. */
const longestStatement = 4_000_000;

/**
 * Writes a query for execution. Equal values share a placeholder, so that an expression has the same text everywhere.
 * @throws Error when a prompt in it has no value.
 * @throws {ReportError} when it is too long.
 */
export function statementOf(select: Select, dialect: Dialect): Statement {
  const values: SqlValue[] = [];
  const positions = new Map<string, number>();
  const writer = new Writer(dialect, (value) => {
    const key = `${value.type} ${value.text}`;
    const position = positions.get(key) ?? values.push(value);
    positions.set(key, position);
    return dialect.placeholder(position, value);
  });
  const sql = writer.select(select, '');
  if (sql.length > longestStatement) {
    throw new ReportError(`The report needs more than ${longestStatement} characters of SQL; reduce the report`);
  }
  return { sql, values };
}

/**
 * Writes a query for display: values inline, prompts as `{?Name}`, policy placeholders as `/#label#/`, so that they do
 * not show another tenant's values. Other policy values are only shown with permission to read policies. Never
 * executed.
 */
export function readableSql(select: Select, dialect: Dialect, readsPolicies: boolean): string {
  return new Writer(dialect, undefined, readsPolicies).select(select, '');
}

/** Writes the conditions of a report for display, one by one; see {@link readableSql}. */
export function readableConditions(dialect: Dialect): (condition: Condition | undefined) => string {
  const writer = new ExpressionWriter(dialect, undefined);
  return (condition) => (condition ? writer.condition(condition) : '');
}

/** More rows than any table has: a limit without effect. */
const everyRow = Number.MAX_SAFE_INTEGER;

/** Writes the clauses of a query; {@link ExpressionWriter} writes their expressions. */
class Writer {
  readonly #dialect: Dialect;
  readonly #write: ExpressionWriter;
  /** Writes conditions of policies. */
  readonly #writePolicies: ExpressionWriter;

  constructor(dialect: Dialect, bind: ((value: SqlValue) => string) | undefined, readsPolicies = false) {
    this.#dialect = dialect;
    this.#write = new ExpressionWriter(dialect, bind, readsPolicies);
    // For display, policies are written without the parts that make comparisons exact.
    this.#writePolicies = bind ? new ExpressionWriter({ ...dialect, ...policyConditions(dialect) }, bind) : this.#write;
  }

  select(wanted: Select, indent: string): string {
    const select = this.#dialect.groupsDistinct ? distinctAsGroups(wanted) : wanted;
    if (!this.#dialect.isStrict) return this.#flat(select, indent);
    const strict = strictly(select);
    const isSortedOutside = strict.isDistinct && strict.orderBy.length > 0;
    return isSortedOutside ? this.#sortedOutside(strict, indent) : this.#flat(strict, indent);
  }

  /** Wraps the distinct rows in an outer query, so that they can be sorted by expressions over their columns. */
  #sortedOutside(select: Select, indent: string): string {
    const dialect = this.#dialect;
    const limit = select.limit === undefined ? undefined : dialect.limit(select.limit);
    const deeper = `${indent}  `;
    const inner = this.#flat({ ...select, orderBy: [], limit: undefined }, deeper);
    const order = select.orderBy.map(({ expression, isDescending }) => {
      const text = this.#write.expression(expression);
      return dialect.orderTerm(text, isDescending, text);
    });
    return [
      ['SELECT', limit?.afterSelect, '*'].filter(Boolean).join(' '),
      `${indent}FROM (\n${deeper}${inner}\n${indent})${this.#aliased('rows')}`,
      `${indent}ORDER BY ${order.join(', ')}`,
      ...(limit?.atEnd ? [`${indent}${limit.atEnd}`] : []),
    ].join('\n');
  }

  #flat(select: Select, indent: string): string {
    const limit = select.limit === undefined ? undefined : this.#dialect.limit(select.limit);
    const columns = select.columns.map(
      ({ expression, alias }) => `${indent}  ${this.#write.expression(expression)} AS ${this.#dialect.quote(alias)}`,
    );
    const lines = [
      ['SELECT', select.isDistinct ? 'DISTINCT' : '', limit?.afterSelect ?? ''].filter(Boolean).join(' '),
      columns.join(',\n'),
      ...(this.#dialect.renamesColumns ? this.#renamedSources(select, indent) : this.#sources(select, indent)),
    ];
    const add = (clause: string, text: string | undefined) => text && lines.push(`${indent}${clause} ${text}`);
    add('WHERE', select.where && this.#write.condition(select.where));
    add('GROUP BY', this.#groups(select).join(', '));
    const having = select.having && this.#write.condition(select.having);
    add('HAVING', having && (this.#dialect.having?.(having) ?? having));
    add('ORDER BY', this.#order(select));
    if (limit?.atEnd) lines.push(`${indent}${limit.atEnd}`);
    return lines.join('\n');
  }

  /** If aliases take precedence over columns, a shown group uses its alias, which is certainly the same expression. */
  #groups({ groupBy, columns }: Select): string[] {
    const written = groupBy.map((expression) => this.#write.expression(expression));
    if (!this.#dialect.renamesColumns) return written;
    const shown = Map.groupBy(columns, ({ expression }) => JSON.stringify(expression));
    return groupBy.flatMap((expression, index) => {
      const aliases = shown.get(JSON.stringify(expression))?.map(({ alias }) => this.#dialect.quote(alias));
      return aliases ?? written[index] ?? [];
    });
  }

  #order(select: Select): string {
    const terms = select.orderBy.map(({ expression, isDescending }) => {
      const meaning = this.#write.expression(columnShown(expression, select)?.expression ?? expression);
      return this.#dialect.orderTerm(this.#write.expression(expression), isDescending, meaning);
    });
    return terms.join(', ');
  }

  #aliased(alias: string): string {
    return `${this.#dialect.tableAlias ?? ' AS '}${this.#dialect.quote(alias)}`;
  }

  #sources({ from, joins, where }: Select, indent: string): string[] {
    const isFenced = isComputed(where);
    const aliased = (source: Source) => `${this.#source(source, indent, isFenced)}${this.#aliased(aliasOf(source))}`;
    return [
      `${indent}FROM ${aliased(from)}`,
      ...joins.map((join) => `${indent}${joinWord(join)} ${aliased(join.source)} ON ${this.#pairs(join)}`),
    ];
  }

  /**
   * Each source with the column names that {@link ExpressionWriter.column} writes; see the dialect's `renamesColumns`.
   */
  #renamedSources(select: Select, indent: string): string[] {
    const used = columnsOf(select);
    const renamed = (source: Source, depth: string): string => {
      const alias = aliasOf(source);
      const columns = [...(used.get(alias) ?? [])].map(
        (column) => `${this.#dialect.quote(column)} AS ${this.#write.column({ source: alias, column })}`,
      );
      const rows = this.#source(source, depth, isComputed(select.where));
      return `(SELECT ${columns.join(', ') || '1'} FROM ${rows})${this.#aliased(alias)}`;
    };
    return [
      select.joins.reduce(
        (left, join, index) => {
          const pairs = join.on.map(({ left: one, right: other }) => {
            const isTurned = one.kind === 'column' && one.source === aliasOf(join.source);
            return (isTurned ? [other, one] : [one, other]).map((side) => this.#write.plain(side)).join(' = ');
          });
          const from = index === 0 ? left : `(SELECT * FROM ${left})${this.#aliased(aliasOf(select.from))}`;
          return `${from} ${joinWord(join)} ${renamed(join.source, indent)} ON ${pairs.join(' AND ')}`;
        },
        renamed(select.from, indent),
      ),
    ].map((text) => `${indent}FROM ${text}`);
  }

  /**
   * The source without its alias. Databases evaluate conditions in any order, and a computed one that fails, or is
   * slow, for a row hidden by the policy would reveal it: no condition is pushed below the limit of a fenced source.
   */
  #source(source: Source, indent: string, isFenced: boolean): string {
    const deeper = `${indent}  `;
    if (!SecuredSource.isGenuine(source)) {
      const isSorted = !this.#dialect.isStrict || source.select.limit !== undefined;
      const inner = isSorted ? source.select : { ...source.select, orderBy: [] };
      return `(\n${deeper}${this.select(inner, deeper)}\n${indent})`;
    }
    const { table, restriction } = source;
    const names = [...(table.ownerPath ?? [table.owner]), table.name].filter((name) => name !== '');
    const name = names.map((part) => this.#dialect.quote(part)).join('.');
    if (!restriction) return name;
    const rows = this.#writePolicies.predicate(restriction, (column) => this.#dialect.quote(column));
    const fence = isFenced ? this.#dialect.limit(everyRow) : undefined;
    const words = ['SELECT', fence?.afterSelect, `* FROM ${name} WHERE ${rows}`, fence?.atEnd];
    return `(${words.filter(Boolean).join(' ')})`;
  }

  #pairs({ on }: Join): string {
    return on.map(({ left, right }) => `${this.#write.plain(left)} = ${this.#write.plain(right)}`).join(' AND ');
  }
}

/** Whether a condition compares anything other than bare columns. */
function isComputed(condition: Condition | undefined): boolean {
  return condition !== undefined && predicateOperands(condition).some(({ kind }) => kind !== 'column');
}

function aliasOf(source: Source): string {
  return SecuredSource.isGenuine(source) ? source.table.alias : source.alias;
}

function joinWord({ kind }: Join): string {
  return kind === 'left' ? 'LEFT JOIN' : 'INNER JOIN';
}

/** Returns the same rows by grouping; leaves a query of constants unchanged. */
function distinctAsGroups(select: Select): Select {
  const expressions = select.columns.map(({ expression }) => expression);
  const groups = expressions.filter((expression) => sourcesOf(expression).size > 0);
  if (!select.isDistinct || select.groupBy.length > 0 || expressions.some(isAggregate) || groups.length === 0)
    return select;
  return { ...select, isDistinct: false, groupBy: groups };
}

/** The same query without the parts that the dialect's `isStrict` forbids. */
function strictly(select: Select): Select {
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

/** The column that a sort term refers to. */
function columnShown(expression: Expression, { columns }: Select): OutputColumn | undefined {
  return expression.kind === 'output' ? columns.find(({ alias }) => alias === expression.alias) : undefined;
}

/** The columns that a query reads, by source. */
function columnsOf(select: Select): Map<string, Set<string>> {
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
