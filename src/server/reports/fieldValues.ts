import * as z from 'zod';
import type { Prompt, ReportMetadata } from '../../contract/resources/report.ts';
import type { SignedInContext } from '../calls/handlers.ts';
import { limits } from '../databases/databaseAccess.ts';
import { readableReport } from '../library/items.ts';
import { readSettings } from '../store/settings.ts';
import { openReport, type ReportGround, type ReportParts } from './openReport.ts';
import { ReportError } from './reportError.ts';
import type { Select } from './sql/tree.ts';
import { spokenBy } from './sql/dialect.ts';
import { statementOf } from './sql/emit.ts';
import { fixedValues, reportOfField, valueListOf, valueReportId } from './valueList.ts';

/** Entry of a value list: text whatever the field holds, since it goes into LowValue and HighValue, which are text. */
const fieldValue = z.object({ key: z.string().nullable(), val: z.string().nullable() });

export type FieldValue = z.output<typeof fieldValue>;

const fieldValueRows = z.array(fieldValue);

/**
 * The values that a prompt offers, read behind the caller's row security like any report. API description,
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
    if (!list) throw new ReportError(`The value list's report ${reportId} does not exist, or you may not see it`);
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
  const rows = await database.readJson(
    statementOf(select, spokenBy(ground.dialect, database)),
    limits(ground.server, signal),
  );
  const values: FieldValue[] = [];
  for await (const { json } of rows) values.push(...fieldValueRows.parse(parseTexts(`[${String(json)}]`)));
  return values;
}

/** Parses JSON; numbers and booleans become the text that they are written as: with all their digits, 5.0 as 5. */
function parseTexts(json: string): unknown {
  return JSON.parse(json, (_key, value: unknown, { source }) =>
    typeof value === 'number' || typeof value === 'boolean' ? source?.replace(/\.0+$/, '') : value,
  );
}
