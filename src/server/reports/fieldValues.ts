import * as z from 'zod';
import type { Prompt, ReportMetadata, Criteria, Report, ReportField } from '../../contract/resources/report.ts';
import type { SignedInContext } from '../calls/handlers.ts';
import { limits } from '../databases/databaseAccess.ts';
import { readableReport } from '../library/items.ts';
import { readSettings } from '../store/settings.ts';
import { openReport, type ReportGround, type ReportParts } from './openReport.ts';
import { ReportError } from './reportError.ts';
import { readSelect } from './runReport.ts';
import { type Select, type Expression, plainSelect } from './sql/tree.ts';
import { spokenBy } from './sql/dialect.ts';
import { relativeDates } from '../security/rowSecurityValues.ts';
import { isTimeKind, kindOf } from './formulas/expressionKinds.ts';
import type { PlannedReport } from './planReport.ts';
import { fieldNamed } from './totalsPlan.ts';

/** Entry of a value list: always text, because it goes into LowValue and HighValue, which are text. */
const fieldValue = z.object({ key: z.string().nullable(), val: z.string().nullable() });

type FieldValue = z.output<typeof fieldValue>;

const fieldValueRows = z.array(fieldValue);

/**
 * The values that a prompt offers, read with the caller's row security like any report. API description,
 * GetFieldValues.
 * @throws {ReportError} when the prompt names no field of the report type.
 * @throws {DatabaseError}
 */
export async function fieldValues(
  parts: ReportParts,
  body: { Reportobj: ReportMetadata; Prompt: Prompt },
  context: SignedInContext,
): Promise<FieldValue[]> {
  const field = body.Prompt.PromptField;
  if (!field) throw new ReportError('The prompt has no PromptField');
  const row = field.Criteria?.[0] ?? {};
  const most = readSettings(context.store).PROMPT_VALUES_LIMIT;
  const wanted = Math.floor(row.vdefaulttop ?? 0);
  const limit = wanted >= 1 ? Math.min(wanted, most) : most;

  const reportId = valueReportId(row);
  if (reportId !== undefined) {
    const list = readableReport(context.store, context.caller, reportId)?.definition;
    if (!list) throw new ReportError(`The value list's report ${reportId} does not exist, or you cannot see it`);
    const ground = await openReport(parts, context, list);
    return read(ground, valueListOf(ground.plan(list, 'leaveOut'), row, limit), context);
  }
  const ground = await openReport(parts, context, body.Reportobj.Report ?? {});
  const plan = ground.plan(reportOfField(field), 'leaveOut');
  const fixed = fixedValues(plan);
  return fixed
    ? fixed.map((value) => ({ key: value, val: value }))
    : read(ground, valueListOf(plan, {}, limit), context);
}

async function read(ground: ReportGround, select: Select, { signal }: SignedInContext): Promise<FieldValue[]> {
  const database = await ground.database();
  const dialect = spokenBy(ground.dialect, database);
  const { rows } = await readSelect(select, dialect, database, limits(ground.server, signal));
  const values: FieldValue[] = [];
  for await (const { json } of rows) values.push(...fieldValueRows.parse(parseTexts(`[${String(json)}]`)));
  return values;
}

/** Parses JSON; numbers and booleans become text, numbers with all their digits and 5.0 as 5. */
function parseTexts(json: string): unknown {
  return JSON.parse(json, (_key, value: unknown, { source }) =>
    typeof value === 'number' || typeof value === 'boolean' ? source?.replace(/\.0+$/, '') : value,
  );
}

/** A report that shows only the distinct values of one field. */
export function reportOfField(field: ReportField): Report {
  return { FieldList: [{ ...field, fieldindex: 1, grouped: 0, Criteria: [] }], Distinct: 1 };
}

/**
 * The values of a prompt that need no query: relative expressions for dates, nothing for an aggregate. Undefined for
 * any other field. API description, GetFieldValues.
 */
export function fixedValues({ columns: [column] }: PlannedReport): readonly string[] | undefined {
  if (!column || column.isAggregate) return [];
  const kind = kindOf(column.expression);
  return isTimeKind(kind) || kind === 'unixTime' ? relativeDates : undefined;
}

const listAlias = 'list';

/**
 * The query of a value list over the rows of a report: `key` is the value, `val` its display text; both are the first
 * column unless `row` names others (`vrpt_valuecol`, `vrpt_displaycol`). At most `limit` entries, in display order.
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

/** The id of the report that lists a prompt's values, or undefined if they are the field's own values. */
function valueReportId(row: Criteria | undefined): string | undefined {
  const id = String(row?.vrpt ?? '').trim();
  return id === '' || id === '0' || id === 'false' ? undefined : id;
}
