import type { Report } from '../../contract/resources/report.ts';
import { OtherPathError, type RowSecurity, secure } from '../security/rowSecurity.ts';
import { countValues } from '../security/rowSecurityPredicate.ts';
import { type CriteriaReading, equalTo, planCriteria } from './criteriaPlan.ts';
import type { FieldEquals } from './drillDown.ts';
import { type PlannedField, planFields } from './fieldPlan.ts';
import { joinPath } from './joinPath.ts';
import { ReportError } from './reportError.ts';
import { columnOf, type ReportTables } from './reportTables.ts';
import {
  type Condition,
  type Expression,
  isAggregate,
  type Join,
  operandsOf,
  predicateOperands,
  type Select,
  type Source,
  sourcesOf,
} from './sql/tree.ts';
import { planCalculations, planTotals, readTotals, type TotalsLevel } from './totalsPlan.ts';

/** How to run a report. */
export interface ReportReading extends CriteriaReading {
  /** Maximum rows; the report's own TopN may be lower. */
  maxRecords: number;
  /** Conditions of a drill-down, in addition to the report's own criteria. */
  equals?: readonly FieldEquals[];
}

/** A report as a query. */
export interface PlannedReport {
  select: Select;
  /** The result's columns, in order. */
  columns: readonly PlannedField[];
  /** Fields by which the result's grid is grouped. */
  groups: readonly PlannedField[];
  totals: readonly TotalsLevel[];
}

/**
 * Plans a report definition as a query of its report type's tables, each with the caller's row security. Pure: reads no
 * store and no database.
 * @throws {ReportError} naming the part of the definition that cannot be run.
 */
export function planReport(
  report: Report,
  tables: ReportTables,
  security: RowSecurity,
  reading: ReportReading,
): PlannedReport {
  const fields = planFields(report, tables, reading.today);
  const entries = readTotals(report);
  const columns = [...fields.filter(({ isHidden }) => !isHidden), ...planCalculations(entries, fields)];
  if (columns.length === 0) throw new ReportError('The report shows no field');

  const { where, having } = planCriteria(fields, reading, drillDownConditions(reading, fields, tables));
  const isAggregated = [...fields, ...columns].some((field) => field.isAggregate);
  const groupBy = isAggregated ? groupExpressions(columns) : [];
  // Groups are distinct already: every shown column is part of the key or an aggregate. MariaDB 10.11 loses rows of
  // such a query when DISTINCT precedes HAVING and a sort by an aggregate.
  const isDistinct = Boolean(report.Distinct) && !isAggregated;
  const orderBy = sortTerms(fields, { isAggregated, isDistinct });
  const used = [...columns, ...orderBy].map(({ expression }) => expression);
  const select: Select = {
    isDistinct,
    columns: columns.map(({ expression, alias }) => ({ expression, alias })),
    ...sources([...used, ...[where, having].flatMap(operands)], fields, tables, security),
    where,
    groupBy,
    having,
    orderBy,
    limit: rowLimit(report, reading.maxRecords),
  };
  const groups = shownGroups(columns, isAggregated);
  return { select, columns, groups, totals: planTotals(entries, columns, groups, select) };
}

/**
 * The conditions of a drill-down, which names fields of the report, including hidden ones, or labels of the report
 * type.
 */
function drillDownConditions(
  { equals = [], today }: ReportReading,
  fields: readonly PlannedField[],
  tables: ReportTables,
): Condition[] {
  return equals.map(({ field, value }) => {
    const wanted = field.trim().toLowerCase();
    const planned =
      fields.find(({ alias }) => alias.toLowerCase() === wanted) ??
      fields.find(({ header }) => header.toLowerCase() === wanted);
    const registered = planned ? undefined : tables.fieldByLabel(field, '');
    const expression = planned?.expression ?? (registered && columnOf(registered));
    if (!expression) throw new ReportError(`The drill-down names the field "${field}", which the report does not have`);
    return equalTo(expression, value, field, today);
  });
}

function operands(condition: Select['where']): Expression[] {
  return condition ? predicateOperands(condition) : [];
}

/** Maximum values in the policies of all tables of a report: a database takes some kilobytes for each. */
const mostPolicyValues = 20_000;

function sources(
  expressions: readonly Expression[],
  fields: readonly PlannedField[],
  tables: ReportTables,
  security: RowSecurity,
): { from: Source; joins: Join[] } {
  const used = new Set(expressions.flatMap((expression) => [...sourcesOf(expression)]));
  // A report of constants or row counts still reads the table of its first field.
  if (used.size === 0) {
    const named = fields.map(({ field }) => tables.table(field?.DbTableAlias ?? '')).find((table) => table);
    used.add((named ?? tables.reportType.tables[0])?.alias ?? '');
  }
  const { start, steps } = joinPath(tables.reportType, used);
  let policyValues = 0;
  const secured = (alias: string) => {
    const table = tables.table(alias);
    if (!table) throw new ReportError(`"${alias}" is not a table of report type "${tables.reportType.name}"`);
    try {
      const source = secure(table, security);
      policyValues += source.restriction ? countValues(source.restriction) : 0;
      if (policyValues > mostPolicyValues) {
        throw new ReportError(
          `Policies compare the tables of the report with more than ${mostPolicyValues} values; use fewer tables, ` +
            'or ask an administrator for a policy with shorter lists',
        );
      }
      return source;
    } catch (error) {
      throw error instanceof OtherPathError ? new ReportError(error.message, { cause: error }) : error;
    }
  };
  const joins = steps.map(({ alias, kind, joins: pairs }): Join => ({
    kind,
    source: secured(alias),
    on: pairs.map(({ leftAlias, leftColumn, rightAlias, rightColumn }) => ({
      left: joinColumn(leftAlias, leftColumn),
      right: joinColumn(rightAlias, rightColumn),
    })),
  }));
  return { from: secured(start), joins };
}

function joinColumn(source: string, column: string): Expression {
  return { kind: 'column', source, column, holds: 'text' };
}

/** All shown expressions that are not aggregates; aggregates may use nothing else in addition to their arguments. */
function groupExpressions(columns: readonly PlannedField[]): Expression[] {
  const groups = columns.filter((field) => !field.isAggregate).map(({ expression }) => expression);
  const known = new Set(groups.map((group) => JSON.stringify(group)));
  for (const field of columns.filter(({ isAggregate: isOne }) => isOne)) {
    if (!bareColumns(field.expression).every((column) => known.has(JSON.stringify(column)))) {
      throw new ReportError(
        `Field "${field.header}" mixes an aggregate with a field that the report does not group by`,
      );
    }
  }
  return groups.filter((group) => sourcesOf(group).size > 0);
}

function bareColumns(expression: Expression): Expression[] {
  if (expression.kind === 'aggregate') return [];
  if (expression.kind === 'column') return [expression];
  return operandsOf(expression).flatMap(bareColumns);
}

/** Group fields come first, in the direction of their own sort. */
function sortTerms(
  fields: readonly PlannedField[],
  query: { isAggregated: boolean; isDistinct: boolean },
): Select['orderBy'] {
  const terms = fields.flatMap((field, position) => {
    const sort = sortOrder(field) ?? (field.isGroup ? { priority: undefined, isDescending: false } : undefined);
    return sort ? [{ field, position, ...sort }] : [];
  });
  const rank = ({ field, priority, position }: (typeof terms)[number]) =>
    field.isGroup ? [0, position] : [1, priority ?? Number.MAX_SAFE_INTEGER, position];
  return terms
    .toSorted((one, other) => {
      const [a, b] = [rank(one), rank(other)];
      return a.map((value, index) => value - (b[index] ?? 0)).find((difference) => difference !== 0) ?? 0;
    })
    .map(({ field, isDescending }) => {
      if (!field.isHidden) return { expression: { kind: 'output', alias: field.alias, holds: 'text' }, isDescending };
      if (query.isDistinct || (query.isAggregated && !isAggregate(field.expression))) {
        throw new ReportError(`The hidden field "${field.header}" cannot sort a report of groups or distinct rows`);
      }
      return { expression: field.expression, isDescending };
    });
}

interface Sort {
  /** Lower values sort first; undefined sorts last. */
  priority: number | undefined;
  isDescending: boolean;
}

function sortOrder(field: PlannedField): Sort | undefined {
  for (const { sortorder } of field.field?.Criteria ?? []) {
    const text = String(sortorder ?? '')
      .trim()
      .toLowerCase();
    if (['', '0', 'none', 'false'].includes(text)) continue;
    const word = /^(asc|desc)(?:ending)?$/.exec(text)?.[1];
    if (word) return { priority: undefined, isDescending: word === 'desc' };
    const number = /^([+-]?)(\d{1,6})$/.exec(text);
    if (!number)
      throw new ReportError(`Field "${field.header}": "${text}" is not a sort order; use asc, desc or a signed number`);
    return { priority: Number(number[2]), isDescending: number[1] === '-' };
  }
  return undefined;
}

function rowLimit(report: Report, maxRecords: number): number {
  const top = report.TopN ?? 0;
  if (!Number.isInteger(top) || top < 0) throw new ReportError(`TopN is ${top}; it must be a whole number`);
  return top > 0 ? Math.min(top, maxRecords) : maxRecords;
}

/** Omits a grid group that always has exactly one row. */
function shownGroups(columns: readonly PlannedField[], isAggregated: boolean): PlannedField[] {
  const groups = columns.filter(({ isGroup }) => isGroup);
  const dimensions = columns.filter((field) => !field.isAggregate);
  return isAggregated && groups.length === dimensions.length ? groups.slice(0, -1) : groups;
}
