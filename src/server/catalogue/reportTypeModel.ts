import * as z from 'zod';
import { fieldTypes, isFieldTypeCode, type FieldTypeCode } from '../../contract/fieldTypes.ts';
import {
  reportTypeDefinition,
  type FieldTreeEntry,
  type ReportTypeDefinition,
} from '../../contract/resources/semanticLayer.ts';

/** Table of a report type, with the alias that joins and fields use. */
export interface ReportTypeTable {
  name: string;
  /** Schema, or `catalog.schema`; empty for the connection's default. */
  owner: string;
  /** See tableOwner; known once the server is. */
  ownerPath?: readonly string[];
  alias: string;
}

/**
 * A join of two tables. Several joins of the same two aliases combine with AND. The API description has no field for
 * joins, so they are sent in the unlisted field `Joins` of a report type.
 */
export const reportTypeJoin = z.object({
  kind: z.enum(['inner', 'left']),
  leftAlias: z.string(),
  leftColumn: z.string(),
  rightAlias: z.string(),
  rightColumn: z.string(),
});

export type ReportTypeJoin = z.output<typeof reportTypeJoin>;

/** A column that reports may use. */
export interface ReportTypeField {
  id: number;
  label: string;
  /** Labels of its parent folders, joined with `/`; empty at the top. */
  folder: string;
  tableAlias: string;
  column: string;
  fieldType: FieldTypeCode;
  order: number;
}

/** What reports of one type are built from: tables, their joins, and the available columns. */
export interface ReportTypeModel {
  id: string;
  name: string;
  moduleId: string;
  /** Registered server that runs reports of this type. */
  serverId: string;
  tables: readonly ReportTypeTable[];
  joins: readonly ReportTypeJoin[];
  fields: readonly ReportTypeField[];
}

/** Content of a new report type; ids and server are set when it is stored. */
export type NewReportType = Pick<ReportTypeModel, 'name' | 'tables' | 'joins' | 'fields'>;

/** Wire form of a report type, with our unlisted field. */
const wireForm = reportTypeDefinition.extend({ Joins: z.array(reportTypeJoin).nullish() });

/** An inconsistent report type; the message names the part. */
export class ReportTypeError extends Error {
  constructor(reportType: string, problem: string) {
    super(`Report type "${reportType}": ${problem}`);
    this.name = 'ReportTypeError';
  }
}

/** Node of a field tree: a folder or a field, with its entry. */
export interface FieldTreeNode {
  entry: FieldTreeEntry;
  isFolder: boolean;
  /** Labels of its parent folders, joined with `/`. */
  path: string;
  children: FieldTreeNode[];
}

/**
 * Reads the flat list of a field tree: entries are ordered by `idx_order`, `flevel` is the depth (`0` at the top), and
 * an entry belongs to the nearest preceding folder with a smaller depth. API description, AnyDB module.
 */
export function readFieldTree(entries: readonly FieldTreeEntry[]): FieldTreeNode[] {
  const roots: FieldTreeNode[] = [];
  const open: { depth: number; node: FieldTreeNode }[] = [];
  for (const entry of entries.toSorted((a, b) => (a.idx_order ?? 0) - (b.idx_order ?? 0))) {
    const depth = Number.parseInt(entry.flevel ?? '', 10) || 0;
    while ((open.at(-1)?.depth ?? -1) >= depth) open.pop();
    const parent = open.at(-1)?.node;
    const path = parent ? [parent.path, parent.entry.fname ?? ''].filter(Boolean).join('/') : '';
    const node: FieldTreeNode = { entry, isFolder: entry.nodetype?.toUpperCase() === 'G', path, children: [] };
    (parent?.children ?? roots).push(node);
    if (node.isFolder) open.push({ depth, node });
  }
  return roots;
}

/** Reads a report type from its wire form. @throws {ReportTypeError} when it is inconsistent. */
export function readReportType(definition: ReportTypeDefinition): NewReportType {
  const name = definition.RepTypeName?.trim() ?? '';
  if (name === '') throw new ReportTypeError('', 'has no name');
  const read = wireForm.safeParse(definition);
  if (!read.success) throw new ReportTypeError(name, z.prettifyError(read.error));
  const { SQLTables, Joins, FieldTree } = read.data;
  requireReasonableTree(name, FieldTree ?? []);
  const tables = (SQLTables ?? []).map((table) => ({
    name: table.tablename ?? '',
    owner: table.tableowner ?? '',
    alias: table.tablealias || (table.tablename ?? ''),
  }));
  const fields = fieldNodes(readFieldTree(FieldTree ?? [])).map((node) => readField(name, node));
  const reportType = { name, tables, joins: Joins ?? [], fields };
  checkAliases(reportType);
  return reportType;
}

/**
 * Far more than users need. Larger trees could exhaust the server's memory with the paths of their fields, and its CPU
 * time with the search for join paths in each run of a report.
 */
const most = { entries: 100_000, depth: 30, characters: 250, tables: 250, joins: 1_000 } as const;

/** Reads a report type for storing. Larger ones that are already stored remain readable. @throws {ReportTypeError} */
export function readNewReportType(definition: ReportTypeDefinition): NewReportType {
  const reportType = readReportType(definition);
  for (const what of ['tables', 'joins'] as const) {
    if (reportType[what].length > most[what])
      throw new ReportTypeError(reportType.name, `it has more than ${most[what]} ${what}`);
  }
  return reportType;
}

/** @throws {ReportTypeError} */
function requireReasonableTree(name: string, entries: readonly FieldTreeEntry[]): void {
  if (entries.length > most.entries)
    throw new ReportTypeError(name, `its field tree has more than ${most.entries} entries`);
  for (const { fname, flevel } of entries) {
    if ((fname ?? '').length > most.characters) {
      throw new ReportTypeError(name, `a name in its field tree is longer than ${most.characters} characters`);
    }
    if (Number.parseInt(flevel ?? '', 10) > most.depth) {
      throw new ReportTypeError(name, `its field tree is more than ${most.depth} levels deep`);
    }
  }
}

function fieldNodes(nodes: readonly FieldTreeNode[]): FieldTreeNode[] {
  return nodes.flatMap((node) => (node.isFolder ? fieldNodes(node.children) : [node]));
}

function readField(reportType: string, { entry, path }: FieldTreeNode): ReportTypeField {
  const label = entry.fname ?? '';
  const fieldType = entry.datatype ?? 'cha';
  if (!isFieldTypeCode(fieldType)) {
    const known = Object.keys(fieldTypes).join(', ');
    throw new ReportTypeError(reportType, `field "${label}" has the type "${fieldType}"; known are ${known}`);
  }
  return {
    id: entry.id ?? 0,
    label,
    folder: path,
    tableAlias: entry.tablealias ?? '',
    column: entry.sqlfieldname ?? '',
    fieldType,
    order: entry.idx_order ?? 0,
  };
}

function checkAliases({ name, tables, joins, fields }: NewReportType): void {
  const aliases = new Set(tables.map((table) => table.alias));
  const refuse = (problem: string) => new ReportTypeError(name, problem);
  if (tables.some((table) => table.name === '')) throw refuse('a table has no name');
  if (aliases.size < tables.length) throw refuse('two tables share an alias');
  for (const field of fields) {
    if (field.column === '') throw refuse(`field "${field.label}" names no column`);
    if (!aliases.has(field.tableAlias)) throw refuse(`field "${field.label}" names no table of the report type`);
  }
  for (const { leftAlias, rightAlias } of joins) {
    if (!aliases.has(leftAlias) || !aliases.has(rightAlias) || leftAlias === rightAlias) {
      throw refuse(`the join of "${leftAlias}" and "${rightAlias}" does not name two tables of the report type`);
    }
  }
}

/** Writes a report type in its wire form; folders come from the fields' paths, in field order. */
export function writeReportType(reportType: NewReportType): ReportTypeDefinition {
  return {
    RepTypeName: reportType.name,
    SQLTables: reportType.tables.map(({ name, owner, alias }) => ({
      tablename: name,
      tableowner: owner,
      tablealias: alias,
    })),
    Joins: reportType.joins,
    FieldTree: writeFieldTree(reportType.fields),
  };
}

function writeFieldTree(fields: readonly ReportTypeField[]): FieldTreeEntry[] {
  const entries: FieldTreeEntry[] = [];
  let folderId = Math.max(0, ...fields.map((field) => field.id));
  let open: string[] = [];
  const add = (entry: Omit<FieldTreeEntry, 'idx_order'>) => entries.push({ ...entry, idx_order: entries.length + 1 });
  for (const field of fields.toSorted((a, b) => a.order - b.order)) {
    const path = field.folder === '' ? [] : field.folder.split('/');
    path.forEach((fname, depth) => {
      if (open[depth] === fname) return;
      open = path.slice(0, depth);
      folderId += 1;
      add({
        id: folderId,
        fname,
        flevel: String(depth),
        nodetype: 'G',
        tablealias: '',
        sqlfieldname: '',
        datatype: '',
      });
      open.push(fname);
    });
    open = open.slice(0, path.length);
    add({
      id: field.id,
      fname: field.label,
      flevel: String(path.length),
      nodetype: 'F',
      tablealias: field.tableAlias,
      sqlfieldname: field.column,
      datatype: field.fieldType,
    });
  }
  return entries;
}
