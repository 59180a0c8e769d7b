import type { SignedInContext } from '../calls/handlers.ts';
import { databasePassword, type ServerModel, serverModel, serversOf } from '../catalogue/registeredServers.ts';
import type { SecretBox } from '../catalogue/secretBox.ts';
import { DatabaseError, type Relations } from '../databases/database.ts';
import { limits } from '../databases/databaseAccess.ts';
import type { Databases } from '../databases/databases.ts';
import { sharedRows } from '../databases/relations.ts';
import { mayHaveOtherPaths, noOtherPaths, type OtherPaths, type RowSecurity } from '../security/rowSecurity.ts';
import type { ReportTables } from './reportTables.ts';

/** What finding other paths works with beside the store. */
interface PathParts {
  databases: Databases;
  secrets: SecretBox;
}

/**
 * How else the rows of a report type's tables can be reached, as the database itself tells, every time anew: views
 * come and go. It is asked only for callers whose policies leave one of the tables open.
 * @throws {DatabaseError} when the database does not answer.
 */
export async function otherPathsOf(
  parts: PathParts,
  context: SignedInContext,
  server: ServerModel,
  tables: ReportTables,
  { policies }: RowSecurity,
): Promise<(owner: string, table: string) => OtherPaths> {
  const isOpen = tables.reportType.tables.some(({ alias }) => {
    const table = tables.table(alias);
    return table && mayHaveOtherPaths(table, policies);
  });
  if (!isOpen) return () => noOtherPaths;
  const relations = await relationsOf(parts, context, server);
  const named = new Set(policies.flatMap(({ constraints }) => constraints.map(({ ModuleID }) => ModuleID)));
  // No server belongs to the empty one, which stands for any application.
  named.delete(server.moduleId);
  const moduleIds: string[] = [];
  for (const moduleId of named) {
    if (await holdsSameData(parts, context, server, relations.identity, moduleId)) moduleIds.push(moduleId);
  }
  return (owner, name) => {
    const { with: shared, isComplete } = sharedRows({ owner, name }, relations);
    return { relations: shared, isComplete, moduleIds };
  };
}

/** Whether a server of another application leads to the same database. One that does not answer might. */
async function holdsSameData(
  parts: PathParts,
  context: SignedInContext,
  { platform }: ServerModel,
  identity: string,
  moduleId: string,
): Promise<boolean> {
  for (const stored of serversOf(context.store, moduleId)) {
    const other = serverModel(stored);
    if (other.platform !== platform) continue;
    try {
      if ((await relationsOf(parts, context, other)).identity === identity) return true;
    } catch (error) {
      if (error instanceof DatabaseError && error.kind !== 'cancelled') return true;
      throw error;
    }
  }
  return false;
}

async function relationsOf(
  { databases, secrets }: PathParts,
  { store, signal }: SignedInContext,
  server: ServerModel,
): Promise<Relations> {
  const database = await databases.at(server, () => databasePassword(store, server.id, secrets));
  return database.relations(limits(server, signal));
}
