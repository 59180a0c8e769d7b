import { errorCodes } from '../../contract/errorCodes.ts';
import { type Criteria, type Report, requiredReportCollections } from '../../contract/resources/report.ts';
import { CallFailure, type HandlerReply, noContent, type SignedInContext } from '../calls/handlers.ts';
import { checkRevision } from '../calls/revisions.ts';
import { refusal, requireCollections, requireWholeNumbers, sentId } from '../calls/wholeObject.ts';
import { findReportType } from '../catalogue/reportTypes.ts';
import { mayUseApplication } from '../identity/applicationRoles.ts';
import { visibleFolder, type VisibleFolder } from '../library/folderRights.ts';
import { insertReport, readableReport, type StoredReport, updateReport } from '../library/items.ts';
import { auditSymbols } from '../store/auditTrail.ts';
import { promptStates } from './criteriaPlan.ts';

/** A stored report as clients get it, with our field `Revision`; see `expectedRevision`. */
export function reportRecord({ definition, revision }: StoredReport): Report {
  return { ...definition, ErrorCode: errorCodes.success, ErrorMessage: null, Revision: revision };
}

/** Answers SaveReport: creates the report, or replaces it when it carries an id. API description, SaveReport. */
export function saveReport(body: { report: Report }, context: SignedInContext): HandlerReply {
  const id = storeReport(body, context);
  const saved = id === undefined ? undefined : readableReport(context.store, context.caller, id);
  return saved ? reportRecord(saved) : noContent;
}

/** Answers UpdateReport with the fields that it documents. API description, UpdateReport. */
export function updateSavedReport(body: { report: Report }, context: SignedInContext): HandlerReply {
  requireCollections(body.report, 'The report', requiredReportCollections);
  if (sentId(body.report.ReportID) === null)
    throw refusal('UpdateReport needs a ReportID; SaveReport creates reports.');
  const id = storeReport(body, context);
  if (id === undefined) return noContent;
  const { Reportname, Description } = body.report;
  return { ErrorCode: errorCodes.success, ErrorMessage: null, ReportID: id, Reportname, Description };
}

/** Stores a report; undefined when the caller may not. */
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
    if (known && known.folderId !== folderId) requireRemovable(known, folder, context);

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
 * Where other people see the folder that a report goes to, a move takes it from those who see it now, as a deletion would.
 * @throws {CallFailure} 9001 when the caller may not delete it.
 */
function requireRemovable({ folderId, definition, rights }: StoredReport, to: VisibleFolder, context: SignedInContext) {
  const from = visibleFolder(context.store, context.caller, folderId);
  if (rights.delete || from?.audience === to.audience) return;
  throw refusal(
    `folderid: other people see ${to.path} than ${from?.path ?? 'the folder that the report is in'}, and you may not delete ` +
      `"${definition.Reportname ?? ''}" there. Save a copy in ${to.path}, or ask a member who may delete.`,
  );
}

/**
 * Without what is kept beside the definition, what is never kept, and the answers to prompts, which had taken the place of the
 * values that `before` holds.
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

/** A row without the answer that one user gave to its prompt. */
function unanswered(row: Criteria, earlier: Criteria | undefined): Criteria {
  if (!row.bprompt) return row;
  if (row.flags !== promptStates.set && row.flags !== promptStates.refused) return { ...row, flags: '' };
  const isSame = earlier?.bprompt && earlier.Op === row.Op && earlier.Field === row.Field;
  const { Value1, Value2 } = isSame ? earlier : { Value1: '', Value2: '' };
  return { ...row, Value1, Value2, flags: '' };
}
