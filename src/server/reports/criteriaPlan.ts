import type { Criteria } from '../../contract/resources/report.ts';
import { type Operator, readOperator, valuesTaken } from '../../contract/operators.ts';
import type { FieldTypeCode } from '../../contract/fieldTypes.ts';
import type { Zones } from '../../contract/zones/zoneNames.ts';
import { rezoned } from '../../contract/zones/zonedTimes.ts';
import { conditionOn, type Subject, valueTexts } from '../security/rowSecurityConditions.ts';
import { allOf, type ChainLink, type ColumnKind, joinChain } from '../security/rowSecurityPredicate.ts';
import { ValueError } from '../../contract/policyValues.ts';
import { kindOf } from './formulas/expressionKinds.ts';
import type { PlannedField } from './fieldPlan.ts';
import { ReportError } from './reportError.ts';
import { type Condition, type Expression, isAggregate, predicateOperands } from './sql/tree.ts';

/**
 * How to treat prompts: `run` requires their values, `leaveOut` omits them all, `show` writes those without a value as
 * `{?Name}`.
 */
export type PromptUse = 'run' | 'leaveOut' | 'show';

/** How to read criteria. */
export interface CriteriaReading {
  promptUse: PromptUse;
  /** Reference day (`YYYY-MM-DD`) of relative dates. */
  today: string;
  /** Zones of `dat` fields: a day that a criterion names is one of the zone that the rows are shown in. */
  zones?: Zones;
}

/** The conditions of a report: on rows, and on groups. */
export interface PlannedCriteria {
  where: Condition | undefined;
  having: Condition | undefined;
}

/** State of a prompt, stored in the criteria row's `flags`. */
export const promptStates = { set: 'set', skipped: 'skipped', refused: 'refused' } as const;

/** Criteria of a field that filter, ordered by Index. */
export function criteriaRows(field: PlannedField): Criteria[] {
  const rows = field.field?.Criteria ?? [];
  return rows
    .filter((row) => (row.Op ?? '').trim() !== '' || row.bprompt)
    .toSorted((one, other) => (one.Index ?? 0) - (other.Index ?? 0));
}

/**
 * The condition of all criteria: rows of one field are grouped, and so are rows marked Nested; AND binds tighter than
 * OR. Criteria of aggregates become conditions on groups. `further` conditions are added with AND.
 * @throws {ReportError} naming the field whose criteria cannot be read.
 */
export function planCriteria(
  fields: readonly PlannedField[],
  reading: CriteriaReading,
  further: readonly Condition[] = [],
): PlannedCriteria {
  const units = fields.flatMap((field) => fieldUnits(field, reading));
  const whole = joinChain(nestedUnits(units));
  const own = whole?.kind === 'and' ? whole.predicates : whole ? [whole] : [];
  const conjuncts = [...own, ...further];
  const isOnGroups = (conjunct: Condition) => predicateOperands(conjunct).some(isAggregate);
  const { where = [], having = [] } = Object.groupBy(conjuncts, (each) => (isOnGroups(each) ? 'having' : 'where'));
  for (const conjunct of having) {
    if (!predicateOperands(conjunct).every(isAggregate)) {
      throw new ReportError('Criteria of an aggregated field cannot be joined by OR to criteria of other fields');
    }
  }
  return { where: joined(where), having: joined(having) };
}

function joined(conditions: readonly Condition[]): Condition | undefined {
  return conditions.length > 0 ? allOf(conditions) : undefined;
}

/** Adjacent rows of one field with the same nesting, as one link of the chain. */
interface Unit extends ChainLink<Expression> {
  isNested: boolean;
}

/** One field's criteria as a separate condition, with the operator that joins it to the next field. */
export function fieldCondition(field: PlannedField, reading: CriteriaReading): ChainLink<Expression> {
  const units = fieldUnits(field, reading);
  return { predicate: joinChain(units), joiner: units.at(-1)?.joiner ?? 'AND' };
}

function fieldUnits(field: PlannedField, reading: CriteriaReading): Unit[] {
  const runs: { rows: Criteria[]; isNested: boolean }[] = [];
  for (const row of criteriaRows(field)) {
    const isNested = Boolean(row.Nested);
    const open = runs.at(-1);
    if (open?.isNested === isNested) open.rows.push(row);
    else runs.push({ rows: [row], isNested });
  }
  return runs.map(({ rows, isNested }) => {
    const links = rows.map((row) => ({
      predicate: rowCondition(field, row, reading),
      joiner: readJoiner(field, row),
    }));
    return { predicate: joinChain(links), joiner: links.at(-1)?.joiner ?? 'AND', isNested };
  });
}

function nestedUnits(units: readonly Unit[]): ChainLink<Expression>[] {
  const links: ChainLink<Expression>[] = [];
  let open: Unit[] = [];
  const close = () => {
    if (open.length > 0) links.push({ predicate: joinChain(open), joiner: open.at(-1)?.joiner ?? 'AND' });
    open = [];
  };
  for (const unit of units) {
    if (unit.isNested) {
      open.push(unit);
    } else {
      close();
      links.push(unit);
    }
  }
  close();
  return links;
}

function readJoiner(field: PlannedField, row: Criteria): 'AND' | 'OR' {
  const joiner = (row.Logical ?? '').trim().toUpperCase();
  if (joiner === '' || joiner === 'AND') return 'AND';
  if (joiner === 'OR') return 'OR';
  throw new ReportError(`Criteria of "${field.header}": "${row.Logical}" is not a logical operator; use AND or OR`);
}

/** The operator of a criteria row. @throws {ReportError} when it is unknown. */
export function operatorOf(row: Criteria, name: string): Operator {
  const operator = readOperator(row.Op ?? '');
  if (operator) return operator;
  throw new ReportError(`Criteria of "${name}": "${row.Op ?? ''}" is not an operator`);
}

/** The condition of one row; undefined if its prompt is omitted or skipped. */
export function rowCondition(field: PlannedField, row: Criteria, reading: CriteriaReading): Condition | undefined {
  const operator = operatorOf(row, field.header);
  const { expression: operand } = field;
  if (row.bprompt) {
    const use = promptRowUse(row, operator, reading.promptUse);
    if (use === 'leaveOut') return undefined;
    if (use === 'show') {
      const placeholder = `{?${field.header.replace(/[{}'"\n\r]/g, ' ')}}`;
      const count = valuesTaken(operator) === 'two' ? 2 : 1;
      const placeholders = Array.from({ length: count }, () => placeholder);
      return { kind: 'template', operand, operator, placeholders, actual: undefined };
    }
    if (use === 'missing') throw new ReportError(`The prompt "${field.header}" needs a value`);
    if (use === 'refused') throw new ReportError(`The prompt "${field.header}" was not given a valid value`);
  }
  try {
    const kind = comparableKind(operand);
    const startOf = startOfDays(field.fieldType, reading.zones);
    return conditionOn({ operand, kind, today: reading.today, startOf }, operator, rowTexts(row, operator));
  } catch (error) {
    if (!(error instanceof ValueError)) throw error;
    throw new ReportError(`Criteria of "${field.header}": ${error.message}`, { cause: error });
  }
}

/** When days begin in the values of a field that is shown in another time zone than it is stored in. */
function startOfDays(fieldType: FieldTypeCode, zones: Zones | undefined): Subject<Expression>['startOf'] {
  const stored = fieldType === 'dat' ? zones?.stored : fieldType === 'udt' ? 'UTC' : undefined;
  if (zones === undefined || stored === undefined || stored === zones.shown) return undefined;
  return (day) => rezoned(day, zones.shown, stored);
}

/** The condition that an expression equals a value, given as text; null means no value. @throws {ReportError} */
export function equalTo(operand: Expression, value: string | null, name: string, today: string): Condition {
  try {
    const kind = comparableKind(operand);
    return conditionOn({ operand, kind, today }, value === null ? 'is null' : '=', value === null ? [] : [value]);
  } catch (error) {
    if (!(error instanceof ValueError)) throw error;
    throw new ReportError(`Drill-down to "${name}": ${error.message}`, { cause: error });
  }
}

function promptRowUse(
  row: Criteria,
  operator: Operator,
  promptUse: PromptUse,
): 'leaveOut' | 'show' | 'missing' | 'refused' | 'use' {
  const isSkipped = row.flags === promptStates.skipped;
  if (promptUse === 'leaveOut' || (isSkipped && row.bskip)) return 'leaveOut';
  // Rows come from the client: the flag alone does not skip a prompt that is not skippable.
  const isRefused = isSkipped || row.flags === promptStates.refused;
  if (row.flags === promptStates.set || (valuesTaken(operator) === 'none' && !isRefused)) return 'use';
  if (promptUse === 'show') return 'show';
  if (isRefused) return 'refused';
  const hasDefault = Boolean(row.Value1) && (valuesTaken(operator) !== 'two' || Boolean(row.Value2));
  if (hasDefault) return 'use';
  return row.bskip ? 'leaveOut' : 'missing';
}

function rowTexts(row: Criteria, operator: Operator): string[] {
  const missing = (field: string) => new ValueError(`the operator "${operator}" needs ${field}`);
  const taken = valuesTaken(operator);
  if (taken !== 'none' && (row.Value1 === null || row.Value1 === undefined)) throw missing('Value1');
  if (taken === 'two' && (row.Value2 === null || row.Value2 === undefined)) throw missing('Value2');
  const texts = valueTexts(operator, row.Value1 ?? '', row.Value2 ?? '');
  const isPattern = operator.endsWith('contains') || operator.endsWith('with');
  if (isPattern && texts[0] === '') throw missing('a text');
  return texts;
}

function comparableKind(operand: Expression): ColumnKind {
  const kind = kindOf(operand);
  if (kind === 'boolean' || kind === 'unknown') throw new ValueError('the field holds nothing to compare');
  return kind;
}
