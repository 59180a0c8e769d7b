import type * as vscode from 'vscode';
import type { Node } from 'jsonc-parser';
import { fieldNode, fieldPath, textAt, type JsonText } from '../../../objects/language/jsonText.ts';
import { listEntries } from '../../../objects/language/references.ts';
import { fieldOfEntry, formulaNameAt, fieldOfName } from '../../../objects/language/reportFields.ts';
import type { ServerFacts } from '../../../objects/language/serverFacts.ts';
import { fieldsNamed, type FieldPlace } from '../../../objects/language/fieldPlace.ts';
import type { LanguageModel } from './languageModel.ts';

/** The report type field at a position of a report or report type. */
export function fieldAtCursor(
  model: LanguageModel,
  document: vscode.TextDocument,
  position: vscode.Position,
): FieldPlace | undefined {
  const read = model.read(document);
  const { json, kind } = read ?? {};
  let entry = json?.nodeAt(document.offsetAt(position));
  if (!read || !json || !entry || (kind?.name !== 'report' && kind?.name !== 'reporttype')) return undefined;
  const list = kind.name === 'report' ? 'FieldList' : 'FieldTree';
  // Criteria are entries of a list within the wanted entry.
  while (entry && !(entry.parent?.type === 'array' && fieldPath(entry) === list)) entry = entry.parent;
  if (!entry || entry.type !== 'object') return undefined;
  if (kind.name === 'reporttype') {
    const reportType = textAt(fieldNode(json.root, 'RepTypeName'));
    const fields = listEntries(json, 'FieldTree')
      .map(fieldOfType)
      .filter(({ column }) => column !== '');
    const place = fieldOfType(entry);
    return place.column === '' ? undefined : { reportType, ...place, namesakes: fieldsNamed(place.name, fields) };
  }
  const facts = model.factsOf(read);
  const place = namedInFormula(json, document.offsetAt(position), facts) ?? fieldOfReport(entry, facts);
  if (place.column === '') return undefined;
  const namesakes = facts.reportFields && fieldsNamed(place.name, facts.reportFields);
  return { reportType: textAt(fieldNode(json.root, 'ReportType')), ...place, namesakes };
}

type NamedColumn = Pick<FieldPlace, 'tableAlias' | 'column' | 'name'>;

/** The field of an entry in a report type's field tree; a folder has no column. */
function fieldOfType(entry: Node): NamedColumn {
  const text = (name: string) => textAt(fieldNode(entry, name));
  return { tableAlias: text('tablealias'), column: text('sqlfieldname'), name: text('fname') };
}

/** The field of an entry in a report's field list; a formula has no column. */
function fieldOfReport(entry: Node, facts: ServerFacts): NamedColumn {
  const text = (name: string) => textAt(fieldNode(entry, name));
  const name = fieldOfEntry(entry, facts)?.name ?? text('ReportFieldName');
  return { tableAlias: text('DbTableAlias'), column: text('DbFieldName'), name };
}

/**
 * The field that a name at an offset of a formula refers to; a name with a column is resolved without the report type.
 */
function namedInFormula(json: JsonText, offset: number, facts: ServerFacts): NamedColumn | undefined {
  const found = formulaNameAt(json, offset);
  if (!found) return undefined;
  const field = fieldOfName(found.name, found.entry, facts);
  if (field) return { tableAlias: field.tableAlias, column: field.column, name: field.name };
  const { table, label } = found.name;
  return table === undefined ? undefined : { tableAlias: table, column: label, name: label };
}
