import * as z from 'zod';
import { type Report, totals as totalsSchema, type Totals } from '../../contract/resources/report.ts';
import { readNumber } from '../security/rowSecurityValues.ts';
import { ValueError } from '../../contract/policyValues.ts';
import { kindOf } from './formulas/expressionKinds.ts';
import { type PlannedField, readAggregate, uniqueAlias } from './fieldPlan.ts';
import { ReportError } from './reportError.ts';
import { countParts, mostPartsOfReport } from './formulas/formulaExtent.ts';
import { aggregates } from './sql/functions.ts';
import { type Expression, isAggregate, plainSelect, type Select } from './sql/tree.ts';

/** One total: an aggregate of a column of the result. */
export interface PlannedTotal {
  /** The column to total. */
  column: PlannedField;
  func: string;
  expression: Expression;
  /** Name of the total in its query. */
  alias: string;
  isPercent: boolean;
}

/** The totals of one level: 0 for the whole result, otherwise for each value of the first `level` groups. */
export interface TotalsLevel {
  level: number;
  groups: readonly PlannedField[];
  totals: readonly PlannedTotal[];
  select: Select;
}

const reportAlias = 'report';

/** Reads the Totals of a report. @throws {ReportError} when an entry is invalid. */
export function readTotals(report: Report): Totals[] {
  return (report.AdHocFields ?? []).map((entry, index) => {
    const read = totalsSchema.safeParse(entry);
    if (!read.success) throw new ReportError(`Totals ${index + 1}: ${z.prettifyError(read.error)}`);
    const type = (read.data.type ?? '').trim().toLowerCase();
    if (!['', 'total', 'calc'].includes(type))
      throw new ReportError(`Totals ${index + 1}: "${read.data.type}" is not a type`);
    return { ...read.data, type: type || 'total' };
  });
}

/** The columns added by Totals of type `calc`. @throws {ReportError} naming what cannot be calculated. */
export function planCalculations(entries: readonly Totals[], fields: readonly PlannedField[]): PlannedField[] {
  const aliases = new Set(fields.map(({ alias }) => alias.toLowerCase()));
  let parts = 0;
  return entries
    .filter(({ type }) => type === 'calc')
    .map((entry) => {
      const planned = calculation(entry, fields, aliases);
      parts += countParts(planned.expression);
      if (parts <= mostPartsOfReport) return planned;
      throw new ReportError(`The calculations up to "${planned.header}" have more than ${mostPartsOfReport} parts`);
    });
}

function calculation(entry: Totals, fields: readonly PlannedField[], aliases: Set<string>): PlannedField {
  const operator = (entry.func ?? '').trim();
  if (operator !== '+' && operator !== '-' && operator !== '*' && operator !== '/') {
    throw new ReportError(`The calculation "${operator}" is not one of + - * /`);
  }
  const left = fieldNamed(entry.field1 ?? '', fields);
  const right = entry.field2 ? fieldNamed(entry.field2, fields) : undefined;
  const isPercent = isYes(entry.percent);
  const rightText = right?.header ?? entry.Value2 ?? '';
  for (const field of [left, ...(right ? [right] : [])]) {
    if (kindOf(field.expression) !== 'number')
      throw new ReportError(`"${field.header}" contains no numbers to calculate with`);
  }
  const expression: Expression = {
    kind: 'arithmetic',
    operator,
    left: left.expression,
    right: right?.expression ?? constant(rightText),
  };
  const header = `${left.header} ${operator} ${rightText}`;
  const isAggregated = isAggregate(expression);
  const whole = isPercent
    ? ({ kind: 'arithmetic', operator: '*', left: expression, right: constant('100') } as const)
    : expression;
  return {
    field: undefined,
    header: isPercent ? `${header} %` : header,
    alias: uniqueAlias(header, aliases),
    expression: isAggregated ? whole : { kind: 'guarded', operand: whole },
    isAggregate: isAggregated,
    isHidden: false,
    isGroup: false,
    fieldType: isPercent ? 'per' : 'num',
  };
}

function constant(text: string): Expression {
  try {
    return { kind: 'value', value: readNumber(text) };
  } catch (error) {
    throw error instanceof ValueError ? new ReportError(`Totals: ${error.message}`, { cause: error }) : error;
  }
}

/** The totals of a report, level by level, each as a query over the report's own query. */
export function planTotals(
  entries: readonly Totals[],
  columns: readonly PlannedField[],
  groups: readonly PlannedField[],
  report: Select,
): TotalsLevel[] {
  const wanted = entries.filter(({ type }) => type === 'total');
  if (wanted.length === 0) return [];
  const totals = wanted.map((entry, index) => ({ entry, total: plannedTotal(entry, columns, index) }));
  // A limited report is totalled as shown, so its order determines which rows count.
  const source = { select: report, alias: reportAlias };
  const levels: TotalsLevel[] = [];
  for (let level = 0; level <= groups.length; level += 1) {
    // Shares need the total of the whole, whether it is shown or not.
    const own = totals.filter(
      ({ entry, total }) => level > 0 || entry.addgtotal || groups.length === 0 || total.isPercent,
    );
    if (own.length === 0) continue;
    const keys = groups.slice(0, level);
    const keyColumns = keys.map((field) => ({ expression: outputOf(field), alias: field.alias }));
    const totalColumns = own.map(({ total }) => ({ expression: total.expression, alias: total.alias }));
    const select: Select = {
      ...plainSelect([...keyColumns, ...totalColumns], source),
      groupBy: keys.map(outputOf),
      orderBy: keys.map((field) => ({ expression: outputOf(field), isDescending: false })),
    };
    levels.push({ level, groups: keys, totals: own.map(({ total }) => total), select });
  }
  return levels;
}

function plannedTotal(entry: Totals, columns: readonly PlannedField[], index: number): PlannedTotal {
  const column = fieldNamed(entry.field1 ?? '', columns);
  const wanted = readAggregate(entry.func ?? '');
  if (!wanted) throw new ReportError(`The total of "${column.header}" names no aggregate in func`);
  if (aggregates[wanted.name].takes === 'number' && kindOf(column.expression) !== 'number') {
    throw new ReportError(
      `The total ${wanted.name} of "${column.header}" requires numbers, but the column contains none`,
    );
  }
  return {
    column,
    func: wanted.isDistinct ? 'COUNT DISTINCT' : wanted.name,
    expression: { kind: 'aggregate', name: wanted.name, argument: outputOf(column), isDistinct: wanted.isDistinct },
    alias: `total_${index + 1}`,
    isPercent: isYes(entry.percent),
  };
}

function outputOf({ alias, expression }: PlannedField): Expression {
  const kind = kindOf(expression);
  return {
    kind: 'column',
    source: reportAlias,
    column: alias,
    holds: kind === 'boolean' || kind === 'unknown' ? 'text' : kind,
  };
}

/** The shown field with the alias `name`, or else with the header `name`, ignoring case. */
export function fieldNamed(name: string, fields: readonly PlannedField[]): PlannedField {
  const wanted = name.trim().toLowerCase();
  const shown = fields.filter(({ isHidden }) => !isHidden);
  const found =
    shown.find(({ alias }) => alias.toLowerCase() === wanted) ??
    shown.find(({ header }) => header.toLowerCase() === wanted);
  if (!found) throw new ReportError(`"${name}" is not a field of the report`);
  return found;
}

function isYes(value: unknown): boolean {
  return value === true || value === 1 || (typeof value === 'string' && /^(true|yes|1)$/i.test(value.trim()));
}
