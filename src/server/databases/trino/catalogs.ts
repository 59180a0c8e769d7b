import * as z from 'zod';
import { namePath, pathName } from '../../../contract/tableNames.ts';
import { type Database, DatabaseError, type DatabaseTable, type QueryOptions } from '../database.ts';
import { readAll } from '../queryRules.ts';
import { trinoLiteral } from './values.ts';

/** The catalog of Trino itself: nodes, queries, the tables of all catalogs. */
const ownCatalog = 'system';

const catalogsSql = `SELECT catalog_name AS "name" FROM system.metadata.catalogs WHERE catalog_name <> '${ownCatalog}'
  ORDER BY 1`;
const catalogRow = z.object({ name: z.string() });
const tableRow = z.object({ owner: z.string(), name: z.string() });

const tablesSql = (catalog: string) => `SELECT table_schema AS "owner", table_name AS "name"
  FROM ${quoted(catalog)}.information_schema.tables WHERE table_schema <> 'information_schema' ORDER BY 1, 2`;

/**
 * Tables of all catalogs. Those of the default catalog are owned by their schema, others by `catalog.schema`. Other
 * catalogs are left out while they cannot be read: the database behind them is away, or the login may not see them.
 * @throws {DatabaseError}
 */
export async function trinoTables(
  database: Database,
  defaultCatalog: string,
  options: QueryOptions,
): Promise<DatabaseTable[]> {
  const catalogs = await readAll(database, { sql: catalogsSql, values: [] }, catalogRow, options);
  const names = new Set([...(defaultCatalog === '' ? [] : [defaultCatalog]), ...catalogs.map(({ name }) => name)]);
  const lists = [...names].map(async (catalog) => {
    try {
      const tables = await readAll(database, { sql: tablesSql(catalog), values: [] }, tableRow, options);
      if (catalog === defaultCatalog) return tables;
      return tables.map(({ owner, name }) => ({ owner: pathName([catalog, owner]), name }));
    } catch (error) {
      const isUnreadable = error instanceof DatabaseError && ['failed', 'refused'].includes(error.kind);
      if (!isUnreadable || catalog === defaultCatalog) throw error;
      return [];
    }
  });
  return (await Promise.all(lists)).flat();
}

/** Query for the columns of the table named by the first value, in a schema or `catalog.schema`. */
export function trinoColumnsSql(owner: string): string {
  const [schema = '', catalog = ''] = namePath(owner).reverse();
  const place = schema === '' ? 'current_schema' : (trinoLiteral({ type: 'text', text: schema }) ?? 'NULL');
  return `SELECT column_name AS "name", data_type AS "nativeType",
    coalesce(try_cast(regexp_extract(data_type, '^(?:var)?char\\((\\d+)\\)$', 1) AS integer), 0) AS "maxLength",
    is_nullable AS "isNullable", table_name AS "table"
  FROM ${catalog === '' ? '' : `${quoted(catalog)}.`}information_schema.columns
  WHERE table_name = lower(?1) AND table_schema = lower(${place})
  ORDER BY ordinal_position`;
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
