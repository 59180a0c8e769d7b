import type { SignedInContext } from '../calls/handlers.ts';
import { databasePassword, type ServerModel, serverModel, serversOf } from '../catalogue/registeredServers.ts';
import type { SecretBox } from '../catalogue/secretBox.ts';
import { DatabaseError, type Relations } from '../databases/database.ts';
import { limits } from '../databases/databaseAccess.ts';
import type { Databases } from '../databases/databases.ts';
import { fileOwner, isSameData, sharedRows } from '../databases/relations.ts';
import { mayHaveOtherPaths, noOtherPaths, type OtherPaths, type RowSecurity } from '../security/rowSecurity.ts';
import type { ReportTables } from './reportTables.ts';

/** Dependencies of otherPathsOf in addition to the store. */
interface PathParts {
  databases: Databases;
  secrets: SecretBox;
}

/**
 * Finds other ways to reach the rows of a report type's tables, as reported by the database. Not cached, because views
 * are created and dropped. Queries the database only for callers whose policies leave one of the tables unrestricted.
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
  // An empty id means any application; it has no servers.
  named.delete(server.moduleId);
  const moduleIds: string[] = [];
  const sharedFiles = new Set<string>();
  for (const moduleId of named) {
    for await (const other of relationsIn(parts, context, server, moduleId)) {
      if (other === undefined || isSameData(other, relations)) {
        moduleIds.push(moduleId);
        break;
      }
      for (const file of filesRead(other)) sharedFiles.add(file);
    }
  }
  return (owner, name) => {
    const { with: shared, isComplete } = sharedRows({ owner, name }, relations);
    // The name of these rows in the other database is unknown here.
    const isElsewhere = shared.some((each) => each.owner === fileOwner && sharedFiles.has(each.name));
    return { relations: shared, isComplete: isComplete && !isElsewhere, moduleIds };
  };
}

/**
 * Yields the relations of each database of another application's servers; undefined for one that does not answer or has
 * no relations to report, and so might contain the same data.
 */
async function* relationsIn(
  parts: PathParts,
  context: SignedInContext,
  { platform }: ServerModel,
  moduleId: string,
): AsyncGenerator<Relations | undefined> {
  for (const stored of serversOf(context.store, moduleId)) {
    const other = serverModel(stored);
    if (other.platform !== platform) {
      // A file or server belongs to one platform only, except that Trino shows the contents of other databases under
      // their names.
      if (other.platform === 'trino') yield undefined;
      continue;
    }
    try {
      yield await relationsOf(parts, context, other);
    } catch (error) {
      if (!(error instanceof DatabaseError) || error.kind === 'cancelled') throw error;
      yield undefined;
    }
  }
}

/** Files read by the views of a database. */
function filesRead({ derived }: Relations): string[] {
  return derived.flatMap(({ reads }) => reads.filter(({ owner }) => owner === fileOwner).map(({ name }) => name));
}

async function relationsOf(
  { databases, secrets }: PathParts,
  { store, signal }: SignedInContext,
  server: ServerModel,
): Promise<Relations> {
  const database = await databases.at(server, () => databasePassword(store, server.id, secrets));
  return database.relations(limits(server, signal));
}
