import { errorCodes } from '../../contract/errorCodes.ts';
import type { Criteria, Report, ReportField } from '../../contract/resources/report.ts';
import { readOperator, valuesTaken } from '../../contract/operators.ts';
import { type CriteriaReading, criteriaRows, fieldCondition, rowCondition } from './criteriaPlan.ts';
import { type PlannedField, planFields } from './fieldPlan.ts';
import type { ReportTables } from './reportTables.ts';
import type { Dialect } from './sql/dialect.ts';
import { readableConditions } from './sql/emit.ts';

/**
 * A report whose fields carry their compiled criteria: `tbl10` as SQL, `tbl11` the operator that leads to the next field,
 * `SearchCriteria` in words, and `cond` in each criteria row. Written for people; nothing of it is ever read back.
 * API description, ReportProcUI.
 * @throws {ReportError} naming the field that cannot be read.
 */
export function withCompiledCriteria(report: Report, tables: ReportTables, dialect: Dialect, today: string): Report {
  const reading: CriteriaReading = { promptUse: 'show', today };
  const write = readableConditions(dialect);
  const planned = new Map(planFields(report, tables, today).map((field) => [field.field, field]));
  const fields = (report.FieldList ?? []).map((field) => {
    const plan = planned.get(field);
    return plan ? compiledField(field, plan, write, reading) : field;
  });
  const answered = {
    ErrorCode: errorCodes.success,
    ErrorMessage: null,
    DbLogin: '',
    DbPass: '',
    DbName: '',
    DbDriver: '',
  };
  return { ...report, ...answered, FieldList: fields };
}

function compiledField(
  field: ReportField,
  plan: PlannedField,
  write: ReturnType<typeof readableConditions>,
  reading: CriteriaReading,
): ReportField {
  const { predicate, joiner } = fieldCondition(plan, reading);
  const rows = criteriaRows(plan);
  const filtering = new Set(rows);
  return {
    ...field,
    tbl10: write(predicate),
    tbl11: predicate ? joiner : '',
    SearchCriteria: rows.map((row) => inWords(plan.header, row)).join(' '),
    Criteria: (field.Criteria ?? []).map((row) => {
      const condition = filtering.has(row) ? rowCondition(plan, row, reading) : undefined;
      return { ...row, cond: write(condition) };
    }),
  };
}

function inWords(name: string, row: Criteria): string {
  const operator = readOperator(row.Op ?? '');
  const taken = operator ? valuesTaken(operator) : 'none';
  const values = row.bprompt ? ['?', '?'] : [row.Value1 ?? '', row.Value2 ?? ''];
  const shown = taken === 'none' ? '' : taken === 'two' ? ` ${values.join(' and ')}` : ` ${values[0]}`;
  return `${name} ${operator ?? row.Op ?? ''}${shown}`;
}
