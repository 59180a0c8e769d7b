import * as z from 'zod';
import type { SignedIn } from '../server.ts';

/** A table of a database, to be registered with one report type over it. */
export interface RegisteredTable {
  /** Name of the application; the registered server's is the same. */
  name: string;
  platform: string;
  /** Where the database is: fields of a registered server. */
  regserver: Readonly<Record<string, unknown>>;
  table: string;
  /** Field type codes by column. */
  columns: Readonly<Record<string, string>>;
}

const saved = z.looseObject({ ID: z.coerce.string() });

/**
 * Makes the application, the registered server and the report type of a table, the way the API description asks.
 * @returns the ids, and the registered server as it was saved.
 */
export async function registerTable(admin: SignedIn, { name, platform, regserver, table, columns }: RegisteredTable) {
  const added = await admin.call('RegServers/InsertAnyDbModule', { appname: name, description: '' });
  const moduleId = saved.parse(added.json).ID;
  const wanted = {
    ModuleType: 'AnyDB',
    DisplayName: name,
    DatabasePlatform: platform,
    CommandTimeout: 60,
    ConnectionTimeout: 5,
    Permissions: [],
    datasources: [],
    izApp: { ID: moduleId, Name: name, ModuleType: 'AnyDB', ProductCode: '', isAnyDbApp: true },
    ...regserver,
  };
  const server = await admin.call('RegServers/SaveRegSrv', { regserver: wanted, bsaveasanydb: true });
  const record = saved.parse(server.json);
  const FieldTree = Object.entries(columns).map(([column, datatype], index) => ({
    id: index + 1,
    idx_order: index + 1,
    fname: column,
    flevel: '0',
    nodetype: 'F',
    tablealias: 't',
    sqlfieldname: column,
    datatype,
  }));
  const reportType = {
    Moduleid: Number(moduleId),
    RepTypeID: 0,
    RepTypeName: table,
    SQLTables: [{ tablename: table, tableowner: '', tablealias: 't' }],
    FieldTree,
  };
  const { text } = await admin.call('AppBuilder/SaveAnyDbModule', { anydbmodule: { ReportTypes: [reportType] } });
  if (text !== '1') throw new Error(`The report type of ${name} was not saved: ${text}`);
  return { moduleId, serverId: record.ID, regserver: record };
}

/** A report of every column of a registered table. */
export function reportOfTable({ name, table, columns }: RegisteredTable): object {
  const FieldList = Object.entries(columns).map(([column, Fieldtype], index) => ({
    DbTableAlias: 't',
    DbFieldName: column,
    DisplayFieldName: column,
    RenamedField: column,
    Fieldtype,
    fieldindex: index + 1,
    Criteria: [],
  }));
  const names = { Reportname: name, ReportType: table, ModuleName: name, ServerName: name };
  return { ...names, FieldList, AdHocFields: [], linkreports: [] };
}
