import * as z from 'zod';
import type { FieldTypeCode } from '../../contract/fieldTypes.ts';
import type { TableColumn } from '../../contract/resources/semanticLayer.ts';
import type { AnalyticsClient } from '../../client/client.ts';
import { ClientError } from '../../client/clientError.ts';
import { text, errorCode } from '../../contract/fields.ts';
import type { ReportTypePlace } from '../../objects/kinds/reportTypeId.ts';
import * as l10n from '../../l10n/l10n.ts';

/** A database table as described by the server. */
export interface DatabaseTable {
  name: string;
  /** Schema; empty for the connection's default. */
  owner: string;
  columns: readonly TableColumn[];
}

/** A table with the alias that joins and fields use. */
export interface AliasedTable extends DatabaseTable {
  alias: string;
}

/** A join between two tables, in the wire format of report types. */
export interface ProposedJoin {
  kind: 'inner' | 'left';
  leftAlias: string;
  leftColumn: string;
  rightAlias: string;
  rightColumn: string;
}

/** An entry of a report type's field tree. API description, AnyDB module. */
export interface ProposedEntry {
  id: number;
  fname: string;
  flevel: string;
  nodetype: 'G' | 'F';
  tablealias: string;
  sqlfieldname: string;
  datatype: string;
  idx_order: number;
}

/** Assigns each table an alias: its name, with its schema and then a number if it is not unique. */
export function withAliases(tables: readonly DatabaseTable[]): AliasedTable[] {
  const taken = new Set<string>();
  return tables.map((table) => {
    const isShared = tables.some((other) => other !== table && same(other.name, table.name));
    const wanted = isShared && table.owner !== '' ? `${table.owner}_${table.name}` : table.name;
    let alias = wanted;
    for (let number = 2; taken.has(alias.toLowerCase()); number++) alias = `${wanted}_${number}`;
    taken.add(alias.toLowerCase());
    return { ...table, alias };
  });
}

/**
 * Proposes joins from key names: `orders.customer_id` with `customers.id` or `customers.customer_id`, otherwise all
 * keys that two tables have in common. Each table is joined with the first match among the tables before it, or after
 * it, so that the joins form no cycle. Tables without a matching key stay unjoined.
 */
export function proposeJoins(tables: readonly AliasedTable[]): ProposedJoin[] {
  const joins: ProposedJoin[] = [];
  const groupOf = new Map(tables.map(({ alias }) => [alias, alias]));
  // A name that refers to the other table is preferred over a key that only has the same name.
  for (const propose of [joinByReference, joinBySharedKeys]) {
    for (const [index, table] of tables.entries()) {
      for (const other of tables.slice(0, index)) {
        const [group, others] = [groupOf.get(table.alias), groupOf.get(other.alias)];
        if (group === others || others === undefined) continue;
        const found = propose(other, table);
        if (found.length === 0) continue;
        joins.push(...found);
        for (const [alias, member] of groupOf) if (member === group) groupOf.set(alias, others);
      }
    }
  }
  return joins;
}

/** Tables that no chain of joins connects with the first one; a report cannot combine them with it. */
export function unjoinedTables(tables: readonly AliasedTable[], joins: readonly ProposedJoin[]): AliasedTable[] {
  const [first] = tables;
  if (!first) return [];
  const reached = new Set([first.alias]);
  for (let before = 0; before < reached.size;) {
    before = reached.size;
    for (const { leftAlias, rightAlias } of joins) {
      if (reached.has(leftAlias)) reached.add(rightAlias);
      if (reached.has(rightAlias)) reached.add(leftAlias);
    }
  }
  return tables.filter(({ alias }) => !reached.has(alias));
}

/**
 * Proposes the field tree of a report type: each column with a unique label, in one folder per table if there are
 * several.
 * @param offered field type codes supported by the server; others become `cha`.
 */
export function proposeFields(tables: readonly AliasedTable[], offered: ReadonlySet<string>): ProposedEntry[] {
  const entries: ProposedEntry[] = [];
  const add = (entry: Omit<ProposedEntry, 'id' | 'idx_order'>) => {
    const place = entries.length + 1;
    entries.push({ ...entry, id: place, idx_order: place });
  };
  const hasFolders = tables.length > 1;
  const labels = new Set<string>();
  for (const { alias, columns } of tables) {
    const folder = { fname: fieldLabel(alias), flevel: '0', tablealias: '', sqlfieldname: '', datatype: '' };
    if (hasFolders) add({ ...folder, nodetype: 'G' });
    const flevel = hasFolders ? '1' : '0';
    for (const column of columns) {
      const field = fieldOfColumn(alias, column, flevel, offered);
      add({ ...field, fname: freeLabel(field.fname, alias, labels) });
    }
  }
  return entries;
}

/** The field of one column; `flevel` is its depth in the tree, `0` at the top. */
export function fieldOfColumn(
  alias: string,
  { columnname, datatype }: TableColumn,
  flevel: string,
  offered: ReadonlySet<string>,
): Omit<ProposedEntry, 'id' | 'idx_order'> {
  const code = fieldTypeOf(datatype ?? '');
  return {
    fname: fieldLabel(columnname ?? ''),
    flevel,
    nodetype: 'F',
    tablealias: alias,
    sqlfieldname: columnname ?? '',
    datatype: offered.size === 0 || offered.has(code) ? code : 'cha',
  };
}

/** Field type for a native database type, for example `num` for `numeric(10,2)` or `Nullable(UInt8)`. */
export function fieldTypeOf(nativeType: string): FieldTypeCode {
  const type = nativeType.toLowerCase().replace(/^(?:(?:nullable|lowcardinality)\()+/, '');
  if (/^(?:small)?money\b/.test(type)) return 'cur';
  if (/^(?:u?(?:tiny|small|medium|big|huge)?int(?:eger)?\d*|(?:small|big)?serial\d*)\b/.test(type)) return 'num';
  if (/^(?:decimal|numeric|number|real|double|float|binary_float|binary_double)\d*\b/.test(type)) return 'num';
  if (/^(?:timestamp|datetime|smalldatetime)/.test(type)) return 'dtz';
  if (/^date(?:32)?\b/.test(type)) return 'doz';
  return 'cha';
}

/**
 * Converts a database name to a readable label: `origin_state` becomes `Origin State`, `carrierCode` `Carrier Code`.
 */
export function fieldLabel(name: string): string {
  const words = name
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .split(/[\s_.-]+/u)
    .filter((word) => word !== '');
  const label = words.map((word) => (/^ids?$/iu.test(word) ? word.toUpperCase() : capitalised(word))).join(' ');
  return label === '' ? name : label;
}

/**
 * A unique label: reports and formulas identify fields by it.
 * @param taken lower-case labels in use; the returned one is added.
 */
export function freeLabel(label: string, alias: string, taken: Set<string>): string {
  let free = taken.has(label.toLowerCase()) ? `${label} (${alias})` : label;
  for (let number = 2; taken.has(free.toLowerCase()); number++) free = `${label} (${alias} ${number})`;
  taken.add(free.toLowerCase());
  return free;
}

function capitalised(word: string): string {
  const text = word === word.toUpperCase() ? word.toLowerCase() : word;
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

/** One table's column refers to the other: all rows of the referring table are preserved, with or without a match. */
function joinByReference(one: AliasedTable, other: AliasedTable): ProposedJoin[] {
  const found = reference(one, other) ?? reference(other, one);
  return found ? [found] : [];
}

function reference(from: AliasedTable, to: AliasedTable): ProposedJoin | undefined {
  for (const column of columnNames(from)) {
    const stem = keyStem(column);
    if (stem === undefined || stem === '' || !isNameOf(to.name, stem) || isNameOf(from.name, stem)) continue;
    const target =
      columnNames(to).find((name) => same(name, column)) ?? columnNames(to).find((name) => same(name, 'id'));
    if (target === undefined) continue;
    return { kind: 'left', leftAlias: from.alias, leftColumn: column, rightAlias: to.alias, rightColumn: target };
  }
  return undefined;
}

/** Keys with the same name relate two tables, but do not tell which one refers to the other. */
function joinBySharedKeys(one: AliasedTable, other: AliasedTable): ProposedJoin[] {
  return columnNames(one).flatMap((column): ProposedJoin[] => {
    if ((keyStem(column) ?? '') === '') return [];
    const match = columnNames(other).find((name) => same(name, column));
    if (match === undefined) return [];
    return [{ kind: 'inner', leftAlias: one.alias, leftColumn: column, rightAlias: other.alias, rightColumn: match }];
  });
}

/**
 * The part of a key's name before its suffix: `customer` for `customer_id`, empty for `id`; undefined if it is not a
 * key.
 */
function keyStem(column: string): string | undefined {
  const match = /^(.*?)[_ ]?(?:id|key|code|no|nr)$/iu.exec(column);
  if (!match) return undefined;
  const [, stem = ''] = match;
  const ending = column.slice(stem.length);
  // `paid` and `piano` are not keys: a suffix requires a separator or a change of case before it.
  const isSetOff = stem === '' || /^[_ ]/u.test(ending) || (/\p{Ll}$/u.test(stem) && /^\p{Lu}/u.test(ending));
  return isSetOff ? stem.toLowerCase() : undefined;
}

/** Whether a table's name is `stem` or its plural. */
function isNameOf(table: string, stem: string): boolean {
  const name = table.toLowerCase();
  const plurals = [stem, `${stem}s`, `${stem}es`, stem.replace(/y$/u, 'ies')];
  return plurals.some((plural) => name === plural || name.endsWith(`_${plural}`));
}

function columnNames({ columns }: DatabaseTable): string[] {
  return columns.map(({ columnname }) => columnname ?? '').filter((name) => name !== '');
}

function same(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** Name of a table, with its schema; empty for the connection's default. */
export type TableName = Pick<DatabaseTable, 'name' | 'owner'>;

const listedTable = z.looseObject({ tablename: text, tableowner: text });
const listFault = z.looseObject({ ErrorCode: errorCode, ErrorMessage: text });

/**
 * Tables of a registered server's database. API description, App builder (GetAnyDbModule).
 * @throws {ClientError} also if the server has the application, but cannot connect to its database.
 */
export async function readTableNames(client: AnalyticsClient, place: ReportTypePlace): Promise<TableName[]> {
  const endpoint = 'AppBuilder/GetAnyDbModule';
  const module = await client.call(endpoint, { moduleid: place.moduleId, regserverid: place.regServerId });
  const { ErrorCode, ErrorMessage } = listFault.safeParse(module.DBSQLTableList ?? {}).data ?? {};
  if (Number(ErrorCode ?? 0) !== 0) {
    const { name: server } = client.target;
    const words =
      ErrorMessage || l10n.t('{0} cannot list the tables of registered server {1}.', server, place.regServerId);
    throw new ClientError('refused', words, { server, endpoint, code: Number(ErrorCode) });
  }
  return (module.DBSQLTableList?.AllDbtables ?? []).flatMap((entry) => {
    const table = listedTable.safeParse(entry).data;
    return table?.tablename ? [{ name: table.tablename, owner: table.tableowner ?? '' }] : [];
  });
}

/** Reads a table with its columns. API description, App builder (GetTableDef). */
export async function readTable(
  client: AnalyticsClient,
  regServerId: string,
  table: TableName,
): Promise<DatabaseTable> {
  const body = { tablename: table.name, tableowner: table.owner, regserverid: regServerId };
  return { ...table, columns: await client.call('AppBuilder/GetTableDef', body) };
}

/** Reads the field type codes supported by a server. API description, App builder (GetDataTypes). */
export async function readFieldTypes(client: AnalyticsClient): Promise<Set<string>> {
  const types = await client.call('AppBuilder/GetDataTypes', {});
  return new Set(types.map(({ name }) => name ?? '').filter((name) => name !== ''));
}
