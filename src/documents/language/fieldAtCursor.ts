import type * as vscode from 'vscode';
import { fieldNode, fieldPath, textAt, type JsonText } from '../../objects/language/jsonText.ts';
import { fieldOfEntry, formulaNameAt, fieldOfName } from '../../objects/language/reportFields.ts';
import type { ServerFacts } from '../../objects/language/serverFacts.ts';
import type { FieldPlace } from '../../objects/language/fieldPlace.ts';
import type { LanguageModel } from './languageModel.ts';

/** The field of a report type that stands at a position of a report or of the report type itself. */
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
  // Criteria are entries of a list within the entry that is looked for.
  while (entry && !(entry.parent?.type === 'array' && fieldPath(entry) === list)) entry = entry.parent;
  if (!entry || entry.type !== 'object') return undefined;
  const text = (name: string) => textAt(fieldNode(entry, name));
  if (kind.name === 'reporttype') {
    const place = { tableAlias: text('tablealias'), column: text('sqlfieldname'), name: text('fname') };
    return place.column === '' ? undefined : { reportType: textAt(fieldNode(json.root, 'RepTypeName')), ...place };
  }
  const reportType = textAt(fieldNode(json.root, 'ReportType'));
  const named = namedInFormula(json, document.offsetAt(position), model.factsOf(read));
  if (named) return { reportType, ...named };
  const field = fieldOfEntry(entry, model.factsOf(read));
  const place = {
    tableAlias: text('DbTableAlias'),
    column: text('DbFieldName'),
    name: field?.name ?? text('ReportFieldName'),
  };
  return place.column === '' ? undefined : { reportType, ...place };
}

/** The field that the name at an offset of a formula means; one by its column is known without its report type, too. */
function namedInFormula(
  json: JsonText,
  offset: number,
  facts: ServerFacts,
): Omit<FieldPlace, 'reportType'> | undefined {
  const found = formulaNameAt(json, offset);
  if (!found) return undefined;
  const field = fieldOfName(found.name, found.entry, facts);
  if (field) return { tableAlias: field.tableAlias, column: field.column, name: field.name };
  const { table, label } = found.name;
  return table === undefined ? undefined : { tableAlias: table, column: label, name: label };
}
