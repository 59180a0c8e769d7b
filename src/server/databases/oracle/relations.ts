import * as z from 'zod';
import type { Database, DatabaseTable, DerivedRelation, QueryOptions, Relations } from '../database.ts';
import { readAll } from '../queryRules.ts';

const own = `owner NOT IN (SELECT username FROM all_users WHERE oracle_maintained = 'Y')`;

const viewsSql = `SELECT owner AS "owner", view_name AS "name" FROM all_views WHERE ${own}
  UNION SELECT owner, mview_name FROM all_mviews WHERE ${own}`;
const readsSql = `SELECT owner AS "owner", name AS "name", referenced_owner AS "readOwner", referenced_name AS "readName",
    referenced_type AS "readType", referenced_link_name AS "link"
  FROM all_dependencies WHERE type IN ('VIEW', 'MATERIALIZED VIEW') AND ${own}`;
const synonymsSql = `SELECT owner AS "owner", synonym_name AS "name", table_owner AS "readOwner", table_name AS "readName",
    'SYNONYM' AS "readType", db_link AS "link"
  FROM all_synonyms
  WHERE db_link IS NOT NULL OR table_owner NOT IN (SELECT username FROM all_users WHERE oracle_maintained = 'Y')`;
/** Materialised view logs store the changes of their table. */
const logsSql = `SELECT log_owner AS "owner", log_table AS "name", log_owner AS "readOwner", master AS "readName",
    'TABLE' AS "readType", CAST(NULL AS VARCHAR2(1)) AS "link"
  FROM all_mview_logs`;
const opaqueSql = `SELECT owner AS "owner", table_name AS "name" FROM all_external_tables WHERE ${own}`;
/** Synonyms give access to the dictionary without its owner. */
const catalog = /^(sys|system)\.(?!dual$)|\.(all|cdb|dba|user)_(hist|ind|(sub)?part|tab)|\.g?v_?\$/i;
const placeSql = `SELECT SYS_CONTEXT('USERENV', 'DB_NAME') AS "database", SYS_CONTEXT('USERENV', 'DB_DOMAIN') AS "domain",
    SYS_CONTEXT('USERENV', 'CON_NAME') AS "container", SYS_CONTEXT('USERENV', 'CURRENT_SCHEMA') AS "own"
  FROM dual`;

const table = z.object({ owner: z.string(), name: z.string() });
const edgeRow = table.extend({
  readOwner: z.string().nullable(),
  readName: z.string(),
  readType: z.string(),
  link: z.string().nullable(),
});
const placeRow = z.object({
  database: z.string().nullable(),
  domain: z.string().nullable(),
  container: z.string().nullable(),
  own: z.string().nullable(),
});

/** A relation read by a view, synonym or log. */
export type OracleEdge = z.infer<typeof edgeRow>;

/** Reads the relations of an Oracle database. @throws {DatabaseError} */
export async function oracleRelations(database: Database, options: QueryOptions): Promise<Relations> {
  const read = <T>(sql: string, row: z.ZodType<T>) => readAll(database, { sql, values: [] }, row, options);
  const [views, reads, synonyms, logs, opaque, [place]] = await Promise.all([
    read(viewsSql, table),
    read(readsSql, edgeRow),
    read(synonymsSql, edgeRow),
    read(logsSql, edgeRow),
    read(opaqueSql, table),
    read(placeSql, placeRow),
  ]);
  return {
    // A copy of the database on another machine has the same names and counts as the same.
    identity: `oracle:${JSON.stringify([place?.database, place?.domain, place?.container])}`,
    searchPath: [...(place?.own ? [place.own] : []), 'PUBLIC'],
    derived: [
      ...oracleDerived(views, reads),
      ...oracleDerived([], [...synonyms, ...logs]),
      ...opaque.map((each) => ({ ...each, reads: [], isComplete: false })),
    ],
    catalog,
  };
}

const readable = new Set(['TABLE', 'VIEW', 'MATERIALIZED VIEW', 'SYNONYM']);

/**
 * Builds views and the like from the relations that they read. A view that reads a function, a package or another
 * database, or nothing visible, may read unknown tables; Oracle's own package of plain functions is harmless.
 */
export function oracleDerived(views: readonly DatabaseTable[], edges: readonly OracleEdge[]): DerivedRelation[] {
  const found = new Map<string, { owner: string; name: string; edges: OracleEdge[] }>();
  const entry = ({ owner, name }: DatabaseTable) => {
    const key = JSON.stringify([owner, name]);
    const known = found.get(key) ?? { owner, name, edges: [] };
    found.set(key, known);
    return known;
  };
  views.forEach(entry);
  for (const edge of edges) entry(edge).edges.push(edge);
  return [...found.values()].map(({ owner, name, edges: own }) => ({
    owner,
    name,
    reads: own
      // A materialised view reads the table that stores its rows, which has the same name.
      .filter((edge) => readable.has(edge.readType) && !(edge.readOwner === owner && edge.readName === name))
      .map(({ readOwner, readName }) => ({ owner: readOwner ?? '', name: readName })),
    isComplete: own.length > 0 && own.every((edge) => edge.link === null && isHarmless(edge)),
  }));
}

function isHarmless({ readOwner, readName, readType }: OracleEdge): boolean {
  if (readType === 'PACKAGE') return readOwner === 'SYS' && readName === 'STANDARD';
  return readable.has(readType);
}
