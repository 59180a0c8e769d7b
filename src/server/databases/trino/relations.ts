import * as z from 'zod';
import type { Database, QueryOptions, Relations } from '../database.ts';
import { readAll } from '../queryRules.ts';

const tablesSql = `SELECT table_schema AS "owner", table_name AS "name" FROM information_schema.tables
  WHERE table_schema <> 'information_schema'`;
const placeSql = 'SELECT current_schema AS "own"';

const table = z.object({ owner: z.string(), name: z.string() });
const placeRow = z.object({ own: z.string().nullable() });

/**
 * Trino shows the relations of other databases, whose views, links and shared files it does not know. So every table
 * may read anything, also one that is not listed, such as `sales$partitions`, and two Trino servers may always lead to
 * the same rows.
 * @throws {DatabaseError}
 */
export async function trinoRelations(database: Database, options: QueryOptions): Promise<Relations> {
  const tables = await readAll(database, { sql: tablesSql, values: [] }, table, options);
  const [place] = await readAll(database, { sql: placeSql, values: [] }, placeRow, options);
  return {
    identity: 'trino',
    searchPath: place?.own ? [place.own] : [],
    derived: tables.map((each) => ({ ...each, reads: [], isComplete: false })),
    // Of no table it is known that it is itself.
    names: new Set(),
    catalog: /^information_schema\./i,
  };
}
