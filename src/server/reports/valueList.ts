import type { Criteria, Report, ReportField } from '../../contract/resources/report.ts';
import { relativeDates } from '../security/rowSecurityValues.ts';
import { isTimeKind, kindOf } from './formulas/expressionKinds.ts';
import type { PlannedReport } from './planReport.ts';
import { type Expression, plainSelect, type Select } from './sql/tree.ts';
import { fieldNamed } from './totalsPlan.ts';

/** The report that shows the different values of one field and nothing else. */
export function reportOfField(field: ReportField): Report {
  return { FieldList: [{ ...field, fieldindex: 1, grouped: 0, Criteria: [] }], Distinct: 1 };
}

/**
 * The values of a prompt that need no query: dates offer relative expressions, an aggregate nothing. Undefined for any
 * other field. API description, GetFieldValues.
 */
export function fixedValues({ columns: [column] }: PlannedReport): readonly string[] | undefined {
  if (!column || column.isAggregate) return [];
  const kind = kindOf(column.expression);
  return isTimeKind(kind) || kind === 'unixTime' ? relativeDates : undefined;
}

const listAlias = 'list';

/**
 * The query of a value list over the rows of a report: `key` is the value, `val` what is shown for it; both are the first
 * column unless `row` names others (`vrpt_valuecol`, `vrpt_displaycol`). At most `limit` entries, in the order shown.
 * @throws {ReportError} when the report has no such column.
 */
export function valueListOf({ select, columns }: PlannedReport, row: Criteria, limit: number): Select {
  const column = (name: unknown, otherwise: string): Expression => {
    const wanted = typeof name === 'string' && name.trim() !== '' ? name : otherwise;
    const { alias, expression } = fieldNamed(wanted, columns);
    const kind = kindOf(expression);
    return {
      kind: 'column',
      source: listAlias,
      column: alias,
      holds: kind === 'boolean' || kind === 'unknown' ? 'text' : kind,
    };
  };
  const first = columns[0]?.alias ?? '';
  const key = column(row.vrpt_valuecol, first);
  const val = column(row.vrpt_displaycol, key.kind === 'column' ? key.column : first);
  const from = { select: { ...select, orderBy: [] }, alias: listAlias };
  return {
    ...plainSelect(
      [
        { expression: key, alias: 'key' },
        { expression: val, alias: 'val' },
      ],
      from,
    ),
    isDistinct: true,
    where: { kind: 'null', operand: key, isNegated: true },
    orderBy: ['val', 'key'].map((alias) => ({
      expression: { kind: 'output', alias, holds: 'text' } as const,
      isDescending: false,
    })),
    limit,
  };
}

/** The id of the report that lists a prompt's values, or undefined when the field's own values do. */
export function valueReportId(row: Criteria | undefined): string | undefined {
  const id = String(row?.vrpt ?? '').trim();
  return id === '' || id === '0' || id === 'false' ? undefined : id;
}
