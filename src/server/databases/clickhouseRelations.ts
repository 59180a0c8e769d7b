import * as z from 'zod';
import type { Database, DatabaseTable, DerivedRelation, QueryOptions, Relations } from './database.ts';
import { readAll } from './queryRules.ts';

const tablesSql = `SELECT database AS owner, name, engine, create_table_query AS definition FROM system.tables
  WHERE lower(database) NOT IN ('system', 'information_schema')`;
/** The folder tells servers apart, whatever address they are reached by. */
const placeSql = `SELECT hostName() AS host, min(metadata_path) AS folder, currentDatabase() AS database
  FROM system.databases`;

const catalog = /^(system|information_schema)\./i;
/** The same in a definition, which names a database before a dot or as an argument of its own. */
const catalogRead = /\b(system|information_schema)[`"']?\s*[.,]/i;

const tableRow = z.object({ owner: z.string(), name: z.string(), engine: z.string(), definition: z.string() });
const placeRow = z.object({ host: z.string(), folder: z.string(), database: z.string() });

/** Reads how the relations of a ClickHouse server hang together, in all its databases. @throws {DatabaseError} */
export async function clickhouseRelations(database: Database, options: QueryOptions): Promise<Relations> {
  const tables = await readAll(database, { sql: tablesSql, values: [] }, tableRow, options);
  const [place] = await readAll(database, { sql: placeSql, values: [] }, placeRow, options);
  return {
    identity: `clickhouse:${JSON.stringify([place?.host, place?.folder])}`,
    searchPath: place ? [place.database] : [],
    derived: tables.flatMap(({ engine, definition, ...table }) => {
      const own = derivedFrom(table, engine, definition) ?? [];
      return engine === 'MaterializedView' ? filledBy(table, definition).concat(own) : own;
    }),
    catalog,
  };
}

/** Engines whose tables hold rows of their own, and nothing else where no column is computed. */
const ownRows = /MergeTree$|^(Tiny|Stripe)?Log$|^(Memory|Set|Join|EmbeddedRocksDB)$/;
/** Columns whose expressions are computed when they are read, the last two in parts that are older than they. */
const computed = /\b(ALIAS|DEFAULT|MATERIALIZED)\b/;
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
  const isOwn = ownRows.test(engine);
  if (isOwn ? /^\.inner/.test(table.name) : !named.has(engine)) return { ...table, reads: [], isComplete: false };
  if (isOwn && !computed.test(definition)) return undefined;
  const words = wordsOf(definition);
  // Its own name comes first; further on it is that of a table in another database.
  const own = words.indexOf(table.name);
  const reads = [...new Set(words.filter((_, index) => index !== own))];
  return {
    ...table,
    reads: reads.map((name) => ({ owner: '', name })),
    isComplete: definition !== '' && !readers.test(definition) && !catalogRead.test(definition),
  };
}

/** The table that a materialised view puts its rows into, where that is another than its hidden one: what follows TO. */
function filledBy({ owner, name }: DatabaseTable, definition: string): DerivedRelation[] {
  const words = wordsOf(definition);
  return words.flatMap((word, index) => {
    const [targetOwner, targetName] = words.slice(index + 1);
    if (word !== 'TO' || targetOwner === undefined || targetName === undefined) return [];
    return [{ owner: targetOwner, name: targetName, reads: [{ owner, name }], isComplete: true }];
  });
}

/** Every name and text of a definition, in its order. */
function wordsOf(definition: string): string[] {
  const names = [...definition.matchAll(/`(?:[^`\\]|\\.)+`|"(?:[^"\\]|\\.)+"|'(?:[^'\\]|\\.)+'|[A-Za-z_]\w*/gs)];
  return names.map(([name]) => name.replace(/[`"'](.*)./s, '$1').replace(/\\(.)/gs, '$1'));
}
