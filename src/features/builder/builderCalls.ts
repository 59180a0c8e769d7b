import type { AnalyticsClient } from '../../client/client.ts';
import { type Application, findProduct, type RegisteredServer } from '../../contract/resources/application.ts';
import type { LibraryNode } from '../../contract/resources/library.ts';
import type {
  Criteria,
  Prompt,
  Report,
  ReportField,
  ReportMetadata,
  SqlFunction,
  Totals,
} from '../../contract/resources/report.ts';
import type { ReportTree, ReportTreeNode } from '../../contract/resources/semanticLayer.ts';
import type { FieldValue } from '../reports/prompts/promptChoices.ts';
import { isClientError } from '../../client/clientError.ts';
import type { Connection } from '../../connections/connection.ts';
import { outputTypes as documentedTypes } from '../../contract/outputTypes.ts';
import type { BuilderReport, FormulaFunction, TreeEntry } from './pageContract.ts';

/** The calls for building a report. All of them only read. @throws {ClientError} each of them. */
export interface BuilderCalls {
  /** Applications with their registered servers. */
  applications(): Promise<Application[]>;
  tree(serverId: string, reportType: string): Promise<ReportTree>;
  functions(platform: string): Promise<SqlFunction[]>;
  outputTypes(): Promise<{ id?: number | null; name?: string | null; uiclass?: string | null }[]>;
  /** Library folders with all their descendants. */
  folders(): Promise<LibraryNode[]>;
  /** A report to drill down to, with its prompts. */
  target(reportId: string): Promise<ReportMetadata>;
  newField(node: ReportTreeNode): Promise<ReportField>;
  newCriteria(field: Readonly<Record<string, unknown>>): Promise<Criteria>;
  newTotals(type: string): Promise<Totals>;
  sql(report: Report, signal: AbortSignal): Promise<string>;
  fieldValues(report: Report, prompt: Prompt): Promise<readonly FieldValue[]>;
}

/** {@link BuilderCalls} on a server. Gets `client` for each call because the local server may have been restarted. */
export function builderCalls(client: () => Promise<AnalyticsClient>): BuilderCalls {
  return {
    applications: async () => (await client()).call('App/GetApplicationList', {}),
    tree: async (RegServerID, ReportType) =>
      (await client()).call('RegServers/GetReportTree', { RegServerID, ReportType }),
    functions: async (db_plat) => (await client()).call('Report/GetSQLFunctions', { db_plat }),
    outputTypes: async () => (await client()).call('Report/GetOutputTypes', {}),
    folders: async () => {
      const request = { includefav: false, includePersonal: true };
      const roots = await (await client()).call('library/GetAllLibraryTree', request);
      return roots.flatMap(({ rootnode }) => (rootnode ? [rootnode] : []));
    },
    target: async (ReportID) =>
      (await client()).call('Report/GetReportMetadataById', {
        ReportID,
        isTarget: true,
        PreviousMetadata: null,
        Criteria: null,
      }),
    newField: async (field) => (await client()).call('Report/NewField', { field, bAdvRpt: false }),
    newCriteria: async (field) => (await client()).call('Report/NewCriteria', { field }),
    newTotals: async (type) => (await client()).call('Report/NewTotals', { type }),
    sql: async (Reportobj, signal) => (await client()).call('Report/GetSQL', { Reportobj }, { signal }),
    fieldValues: async (report, prompt) =>
      (await client()).call('Report/GetFieldValues', {
        Reportobj: { Report: report, Prompts: [prompt] },
        Prompt: prompt,
      }),
  };
}

/** How long what was read ahead is used, in ms. */
const aheadMs = 10_000;

interface Ahead {
  readonly at: number;
  readonly applications: ReturnType<BuilderCalls['applications']>;
  readonly outputTypes: ReturnType<BuilderCalls['outputTypes']>;
  readonly folders: ReturnType<BuilderCalls['folders']>;
}

const ahead = new WeakMap<Connection, Ahead>();

/** Reads what all builders of a server need while the document of one is read; see {@link afterReadAhead}. */
export function readAhead(connection: Connection): void {
  const calls = builderCalls(() => connection.client());
  const reads = { applications: calls.applications(), outputTypes: calls.outputTypes(), folders: calls.folders() };
  // The builder shows a failure.
  for (const reading of Object.values(reads)) reading.catch(() => undefined);
  ahead.set(connection, { at: performance.now(), ...reads });
}

/** `calls`, which use what was read ahead, once. */
export function afterReadAhead(connection: Connection | undefined, calls: BuilderCalls): BuilderCalls {
  const known = connection && ahead.get(connection);
  if (connection) ahead.delete(connection);
  if (known === undefined || performance.now() - known.at > aheadMs) return calls;
  return {
    ...calls,
    applications: first(known.applications, () => calls.applications()),
    outputTypes: first(known.outputTypes, () => calls.outputTypes()),
    folders: first(known.folders, () => calls.folders()),
  };
}

/** Returns `early` the first time, and reads again after that. */
function first<T>(early: Promise<T>, again: () => Promise<T>): () => Promise<T> {
  let isUsed = false;
  return () => {
    if (isUsed) return again();
    isUsed = true;
    return early;
  };
}

/** What a report is built from, loaded from its server. */
export interface BuildContext {
  entries: TreeEntry[];
  nodes: ReportTreeNode[];
  functions: FormulaFunction[];
  outputTypes: { id: number; name: string; uiclass: string }[];
  /** Folders by id, each with its full path. */
  folders: { id: string; name: string }[];
  /** Database platform, as the server names it; empty if unknown. */
  platform: string;
}

/** The server does not provide something that the report refers to. */
export class ContextError extends Error {
  /** What is missing. The caller supplies the message. */
  readonly missing: 'reportType' | 'server' | 'fields';

  constructor(missing: ContextError['missing']) {
    super(`The report has no ${missing}.`);
    this.missing = missing;
  }
}

/**
 * Loads the fields of a report's type, and the functions of its platform. API description, GetReportTree,
 * GetSQLFunctions.
 * @throws {ContextError} if something that the report refers to cannot be found.
 * @throws {ClientError}
 */
export async function loadContext(calls: BuilderCalls, report: BuilderReport): Promise<BuildContext> {
  if (report.reportType.trim() === '') throw new ContextError('reportType');
  const beside = Promise.all([optional(calls.outputTypes()), optional(calls.folders())]);
  // Awaited after the applications, whose failure comes first.
  beside.catch(() => undefined);
  const server = serverOf(report, await calls.applications());
  if (!server) throw new ContextError('server');
  const platform = server.DatabasePlatform ?? server.DatabaseDriver ?? '';
  const [tree, functions, [outputTypes, libraries]] = await Promise.all([
    calls.tree(String(server.ID), report.reportType),
    optional(calls.functions(platform)),
    beside,
  ]);
  const { entries, nodes } = fieldEntries(tree.rootnode);
  if (entries.length === 0) throw new ContextError('fields');
  return {
    entries,
    nodes,
    platform,
    folders: libraries.flatMap((library) => foldersOf(library, '')),
    functions: functions.map(({ name, description, expression }) => ({
      name: name ?? '',
      description: description ?? '',
      template: expression ?? '',
    })),
    outputTypes: (outputTypes.length > 0 ? outputTypes : documentedTypes).flatMap(({ id, name, uiclass }) =>
      id == null || id === 0 ? [] : [{ id, name: name ?? '', uiclass: uiclass ?? '' }],
    ),
  };
}

/** A folder of the library tree and all its descendants. */
function foldersOf({ id, text, children }: LibraryNode, above: string): BuildContext['folders'] {
  const name = above === '' ? (text ?? '') : `${above} / ${text ?? ''}`;
  const below = (children ?? []).flatMap((child) => foldersOf(child, name));
  return id == null ? below : [{ id: String(id), name }, ...below];
}

/** The registered server of a report, or of its application if the report names none. API description, Report. */
function serverOf(
  { server, application }: Pick<BuilderReport, 'server' | 'application'>,
  applications: readonly Application[],
): RegisteredServer | undefined {
  const own = applications.filter((entry) => isSame(findProduct(entry)?.Name, application));
  const near = own.flatMap(({ RegisteredServers }) => RegisteredServers ?? []);
  const all = applications.flatMap(({ RegisteredServers }) => RegisteredServers ?? []);
  const isNamed = ({ DisplayName, ID, DatabaseServer, DatabaseName }: RegisteredServer) =>
    [DisplayName, ID, DatabaseServer, DatabaseName].some((name) => isSame(name, server));
  return near.find(isNamed) ?? (near.length > 0 ? near[0] : all.find(isNamed));
}

/** A report can be built without these; formulas then have no completions. */
async function optional<T>(reading: Promise<T[]>): Promise<T[]> {
  try {
    return await reading;
  } catch (error) {
    if (isClientError(error) && ['refused', 'notFound', 'noPermission'].includes(error.kind)) return [];
    throw error;
  }
}

function isSame(one: string | number | null | undefined, other: string): boolean {
  const text = String(one ?? '').trim();
  return text !== '' && text.toLowerCase() === other.trim().toLowerCase();
}

/** The fields of a report type as the builder lists them, and the corresponding nodes at the same indices. */
interface FieldEntries {
  entries: TreeEntry[];
  /** Without children, as NewField takes them. */
  nodes: ReportTreeNode[];
}

/** Lists the tree below its root, parents before children. API description, GetReportTree. */
export function fieldEntries(root: ReportTreeNode | null | undefined): FieldEntries {
  const found: FieldEntries = { entries: [], nodes: [] };
  for (const node of root?.children ?? []) addNode(node, 0, found);
  return found;
}

function addNode(node: ReportTreeNode, depth: number, found: FieldEntries): void {
  const { children, ...rest } = node;
  const below = children ?? [];
  const isFolder = node.type === 'Folder' || below.length > 0;
  const source = [node.dbtablealias, node.dbfieldname].filter((part) => part != null && part !== '').join('.');
  found.entries.push({
    label: node.text || node.ReportFieldName || node.dbfieldname || '',
    depth,
    isFolder,
    source: isFolder ? '' : source,
    type: isFolder ? '' : (node.fieldtype ?? ''),
  });
  found.nodes.push({ ...rest, children: [] });
  for (const child of below) addNode(child, depth + 1, found);
}
