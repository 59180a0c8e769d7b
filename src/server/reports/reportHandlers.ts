import { errorCodes } from '../../contract/errorCodes.ts';
import { outputTypes } from '../../contract/outputTypes.ts';
import { type Report, reportMetadata, type ReportMetadata } from '../../contract/resources/report.ts';
import { isAdministrator } from '../calls/caller.ts';
import { CallFailure, type HandlerReply, type Handlers, noContent, type SignedInContext } from '../calls/handlers.ts';
import { refusal } from '../calls/wholeObject.ts';
import { DatabaseError } from '../databases/database.ts';
import { readableReport } from '../library/items.ts';
import { todayOf } from '../security/rowSecurityOfCaller.ts';
import { withCompiledCriteria } from './compiledCriteria.ts';
import { fieldValues } from './fieldValues.ts';
import { openReport, ReportAccessError, type ReportParts } from './openReport.ts';
import { answerPrompt, answerPrompts, promptsOf } from './prompts.ts';
import { reportData } from './reportData.ts';
import { ReportError } from './reportError.ts';
import { newCriteria, newField, newReport, newTotals, sqlFunctions } from './reportTemplates.ts';
import { ResultCache } from './resultCache.ts';
import { reportRecord, saveReport, updateSavedReport } from './savedReports.ts';
import { dialectOf } from './sql/dialects.ts';
import type { Dialect } from './sql/dialect.ts';
import { readableSql } from './sql/emit.ts';

/** What saving a report needs beside what running one does. */
export interface SavingParts {
  /** Hears of the session that a report was saved in. API description, Events. */
  afterSave(sessionToken: string): void;
}

/** Handlers of report definitions, prompts, SQL and results. API description, Reports. */
export function createReportHandlers(parts: ReportParts & SavingParts): Handlers {
  const running = { ...parts, results: new ResultCache() };
  return {
    'Report/NewReport': () => newReport(),
    'Report/NewField': ({ field }) => newField(field),
    'Report/NewCriteria': ({ field }) => newCriteria(field),
    'Report/NewTotals': ({ type }) => newTotals(type),
    'Report/GetOutputTypes': () => outputTypes,
    'Report/GetSQLFunctions': ({ db_plat }) => sqlFunctions(requiredDialect(db_plat)),
    'Report/SaveReport': thenTold(parts, saveReport),
    'Report/UpdateReport': thenTold(parts, updateSavedReport),
    'Report/GetReport': ({ ReportId }, { store, caller }) => {
      const found = readableReport(store, caller, ReportId);
      if (!found) throw noSuchReport();
      return reportRecord(found);
    },
    'Report/GetReportMetadataById': ({ ReportID }, { store, caller }) => {
      const found = readableReport(store, caller, ReportID);
      if (!found) throw noSuchReport();
      const report = reportRecord(found);
      return { Report: report, Prompts: promptsOf(report) };
    },
    'Report/ReplacePrompt': ({ Reportobj, Prompt }, { now }) => answered(() => answerPrompt(Reportobj, Prompt, now)),
    'Report/ReplacePromptCollection': ({ Reportobj, Prompts }, { now }) =>
      answered(() => answerPrompts(Reportobj, Prompts, now)),
    'Report/GetFieldValues': (body, context) => onlyTellable(() => fieldValues(parts, body, context)),
    'Report/GetSQL': ({ Reportobj }, context) => onlyTellable(() => generatedSql(parts, Reportobj, context)),
    'Report/ReportProcUI': ({ db_platform, report }, context) =>
      onlyTellable(async () => {
        const dialect = requiredDialect(db_platform);
        const { tables } = await openReport(parts, context, report);
        return withCompiledCriteria(report, tables, dialect, todayOf(context.caller, context.now));
      }),
    'Report/GetReportData': (body, context) => reportData(running, body, context),
  };
}

function thenTold<Body>(parts: SavingParts, save: (body: Body, context: SignedInContext) => HandlerReply) {
  return (body: Body, context: SignedInContext): HandlerReply => {
    const reply = save(body, context);
    if (reply !== noContent) parts.afterSave(context.sessionToken);
    return reply;
  };
}

function noSuchReport(): CallFailure {
  return new CallFailure(errorCodes.noSuchReport, 'Report does not exist.');
}

function requiredDialect(platform: string): Dialect {
  const dialect = dialectOf(platform);
  if (!dialect) throw refusal(`Reports cannot be written for the platform "${platform}".`);
  return dialect;
}

/** Answers prompts; what stands in the way is told in the metadata's own envelope. */
function answered(answer: () => ReportMetadata): ReportMetadata {
  try {
    return answer();
  } catch (error) {
    throw error instanceof ReportError ? refusal(error.message) : error;
  }
}

/** Runs a handler whose own errors have a meaning for the caller; a caller without access gets 204. */
async function onlyTellable(work: () => Promise<HandlerReply>): Promise<HandlerReply> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ReportAccessError) return noContent;
    if (error instanceof ReportError) throw refusal(error.message);
    if (error instanceof DatabaseError) {
      const code = error.kind === 'unreachable' ? errorCodes.serverUnreachable : errorCodes.notCompleted;
      throw new CallFailure(code, error.message);
    }
    throw error;
  }
}

/** The SQL of a report, given bare or as metadata, for people to read. API description, GetSQL. */
async function generatedSql(parts: ReportParts, sent: Report, context: SignedInContext): Promise<string> {
  const metadata = reportMetadata.safeParse(sent);
  const report = (metadata.success && metadata.data.Report) || sent;
  const { dialect, plan } = await openReport(parts, context, report);
  return readableSql(plan(report, 'show').select, dialect, isAdministrator(context.caller));
}
