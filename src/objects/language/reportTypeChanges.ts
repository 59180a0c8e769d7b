import type { Node } from 'jsonc-parser';
import { fieldOf, isJsonObject, type JsonObject } from '../json.ts';
import { textField } from '../kinds/objectEntry.ts';
import { fieldsNamed, type FieldPlace } from './fieldPlace.ts';
import { columnReference, namedByColumn } from './formulaNames.ts';
import { fieldNode, propertyOf, replacement, textAt, type JsonText, type TextChange } from './jsonText.ts';
import type { Problem, ProblemContext } from './problems/problem.ts';
import { listEntries } from './references.ts';
import * as l10n from '../../l10n/l10n.ts';

/** `nodetype` of a folder in a field tree. */
export const folderType = 'G';
/** `nodetype` of a field in a field tree. */
export const fieldType = 'F';

const reportsNamed = 5;

/** Fields removed by the edit that reports use. */
export function removedFields({ document, base, facts }: ProblemContext): Problem[] {
  const tree = propertyOf(document.root, 'FieldTree');
  const [name] = tree?.children ?? [];
  if (!base || !name) return [];
  return fieldsTakenAway(document, base).flatMap((field): Problem[] => {
    const users = facts.reportsUsing?.(field) ?? [];
    if (users.length === 0) return [];
    const named = users.slice(0, reportsNamed).join(', ');
    const shown = users.length > reportsNamed ? `${named} …` : named;
    return [
      {
        code: 'removedField',
        severity: 'warning',
        offset: name.offset,
        length: name.length,
        message: l10n.t(
          '{0} was removed, but {1} reports use it: {2}. They may fail.',
          field.name,
          users.length,
          shown,
        ),
        fixes: [],
      },
    ];
  });
}

/** Fields renamed by the edit whose old label is used in formulas of reports. */
export function renamedFields({ document, base, facts }: ProblemContext): Problem[] {
  if (!base) return [];
  return fieldsRenamed(document, base).flatMap(({ node, newName, ...field }): Problem[] => {
    const reports = facts.formulasCalling?.(field) ?? [];
    if (reports.length === 0) return [];
    const named = reports.slice(0, reportsNamed).map(({ name }) => name);
    const shown = reports.length > reportsNamed ? [...named, '…'] : named;
    const written = columnReference(field);
    return [
      {
        code: 'renamedField',
        severity: 'warning',
        offset: node.offset,
        length: node.length,
        message: l10n.t(
          '{0} is now named {1}, but reports use [{0}] in formulas: {2}. They fail after this save.',
          field.name,
          newName,
          shown.join(', '),
        ),
        fixes: [
          {
            title: l10n.t('Use {0} in the formulas of these reports', written),
            changes: [],
            isPreferred: true,
            inReports: { reports, changes: (report) => formulaChanges(report, field) },
          },
          { title: l10n.t('Rename back to {0}', field.name), changes: [replacement(node, field.name)] },
        ],
      },
    ];
  });
}

/** The edits that make a report's formulas refer to a field by its column, which works before and after the rename. */
function formulaChanges(report: JsonText, field: FieldPlace): TextChange[] {
  return listEntries(report, 'FieldList').flatMap((entry) => {
    const node = fieldNode(entry, 'Formula');
    const formula = textAt(node);
    const changed = namedByColumn(formula, field, textAt(fieldNode(entry, 'DbTableAlias')));
    return node && changed !== formula ? [replacement(node, changed)] : [];
  });
}

/** A field whose label was changed by the edit. */
export interface RenamedField extends FieldPlace {
  readonly newName: string;
  /** Position of the new label. */
  readonly node: Node;
}

/** Fields of the report type whose label was changed by the edit. */
export function fieldsRenamed(document: JsonText, base: JsonObject): RenamedField[] {
  if (!document.isWhole) return [];
  const labels = new Map<string, Node[]>();
  for (const entry of listEntries(document, 'FieldTree')) {
    const node = fieldNode(entry, 'fname');
    if (!node || textAt(fieldNode(entry, 'nodetype')) === folderType) continue;
    const key = columnKey(textAt(fieldNode(entry, 'tablealias')), textAt(fieldNode(entry, 'sqlfieldname')));
    labels.set(key, [...(labels.get(key) ?? []), node]);
  }
  const before = fieldsOf(base);
  return before.flatMap((field) => {
    const key = columnKey(field.tableAlias, field.column);
    const nodes = labels.get(key) ?? [];
    const isKept = nodes.some((node) => labelKey(textAt(node)) === labelKey(field.name));
    // Labels of the same column that existed before are not new names.
    const old = before.filter(({ tableAlias, column }) => columnKey(tableAlias, column) === key);
    const isNew = (node: Node) => !old.some(({ name }) => labelKey(name) === labelKey(textAt(node)));
    const node = nodes.find(isNew) ?? nodes[0];
    return isKept || !node || field.name === '' ? [] : [{ ...field, newName: textAt(node), node }];
  });
}

function labelKey(label: string): string {
  return label.trim().toLowerCase();
}

/** Fields of the report type that were removed by the edit, not just renamed. */
export function fieldsTakenAway(document: JsonText, base: JsonObject): FieldPlace[] {
  // Invalid JSON does not remove anything yet.
  if (!document.isWhole) return [];
  const kept = new Set(
    listEntries(document, 'FieldTree').map((entry) =>
      columnKey(textAt(fieldNode(entry, 'tablealias')), textAt(fieldNode(entry, 'sqlfieldname'))),
    ),
  );
  return fieldsOf(base).filter(({ tableAlias, column }) => !kept.has(columnKey(tableAlias, column)));
}

function columnKey(alias: string, column: string): string {
  return JSON.stringify([alias.toLowerCase(), column.toLowerCase()]);
}

/** Fields of a report type before the edit. */
function fieldsOf(base: JsonObject): FieldPlace[] {
  const list = fieldOf(base, 'FieldTree');
  const reportType = textField(base, 'RepTypeName');
  const fields = (Array.isArray(list) ? list : []).filter(isJsonObject).flatMap((entry) => {
    const [tableAlias, column] = [textField(entry, 'tablealias'), textField(entry, 'sqlfieldname')];
    if (column === '' || textField(entry, 'nodetype') === folderType) return [];
    return [{ reportType, tableAlias, column, name: textField(entry, 'fname') }];
  });
  return fields.map((field) => ({ ...field, namesakes: fieldsNamed(field.name, fields) }));
}
