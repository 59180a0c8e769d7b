import type { ReportTreeNode } from '../../contract/resources/semanticLayer.ts';
import type { TreeEntry } from './pageContract.ts';

/** A report type's fields as the builder lists them, and the nodes they stand for, place by place. */
export interface FieldEntries {
  entries: TreeEntry[];
  /** Without their children, as NewField takes them. */
  nodes: ReportTreeNode[];
}

/** Lists the tree below its root, parents before children. API description, GetReportTree. */
export function fieldEntries(root: ReportTreeNode | null | undefined): FieldEntries {
  const found: FieldEntries = { entries: [], nodes: [] };
  for (const node of root?.children ?? []) addNode(node, 0, found);
  return found;
}

function addNode(node: ReportTreeNode, depth: number, found: FieldEntries): void {
  const { children, ...rest } = node;
  const below = children ?? [];
  const isFolder = node.type === 'Folder' || below.length > 0;
  const source = [node.dbtablealias, node.dbfieldname].filter((part) => part != null && part !== '').join('.');
  found.entries.push({
    label: node.text || node.ReportFieldName || node.dbfieldname || '',
    depth,
    isFolder,
    source: isFolder ? '' : source,
    type: isFolder ? '' : (node.fieldtype ?? ''),
  });
  found.nodes.push({ ...rest, children: [] });
  for (const child of below) addNode(child, depth + 1, found);
}
