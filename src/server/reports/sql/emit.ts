import { SecuredSource } from '../../security/rowSecurity.ts';
import type { Operator, Predicate, SqlValue } from '../../security/rowSecurityPredicate.ts';
import type { Dialect } from './dialect.ts';
import { kindOf } from '../expressionKinds.ts';
import { columnShown, columnsOf, distinctAsGroups, strictly } from './selectForms.ts';
import { type Condition, type Expression, type Join, operandsOf, type Select, type Source } from './tree.ts';

/** A statement to run: its text holds no value, only placeholders `1` to `values.length`. */
export interface Statement {
  sql: string;
  values: readonly SqlValue[];
}

/**
 * Writes a query for execution. Equal values share a placeholder, so that an expression reads the same wherever it
 * stands.
 * @throws Error when a prompt in it has no value.
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
  return { sql: writer.select(select, ''), values };
}

/**
 * Writes a query for people: values in place, prompts as `{?Name}`, policy placeholders as `/#label#/`, so that nobody
 * reads another tenant's values. Never executed.
 */
export function readableSql(select: Select, dialect: Dialect): string {
  return new Writer(dialect, undefined).select(select, '');
}

/** Writes one condition for people; see {@link readableSql}. */
export function readableCondition(condition: Condition, dialect: Dialect): string {
  return new Writer(dialect, undefined).condition(condition);
}

class Writer {
  readonly #dialect: Dialect;
  /** Binds a value and gives its placeholder; undefined when the text is for people. */
  readonly #bind: ((value: SqlValue) => string) | undefined;

  constructor(dialect: Dialect, bind: ((value: SqlValue) => string) | undefined) {
    this.#dialect = dialect;
    this.#bind = bind;
  }

  select(wanted: Select, indent: string): string {
    const select = this.#dialect.groupsDistinct ? distinctAsGroups(wanted) : wanted;
    if (!this.#dialect.isStrict) return this.#flat(select, indent);
    const strict = strictly(select);
    const isSortedOutside = strict.isDistinct && strict.orderBy.length > 0;
    return isSortedOutside ? this.#sortedOutside(strict, indent) : this.#flat(strict, indent);
  }

  /** The distinct rows as a query of their own, so that they can be sorted by expressions over their columns. */
  #sortedOutside(select: Select, indent: string): string {
    const dialect = this.#dialect;
    const limit = select.limit === undefined ? undefined : dialect.limit(select.limit);
    const deeper = `${indent}  `;
    const inner = this.#flat({ ...select, orderBy: [], limit: undefined }, deeper);
    const order = select.orderBy.map(({ expression, isDescending }) => {
      const text = this.expression(expression);
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
      ({ expression, alias }) => `${indent}  ${this.expression(expression)} AS ${this.#dialect.quote(alias)}`,
    );
    const lines = [
      ['SELECT', select.isDistinct ? 'DISTINCT' : '', limit?.afterSelect ?? ''].filter(Boolean).join(' '),
      columns.join(',\n'),
      ...(this.#dialect.renamesColumns ? this.#renamedSources(select, indent) : this.#sources(select, indent)),
    ];
    const add = (clause: string, text: string | undefined) => text && lines.push(`${indent}${clause} ${text}`);
    add('WHERE', select.where && this.condition(select.where));
    add('GROUP BY', select.groupBy.flatMap((expression) => this.#group(expression, select)).join(', '));
    const having = select.having && this.condition(select.having);
    add('HAVING', having && (this.#dialect.having?.(having) ?? having));
    add('ORDER BY', this.#order(select));
    if (limit?.atEnd) lines.push(`${indent}${limit.atEnd}`);
    return lines.join('\n');
  }

  /** Where aliases come before columns, a shown group goes by its alias: it is certainly the same expression then. */
  #group(expression: Expression, { columns }: Select): string[] {
    const text = JSON.stringify(expression);
    const shown = columns.filter((column) => JSON.stringify(column.expression) === text);
    const isByAlias = this.#dialect.renamesColumns && shown.length > 0;
    return isByAlias ? shown.map(({ alias }) => this.#dialect.quote(alias)) : [this.expression(expression)];
  }

  #order(select: Select): string {
    const terms = select.orderBy.map(({ expression, isDescending }) => {
      const meaning = this.expression(columnShown(expression, select)?.expression ?? expression);
      return this.#dialect.orderTerm(this.expression(expression), isDescending, meaning);
    });
    return terms.join(', ');
  }

  #aliased(alias: string): string {
    return `${this.#dialect.tableAlias ?? ' AS '}${this.#dialect.quote(alias)}`;
  }

  #sources({ from, joins }: Select, indent: string): string[] {
    const alias = (source: Source) => this.#aliased(aliasOf(source));
    return [
      `${indent}FROM ${this.#source(from, indent)}${alias(from)}`,
      ...joins.map(
        (join) =>
          `${indent}${joinWord(join)} ${this.#source(join.source, indent)}${alias(join.source)} ON ${this.#pairs(join)}`,
      ),
    ];
  }

  /** Each source under the names that {@link #column} writes; see the dialect's `renamesColumns`. */
  #renamedSources(select: Select, indent: string): string[] {
    const used = columnsOf(select);
    const renamed = (source: Source, depth: string): string => {
      const alias = aliasOf(source);
      const columns = [...(used.get(alias) ?? [])].map(
        (column) => `${this.#dialect.quote(column)} AS ${this.#column({ source: alias, column })}`,
      );
      return `(SELECT ${columns.join(', ') || '1'} FROM ${this.#source(source, depth)})`;
    };
    return [
      select.joins.reduce(
        (left, join, index) => {
          const pairs = join.on.map(({ left: one, right: other }) => {
            const isTurned = one.kind === 'column' && one.source === aliasOf(join.source);
            return (isTurned ? [other, one] : [one, other]).map((side) => this.#plain(side)).join(' = ');
          });
          const from = index === 0 ? left : `(SELECT * FROM ${left})`;
          return `${from} ${joinWord(join)} ${renamed(join.source, indent)} ON ${pairs.join(' AND ')}`;
        },
        renamed(select.from, indent),
      ),
    ].map((text) => `${indent}FROM ${text}`);
  }

  /** What is read, without its alias. */
  #source(source: Source, indent: string): string {
    const deeper = `${indent}  `;
    if (!SecuredSource.isGenuine(source)) {
      const isSorted = !this.#dialect.isStrict || source.select.limit !== undefined;
      const inner = isSorted ? source.select : { ...source.select, orderBy: [] };
      return `(\n${deeper}${this.select(inner, deeper)}\n${indent})`;
    }
    const { table, restriction } = source;
    const names = [table.owner, table.name].filter((name) => name !== '');
    const name = names.map((part) => this.#dialect.quote(part)).join('.');
    if (!restriction) return name;
    const rows = this.#predicate(restriction, (column) => this.#dialect.quote(column));
    return `(SELECT * FROM ${name} WHERE ${rows})`;
  }

  #pairs({ on }: Join): string {
    return on.map(({ left, right }) => `${this.#plain(left)} = ${this.#plain(right)}`).join(' AND ');
  }

  /** The text of a condition, without parentheses around it. */
  condition(condition: Condition): string {
    return this.#predicate(condition, (operand) => this.#plain(operand));
  }

  /** An expression where the other side decides how texts compare; a bare column keeps its index there. */
  #plain(expression: Expression): string {
    return expression.kind === 'column' ? this.#column(expression) : this.expression(expression);
  }

  #column({ source, column }: { source: string; column: string }): string {
    const dialect = this.#dialect;
    if (dialect.renamesColumns) return dialect.quote(`${source}::${column}`);
    return `${dialect.quote(source)}.${dialect.quote(column)}`;
  }

  #predicate<Operand>(predicate: Predicate<Operand>, write: (operand: Operand) => string): string {
    const dialect = this.#dialect;
    switch (predicate.kind) {
      case 'constant':
        return dialect.constant(predicate.value);
      case 'compare':
        return dialect.compare(
          write(predicate.operand),
          predicate.operator,
          this.#value(predicate.value),
          predicate.value.type,
        );
      case 'in': {
        const values = predicate.values.map((value) => this.#value(value));
        const type = predicate.values[0]?.type ?? 'text';
        return dialect.oneOf(write(predicate.operand), values, predicate.isNegated, type);
      }
      case 'like': {
        const text = dialect.likeText(predicate.pattern);
        return dialect.like(write(predicate.operand), this.#value({ type: 'text', text }), predicate.isNegated);
      }
      case 'null':
        return `${write(predicate.operand)} IS ${predicate.isNegated ? 'NOT ' : ''}NULL`;
      case 'and':
      case 'or': {
        if (predicate.predicates.length === 0) return dialect.constant(predicate.kind === 'and');
        // Always in parentheses: an OR that is not would escape the condition beside it.
        const inner = predicate.predicates.map((each) => this.#predicate(each, write));
        return inner.length === 1 ? (inner[0] ?? '') : `(${inner.join(` ${predicate.kind.toUpperCase()} `)})`;
      }
      case 'template':
        if (!this.#bind) return templateText(write(predicate.operand), predicate.operator, predicate.placeholders);
        if (!predicate.actual) throw new Error(`The prompt ${predicate.placeholders.join(', ')} has no value`);
        return this.#predicate(predicate.actual, write);
    }
  }

  #value(value: SqlValue): string {
    return this.#bind ? this.#bind(value) : this.#dialect.literal(value);
  }

  /** The text of an expression, in parentheses where another operator could tear it apart. */
  expression(expression: Expression): string {
    const dialect = this.#dialect;
    const inner = (part: Expression) => this.expression(part);
    switch (expression.kind) {
      case 'column':
        return expression.holds === 'text' ? dialect.text(this.#column(expression)) : this.#column(expression);
      case 'output':
        return dialect.quote(expression.alias);
      case 'value':
        return this.#value(expression.value);
      case 'null':
        return 'NULL';
      case 'arithmetic': {
        const [left, right] = [inner(expression.left), inner(expression.right)];
        if (expression.operator === '/') return `(${dialect.divide(left, right)})`;
        if (expression.operator === '%') return `(${dialect.modulo(left, right)})`;
        return `(${dialect.arithmetic(left, expression.operator, right)})`;
      }
      case 'negative':
        return `(${dialect.arithmetic('0', '-', inner(expression.operand))})`;
      case 'comparison':
        return `(${inner(expression.left)} ${expression.operator} ${inner(expression.right)})`;
      case 'logical':
        return `(${inner(expression.left)} ${expression.operator.toUpperCase()} ${inner(expression.right)})`;
      case 'not':
        return `(NOT ${inner(expression.operand)})`;
      case 'test':
        return `(${this.condition(expression.predicate)})`;
      case 'call':
        return dialect.call(expression.name, expression.arguments.map(inner));
      case 'aggregate': {
        const argument = expression.argument ? inner(expression.argument) : '*';
        return dialect.aggregate(expression.name, `${expression.isDistinct ? 'DISTINCT ' : ''}${argument}`);
      }
      case 'case': {
        const branches = expression.branches.map(({ when, then }) => `WHEN ${inner(when)} THEN ${inner(then)}`);
        const otherwise = expression.otherwise ? ` ELSE ${inner(expression.otherwise)}` : '';
        return `CASE ${branches.join(' ')}${otherwise} END`;
      }
      case 'cast':
        return dialect.cast(inner(expression.operand), expression.to);
      case 'guarded':
        return dialect.guard(inner(expression.operand), this.#approximate(expression.operand));
    }
  }

  #approximate(expression: Expression): (() => string) | undefined {
    const { approximate } = this.#dialect;
    if (!approximate || kindOf(expression) !== 'number' || !calculates(expression)) return undefined;
    return () => new Writer(approximate, this.#bind).expression(expression);
  }
}

function aliasOf(source: Source): string {
  return SecuredSource.isGenuine(source) ? source.table.alias : source.alias;
}

function joinWord({ kind }: Join): string {
  return kind === 'left' ? 'LEFT JOIN' : 'INNER JOIN';
}

function calculates(expression: Expression): boolean {
  return expression.kind === 'arithmetic' || expression.kind === 'negative' || operandsOf(expression).some(calculates);
}

function templateText(operand: string, operator: Operator, placeholders: readonly string[]): string {
  const shown = placeholders.map(placeholderText);
  if (operator === 'between' || operator === 'not between') {
    return `${operand} ${operator.toUpperCase()} ${shown.join(' AND ')}`;
  }
  const value = shown.join(', ');
  if (operator === 'in' || operator === 'not in') return `${operand} ${operator.toUpperCase()} (${value})`;
  const pattern: Partial<Record<Operator, string>> = {
    contains: `LIKE '%' || ${value} || '%'`,
    'not contains': `NOT LIKE '%' || ${value} || '%'`,
    'starts with': `LIKE ${value} || '%'`,
    'ends with': `LIKE '%' || ${value}`,
  };
  return `${operand} ${pattern[operator] ?? `${operator.toUpperCase()} ${value}`}`;
}

/** A placeholder stands bare; a text with a placeholder somewhere in it stands in quotes. */
function placeholderText(text: string): string {
  return /^(\/#[^#'"\n]*#\/|\{\?[^}'"\n]*\})$/.test(text) ? text : `'${text.replaceAll("'", "''")}'`;
}
