import * as z from 'zod';
import type { FieldTypeCode } from '../../contract/fieldTypes.ts';
import type { TableColumn } from '../../contract/resources/semanticLayer.ts';
import type { AnalyticsClient } from '../../client/client.ts';
import { ClientError } from '../../client/clientError.ts';
import { text, errorCode } from '../../contract/fields.ts';
import type { ReportTypePlace } from '../../objects/kinds/reportTypeId.ts';
import { say } from '../../l10n/l10n.ts';

/** A table of a database, as the server describes it. */
export interface DatabaseTable {
  name: string;
  /** Schema; empty for the connection's own. */
  owner: string;
  columns: readonly TableColumn[];
}

/** A table under the alias that joins and fields know it by. */
export interface AliasedTable extends DatabaseTable {
  alias: string;
}

/** How two tables belong together, in the form that report types carry on the wire. */
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

/** Gives each table its name for an alias, with its schema, then a number, where two tables share the name. */
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
 * Proposes how tables join, from the names of their keys: `orders.customer_id` with `customers.id` or
 * `customers.customer_id`, else every key that two tables both have. Each table is joined with the first that fits among
 * those before it, or after it, so that the joins form no circle. Tables without a common key stay unjoined.
 */
export function proposeJoins(tables: readonly AliasedTable[]): ProposedJoin[] {
  const joins: ProposedJoin[] = [];
  const groupOf = new Map(tables.map(({ alias }) => [alias, alias]));
  // What a name says of another table is worth more than a key that merely has the same name.
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

/** Tables that no join leads to from the first one; a report cannot use them together with it. */
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
 * Proposes the field tree of a report type: every column of every table under a label of its own, in a folder for each table
 * where there are several.
 * @param offered codes of the field types that the server offers; what is not among them becomes `cha`.
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

/** Field type that fits a database's own type, for example `num` for `numeric(10,2)` or `Nullable(UInt8)`. */
export function fieldTypeOf(nativeType: string): FieldTypeCode {
  const type = nativeType.toLowerCase().replace(/^(?:(?:nullable|lowcardinality)\()+/, '');
  if (/^(?:small)?money\b/.test(type)) return 'cur';
  if (/^(?:u?(?:tiny|small|medium|big|huge)?int(?:eger)?\d*|(?:small|big)?serial\d*)\b/.test(type)) return 'num';
  if (/^(?:decimal|numeric|number|real|double|float|binary_float|binary_double)\d*\b/.test(type)) return 'num';
  if (/^(?:timestamp|datetime|smalldatetime)/.test(type)) return 'dtz';
  if (/^date(?:32)?\b/.test(type)) return 'doz';
  return 'cha';
}

/** Words for people from a name of a database: `origin_state` becomes `Origin State`, `carrierCode` `Carrier Code`. */
export function fieldLabel(name: string): string {
  const words = name
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .split(/[\s_.-]+/u)
    .filter((word) => word !== '');
  const label = words.map((word) => (/^ids?$/iu.test(word) ? word.toUpperCase() : capitalised(word))).join(' ');
  return label === '' ? name : label;
}

/**
 * A label that no field has yet: reports and formulas know fields by it.
 * @param taken labels in small letters; the one given is added.
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

/** One table's column names the other: the rows of the one that refers are kept, whether the other has a match or not. */
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

/** Keys of the same name say that rows belong together, not which table refers to which. */
function joinBySharedKeys(one: AliasedTable, other: AliasedTable): ProposedJoin[] {
  return columnNames(one).flatMap((column): ProposedJoin[] => {
    if ((keyStem(column) ?? '') === '') return [];
    const match = columnNames(other).find((name) => same(name, column));
    if (match === undefined) return [];
    return [{ kind: 'inner', leftAlias: one.alias, leftColumn: column, rightAlias: other.alias, rightColumn: match }];
  });
}

/** What a key's name says before its ending: `customer` of `customer_id`, nothing of `id`; undefined for what is no key. */
function keyStem(column: string): string | undefined {
  const match = /^(.*?)[_ ]?(?:id|key|code|no|nr)$/iu.exec(column);
  if (!match) return undefined;
  const [, stem = ''] = match;
  const ending = column.slice(stem.length);
  // `paid` and `piano` are words: an ending counts after a separator, or where its case sets it off.
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

/** Name of a table, with its schema; empty for the connection's own. */
export type TableName = Pick<DatabaseTable, 'name' | 'owner'>;

const listedTable = z.looseObject({ tablename: text, tableowner: text });
const listFault = z.looseObject({ ErrorCode: errorCode, ErrorMessage: text });

/**
 * Tables of a registered server's database. API description, App builder (GetAnyDbModule).
 * @throws {ClientError} also when the server has the application, but cannot reach its database.
 */
export async function readTableNames(client: AnalyticsClient, place: ReportTypePlace): Promise<TableName[]> {
  const endpoint = 'AppBuilder/GetAnyDbModule';
  const module = await client.call(endpoint, { moduleid: place.moduleId, regserverid: place.regServerId });
  const { ErrorCode, ErrorMessage } = listFault.safeParse(module.DBSQLTableList ?? {}).data ?? {};
  if (Number(ErrorCode ?? 0) !== 0) {
    const { name: server } = client.target;
    const words =
      ErrorMessage || say('{0} cannot list the tables of registered server {1}.', server, place.regServerId);
    throw new ClientError('refused', words, { server, endpoint, code: Number(ErrorCode) });
  }
  return (module.DBSQLTableList?.AllDbtables ?? []).flatMap((entry) => {
    const table = listedTable.safeParse(entry).data;
    return table?.tablename ? [{ name: table.tablename, owner: table.tableowner ?? '' }] : [];
  });
}

/** A table with its columns. API description, App builder (GetTableDef). */
export async function readTable(
  client: AnalyticsClient,
  regServerId: string,
  table: TableName,
): Promise<DatabaseTable> {
  const body = { tablename: table.name, tableowner: table.owner, regserverid: regServerId };
  return { ...table, columns: await client.call('AppBuilder/GetTableDef', body) };
}

/** Codes of the field types that a server offers. API description, App builder (GetDataTypes). */
export async function readFieldTypes(client: AnalyticsClient): Promise<Set<string>> {
  const types = await client.call('AppBuilder/GetDataTypes', {});
  return new Set(types.map(({ name }) => name ?? '').filter((name) => name !== ''));
}
