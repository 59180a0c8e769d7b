import * as z from 'zod';
import { type Database, DatabaseError, type QueryOptions, type Relations } from '../database.ts';
import { readAll } from '../queryRules.ts';
import { nameSet } from '../relations.ts';

const catalog = /^(pg_\w*|information_schema)\.|\.pg_/i;
/** PostgreSQL's own functions that run a query given as text, or read files. */
const textReaders = String.raw`\m(\w*_to_xml\w*|ts_stat|pg_read_\w+|pg_ls_\w+|lo_\w+|loread|currtid2?)\M`;

/** Functions that may read tables, regardless of their declaration: user-defined ones do not declare what they call. */
const mayRead = `(p.provolatile <> 'i'
  OR p.prolang NOT IN (SELECT oid FROM pg_catalog.pg_language WHERE lanname IN ('internal', 'c'))
  OR p.oid IN (SELECT aggfnoid FROM pg_catalog.pg_aggregate))`;

/**
 * Views by the dependencies of their rules, and tables by their partitions and child tables. A relation that uses a
 * function that may read tables, or is stored on another server, may read unknown tables.
 */
const derivedSql = `SELECT * FROM (WITH view AS (
    SELECT c.oid AS id FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('v', 'm') AND n.nspname NOT IN ('pg_catalog', 'information_schema')),
  rule AS (
    SELECT DISTINCT r.ev_class AS id, d.refclassid AS class, d.refobjid AS object
    FROM pg_catalog.pg_rewrite r JOIN pg_catalog.pg_depend d
      ON d.classid = 'pg_catalog.pg_rewrite'::regclass AND d.objid = r.oid AND d.refobjid <> r.ev_class),
  edge AS (
    SELECT rule.id, rule.object AS source FROM rule WHERE rule.class = 'pg_catalog.pg_class'::regclass
    UNION SELECT inhparent, inhrelid FROM pg_catalog.pg_inherits),
  opaque AS (
    SELECT rule.id FROM rule JOIN pg_catalog.pg_proc p ON p.oid = rule.object
    WHERE rule.class = 'pg_catalog.pg_proc'::regclass AND ${mayRead}
    UNION SELECT rule.id FROM rule JOIN pg_catalog.pg_operator o ON o.oid = rule.object
      JOIN pg_catalog.pg_proc p ON p.oid = o.oprcode
    WHERE rule.class = 'pg_catalog.pg_operator'::regclass AND ${mayRead}
    UNION SELECT c.oid FROM pg_catalog.pg_class c WHERE c.relkind = 'f'
    UNION SELECT id FROM view WHERE pg_catalog.pg_get_viewdef(id) ~ '${textReaders}'),
  derived AS (SELECT id FROM edge UNION SELECT id FROM opaque UNION SELECT id FROM view)
  SELECT n.nspname AS owner, c.relname AS name, NOT EXISTS (SELECT 1 FROM opaque WHERE opaque.id = c.oid) AS "isComplete",
    (SELECT coalesce(json_agg(json_build_object('owner', sn.nspname, 'name', sc.relname)), '[]')
      FROM edge JOIN pg_catalog.pg_class sc ON sc.oid = edge.source
        JOIN pg_catalog.pg_namespace sn ON sn.oid = sc.relnamespace
      WHERE edge.id = c.oid)::text AS reads
  FROM derived JOIN pg_catalog.pg_class c ON c.oid = derived.id
    JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname NOT IN ('pg_catalog', 'information_schema')) AS relations`;

const namesSql = `SELECT n.nspname AS owner, c.relname AS name
  FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND n.nspname NOT IN ('pg_catalog', 'information_schema')`;
const pathSql = `SELECT d.oid::text AS database, array_to_json(current_schemas(true))::text AS path
  FROM pg_catalog.pg_database d WHERE d.datname = current_database()`;
/** Replicas have the same identifier. */
const clusterSql = 'SELECT system_identifier::text AS cluster FROM pg_catalog.pg_control_system()';
/**
 * For logins that may not run {@link clusterSql}; a number, because the text of a date and time depends on the login.
 */
const startSql = 'SELECT extract(epoch FROM pg_catalog.pg_postmaster_start_time())::text AS cluster';

const table = z.object({ owner: z.string(), name: z.string() });
const fromJson = <T>(schema: z.ZodType<T>) => z.string().transform((text) => schema.parse(JSON.parse(text)));
const derivedRow = table.extend({ isComplete: z.boolean(), reads: fromJson(z.array(table)) });
const pathRow = z.object({ database: z.string(), path: fromJson(z.array(z.string())) });
const clusterRow = z.object({ cluster: z.string() });

/** Reads the relations of a PostgreSQL database. @throws {DatabaseError} */
export async function postgresqlRelations(database: Database, options: QueryOptions): Promise<Relations> {
  const [derived, names, [place], cluster, started] = await Promise.all([
    readAll(database, { sql: derivedSql, values: [] }, derivedRow, options),
    readAll(database, { sql: namesSql, values: [] }, table, options),
    readAll(database, { sql: pathSql, values: [] }, pathRow, options),
    clusterOf(database, options),
    readCluster(database, startSql, options),
  ]);
  const identity = (of: string | undefined) => `postgresql:${of}:${place?.database}`;
  return {
    identity: identity(cluster ?? started),
    // Another login may not be allowed to read the first one.
    otherIdentity: identity(started),
    searchPath: place?.path ?? [],
    derived,
    // The database truncates longer names to 63 bytes.
    names: nameSet(names),
    catalog,
  };
}

async function clusterOf(database: Database, options: QueryOptions): Promise<string | undefined> {
  try {
    return await readCluster(database, clusterSql, options);
  } catch (error) {
    if (error instanceof DatabaseError && error.kind === 'refused') return undefined;
    throw error;
  }
}

async function readCluster(database: Database, sql: string, options: QueryOptions): Promise<string | undefined> {
  return (await readAll(database, { sql, values: [] }, clusterRow, options))[0]?.cluster;
}
