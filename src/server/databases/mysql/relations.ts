import * as z from 'zod';
import type { Database, DatabaseTable, DerivedRelation, QueryOptions, Relations } from '../database.ts';
import { readAll } from '../queryRules.ts';

const systemSchemas = `('information_schema', 'mysql', 'performance_schema', 'sys')`;
const catalog = /^(information_schema|mysql|performance_schema|sys)\./i;

const viewsSql = `SELECT table_schema AS \`owner\`, table_name AS \`name\`, coalesce(view_definition, '') AS \`definition\`
  FROM information_schema.views WHERE table_schema NOT IN ${systemSchemas}`;
/** Tables that another table, server or program may fill. */
const tablesSql = `SELECT table_schema AS \`owner\`, table_name AS \`name\` FROM information_schema.tables
  WHERE table_schema NOT IN ${systemSchemas} AND table_type = 'BASE TABLE'
    AND coalesce(engine, '') NOT IN ('InnoDB', 'MyISAM', 'Aria', 'MEMORY', 'ARCHIVE', 'CSV', 'ROCKSDB', 'ndbcluster')`;
/** Host and folder names identify a server regardless of the address used to reach it. */
const placeSql = `SELECT database() AS \`database\`, @@hostname AS \`host\`, CAST(@@port AS CHAR) AS \`port\`,
  @@datadir AS \`folder\``;

const table = z.object({ owner: z.string(), name: z.string() });
const viewRow = table.extend({ definition: z.string() });
const placeRow = z.object({ database: z.string().nullable(), host: z.string(), port: z.string(), folder: z.string() });

/** Reads the relations of a MySQL or MariaDB server, in all its databases. @throws {DatabaseError} */
export async function mysqlRelations(database: Database, options: QueryOptions): Promise<Relations> {
  const [views, opaque, [place]] = await Promise.all([
    readAll(database, { sql: viewsSql, values: [] }, viewRow, options),
    readAll(database, { sql: tablesSql, values: [] }, table, options),
    readAll(database, { sql: placeSql, values: [] }, placeRow, options),
  ]);
  return {
    identity: `mysql:${JSON.stringify([place?.host, place?.port, place?.folder])}`,
    searchPath: place?.database ? [place.database] : [],
    derived: [
      ...views.map(({ owner, name, definition }) => readsOfDefinition({ owner, name }, definition)),
      ...opaque.map(({ owner, name }) => ({ owner, name, reads: [], isComplete: false })),
    ],
    catalog,
  };
}

/**
 * Finds the relations that a view reads in its definition, in which the server writes every table as `schema`.`table`
 * and every user-defined function as `name`(. Pairs of an alias and its column look the same and are included, too.
 * Logins without the permission to see a definition get none.
 */
export function readsOfDefinition({ owner, name }: DatabaseTable, definition: string): DerivedRelation {
  // A name may contain the start of a text.
  const text = definition.replace(/(`(?:[^`]|``)*`)|'(?:[^'\\]|''|\\.)*'/gs, (_, name?: string) => name ?? "''");
  const quoted = '`((?:[^`]|``)+)`';
  const plain = (identifier: string) => identifier.replaceAll('``', '`');
  // Pairs overlap: `schema`.`table`.`column` contains two.
  const pairs = [...text.matchAll(new RegExp(`${quoted}(?=\\.${quoted})`, 'g'))];
  const names = pairs.map(([, ...pair]) => pair.map(plain) as [string, string]);
  const reads = names.map(([owner, name]) => ({ owner, name }));
  const isComplete = text.trim() !== '' && !/`\s*\(/.test(text);
  return { owner, name, reads, isComplete };
}
