import { findProduct } from '../../contract/resources/application.ts';
import type { SqlFunction } from '../../contract/resources/report.ts';
import { reportTypeDocumentId } from '../kinds/reportTypeId.ts';
import type { Call, KnownObject } from './knownObjects.ts';
import { linkName } from './problems/linkProblems.ts';
import { fieldsOfTree } from './reportFields.ts';
import type { KnownColumn, KnownField, LinkTarget, NamedReportType, TableColumn } from './serverFacts.ts';

/**
 * Report types of a registered server. API description, GetReportTypes.
 * @throws {ClientError} when the server refuses or cannot be reached.
 */
export async function readReportTypes(
  call: Call,
  { id, server }: KnownObject,
  signal?: AbortSignal,
): Promise<NamedReportType[]> {
  if (!server) return [];
  const body = { ModuleType: server.moduleType, RegServerID: id, ReportModuleID: server.moduleId };
  const types = await call('RegServers/GetReportTypes', body, signal ? { signal } : {});
  return types.flatMap(({ reporttypeid, name }) => {
    if (reporttypeid === null || reporttypeid === undefined || !name) return [];
    const place = { regServerId: id, moduleId: server.moduleId };
    return [{ name, documentId: reportTypeDocumentId(place, String(reporttypeid)) }];
  });
}

/**
 * Fields of a report type. API description, GetReportTree.
 * @throws {ClientError} when the server refuses or cannot be reached.
 */
export async function readReportFields(
  call: Call,
  serverId: string,
  reportType: string,
  signal?: AbortSignal,
): Promise<KnownField[]> {
  const body = { RegServerID: serverId, ReportType: reportType };
  const { rootnode } = await call('RegServers/GetReportTree', body, signal ? { signal } : {});
  return rootnode ? fieldsOfTree(rootnode) : [];
}

/** A report that opens from the rows of another one, with the origin of its fields. */
export interface PlacedTarget extends LinkTarget {
  readonly reportType: string;
  readonly serverName: string;
  readonly application: string;
}

/**
 * A report that opens from the rows of another one. API description, GetReport.
 * @throws {ClientError} when the server refuses or cannot be reached.
 */
export async function readLinkTarget(call: Call, reportId: string, signal?: AbortSignal): Promise<PlacedTarget> {
  const body = { ReportId: reportId, isbuilder: true };
  const report = await call('Report/GetReport', body, signal ? { signal } : {});
  return {
    name: report.Reportname || reportId,
    fields: (report.FieldList ?? []).map(linkName),
    reportType: report.ReportType ?? '',
    serverName: report.ServerName ?? '',
    application: report.ModuleName ?? '',
  };
}

/**
 * Functions for formulas on a platform. API description, SQL function.
 * @throws {ClientError} when the server refuses or cannot be reached.
 */
export async function readFunctions(call: Call, platform: string, signal?: AbortSignal): Promise<SqlFunction[]> {
  return call('Report/GetSQLFunctions', { db_plat: platform }, signal ? { signal } : {});
}

/**
 * The columns of a table; empty if the database does not have it. API description, GetTableDef.
 * @throws {ClientError} when the server refuses or cannot be reached, or cannot reach its database.
 */
export async function readTableColumns(
  call: Call,
  serverId: string,
  { owner, name }: { owner: string; name: string },
  signal?: AbortSignal,
): Promise<TableColumn[]> {
  const body = { tablename: name, tableowner: owner, regserverid: serverId };
  const columns = await call('AppBuilder/GetTableDef', body, signal ? { signal } : {});
  return columns.flatMap(({ columnname, datatype }) =>
    columnname ? [{ name: columnname, type: datatype ?? '' }] : [],
  );
}

/**
 * Columns of the tables of all report types, one call per registered server. API description, App builder.
 * @throws {ClientError} when the server refuses or cannot be reached.
 */
export async function readColumns(call: Call, signal?: AbortSignal): Promise<KnownColumn[]> {
  const options = signal ? { signal } : {};
  const servers = await call('AppBuilder/GetAnyDbModulesList', {}, options);
  const columns = new Map<string, KnownColumn>();
  for (const server of servers) {
    const moduleid = findProduct(server)?.ID;
    if (!moduleid || !server.ID) continue;
    const module = await call(
      'AppBuilder/GetAnyDbModule',
      { moduleid: String(moduleid), regserverid: String(server.ID) },
      options,
    );
    for (const { SQLTables, FieldTree } of module.ReportTypes ?? []) {
      const tables = new Map((SQLTables ?? []).map((table) => [table.tablealias, table]));
      for (const { tablealias, sqlfieldname, fname } of FieldTree ?? []) {
        const table = tables.get(tablealias);
        if (!sqlfieldname || !table?.tablename) continue;
        const column = {
          owner: table.tableowner ?? '',
          table: table.tablename,
          column: sqlfieldname,
          label: fname ?? '',
        };
        columns.set(JSON.stringify([column.owner, column.table, column.column]), column);
      }
    }
  }
  return [...columns.values()];
}
