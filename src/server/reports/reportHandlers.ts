import { errorCodes } from '../../contract/errorCodes.ts';
import { outputTypes } from '../../contract/outputTypes.ts';
import {
  type Report,
  reportMetadata,
  type ReportMetadata,
  type Criteria,
  requiredReportCollections,
  type ReportField,
} from '../../contract/resources/report.ts';
import { isAdministrator } from '../calls/caller.ts';
import { CallFailure, type HandlerReply, type Handlers, noContent, type SignedInContext } from '../calls/handlers.ts';
import { refusal, requireCollections, requireWholeNumbers, sentId, checkRevision } from '../calls/wholeObject.ts';
import { DatabaseError } from '../databases/database.ts';
import { readableReport, insertReport, type StoredReport, updateReport } from '../library/items.ts';
import { fieldValues } from './fieldValues.ts';
import { openReport, ReportAccessError, type ReportParts } from './openReport.ts';
import { answerPrompt, answerPrompts, promptsOf } from './prompts.ts';
import { reportData } from './reportData.ts';
import { ReportError } from './reportError.ts';
import { newCriteria, newField, newReport, newTotals, sqlFunctions } from './reportTemplates.ts';
import { ResultCache } from './resultCache.ts';
import { dialectOf } from './sql/dialects.ts';
import type { Dialect } from './sql/dialect.ts';
import { readableSql, readableConditions } from './sql/emit.ts';
import { findReportType } from '../catalogue/reportTypes.ts';
import { mayUseApplication } from '../identity/applicationRoles.ts';
import { requireMoveAllowed, visibleFolder } from '../library/folderRights.ts';
import { auditSymbols } from '../store/auditTrail.ts';
import { promptStates, type CriteriaReading, criteriaRows, fieldCondition, rowCondition } from './criteriaPlan.ts';
import { readOperator, valuesTaken } from '../../contract/operators.ts';
import { type PlannedField, planFields } from './fieldPlan.ts';
import type { ReportTables } from './reportTables.ts';

/** Dependencies of saving a report in addition to those of running one. */
interface SavingParts {
  /** Called with the session that saved a report. API description, Events. */
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
        const { tables, dates } = await openReport(parts, context, report);
        return withCompiledCriteria(report, tables, dialect, dates);
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

/** Replaces prompt values; returns errors in the metadata's own envelope. */
function answered(answer: () => ReportMetadata): ReportMetadata {
  try {
    return answer();
  } catch (error) {
    throw error instanceof ReportError ? refusal(error.message) : error;
  }
}

/** Runs a handler whose errors may be shown to the caller; returns 204 to a caller without access. */
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

/** The SQL of a report, sent bare or as metadata, for display. API description, GetSQL. */
async function generatedSql(parts: ReportParts, sent: Report, context: SignedInContext): Promise<string> {
  const metadata = reportMetadata.safeParse(sent);
  const report = (metadata.success && metadata.data.Report) || sent;
  const { dialect, plan } = await openReport(parts, context, report);
  return readableSql(plan(report, 'show').select, dialect, isAdministrator(context.caller));
}

/** A stored report as sent to clients, with the added field `Revision`; see `expectedRevision`. */
function reportRecord({ definition, revision }: StoredReport): Report {
  return { ...definition, ErrorCode: errorCodes.success, ErrorMessage: null, Revision: revision };
}

/** Handles SaveReport: creates the report, or replaces it if it has an id. API description, SaveReport. */
function saveReport(body: { report: Report }, context: SignedInContext): HandlerReply {
  const id = storeReport(body, context);
  const saved = id === undefined ? undefined : readableReport(context.store, context.caller, id);
  return saved ? reportRecord(saved) : noContent;
}

/** Handles UpdateReport with its documented fields. API description, UpdateReport. */
function updateSavedReport(body: { report: Report }, context: SignedInContext): HandlerReply {
  requireCollections(body.report, 'The report', requiredReportCollections);
  if (sentId(body.report.ReportID) === null)
    throw refusal('UpdateReport needs a ReportID; SaveReport creates reports.');
  const id = storeReport(body, context);
  if (id === undefined) return noContent;
  const { Reportname, Description } = body.report;
  return { ErrorCode: errorCodes.success, ErrorMessage: null, ReportID: id, Reportname, Description };
}

/** Stores a report; undefined if the caller has no permission. */
function storeReport(body: { report: Report }, context: SignedInContext): string | undefined {
  const { report } = body;
  const { store, caller, now } = context;
  requireCollections(report, 'The report', requiredReportCollections);
  requireWholeNumbers(report, 'The report', ['OutputType', 'Distinct', 'TopN']);
  const id = sentId(report.ReportID);
  return store.transaction(() => {
    const known = id === null ? undefined : readableReport(store, caller, id);
    if (id !== null && !known) throw new CallFailure(errorCodes.noSuchReport, 'Report does not exist.');
    if (known) checkRevision(body, known.revision, `Report "${report.Reportname ?? ''}"`);
    const folderId = String(report.folderid || (known?.folderId ?? ''));
    const folder = visibleFolder(store, caller, folderId);
    if (!folder && caller.isSuperAdmin) throw refusal(`There is no folder with the id ${folderId || 0}.`);
    if (!folder?.rights.modify || known?.rights.modify === false) return undefined;
    if (known && known.folderId !== folderId) {
      requireMoveAllowed({ ...known, name: known.definition.Reportname ?? '' }, folder, context);
    }

    if (!report.Reportname?.trim()) throw refusal('Reportname is empty.');
    const reportType = findReportType(store, {
      name: report.ReportType ?? '',
      moduleName: report.ModuleName ?? '',
      serverName: report.ServerName ?? '',
    });
    if (!reportType) throw refusal(`The application "${report.ModuleName}" has no report type "${report.ReportType}".`);
    const applicationId = reportType.moduleId;
    if (!mayUseApplication(caller, applicationId)) return undefined;
    const stored = { definition: storedDefinition(report, known?.definition), folderId, applicationId };
    context.audit(auditSymbols.change, `${known ? 'Changed' : 'Created'} report "${report.Reportname ?? ''}"`);
    if (!known) return insertReport(store, { ...stored, createdBy: caller.userId }, now);
    updateReport(store, known.id, { ...stored, modifiedBy: caller.userId }, now);
    return known.id;
  });
}

/**
 * Removes the fields stored outside the definition, those never stored, and the prompt values, which had replaced the
 * values in `before`.
 */
function storedDefinition(report: Report, before: Report | undefined): Report {
  const {
    ReportID: _id,
    folderid: _folder,
    ErrorCode: _code,
    ErrorMessage: _message,
    Revision: _revision,
    ...kept
  } = report;
  const fields = (kept.FieldList ?? []).map((field, position) => {
    if (field.Criteria === null) return field;
    const earlier = before?.FieldList?.[position]?.Criteria ?? [];
    return { ...field, Criteria: (field.Criteria ?? []).map((row, at) => unanswered(row, earlier[at])) };
  });
  return { ...kept, DbLogin: '', DbPass: '', DbName: '', DbDriver: '', FieldList: fields };
}

/** A row without the value that one user entered for its prompt. */
function unanswered(row: Criteria, earlier: Criteria | undefined): Criteria {
  if (!row.bprompt) return row;
  if (row.flags !== promptStates.set && row.flags !== promptStates.refused) return { ...row, flags: '' };
  const isSame = earlier?.bprompt && earlier.Op === row.Op && earlier.Field === row.Field;
  const { Value1, Value2 } = isSame ? earlier : { Value1: '', Value2: '' };
  return { ...row, Value1, Value2, flags: '' };
}

/**
 * A report whose fields include their compiled criteria: `tbl10` as SQL, `tbl11` the operator before the next field,
 * `SearchCriteria` as text, and `cond` in each criteria row. For display; never read back. API description,
 * ReportProcUI.
 * @throws {ReportError} naming the field that cannot be read.
 */
export function withCompiledCriteria(
  report: Report,
  tables: ReportTables,
  dialect: Dialect,
  dates: Omit<CriteriaReading, 'promptUse'>,
): Report {
  const reading: CriteriaReading = { promptUse: 'show', ...dates };
  const write = readableConditions(dialect);
  const planned = new Map(planFields(report, tables, dates.today).map((field) => [field.field, field]));
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
