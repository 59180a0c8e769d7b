import type { Node } from 'jsonc-parser';
import type { ReportTreeNode } from '../../contract/resources/semanticLayer.ts';
import { fieldNode, textAt, type JsonText, type Span } from './jsonText.ts';
import type { KnownField, ServerFacts } from './serverFacts.ts';

/** The fields of a report type's tree, in its order. */
export function fieldsOfTree(node: ReportTreeNode, folder = ''): KnownField[] {
  return (node.children ?? []).flatMap((child): KnownField[] => {
    const name = child.text ?? '';
    if (!child.dbfieldname) return fieldsOfTree(child, folder === '' ? name : `${folder} › ${name}`);
    return [
      {
        name: child.ReportFieldName || name,
        folder,
        tableAlias: child.dbtablealias ?? '',
        parentAlias: child.dbparenttablealias ?? '',
        column: child.dbfieldname,
        fieldType: child.fieldtype ?? '',
      },
    ];
  });
}

/** The report type's field that an entry of a report's field list stands for. */
export function fieldOfEntry(entry: Node, { reportFields }: ServerFacts): KnownField | undefined {
  const alias = textAt(fieldNode(entry, 'DbTableAlias')).toLowerCase();
  const column = textAt(fieldNode(entry, 'DbFieldName')).toLowerCase();
  return reportFields?.find(
    (field) => field.tableAlias.toLowerCase() === alias && field.column.toLowerCase() === column,
  );
}

/** The word of a text value that an offset is in, and where it stands. */
export function wordsAt({ text }: JsonText, node: Node, offset: number): { text: string; span: Span } {
  const isWord = (character: string | undefined) => character !== undefined && /\w/.test(character);
  let start = offset;
  let end = offset;
  while (start > node.offset && isWord(text[start - 1])) start--;
  while (end < node.offset + node.length && isWord(text[end])) end++;
  return { text: text.slice(start, end), span: { offset: start, length: end - start } };
}
