import { report as reportSchema, type Report } from '../../contract/resources/report.ts';
import type { Caller } from '../calls/caller.ts';
import { mayUseApplication } from '../identity/applicationRoles.ts';
import { idOf, idOrNull, jsonOf, numberOf, textOf, textOrNull, rowById } from '../store/columns.ts';
import type { Row, Store } from '../store/store.ts';
import { visibleFolder, type Rights } from './folderRights.ts';

/** A report to create. */
export interface NewReport {
  definition: Report;
  folderId: string;
  /** Id of the author. */
  createdBy: string;
  /** Application of the report's type; callers without a role on it do not see the report. */
  applicationId: string;
}

/** A dashboard to create. */
export interface NewDashboard {
  name: string;
  description: string;
  folderId: string;
  /** Its reports, in order. */
  reportIds: readonly string[];
  createdBy?: string;
}

/** Who created or last changed an item. */
export interface ItemAuthor {
  loginName: string;
  fullName: string;
}

/** A report or dashboard for listings. Dates and times are UTC ISO 8601 text. */
export interface ListedItem {
  id: string;
  kind: 'report' | 'dashboard';
  name: string;
  description: string;
  folderId: string;
  /** Null for a dashboard. */
  applicationId: string | null;
  /** From the report's definition, as are `modType` and `outputType`; empty or 0 for a dashboard. */
  reportType: string;
  modType: string;
  outputType: number;
  created: string;
  createdBy: ItemAuthor | null;
  modified: string;
  modifiedBy: ItemAuthor | null;
  /** Incremented with every save. */
  revision: number;
}

/** A report or dashboard with all its stored data. */
export interface StoredItem extends ListedItem {
  /** Empty for a dashboard. */
  definition: Report;
}

/** A report that a caller may see, with the caller's rights. */
export interface StoredReport {
  id: string;
  definition: Report;
  folderId: string;
  applicationId: string;
  rights: Pick<Rights, 'view' | 'modify' | 'delete'>;
  revision: number;
}

/** Numbers that the store cannot return are ignored as output types: one such report would break every list. */
const outputType = `CASE WHEN abs(item.definition ->> '$.OutputType') < 1e15 THEN item.definition ->> '$.OutputType' END`;
const columns = `item.id, item.kind, item.name, item.description, item.folder_id, item.application_id,
  item.definition ->> '$.ReportType' AS report_type, item.definition ->> '$.ModType' AS mod_type,
  ${outputType} AS output_type, item.created, creator.login_name AS creator_login, trim(creator.first_name || ' ' || creator.last_name) AS creator_name,
  item.modified, editor.login_name AS editor_login, trim(editor.first_name || ' ' || editor.last_name) AS editor_name,
  item.revision`;
const source = `item LEFT JOIN user AS creator ON creator.id = item.created_by
  LEFT JOIN user AS editor ON editor.id = item.modified_by`;

/** Stores a new report with the name and description of its definition; returns its id. */
export function insertReport(store: Store, report: NewReport, now = new Date()): string {
  const moment = now.toISOString();
  const { lastId } = store.run(
    `INSERT INTO item (kind, name, description, folder_id, application_id, definition, created, created_by, modified,
      modified_by) VALUES ('report', ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    report.definition.Reportname ?? '',
    report.definition.Description ?? '',
    report.folderId,
    report.applicationId,
    JSON.stringify(report.definition),
    moment,
    report.createdBy,
    moment,
    report.createdBy,
  );
  return String(lastId);
}

/** Replaces a report's definition and location and increments its revision. */
export function updateReport(
  store: Store,
  reportId: string,
  report: Omit<NewReport, 'createdBy'> & { modifiedBy: string },
  now = new Date(),
): void {
  store.run(
    `UPDATE item SET name = ?, description = ?, folder_id = ?, application_id = ?, definition = ?, modified = ?,
      modified_by = ?, revision = revision + 1 WHERE id = ? AND kind = 'report'`,
    report.definition.Reportname ?? '',
    report.definition.Description ?? '',
    report.folderId,
    report.applicationId,
    JSON.stringify(report.definition),
    now.toISOString(),
    report.modifiedBy,
    reportId,
  );
}

/** Stores a new dashboard; returns its id. */
export function insertDashboard(store: Store, dashboard: NewDashboard, now = new Date()): string {
  const moment = now.toISOString();
  const author = dashboard.createdBy ?? null;
  return store.transaction(() => {
    const { lastId } = store.run(
      `INSERT INTO item (kind, name, description, folder_id, created, created_by, modified, modified_by)
        VALUES ('dashboard', ?, ?, ?, ?, ?, ?, ?)`,
      dashboard.name,
      dashboard.description,
      dashboard.folderId,
      moment,
      author,
      moment,
      author,
    );
    insertReportsOf(store, String(lastId), dashboard.reportIds);
    return String(lastId);
  });
}

/** Replaces a dashboard's name, description, location and reports and increments its revision. */
export function updateDashboard(
  store: Store,
  dashboardId: string,
  dashboard: Omit<NewDashboard, 'createdBy'> & { modifiedBy: string },
  now = new Date(),
): void {
  store.transaction(() => {
    store.run(
      `UPDATE item SET name = ?, description = ?, folder_id = ?, modified = ?, modified_by = ?, revision = revision + 1
        WHERE id = ? AND kind = 'dashboard'`,
      dashboard.name,
      dashboard.description,
      dashboard.folderId,
      now.toISOString(),
      dashboard.modifiedBy,
      dashboardId,
    );
    store.run('DELETE FROM dashboard_report WHERE dashboard_id = ?', dashboardId);
    insertReportsOf(store, dashboardId, dashboard.reportIds);
  });
}

function insertReportsOf(store: Store, dashboardId: string, reportIds: readonly string[]): void {
  const sql = 'INSERT INTO dashboard_report (dashboard_id, report_id, position) VALUES (?, ?, ?)';
  reportIds.forEach((reportId, position) => store.run(sql, dashboardId, reportId, position));
}

/** Deletes a report or dashboard, and removes it from dashboards and favourites. */
export function deleteItem(store: Store, itemId: string): void {
  store.run('DELETE FROM item WHERE id = ?', itemId);
}

/** The report or dashboard with this id, or undefined. Does not check the caller's access. */
export function findItem(store: Store, itemId: string): StoredItem | undefined {
  const row = rowById(store, `SELECT ${columns}, item.definition FROM ${source} WHERE item.id = ?`, itemId);
  return row && { ...readItem(row), definition: reportSchema.parse(jsonOf(row, 'definition')) };
}

/** Every report and dashboard, by name; without definitions, so that large libraries list fast. */
export function listItems(store: Store): ListedItem[] {
  return store.all(`SELECT ${columns} FROM ${source} ORDER BY item.name COLLATE NOCASE, item.id`).map(readItem);
}

/** Every report and dashboard directly in a folder, by name. */
export function listItemsIn(store: Store, folderId: string): ListedItem[] {
  const sql = `SELECT ${columns} FROM ${source} WHERE item.folder_id = ? ORDER BY item.name COLLATE NOCASE, item.id`;
  return store.all(sql, folderId).map(readItem);
}

/** Ids of a dashboard's reports, in order. */
export function reportsOfDashboard(store: Store, dashboardId: string): string[] {
  const sql = 'SELECT report_id FROM dashboard_report WHERE dashboard_id = ? ORDER BY position';
  return store.all(sql, dashboardId).map((row) => idOf(row, 'report_id'));
}

/** Number of reports on the server. */
export function countReports(store: Store): number {
  const row = store.get(`SELECT count(*) AS count FROM item WHERE kind = 'report'`);
  return row ? numberOf(row, 'count') : 0;
}

/**
 * The report with this id as the caller may see it; undefined when it does not exist, is a dashboard, is in a folder
 * that the caller may not see, or belongs to an application on which the caller has no role. The definition includes
 * id, folder, authors and dates.
 */
export function readableReport(store: Store, caller: Caller, reportId: string): StoredReport | undefined {
  const item = findItem(store, reportId);
  if (item?.kind !== 'report' || item.applicationId === null) return undefined;
  if (!mayUseApplication(caller, item.applicationId)) return undefined;
  const rights = visibleFolder(store, caller, item.folderId)?.rights;
  if (!rights) return undefined;
  return {
    id: item.id,
    definition: completeDefinition(item),
    folderId: item.folderId,
    applicationId: item.applicationId,
    rights: { view: rights.view, modify: rights.modify, delete: rights.delete },
    revision: item.revision,
  };
}

function completeDefinition(item: StoredItem): Report {
  return {
    ...item.definition,
    ReportID: item.id,
    folderid: Number(item.folderId),
    CreatedBy: authorRecord(item.createdBy),
    CreatedDate: item.created,
    LastModifiedBy: authorRecord(item.modifiedBy),
    LastModifiedDate: item.modified,
  };
}

/** An author in its wire form. */
export function authorRecord(author: ItemAuthor | null) {
  return author && { LoginName: author.loginName, FullName: author.fullName };
}

function readItem(row: Row): ListedItem {
  return {
    id: idOf(row, 'id'),
    kind: textOf(row, 'kind') === 'dashboard' ? 'dashboard' : 'report',
    name: textOf(row, 'name'),
    description: textOf(row, 'description'),
    folderId: idOf(row, 'folder_id'),
    applicationId: idOrNull(row, 'application_id'),
    reportType: textOrNull(row, 'report_type') ?? '',
    modType: textOrNull(row, 'mod_type') ?? '',
    outputType: row.output_type === null ? 0 : numberOf(row, 'output_type'),
    created: textOf(row, 'created'),
    createdBy: readAuthor(row, 'creator'),
    modified: textOf(row, 'modified'),
    modifiedBy: readAuthor(row, 'editor'),
    revision: numberOf(row, 'revision'),
  };
}

function readAuthor(row: Row, who: 'creator' | 'editor'): ItemAuthor | null {
  const loginName = textOrNull(row, `${who}_login`);
  return loginName === null ? null : { loginName, fullName: textOf(row, `${who}_name`) };
}
