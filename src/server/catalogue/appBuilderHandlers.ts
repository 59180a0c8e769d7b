import { errorCodes } from '../../contract/errorCodes.ts';
import { fieldTypes } from '../../contract/fieldTypes.ts';
import type {
  AnyDbModule,
  ReportTypeDefinition,
  TableColumn,
  ReportTreeNode,
} from '../../contract/resources/semanticLayer.ts';
import type { Caller } from '../calls/caller.ts';
import { CallFailure, noContent, type Handlers, type SignedInContext } from '../calls/handlers.ts';
import { checkRevision, refusal } from '../calls/wholeObject.ts';
import { createDatabaseInspection } from '../databases/databaseAccess.ts';
import { applicationRoleIds, mayUseApplication } from '../identity/applicationRoles.ts';
import { auditSymbols } from '../store/auditTrail.ts';
import type { Store } from '../store/store.ts';
import { type CatalogueParts, unknownServer } from './applicationHandlers.ts';
import { serverRecord } from './applicationRecords.ts';
import { findApplication, visibleApplications } from './applications.ts';
import {
  databasePassword,
  findRegisteredServer,
  serverModel,
  serversOf,
  type StoredServer,
} from './registeredServers.ts';
import {
  ReportTypeError,
  readFieldTree,
  readReportType,
  type FieldTreeNode,
  type ReportTypeModel,
} from './reportTypeModel.ts';
import {
  findReportTypeById,
  findReportTypeDefinition,
  reportTypesOf,
  saveReportTypeDefinition,
  type StoredReportType,
} from './reportTypes.ts';

const architectOnly = [applicationRoleIds.architect];

/** Handlers of report types and their trees. API description, App builder and report types. */
export function createAppBuilderHandlers(parts: CatalogueParts): Handlers {
  return {
    'AppBuilder/GetAnyDbModulesList': (_body, { store, caller }) =>
      visibleApplications(store, caller, architectOnly)
        .filter((application) => application.isAnyDb)
        .flatMap(({ id }) => serversOf(store, id))
        .map((server) => serverRecord(store, server)),
    'AppBuilder/GetAnyDbModule': async ({ moduleid, regserverid }, context) => {
      const server = architectsServer(context, regserverid);
      if (server?.applicationId === moduleid) return moduleRecord(server, context, parts);
      if (!context.caller.isSuperAdmin) return noContent;
      throw refusal(`The registered server ${regserverid} belongs to no application with the id ${moduleid}.`);
    },
    'AppBuilder/SaveAnyDbModule': (body, context) => saveModule(body, context, parts),
    'AppBuilder/GetTableDef': async ({ tablename, tableowner, regserverid }, context) => {
      const server = architectsServer(context, regserverid);
      return server ? tableColumns(server, { owner: tableowner ?? '', name: tablename }, context, parts) : noContent;
    },
    'AppBuilder/GetDataTypes': () =>
      Object.entries(fieldTypes).map(([name, description], index) => ({ name, description, id: index + 1 })),
    'RegServers/GetReportTypes': ({ ModuleType, RegServerID, ReportModuleID }, { store, caller }) => {
      const server = usableServer(store, caller, RegServerID);
      const application = findApplication(store, ReportModuleID);
      if (!application || server?.applicationId !== application.id) return [];
      if (application.moduleType.toLowerCase() !== ModuleType.toLowerCase()) return [];
      return reportTypesOf(store, application.id).map(({ id, name }) => ({
        reporttypeid: Number(id),
        name,
        moduleid: Number(application.id),
      }));
    },
    'RegServers/GetReportTree': ({ RegServerID, ReportType }, { store, caller }) => {
      const server = usableServer(store, caller, RegServerID);
      const stored = server && findReportTypeDefinition(store, server.applicationId, ReportType);
      if (!stored && caller.isSuperAdmin) {
        throw server ? refusal(`There is no report type "${ReportType}" here.`) : unknownServer(RegServerID);
      }
      return stored ? { ErrorCode: 0, ErrorMessage: '', rootnode: reportTree(stored) } : noContent;
    },
  };
}

function usableServer(store: Store, caller: Caller, serverId: string): StoredServer | undefined {
  const server = findRegisteredServer(store, serverId);
  return server && mayUseApplication(caller, server.applicationId) ? server : undefined;
}

function architectsServer({ store, caller }: SignedInContext, serverId: string): StoredServer | undefined {
  const server = findRegisteredServer(store, serverId);
  if (!server && caller.isSuperAdmin) throw unknownServer(serverId);
  return server && mayUseApplication(caller, server.applicationId, architectOnly) ? server : undefined;
}

/**
 * Report types of an application, with the tables of its database. If the database cannot be reached, the definitions
 * are still returned; the table list then explains why it is empty.
 */
async function moduleRecord(
  server: StoredServer,
  { store, signal }: SignedInContext,
  { databases, secrets }: CatalogueParts,
): Promise<AnyDbModule> {
  const reportTypes = reportTypesOf(store, server.applicationId).map(reportTypeRecord);
  const module = { ReportTypes: reportTypes, isExcelCSV: false };
  try {
    const password = databasePassword(store, server.id, secrets);
    const tables = await createDatabaseInspection(databases).tables(serverModel(server), password, signal);
    const AllDbtables = tables.map(({ owner, name }) => ({ tablename: name, tableowner: owner }));
    return { ...module, DBSQLTableList: { AllDbtables } };
  } catch (error) {
    const ErrorMessage = unreachable(server, error).message;
    return { ...module, DBSQLTableList: { AllDbtables: [], ErrorCode: errorCodes.serverUnreachable, ErrorMessage } };
  }
}

function reportTypeRecord({ id, applicationId, definition, revision }: StoredReportType): ReportTypeDefinition {
  return {
    ...definition,
    ErrorCode: 0,
    Moduleid: Number(applicationId),
    RepTypeID: Number(id),
    Revision: revision,
  };
}

async function tableColumns(
  server: StoredServer,
  table: { owner: string; name: string },
  { store, signal }: SignedInContext,
  { databases, secrets }: CatalogueParts,
): Promise<TableColumn[]> {
  try {
    const password = databasePassword(store, server.id, secrets);
    const inspection = createDatabaseInspection(databases);
    const columns = await inspection.columns(serverModel(server), password, table, signal);
    return columns.map(({ name, nativeType, maxLength, isNullable }) => ({
      columnname: name,
      datatype: withoutMembers(nativeType),
      tablealias: table.name,
      MaxLength: maxLength,
      isNullValueAllowed: isNullable,
    }));
  } catch (error) {
    throw unreachable(server, error);
  }
}

const text = String.raw`'(?:[^'\\]|\\.|'')*'(?:\s*=\s*-?\d+)?`;
const enumeration = new RegExp(String.raw`\b(enum(?:8|16)?|set)\s*\(\s*${text}(?:\s*,\s*${text})*\s*\)`, 'giu');

/** Enumeration members are row values, which the caller's policies may hide. */
function withoutMembers(nativeType: string): string {
  return nativeType.replace(enumeration, '$1(…)');
}

function unreachable({ definition }: StoredServer, cause: unknown): CallFailure {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const name = definition.DisplayName || definition.DatabaseName || '';
  const message = `The database of registered server "${name}" cannot be read: ${reason}`;
  return new CallFailure(errorCodes.serverUnreachable, message, { cause });
}

/**
 * Saves the report types sent, each in full, and leaves all others; on any error none is saved and the answer is 0.
 * `expectedRevision` next to the module applies to the one report type in it. A report type that contradicts a policy
 * would show no rows: 0.
 */
async function saveModule(body: { anydbmodule: AnyDbModule }, context: SignedInContext, parts: CatalogueParts) {
  const { store, caller } = context;
  const reportTypes = body.anydbmodule.ReportTypes ?? [];
  const moduleIds = reportTypes.map(({ Moduleid }) => String(Moduleid ?? ''));
  if (moduleIds.length === 0) return 0;
  if (!moduleIds.every((id) => findApplication(store, id) && mayUseApplication(caller, id, architectOnly))) {
    // Super-admins have access to everything, so for them the application does not exist.
    return caller.isSuperAdmin ? 0 : noContent;
  }
  // Saves replace report types in full: one sent with only its name would lose its tables and fields.
  if (!reportTypes.every(({ SQLTables, FieldTree }) => SQLTables && FieldTree)) return 0;
  try {
    for (const [index, definition] of reportTypes.entries()) {
      if (await parts.contradictsPolicies(context, moduleIds[index] ?? '', definition)) return 0;
    }
    store.transaction(() => {
      reportTypes.forEach((definition, index) => {
        const moduleId = moduleIds[index] ?? '';
        const current = findReportTypeById(store, moduleId, String(definition.RepTypeID ?? ''));
        if (current && reportTypes.length === 1) checkRevision(body, current.revision, `Report type ${current.id}`);
        const id = saveReportTypeDefinition(store, moduleId, definition);
        context.audit(auditSymbols.change, `Report type ${id} "${definition.RepTypeName ?? ''}" saved`);
      });
    });
    return 1;
  } catch (error) {
    if (error instanceof ReportTypeError) return 0;
    throw error;
  }
}

/**
 * The field tree of a report type for report builders: folders, and fields that NewField accepts unchanged. API
 * description, GetReportTree.
 */
function reportTree({ id, name, definition }: StoredReportType): ReportTreeNode {
  const { tables, joins } = readReportType(definition);
  const parents = parentAliases(tables, joins);
  const nodes = readFieldTree(definition.FieldTree ?? []);
  return { ...folderNode(Number(id), name), children: nodes.map((node) => treeNode(node, parents)) };
}

function folderNode(id: number, text: string): ReportTreeNode {
  return { id, text, type: 'Folder', Tag: null, children: [] };
}

function treeNode({ entry, isFolder, children }: FieldTreeNode, parents: ReadonlyMap<string, string>): ReportTreeNode {
  const id = entry.id ?? 0;
  const text = entry.fname ?? '';
  if (isFolder) return { ...folderNode(id, text), children: children.map((child) => treeNode(child, parents)) };
  const alias = entry.tablealias ?? '';
  return {
    id,
    text,
    type: 'Field',
    Tag: null,
    children: [],
    dbfieldname: entry.sqlfieldname ?? '',
    dbtablealias: alias,
    dbparenttablealias: parents.get(alias) ?? '',
    fieldtype: entry.datatype ?? 'cha',
    ReportFieldName: text,
  };
}

/** Maps each alias to the one it is joined from; a table that is not joined from another is its own parent. */
function parentAliases(
  tables: ReportTypeModel['tables'],
  joins: ReportTypeModel['joins'],
): ReadonlyMap<string, string> {
  const parents = new Map(tables.map(({ alias }) => [alias, alias]));
  for (const { leftAlias, rightAlias } of joins) parents.set(rightAlias, leftAlias);
  return parents;
}
