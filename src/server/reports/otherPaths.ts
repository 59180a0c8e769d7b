import type { SignedInContext } from '../calls/handlers.ts';
import { databasePassword, type ServerModel, serverModel, serversOf } from '../catalogue/registeredServers.ts';
import type { SecretBox } from '../catalogue/secretBox.ts';
import { DatabaseError, type Relations } from '../databases/database.ts';
import { limits } from '../databases/databaseAccess.ts';
import type { Databases } from '../databases/databases.ts';
import { fileOwner, isSameData, sharedRows } from '../databases/relations.ts';
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
    // What the other database calls these rows is not known here.
    const isElsewhere = shared.some((each) => each.owner === fileOwner && sharedFiles.has(each.name));
    return { relations: shared, isComplete: isComplete && !isElsewhere, moduleIds };
  };
}

/**
 * What the databases tell that the servers of another application lead to, one after the other; undefined of one that does
 * not answer or cannot tell, and so might be any.
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
      // No file and no server is a database of two platforms; but Trino shows what others hold, under their names.
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

/** Files that views of a database read. */
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
