import type * as vscode from 'vscode';
import { fieldNode, fieldPath, textAt } from '../../objects/language/jsonText.ts';
import { fieldOfEntry } from '../../objects/language/reportFields.ts';
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
  const field = fieldOfEntry(entry, model.factsOf(read));
  const reportType = textAt(fieldNode(json.root, 'ReportType'));
  const place = {
    tableAlias: text('DbTableAlias'),
    column: text('DbFieldName'),
    name: field?.name ?? text('ReportFieldName'),
  };
  return place.column === '' ? undefined : { reportType, ...place };
}
