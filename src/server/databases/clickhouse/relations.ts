import * as z from 'zod';
import type { Database, DatabaseTable, DerivedRelation, QueryOptions, Relations } from '../database.ts';
import { readAll } from '../queryRules.ts';

const tablesSql = `SELECT database AS owner, name, engine, create_table_query AS definition FROM system.tables
  WHERE lower(database) NOT IN ('system', 'information_schema')`;
/**
 * The metadata folder identifies a server regardless of the address used to reach it. Each login sees only the
 * databases that it may use.
 */
const placeSql = `SELECT hostName() AS host, max(metadata_path) AS folder, currentDatabase() AS database
  FROM system.databases`;
/** The part of a database's folder after the server's own folder. */
const ofDatabase = /(^|\/)(metadata|store)\/.*$/;

const catalog = /^(system|information_schema)\./i;
/** The same in a definition, which names a database before a dot or as a separate argument. */
const catalogRead = /\b(system|information_schema)[`"']?\s*[.,]/i;

const tableRow = z.object({ owner: z.string(), name: z.string(), engine: z.string(), definition: z.string() });
const placeRow = z.object({ host: z.string(), folder: z.string(), database: z.string() });

/** Reads the relations of a ClickHouse server, in all its databases. @throws {DatabaseError} */
export async function clickhouseRelations(database: Database, options: QueryOptions): Promise<Relations> {
  const tables = await readAll(database, { sql: tablesSql, values: [] }, tableRow, options);
  const visible = new Set(tables.map(({ name }) => name.toLowerCase()));
  const [place] = await readAll(database, { sql: placeSql, values: [] }, placeRow, options);
  return {
    identity: `clickhouse:${JSON.stringify([place?.host, place?.folder.replace(ofDatabase, '/')])}`,
    searchPath: place ? [place.database] : [],
    derived: tables.flatMap(({ engine, definition, ...table }) => {
      const own = derivedFrom(table, engine, definition, visible) ?? [];
      return engine === 'MaterializedView' ? filledBy(table, definition).concat(own) : own;
    }),
    catalog,
  };
}

/** Engines whose tables contain only their own rows, unless a column is computed. */
const ownRows = /MergeTree$|^(Tiny|Stripe)?Log$|^(Memory|Set|Join|EmbeddedRocksDB)$/;
/** Columns whose expressions are computed when they are read; the last two only in data parts older than the column. */
const computed = /\b(ALIAS|DEFAULT|MATERIALIZED)\b/;
/**
 * In a definition with computed columns, anything except a function that names a table: a sub-query or a list of
 * values.
 */
const namesTables = /\b(SELECT|\w*In(IgnoreSet)?)\b/i;
/** Views that may read tables that the login may not see. */
const ofDefiner = /\bSQL\s+SECURITY\s+(DEFINER|NONE)\b/i;
/** Engines whose definition names the tables that they read. */
const named = new Set(['View', 'MaterializedView', 'Distributed', 'Buffer']);
/** A name, quoted in any way or unquoted. */
const anyName = /(?:[A-Za-z_]\w*|'(?:[^'\\]|\\.)+'|"(?:[^"\\]|\\.)+"|`(?:[^`\\]|\\.)+`)/.source;
const names = new RegExp(anyName, 'gs');
/**
 * A table on the servers of a cluster: names the cluster, the database and the table there, which need not exist here.
 */
const distributed = new RegExp(String.raw`^\s*Distributed\(\s*${anyName}\s*,\s*${anyName}\s*,\s*${anyName}\s*[,)]`);
/** Functions that read tables, files or other servers. */
const readers =
  /\b(\w*remote\w*|cluster\w*|merge|mysql|postgresql|odbc|jdbc|mongodb|redis|sqlite|url\w*|file\w*|s3\w*|gcs|azure\w*|hdfs\w*|delta\w*|iceberg\w*|hudi\w*|executable|dictionary|dict\w+|joinGet\w*|view\w*|loop|input|mergeTree\w+)\s*\(/i;

/**
 * Finds the tables that a table reads in its definition: any name in it may be a table's, in any database. A table that
 * reads with the rights of the login can only read tables that the login sees, those in `visible` (lower case).
 * Undefined for tables with rows of their own; the hidden table behind a materialised view counts as reading unknown
 * tables.
 */
export function derivedFrom(
  table: DatabaseTable,
  engine: string,
  definition: string,
  visible: ReadonlySet<string>,
): DerivedRelation | undefined {
  const isOwn = ownRows.test(engine);
  if (isOwn ? /^\.inner/.test(table.name) : !named.has(engine)) return { ...table, reads: [], isComplete: false };
  const seesAll = !readers.test(definition) && !catalogRead.test(definition);
  if (isOwn && !computed.test(definition)) return undefined;
  if (isOwn && seesAll && !namesTables.test(definition)) return undefined;
  return {
    ...table,
    reads: namesRead(table, engine, definition, visible).map((name) => ({ owner: '', name })),
    isComplete: definition !== '' && seesAll,
  };
}

/** Names in a definition that may be tables that it reads. */
function namesRead(table: DatabaseTable, engine: string, definition: string, visible: ReadonlySet<string>): string[] {
  const [columns = '', ofEngine = '', ...more] = definition.split(/\bENGINE\s*=/);
  if (distributed.test(ofEngine) && more.length === 0 && !computed.test(columns)) return wordsOf(ofEngine).slice(3, 4);
  const words = wordsOf(definition);
  // The first occurrence is its own name; a later one is a table in another database.
  const own = words.indexOf(table.name);
  const isLocal = (engine === 'View' || ownRows.test(engine)) && !ofDefiner.test(definition);
  const mayBeRead = (word: string) => !isLocal || visible.has(word.toLowerCase());
  return [...new Set(words.filter((word, index) => index !== own && mayBeRead(word)))];
}

/** The table after TO that a materialised view inserts its rows into, if it is not the hidden one. */
function filledBy({ owner, name }: DatabaseTable, definition: string): DerivedRelation[] {
  const words = wordsOf(definition);
  return words.flatMap((word, index) => {
    const [targetOwner, targetName] = words.slice(index + 1);
    if (word !== 'TO' || targetOwner === undefined || targetName === undefined) return [];
    return [{ owner: targetOwner, name: targetName, reads: [{ owner, name }], isComplete: true }];
  });
}

/** Every name and text of a definition, in order. */
function wordsOf(definition: string): string[] {
  return [...definition.matchAll(names)].map(([word]) => word.replace(/[`"'](.*)./s, '$1').replace(/\\(.)/gs, '$1'));
}
