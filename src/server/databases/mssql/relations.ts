import * as z from 'zod';
import type { Database, DatabaseTable, DerivedRelation, QueryOptions, Relations } from '../database.ts';
import { readAll } from '../queryRules.ts';
import { nameSet } from '../relations.ts';

/** Views; the definition is hidden from logins without the permission to see it, and if it is encrypted. */
const viewsSql = `SELECT s.name AS owner, v.name AS name, OBJECT_DEFINITION(v.object_id) AS definition
  FROM sys.views AS v JOIN sys.schemas AS s ON s.schema_id = v.schema_id`;
const synonymsSql = `SELECT s.name AS owner, n.name AS name, PARSENAME(n.base_object_name, 1) AS target,
    PARSENAME(n.base_object_name, 2) AS targetOwner,
    COALESCE(PARSENAME(n.base_object_name, 4), NULLIF(PARSENAME(n.base_object_name, 3), DB_NAME())) AS elsewhere
  FROM sys.synonyms AS n JOIN sys.schemas AS s ON s.schema_id = n.schema_id`;
/**
 * Tables whose rows are stored elsewhere, tables that keep earlier versions of another table's rows or compute a column
 * by a user-defined function, which the server writes as [schema].[name](; and table-valued functions: their names need
 * no schema.
 */
const opaqueSql = `SELECT s.name AS owner, t.name AS name
  FROM sys.tables AS t JOIN sys.schemas AS s ON s.schema_id = t.schema_id
  WHERE t.is_external = 1 OR t.is_filetable = 1 OR t.temporal_type <> 0 OR EXISTS (
    SELECT 1 FROM sys.computed_columns AS c WHERE c.object_id = t.object_id AND c.definition LIKE '%].[[]%](%')
  UNION ALL SELECT s.name, f.name
  FROM sys.objects AS f JOIN sys.schemas AS s ON s.schema_id = f.schema_id
  WHERE f.type IN ('IF', 'TF', 'FT')`;
/** Catalog names of earlier versions need no schema. */
const catalog = /^(sys|information_schema)\.|\.sys(cacheobjects|comments|indexes|objects|perfinfo|processes)$/i;
const schemasSql = 'SELECT name FROM sys.schemas';
const namesSql = `SELECT s.name AS owner, o.name AS name
  FROM sys.objects AS o JOIN sys.schemas AS s ON s.schema_id = o.schema_id
  WHERE o.type IN ('U', 'V', 'SN')`;
/** Replicas on other servers keep the broker's GUID; an attached copy keeps it, too, and counts as the same. */
const placeSql = `SELECT CAST(service_broker_guid AS nvarchar(36)) AS guid, CAST(@@SERVERNAME AS nvarchar(128)) AS server,
    DB_NAME() AS name, SCHEMA_NAME() AS own
  FROM sys.databases WHERE database_id = DB_ID()`;

const table = z.object({ owner: z.string(), name: z.string() });
const viewRow = table.extend({ definition: z.string().nullable() });
const synonymRow = table.extend({
  target: z.string().nullable(),
  targetOwner: z.string().nullable(),
  elsewhere: z.string().nullable(),
});
const schemaRow = z.object({ name: z.string() });
const placeRow = z.object({
  guid: z.string().nullable(),
  server: z.string().nullable(),
  name: z.string(),
  own: z.string().nullable(),
});

/** Reads the relations of a SQL Server database. @throws {DatabaseError} */
export async function mssqlRelations(database: Database, options: QueryOptions): Promise<Relations> {
  const read = <T>(sql: string, row: z.ZodType<T>) => readAll(database, { sql, values: [] }, row, options);
  const [views, synonyms, opaque, schemas, names, [place]] = await Promise.all([
    read(viewsSql, viewRow),
    read(synonymsSql, synonymRow),
    read(opaqueSql, table),
    read(schemasSql, schemaRow),
    read(namesSql, table),
    read(placeSql, placeRow),
  ]);
  const owners = new Set(schemas.map(({ name }) => name.toLowerCase()));
  return {
    identity: `mssql:${JSON.stringify(place?.guid ? [place.guid] : [place?.server, place?.name])}`,
    searchPath: [...new Set([place?.own ?? 'dbo', 'dbo'])],
    derived: [
      ...views.map(({ definition, ...view }) => readsOfMssqlView(view, definition ?? '', owners)),
      ...synonyms.map(({ target, targetOwner, elsewhere, ...synonym }) => ({
        ...synonym,
        reads: target === null ? [] : [{ owner: targetOwner ?? '', name: target }],
        isComplete: target !== null && elsewhere === null,
      })),
      ...opaque.map((each) => ({ ...each, reads: [], isComplete: false })),
    ],
    // The database's collation decides whether accents and widths matter in names.
    names: nameSet(names),
    catalog,
  };
}

const quoted = String.raw`\[(?:[^\]]|\]\])+\]|"(?:[^"]|"")+"`;
const part = String.raw`(?:${quoted}|[\p{L}_@#][\p{L}\p{N}_@#$]*)`;
const header = new RegExp(String.raw`^\s*CREATE\s+(?:OR\s+ALTER\s+)?VIEW\s*${part}(?:\s*\.\s*${part})*`, 'iu');
const chain = new RegExp(String.raw`${part}(?:\s*\.\s*(?:${part})?)*(?:\s*\()?`, 'gu');
/** Functions and schemas that read other servers, files, texts or the database's own catalog. */
const readers = /^(OPENQUERY|OPENROWSET|OPENDATASOURCE|OPENXML|sys|information_schema|fn_dblog|fn_dump_dblog)$/i;

/**
 * Finds the relations that a view reads in its definition: any name in it may be a table's, in any schema. Functions
 * qualified by a schema and names in other databases count as reading unknown tables, and so does a view without a
 * definition. `owners` are the database's schemas, in lower case.
 */
export function readsOfMssqlView(
  { owner, name }: DatabaseTable,
  definition: string,
  owners: ReadonlySet<string>,
): DerivedRelation {
  // A name may contain the start of a text or a comment. The view's own name is at the start.
  const text = definition
    .replace(
      new RegExp(`(${quoted})|--[^\\n]*|\\/\\*[^]*?\\*\\/|'(?:[^']|'')*'`, 'g'),
      (_, name?: string) => name ?? ' ',
    )
    .replace(header, '');
  const reads = new Set<string>();
  let isComplete = text.trim() !== '';
  for (const [found] of text.matchAll(chain)) {
    // A chain has at least one part.
    const parts = [...found.matchAll(new RegExp(part, 'gu'))].map(([one]) => plain(one)) as [string, ...string[]];
    const isCall = found.endsWith('(');
    const isElsewhere = parts.length > 2 && !owners.has(parts[0].toLowerCase());
    const isOpaque = isElsewhere || /\.\s*\./.test(found) || readers.test(parts[0]);
    if (isOpaque || (isCall && parts.length > 1)) isComplete = false;
    for (const each of parts) reads.add(each);
  }
  return { owner, name, reads: [...reads].map((each) => ({ owner: '', name: each })), isComplete };
}

function plain(identifier: string): string {
  if (identifier.startsWith('[')) return identifier.slice(1, -1).replaceAll(']]', ']');
  return identifier.includes('"') ? identifier.slice(1, -1).replaceAll('""', '"') : identifier;
}
