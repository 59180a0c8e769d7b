import { errorCodes } from '../../contract/errorCodes.ts';
import { idText } from '../../contract/idText.ts';
import type { Dashboard } from '../../contract/resources/dashboard.ts';
import type { Caller } from '../calls/caller.ts';
import { noContent, type HandlerReply, type Handlers, type SignedInContext } from '../calls/handlers.ts';
import { checkRevision, refusal, requireCollections, sentId } from '../calls/wholeObject.ts';
import { auditSymbols } from '../store/auditTrail.ts';
import type { Store } from '../store/store.ts';
import { requireMoveAllowed, visibleFolder, type VisibleFolder } from './folderRights.ts';
import {
  authorRecord,
  deleteItem,
  findItem,
  insertDashboard,
  readableReport,
  reportsOfDashboard,
  updateDashboard,
  type ListedItem,
} from './items.ts';

/** Each report is a panel, and a query when the dashboard opens. */
const mostReports = 100;

/** Handlers of our own calls, which make, read, change and delete one dashboard. */
export const dashboardHandlers: Handlers = {
  'Dashboard/NewDashboard': () => newDashboard,
  'Dashboard/GetDashboard': ({ DashboardId }, { store, caller }) => {
    const found = readableDashboard(store, caller, DashboardId);
    if (!found) throw noSuchDashboard();
    return dashboardRecord(found, store, caller);
  },
  'Dashboard/SaveDashboard': (body, context) => context.store.transaction(() => saveDashboard(body, context)),
  'Dashboard/DelDashboard': ({ DashboardId }, context) => {
    const { store, caller } = context;
    return store.transaction(() => {
      const found = readableDashboard(store, caller, DashboardId);
      if (!found) return errorCodes.unexpected;
      if (!found.place.rights.delete) return noContent;
      deleteItem(store, found.item.id);
      context.audit(auditSymbols.change, `deleted dashboard ${found.place.path}/${found.item.name}`);
      return 0;
    });
  },
};

const newDashboard: Dashboard = {
  ErrorCode: errorCodes.success,
  ErrorMessage: null,
  id: 0,
  name: 'New Dashboard',
  descr: '',
  folderid: 0,
  reports: [],
};

/** A dashboard that a caller may see, with its folder. */
interface ReadableDashboard {
  item: ListedItem;
  place: VisibleFolder;
}

/** The dashboard with this id; undefined if it does not exist, or is in a folder that the caller may not see. */
function readableDashboard(store: Store, caller: Caller, id: string): ReadableDashboard | undefined {
  const item = findItem(store, id);
  const place = item?.kind === 'dashboard' ? visibleFolder(store, caller, item.folderId) : undefined;
  return item && place && { item, place };
}

/** One answer for both, so that it does not reveal the dashboards of others. */
function noSuchDashboard() {
  return refusal('Dashboard does not exist.');
}

/** A dashboard as this caller may see it: without reports that are hidden from the caller. */
function dashboardRecord({ item }: ReadableDashboard, store: Store, caller: Caller): Dashboard {
  return {
    ErrorCode: errorCodes.success,
    ErrorMessage: null,
    id: Number(item.id),
    name: item.name,
    descr: item.description,
    folderid: Number(item.folderId),
    reports: reportsOfDashboard(store, item.id)
      .filter((id) => readableReport(store, caller, id))
      .map((ReportID) => ({ ReportID })),
    CreatedBy: authorRecord(item.createdBy),
    LastModifiedBy: authorRecord(item.modifiedBy),
    CreatedDate: item.created,
    LastModifiedDate: item.modified,
    Revision: item.revision,
  };
}

/** Creates the dashboard, or replaces it if it has an id. Needs the rights that saving a report needs. */
function saveDashboard(body: { dashboard: Dashboard }, context: SignedInContext): HandlerReply {
  const { dashboard: sent } = body;
  const { store, caller, now } = context;
  requireCollections(sent, 'The dashboard', ['reports']);
  const id = idText(sent.id) === '0' ? null : sentId(sent.id);
  const known = id === null ? undefined : readableDashboard(store, caller, id);
  if (id !== null && !known) throw noSuchDashboard();
  const name = sent.name ?? '';
  if (known) checkRevision(body, known.item.revision, `Dashboard "${name}"`);
  const folderId = String(sent.folderid || (known?.item.folderId ?? ''));
  const folder = visibleFolder(store, caller, folderId);
  if (!folder && caller.isSuperAdmin) throw refusal(`There is no folder with the id ${folderId || 0}.`);
  if (!folder?.rights.modify || known?.place.rights.modify === false) return noContent;
  if (known && known.item.folderId !== folder.folder.id) {
    requireMoveAllowed(
      { folderId: known.item.folderId, name: known.item.name, rights: known.place.rights },
      folder,
      context,
    );
  }
  if (name.trim() === '') throw refusal('name, the name of the dashboard, is empty.');
  const reportIds = withHiddenReports(sentReports(sent, context), known?.item.id, context);
  const stored = { name, description: sent.descr ?? '', folderId: folder.folder.id, reportIds };
  if (known) updateDashboard(store, known.item.id, { ...stored, modifiedBy: caller.userId }, now);
  const savedId = known?.item.id ?? insertDashboard(store, { ...stored, createdBy: caller.userId }, now);
  context.audit(auditSymbols.change, `${known ? 'saved' : 'created'} dashboard ${folder.path}/${name}`);
  const saved = readableDashboard(store, caller, savedId);
  return saved ? dashboardRecord(saved, store, caller) : noContent;
}

/**
 * Ids of the sent reports, in order.
 * @throws {CallFailure} 9001 for one that is named twice, does not exist or is hidden from the caller.
 */
function sentReports({ reports }: Dashboard, { store, caller }: SignedInContext): string[] {
  const ids = new Set<string>();
  for (const [index, { ReportID }] of (reports ?? []).entries()) {
    const report = readableReport(store, caller, idText(ReportID));
    if (!report) throw refusal(`reports[${index}]: there is no report with the ID ${idText(ReportID) || '(none)'}.`);
    if (ids.has(report.id)) throw refusal(`reports[${index}]: the dashboard already shows the report ${report.id}.`);
    ids.add(report.id);
  }
  if (ids.size > mostReports) throw refusal(`reports: a dashboard shows at most ${mostReports} reports.`);
  return [...ids];
}

/** The sent reports and, each in its place, those that the caller does not see and so could not send. */
function withHiddenReports(sent: string[], id: string | undefined, { store, caller }: SignedInContext): string[] {
  const all = [...sent];
  for (const [position, reportId] of (id === undefined ? [] : reportsOfDashboard(store, id)).entries()) {
    if (!readableReport(store, caller, reportId)) all.splice(position, 0, reportId);
  }
  return all;
}
