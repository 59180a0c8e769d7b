import { type FieldTypeCode, isFieldTypeCode } from '../../contract/fieldTypes.ts';
import { readOperator, valuesTaken } from '../../contract/operators.ts';
import type { Criteria, Report, ReportField } from '../../contract/resources/report.ts';
import { fieldTypeOfKind, kindOf, kindOfFieldType } from './formulas/expressionKinds.ts';
import { readFormula } from './formulas/formula.ts';
import { countParts, mostPartsOfReport, mostOfReport, requireBoundedTexts } from './formulas/formulaExtent.ts';
import { FormulaError } from './formulas/formulaTokens.ts';
import { ReportError } from './reportError.ts';
import { ValueError } from '../../contract/policyValues.ts';
import { columnOf, type ReportTables } from './reportTables.ts';
import { type AggregateName, aggregates } from './sql/functions.ts';
import { type Expression, isAggregate } from './sql/tree.ts';

/** A field of a report as used in the query. */
export interface PlannedField {
  /** The field in the definition; undefined for a calculated column. */
  field: ReportField | undefined;
  /** Display name. */
  header: string;
  /** Name in the SQL and key in the result's rows; unique, ignoring case. */
  alias: string;
  expression: Expression;
  isAggregate: boolean;
  /** Used to filter and sort only. */
  isHidden: boolean;
  /** Group of the result's grid. */
  isGroup: boolean;
  /** How to display values. API description, Field type codes. */
  fieldType: FieldTypeCode;
}

/**
 * Reads the fields of a report in display order. Looks up every column in the report type and parses every formula.
 * @throws {ReportError} naming the field that cannot be read.
 */
export function planFields(report: Report, tables: ReportTables, today: string): PlannedField[] {
  requireReasonableSize(report);
  const places = (report.FieldList ?? []).map((field, position) => ({
    field,
    place: Math.abs(field.fieldindex ?? 0) || position + 1,
  }));
  const aliases = new Set<string>();
  let characters = 0;
  let parts = 0;
  return places
    .toSorted((one, other) => one.place - other.place)
    .map(({ field }) => {
      const name = fieldName(field);
      const alias = uniqueAlias(field.RenamedField || field.DisplayFieldName || field.DbFieldName || 'field', aliases);
      try {
        const planned = planField(field, tables, today);
        parts += countParts(planned.expression);
        if (parts > mostPartsOfReport) {
          throw new ReportError(
            `the formulas up to this one have more than ${mostPartsOfReport} parts; leave some out`,
          );
        }
        characters += requireBoundedTexts(planned.expression);
        if (characters > mostOfReport) {
          const problem = `the formulas up to this one could make texts of more than ${mostOfReport} characters per row`;
          throw new ReportError(`${problem}; shorten them with LEFT or SUBSTRING, or leave some out`);
        }
        return { ...planned, alias };
      } catch (error) {
        const isKnown = [FormulaError, ReportError, ValueError].some((known) => error instanceof known);
        throw isKnown && error instanceof Error
          ? new ReportError(`Field "${name}": ${error.message}`, { cause: error })
          : error;
      }
    });
}

/** Far above any readable report; planning a larger one would take all of the server's time. */
const most = {
  fields: 1_000,
  criteria: 5_000,
  groups: 50,
  totals: 1_000,
  'characters in formulas': 500_000,
  'values in lists': 20_000,
} as const;

/** @throws {ReportError} */
function requireReasonableSize({ FieldList, AdHocFields }: Report): void {
  const fields = FieldList ?? [];
  const rows = fields.flatMap(({ Criteria }) => Criteria ?? []);
  const counts: Record<keyof typeof most, number> = {
    fields: fields.length,
    criteria: rows.length,
    groups: fields.filter(({ grouped }) => grouped).length,
    totals: AdHocFields?.length ?? 0,
    'characters in formulas': fields.reduce((count, { Formula }) => count + (Formula?.length ?? 0), 0),
    'values in lists': rows.reduce((count, row) => count + listLength(row), 0),
  };
  for (const [what, limit] of Object.entries(most)) {
    const count = counts[what as keyof typeof most];
    if (count > limit) throw new ReportError(`The report has ${count} ${what}; ${limit} are the most`);
  }
}

/** Upper bound of the number of values in a criteria row, without parsing its list; 0 if its operator takes no list. */
function listLength({ Op, Value1 }: Criteria): number {
  const operator = readOperator(Op ?? '');
  if (!operator || valuesTaken(operator) !== 'list' || !Value1) return 0;
  let count = 1;
  for (let at = Value1.indexOf(','); at >= 0; at = Value1.indexOf(',', at + 1)) count += 1;
  return count;
}

function planField(field: ReportField, tables: ReportTables, today: string): Omit<PlannedField, 'alias'> {
  const alias = field.DbTableAlias ?? '';
  const column = field.DbFieldName ?? '';
  const registered = tables.field(alias, column);
  const formula = field.Formula?.trim() ?? '';
  if (!registered && (formula === '' || column !== '')) {
    throw new ReportError(`"${alias}.${column}" is not a field of report type "${tables.reportType.name}"`);
  }
  const parent = field.DbParentTableAlias ?? '';
  if (parent !== '' && !tables.table(parent)) throw new ReportError(`"${parent}" is not a table of the report type`);

  const fieldColumn = (found: typeof registered) => (found ? columnOf(found) : undefined);
  const value = formula
    ? readFormula(formula, {
        today,
        ownColumn: () => fieldColumn(registered),
        column: (table, name) => fieldColumn(tables.field(table, name)),
        label: (label) => fieldColumn(tables.fieldByLabel(label, alias)),
      })
    : columnOf(registered ?? notFound());
  const expression = aggregated(field.strGroup ?? '', guarded(value));
  const isAggregated = isAggregate(expression);
  const isGroup = Boolean(field.grouped);
  const isHidden = (field.fieldindex ?? 1) < 0;
  if (isGroup && isAggregated) throw new ReportError('an aggregate cannot be a group');
  if (isGroup && isHidden) throw new ReportError('a hidden field cannot be a group');
  return {
    field,
    header: fieldName(field),
    expression,
    isAggregate: isAggregated,
    isHidden,
    isGroup,
    fieldType: shownType(field.Fieldtype ?? '', registered?.fieldType, expression),
  };
}

function notFound(): never {
  throw new ReportError('it names no column');
}

/** A computed value must not fail for rows that the caller may not see. */
function guarded(value: Expression): Expression {
  return value.kind === 'column' || isAggregate(value) ? value : { kind: 'guarded', operand: value };
}

const aggregateSpellings: Record<string, { name: AggregateName; isDistinct: boolean } | undefined> = {
  SUM: { name: 'SUM', isDistinct: false },
  TOTAL: { name: 'SUM', isDistinct: false },
  AVG: { name: 'AVG', isDistinct: false },
  AVERAGE: { name: 'AVG', isDistinct: false },
  MIN: { name: 'MIN', isDistinct: false },
  MINIMUM: { name: 'MIN', isDistinct: false },
  MAX: { name: 'MAX', isDistinct: false },
  MAXIMUM: { name: 'MAX', isDistinct: false },
  COUNT: { name: 'COUNT', isDistinct: false },
  'COUNT DISTINCT': { name: 'COUNT', isDistinct: true },
  'DISTINCT COUNT': { name: 'COUNT', isDistinct: true },
  STDDEV: { name: 'STDDEV', isDistinct: false },
  STDEV: { name: 'STDDEV', isDistinct: false },
  VARIANCE: { name: 'VARIANCE', isDistinct: false },
  VAR: { name: 'VARIANCE', isDistinct: false },
};
const noAggregate = new Set(['', 'NONE', 'GROUP', 'GROUP BY']);

/** Parses the name of an aggregate; undefined for none. @throws {ReportError} when it is unknown. */
export function readAggregate(text: string): { name: AggregateName; isDistinct: boolean } | undefined {
  const spelling = text
    .trim()
    .toUpperCase()
    .replace(/[\s_]+/g, ' ');
  if (noAggregate.has(spelling)) return undefined;
  const found = Object.hasOwn(aggregateSpellings, spelling) ? aggregateSpellings[spelling] : undefined;
  if (!found) throw new ReportError(`"${text}" is not an aggregate; use one of ${Object.keys(aggregates).join(', ')}`);
  return found;
}

function aggregated(strGroup: string, value: Expression): Expression {
  const wanted = readAggregate(strGroup);
  if (!wanted) return value;
  if (isAggregate(value)) throw new ReportError(`${strGroup} is applied to a formula that is already an aggregate`);
  const { name, isDistinct } = wanted;
  if (aggregates[name].takes === 'number' && kindOf(value) !== 'number') {
    throw new ReportError(`${name} requires numbers, but the field contains none`);
  }
  return { kind: 'aggregate', name, argument: value, isDistinct };
}

/** The requested type, unless the values are of another kind: a count of names is a number. */
function shownType(asked: string, registered: FieldTypeCode | undefined, expression: Expression): FieldTypeCode {
  if (asked !== '' && !isFieldTypeCode(asked)) throw new ReportError(`"${asked}" is not a field type`);
  const kind = kindOf(expression);
  const candidates = [asked, registered].filter(isFieldTypeCode).filter((code) => code !== 'for');
  const isLink = (code: FieldTypeCode) => code === 'ddn' || code === 'lnk' || code === 'flk';
  const fitting = candidates.find((code) => isLink(code) || kindOfFieldType(code) === kind);
  return fitting ?? fieldTypeOfKind(kind);
}

/** Display name of a field. */
export function fieldName(field: ReportField): string {
  return field.DisplayFieldName || field.ReportFieldName || field.RenamedField || field.DbFieldName || 'without a name';
}

const longestAlias = 60;

/** Creates an alias of letters, digits and underscores that `taken` does not contain yet, and adds it. */
export function uniqueAlias(wanted: string, taken: Set<string>): string {
  const letters = wanted.replace(/[^A-Za-z0-9_]+/g, '_').slice(0, longestAlias);
  const base = /^_*$/.test(letters) ? 'field' : /^\d/.test(letters) ? `_${letters}` : letters;
  let alias = base;
  for (let count = 2; taken.has(alias.toLowerCase()); count += 1) alias = `${base}_${count}`;
  taken.add(alias.toLowerCase());
  return alias;
}
