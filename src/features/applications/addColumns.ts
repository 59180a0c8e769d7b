import type { TableColumn } from '../../contract/resources/semanticLayer.ts';
import { fieldOf, isJsonObject, type Json, type JsonObject } from '../../objects/json.ts';
import { textField } from '../../objects/kinds/objectEntry.ts';
import {
  fieldOfColumn,
  freeLabel,
  proposeJoins,
  withAliases,
  type AliasedTable,
  type DatabaseTable,
  type ProposedJoin,
} from './proposeReportType.ts';

/** Columns of one table to add to a report type. */
export interface ColumnsToAdd {
  table: DatabaseTable;
  /** Alias of the table if the report type already has it. */
  alias: string | undefined;
  columns: readonly TableColumn[];
  /** Tables of the report type with their columns, to join a new table with them. */
  others: readonly AliasedTable[];
  /** Field type codes supported by the server. */
  offered: ReadonlySet<string>;
}

/** Lists of a report type, including the added columns. */
export interface GrownReportType {
  SQLTables: Json[];
  FieldTree: Json[];
  /** Undefined if no join was added. */
  Joins: Json[] | undefined;
  /** Alias of the columns' table. */
  alias: string;
  joins: readonly ProposedJoin[];
}

/** Tables of a report type, read from its document. */
export function tablesOf(view: JsonObject): Omit<AliasedTable, 'columns'>[] {
  return listOf(view, 'SQLTables').map((table) => {
    const name = textField(table, 'tablename');
    return { name, owner: textField(table, 'tableowner'), alias: textField(table, 'tablealias') || name };
  });
}

/** Columns of a table that have no field in the report type. */
export function missingColumns(view: JsonObject, alias: string, columns: readonly TableColumn[]): TableColumn[] {
  const has = new Set(
    listOf(view, 'FieldTree')
      .filter((entry) => textField(entry, 'tablealias').toLowerCase() === alias.toLowerCase())
      .map((entry) => textField(entry, 'sqlfieldname').toLowerCase()),
  );
  return columns.filter(({ columnname }) => columnname && !has.has(columnname.toLowerCase()));
}

/**
 * Appends columns to a report type's field tree, each with a matching field type. A table new to the report type gets a
 * unique alias and joins proposed from its key names. Existing entries stay the same.
 */
export function addColumns(
  view: JsonObject,
  { table, alias, columns, others, offered }: ColumnsToAdd,
): GrownReportType {
  const grown = alias === undefined ? withNewTable(table, others) : undefined;
  const known = alias ?? grown?.alias ?? table.name;
  const joins = grown?.joins ?? [];
  const entries = listOf(view, 'FieldTree');
  let id = Math.max(0, ...entries.map((entry) => numberField(entry, 'id')));
  let order = Math.max(0, ...entries.map((entry) => numberField(entry, 'idx_order')));
  const labels = new Set(entries.map((entry) => textField(entry, 'fname').toLowerCase()));
  // At the top level, so that they are not added to the last folder.
  const added = columns.map((column): Json => {
    const field = fieldOfColumn(known, column, '0', offered);
    const fname = freeLabel(field.fname, known, labels);
    return { ...field, fname, id: ++id, idx_order: ++order };
  });
  const tables = [...rawList(view, 'SQLTables')];
  if (grown) tables.push({ tablename: table.name, tableowner: table.owner, tablealias: grown.alias });
  return {
    SQLTables: tables,
    FieldTree: [...rawList(view, 'FieldTree'), ...added],
    Joins: joins.length === 0 ? undefined : [...rawList(view, 'Joins'), ...joins.map((join): Json => ({ ...join }))],
    alias: known,
    joins,
  };
}

/** The alias of a new table, and its join with an existing one. */
function withNewTable(table: DatabaseTable, others: readonly AliasedTable[]) {
  const taken = new Set(others.map(({ alias }) => alias.toLowerCase()));
  const [first] = withAliases([table]);
  const wanted = first?.alias ?? table.name;
  let alias = wanted;
  for (let number = 2; taken.has(alias.toLowerCase()); number++) alias = `${wanted}_${number}`;
  const added = { ...table, alias };
  for (const other of others) {
    const joins = proposeJoins([other, added]);
    if (joins.length > 0) return { alias, joins };
  }
  return { alias, joins: [] };
}

function rawList(view: JsonObject, name: string): readonly Json[] {
  const list = fieldOf(view, name);
  return Array.isArray(list) ? list : [];
}

function listOf(view: JsonObject, name: string): JsonObject[] {
  return rawList(view, name).filter(isJsonObject);
}

function numberField(entry: JsonObject, name: string): number {
  const value = fieldOf(entry, name);
  return typeof value === 'number' ? value : 0;
}
