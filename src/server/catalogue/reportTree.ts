import type { ReportTreeNode } from '../../contract/resources/semanticLayer.ts';
import { readFieldTree, readReportType, type FieldTreeNode, type ReportTypeModel } from './reportTypeModel.ts';
import type { StoredReportType } from './reportTypes.ts';

/**
 * The field tree of a report type as report builders show it: folders, and fields that NewField takes as they are.
 * API description, GetReportTree.
 */
export function reportTree({ id, name, definition }: StoredReportType): ReportTreeNode {
  const { tables, joins } = readReportType(definition);
  const parents = parentAliases(tables, joins);
  const nodes = readFieldTree(definition.FieldTree ?? []);
  return { ...folderNode(Number(id), name), children: nodes.map((node) => treeNode(node, parents)) };
}

function folderNode(id: number, text: string): ReportTreeNode {
  return { id, text, type: 'Folder', Tag: null, children: [] };
}

function treeNode({ entry, isFolder, children }: FieldTreeNode, parents: ReadonlyMap<string, string>): ReportTreeNode {
  const id = entry.id ?? 0;
  const text = entry.fname ?? '';
  if (isFolder) return { ...folderNode(id, text), children: children.map((child) => treeNode(child, parents)) };
  const alias = entry.tablealias ?? '';
  return {
    id,
    text,
    type: 'Field',
    Tag: null,
    children: [],
    dbfieldname: entry.sqlfieldname ?? '',
    dbtablealias: alias,
    dbparenttablealias: parents.get(alias) ?? '',
    fieldtype: entry.datatype ?? 'cha',
    ReportFieldName: text,
  };
}

/** For each alias the one it is joined from; a table that is joined from none is its own parent. */
function parentAliases(
  tables: ReportTypeModel['tables'],
  joins: ReportTypeModel['joins'],
): ReadonlyMap<string, string> {
  const parents = new Map(tables.map(({ alias }) => [alias, alias]));
  for (const { leftAlias, rightAlias } of joins) parents.set(rightAlias, leftAlias);
  return parents;
}
