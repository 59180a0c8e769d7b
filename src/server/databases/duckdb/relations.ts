import { realpathSync } from 'node:fs';
import * as z from 'zod';
import type { DatabaseTable, DerivedRelation } from '../database.ts';
import { fileOwner } from '../relations.ts';

/** Views with their SQL. */
export const duckdbViewsSql = `SELECT schema_name, view_name, sql FROM duckdb_views()
  WHERE database_name = current_database() AND NOT internal`;
/** Relations in the schema main, under the name of the database, which may be used in place of a schema. */
export const duckdbMainSql = `SELECT database_name, table_name FROM duckdb_tables()
    WHERE database_name = current_database() AND schema_name = 'main'
  UNION ALL SELECT database_name, view_name FROM duckdb_views()
    WHERE database_name = current_database() AND schema_name = 'main' AND NOT internal`;
/**
 * DuckDB's own catalog relations that reveal data about all rows, and names without a schema for which it would read a
 * file: it may be a file that a view reads.
 */
export const duckdbCatalog =
  /^(information_schema|pg_catalog|system|temp)\.|\.(duckdb|pg|pragma|sqlite)_|^main\..*[./\\:*?]/i;
/** User-defined SQL functions; they may read anything. */
export const duckdbMacrosSql = `SELECT DISTINCT lower(function_name) FROM duckdb_functions() WHERE NOT internal`;
/** The syntax tree of a query, by DuckDB's own parser. */
export const duckdbTreeSql = 'SELECT CAST(json_serialize_sql(CAST($1 AS VARCHAR)) AS VARCHAR)';

const name = String.raw`(?:"(?:[^"]|"")*"|[^\s".(),;]+)`;
const viewForm = new RegExp(
  String.raw`^CREATE VIEW (?:${name}\.)*${name}(?: \(${name}(?:, ${name})*\))? AS (SELECT|WITH|FROM|VALUES|\(|PIVOT|UNPIVOT)([^]*?);?\s*$`,
  'i',
);

/** Extracts the query from a view's CREATE statement; undefined for an unknown form. */
export function viewQuery(statement: string): string | undefined {
  const found = viewForm.exec(statement);
  return found ? `${found[1]}${found[2]}` : undefined;
}

const record = z.record(z.string(), z.unknown());
/** Table functions that generate their rows. */
const madeRows = new Set(['range', 'generate_series', 'unnest', 'repeat']);

/** Relations that a view reads, from the tree of its query; without a tree, incomplete. */
export function readsOfView(
  { owner, name: view }: DatabaseTable,
  tree: string | undefined,
  macros: ReadonlySet<string>,
): DerivedRelation {
  const reads: DatabaseTable[] = [];
  const parsed: unknown = JSON.parse(tree ?? 'null');
  let isComplete = record.safeParse(parsed).data?.error === false;
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    const { success, data: node } = record.safeParse(value);
    if (!success) return;
    const source = sourceOf(node);
    if (source === 'unknown') isComplete = false;
    else if (source) reads.push(source);
    if (macros.has(String(node.function_name).toLowerCase())) isComplete = false;
    Object.values(node).forEach(visit);
  };
  visit(parsed);
  return { owner, name: view, reads, isComplete };
}

function sourceOf(node: Record<string, unknown>): DatabaseTable | 'unknown' | undefined {
  if (node.type === 'SHOW_REF') return 'unknown';
  if (node.type === 'BASE_TABLE') {
    const table = String(node.table_name);
    // A file may be named in place of a table.
    if (/[./\\:*?]/.test(table)) return 'unknown';
    // In "one.two" the first part may be the database or a schema.
    return { owner: node.catalog_name === '' ? '' : String(node.schema_name), name: table };
  }
  if (node.type !== 'TABLE_FUNCTION') return undefined;
  const call = record.safeParse(node.function).data ?? {};
  const called = String(call.function_name).toLowerCase();
  if (madeRows.has(called)) return undefined;
  return /^read_(csv|csv_auto|parquet|json|json_auto|json_objects|ndjson|text|blob)$/.test(called)
    ? fileOf(call)
    : 'unknown';
}

function fileOf(call: Record<string, unknown>): DatabaseTable | 'unknown' {
  const argument = record.safeParse(z.array(z.unknown()).safeParse(call.children).data?.[0]).data;
  const value = record.safeParse(argument?.value).data?.value;
  try {
    const file = z.string().parse(value);
    if (/[*?[\]{}]|:\/\//.test(file)) return 'unknown';
    return { owner: fileOwner, name: realpathSync.native(file) };
  } catch {
    // Not a text, or a file that is unreadable because it does not exist; it may exist later.
    return 'unknown';
  }
}
