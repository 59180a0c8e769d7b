import { isClientError } from '../../client/clientError.ts';
import { findProduct } from '../../contract/resources/application.ts';
import type { Application, RegisteredServer } from '../../contract/resources/application.ts';
import { outputTypes as documentedTypes } from '../../contract/outputTypes.ts';
import type { LibraryNode } from '../../contract/resources/library.ts';
import type { ReportTreeNode } from '../../contract/resources/semanticLayer.ts';
import type { BuilderReport, FormulaFunction, TreeEntry } from './pageContract.ts';
import type { BuilderCalls } from './builderCalls.ts';
import { fieldEntries } from './fieldEntries.ts';

/** What a report is made of, read from its server. */
export interface Ground {
  entries: TreeEntry[];
  nodes: ReportTreeNode[];
  functions: FormulaFunction[];
  outputTypes: { id: number; name: string; uiclass: string }[];
  /** Folders by id, each with the path to it. */
  folders: { id: string; name: string }[];
  /** Database platform, as the server names it; empty where it does not tell. */
  platform: string;
}

/** Why a report has no ground: what it names, the server does not show. */
export class GroundError extends Error {
  /** What is missing; the words are chosen by whoever shows it. */
  readonly missing: 'reportType' | 'server' | 'fields';

  constructor(missing: GroundError['missing']) {
    super(`The report has no ${missing}.`);
    this.missing = missing;
  }
}

/**
 * Reads the fields of a report's type, and the functions of its platform. API description, GetReportTree,
 * GetSQLFunctions.
 * @throws {GroundError} when the report names nothing that can be found. @throws {ClientError}
 */
export async function loadGround(calls: BuilderCalls, report: BuilderReport): Promise<Ground> {
  if (report.reportType.trim() === '') throw new GroundError('reportType');
  const server = serverOf(report, await calls.applications());
  if (!server) throw new GroundError('server');
  const platform = server.DatabasePlatform ?? server.DatabaseDriver ?? '';
  const [tree, functions, outputTypes, libraries] = await Promise.all([
    calls.tree(String(server.ID), report.reportType),
    optional(calls.functions(platform)),
    optional(calls.outputTypes()),
    optional(calls.folders()),
  ]);
  const { entries, nodes } = fieldEntries(tree.rootnode);
  if (entries.length === 0) throw new GroundError('fields');
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

/** A folder of the library tree and all below it. */
function foldersOf({ id, text, children }: LibraryNode, above: string): Ground['folders'] {
  const name = above === '' ? (text ?? '') : `${above} / ${text ?? ''}`;
  const below = (children ?? []).flatMap((child) => foldersOf(child, name));
  return id == null ? below : [{ id: String(id), name }, ...below];
}

/** The registered server that a report names; of its application where it names none. API description, Report. */
export function serverOf(
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

/** Without them a report can still be built; formulas are then typed without help. */
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
