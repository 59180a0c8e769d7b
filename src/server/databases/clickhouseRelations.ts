import * as z from 'zod';
import type { Database, DatabaseTable, DerivedRelation, QueryOptions, Relations } from './database.ts';
import { readAll } from './queryRules.ts';

const tablesSql = `SELECT database AS owner, name, engine, create_table_query AS definition FROM system.tables
  WHERE lower(database) NOT IN ('system', 'information_schema')`;
/** The folder tells servers apart, whatever address they are reached by. */
const placeSql = `SELECT hostName() AS host, min(metadata_path) AS folder, currentDatabase() AS database
  FROM system.databases`;

const tableRow = z.object({ owner: z.string(), name: z.string(), engine: z.string(), definition: z.string() });
const placeRow = z.object({ host: z.string(), folder: z.string(), database: z.string() });

/** Reads how the relations of a ClickHouse server hang together, in all its databases. @throws {DatabaseError} */
export async function clickhouseRelations(database: Database, options: QueryOptions): Promise<Relations> {
  const tables = await readAll(database, { sql: tablesSql, values: [] }, tableRow, options);
  const [place] = await readAll(database, { sql: placeSql, values: [] }, placeRow, options);
  return {
    identity: `clickhouse:${JSON.stringify([place?.host, place?.folder])}`,
    searchPath: place ? [place.database] : [],
    derived: tables.flatMap(({ engine, definition, ...table }) => derivedFrom(table, engine, definition) ?? []),
    catalog: /^(system|information_schema)\./i,
  };
}

/** Engines whose tables hold rows of their own and nothing else. */
const ownRows = /MergeTree$|^(Tiny|Stripe)?Log$|^(Memory|Set|Join|EmbeddedRocksDB)$/;
/** Engines that name what they read in their definition. */
const named = new Set(['View', 'MaterializedView', 'Distributed', 'Buffer']);
/** Functions that read tables, files or other servers. */
const readers =
  /\b(\w*remote\w*|cluster\w*|merge|mysql|postgresql|odbc|jdbc|mongodb|redis|sqlite|url\w*|file\w*|s3\w*|gcs|azure\w*|hdfs\w*|delta\w*|iceberg\w*|hudi\w*|executable|dictionary|dict\w+|joinGet\w*|view\w*|loop|input|mergeTree\w+)\s*\(/i;

/**
 * What a table reads, from its definition: every name that stands there may be a table's, in any database. Undefined for
 * tables with rows of their own; the hidden table behind a materialised view counts as reading what cannot be seen.
 */
export function derivedFrom(table: DatabaseTable, engine: string, definition: string): DerivedRelation | undefined {
  if (ownRows.test(engine)) return /^\.inner/.test(table.name) ? { ...table, reads: [], isComplete: false } : undefined;
  if (!named.has(engine)) return { ...table, reads: [], isComplete: false };
  const names = [...definition.matchAll(/`(?:[^`\\]|\\.)+`|"(?:[^"\\]|\\.)+"|'(?:[^'\\]|\\.)+'|[A-Za-z_]\w*/gs)];
  const reads = new Set(names.map(([name]) => name.replace(/[`"'](.*)./s, '$1').replace(/\\(.)/gs, '$1')));
  // Its own name stands there, too.
  reads.delete(table.name);
  return {
    ...table,
    reads: [...reads].map((name) => ({ owner: '', name })),
    isComplete: definition !== '' && !readers.test(definition),
  };
}
