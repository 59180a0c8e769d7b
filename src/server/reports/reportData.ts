import { errorCodes } from '../../contract/errorCodes.ts';
import {
  report as reportSchema,
  type Report,
  reportMetadata,
  type ReportMetadata,
} from '../../contract/resources/report.ts';
import { type SignedInContext, StreamedJson } from '../calls/handlers.ts';
import { DatabaseError } from '../databases/database.ts';
import { limits } from '../databases/databaseAccess.ts';
import { findUser } from '../identity/users.ts';
import { readableReport } from '../library/items.ts';
import { auditSymbols } from '../store/auditTrail.ts';
import { readSettings } from '../store/settings.ts';
import { chosenLink, type FieldEquals, linkConditions } from './drillDown.ts';
import { openReport, ReportAccessError, type ReportParts } from './openReport.ts';
import { ReportError } from './reportError.ts';
import { cacheMinutes, type ResultCache } from './resultCache.ts';
import { startReport } from './runReport.ts';
import { readableSql } from './sql/emit.ts';

/** Body of GetReportData. */
export interface ReportDataRequest {
  Reportobj: ReportMetadata;
  IsDrillDown?: boolean | null;
  DrillDownCriteria?: Record<string, unknown> | null;
  TargetReportobj?: Record<string, unknown> | null;
  supressprompts?: boolean | null;
  cacheok?: boolean | null;
}

/**
 * Handles GetReportData: plans the report for the caller, runs it and streams the result. Failures are results, too:
 * HasError with ErrorCode 0. API description, GetReportData.
 */
export async function reportData(
  parts: ReportParts & { results: ResultCache },
  body: ReportDataRequest,
  context: SignedInContext,
): Promise<object> {
  let report = body.Reportobj.Report ?? {};
  let isAudited = false;
  try {
    const { store, now, signal } = context;
    const isDrillDown = Boolean(body.IsDrillDown);
    const refused =
      body.supressprompts || isDrillDown ? undefined : body.Reportobj.Prompts?.find((prompt) => prompt.HasError);
    if (refused) throw new ReportError(refused.ErrorMessage || 'A prompt was not given a valid value');
    const drill = isDrillDown ? drillDown(report, body, context) : { report, equals: [] };
    report = drill.report;
    const ground = await openReport(parts, context, report);
    const plan = ground.plan(report, body.supressprompts ? 'leaveOut' : 'run', { equals: drill.equals });
    const name = report.Reportname ?? '';
    store.transactionOrLater(() => {
      context.audit(auditSymbols.reportExecution, name);
      // With policy values: the audit trail is for administrators.
      context.audit(auditSymbols.reportSql, readableSql(plan.select, ground.dialect, true));
    });
    isAudited = true;
    const ownLimit = findUser(store, context.caller.userId)?.fastCacheLimit ?? 0;
    const maxAgeMs = cacheMinutes(readSettings(store).FastCacheMin, ownLimit) * 60_000;
    const chunks = await startReport({
      report,
      plan,
      dialect: ground.dialect,
      source: JSON.stringify(ground.server),
      database: ground.database,
      options: limits(ground.server, signal),
      isTopLevel: !isDrillDown,
      cache: body.cacheok && maxAgeMs > 0 ? { results: parts.results, now, maxAgeMs } : undefined,
    });
    return new StreamedJson(chunks);
  } catch (error) {
    if (isTellable(error)) {
      const name = report.Reportname ?? '';
      if (!isAudited) context.audit(auditSymbols.reportExecution, `${name}, refused`);
      return failedResult(report, error.message);
    }
    throw error;
  }
}

/** Whether an error's message may be shown to the caller. */
export function isTellable(error: unknown): error is Error {
  return error instanceof ReportError || error instanceof ReportAccessError || error instanceof DatabaseError;
}

function failedResult(report: Report, message: string): object {
  return {
    ErrorCode: errorCodes.success,
    ErrorMessage: message,
    HasError: true,
    ReportID: report.ReportID ?? null,
    OutputType: report.OutputType ?? 1,
    Columns: [],
    jqxColumns: [],
    Data: [],
    GroupMetadata: [],
    groups: [],
    IsFromCache: false,
    IsTopLevel: true,
    ContainsDrilldown: false,
    etime: '0',
    dbtime: '0',
  };
}

/** The report that a clicked row opens, with the conditions from the row. */
function drillDown(
  source: Report,
  body: ReportDataRequest,
  { store, caller }: SignedInContext,
): { report: Report; equals: FieldEquals[] } {
  const sent = sentTarget(body.TargetReportobj);
  const link = chosenLink(source, sent?.ReportID ? String(sent.ReportID) : undefined);
  const target = sent ?? readableReport(store, caller, link.ReportID)?.definition;
  if (!target) throw new ReportError(`The report "${link.Name ?? link.ReportID}" does not exist, or you cannot see it`);
  return { report: target, equals: linkConditions(link, body.DrillDownCriteria ?? {}) };
}

/** The target as sent: metadata, or a bare report. */
function sentTarget(value: ReportDataRequest['TargetReportobj']): Report | undefined {
  if (!value) return undefined;
  const metadata = reportMetadata.safeParse(value);
  if (metadata.success && metadata.data.Report) return metadata.data.Report;
  const bare = reportSchema.safeParse(value);
  if (!bare.success) throw new ReportError('TargetReportobj is not a report');
  return bare.data.FieldList ? bare.data : undefined;
}
