import type { Node } from 'jsonc-parser';
import { caretPlace } from '../../contract/formulaCaret.ts';
import type { ReportTreeNode } from '../../contract/resources/semanticLayer.ts';
import { fieldMeant, fieldsNamed, isSameColumn } from './fieldPlace.ts';
import { namesInFormula, type FormulaName } from './formulaNames.ts';
import {
  fieldNode,
  fieldPath,
  textAt,
  stringNodeText,
  type JsonText,
  type Span,
  type WrittenText,
} from './jsonText.ts';
import type { KnownField, ServerFacts } from './serverFacts.ts';

/** The fields of a report type's tree, in order. */
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

/** The report type's field for an entry of a report's field list. */
export function fieldOfEntry(entry: Node, { reportFields }: ServerFacts): KnownField | undefined {
  const alias = textAt(fieldNode(entry, 'DbTableAlias')).toLowerCase();
  const column = textAt(fieldNode(entry, 'DbFieldName')).toLowerCase();
  return reportFields?.find(
    (field) => field.tableAlias.toLowerCase() === alias && field.column.toLowerCase() === column,
  );
}

/** A field that a formula of a report refers to, and its position. */
export interface NamedField extends Span {
  readonly field: KnownField;
}

/** The name in an entry's formula at an offset of the document. */
export function formulaNameAt(
  document: JsonText,
  offset: number,
): (Span & { name: FormulaName; entry: Node }) | undefined {
  const node = document.nodeAt(offset);
  const entry = node?.parent?.parent;
  if (!node || !entry || fieldPath(node) !== 'FieldList.Formula') return undefined;
  const written = stringNodeText(document, node);
  if (!written || offset <= node.offset) return undefined;
  const at = written.inText(offset);
  const name = namesInFormula(written.text).find((found) => at >= found.offset && at <= found.offset + found.length);
  return name && { name, entry, ...spanOfName(written, name) };
}

/** Range of a formula's name in the document. */
export function spanOfName(written: WrittenText, { offset, length }: FormulaName): Span {
  const start = written.inDocument(offset);
  return { offset: start, length: written.inDocument(offset + length) - start };
}

/**
 * The report type's field that a name in an entry's formula refers to: if several have the label, the one of the
 * entry's table.
 */
export function fieldOfName({ label, table }: FormulaName, entry: Node, facts: ServerFacts): KnownField | undefined {
  const { reportFields = [] } = facts;
  if (table === undefined && label === '?') return fieldOfEntry(entry, facts);
  if (table !== undefined)
    return reportFields.find((field) => isSameColumn(field, { tableAlias: table, column: label }));
  return fieldMeant(fieldsNamed(label, reportFields), textAt(fieldNode(entry, 'DbTableAlias')));
}

/** The field that a formula refers to at an offset of the document. */
export function namedFieldAt(document: JsonText, offset: number, facts: ServerFacts): NamedField | undefined {
  const found = formulaNameAt(document, offset);
  const field = found && fieldOfName(found.name, found.entry, facts);
  return field && { field, offset: found.offset, length: found.length };
}

/** The word of a formula at an offset of the document that does not refer to a field. */
export function formulaWordAt(
  document: JsonText,
  node: Node,
  offset: number,
): { text: string; span: Span } | undefined {
  const written = stringNodeText(document, node);
  if (!written) return undefined;
  const { word, start, end } = caretPlace(written.text, written.inText(offset));
  const text = word === '' ? (/^\w+/.exec(written.text.slice(start))?.[0] ?? '') : written.text.slice(start, end);
  const from = written.inDocument(start);
  return { text, span: { offset: from, length: written.inDocument(start + text.length) - from } };
}
