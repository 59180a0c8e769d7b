import type { Node } from 'jsonc-parser';
import { columnReference, namesInFormula, withNames, type FormulaName } from '../formulaNames.ts';
import {
  fieldNode,
  removal,
  replacement,
  textAt,
  stringNodeText,
  type TextChange,
  type WrittenText,
} from '../jsonText.ts';
import { nearest, type Problem, type ProblemContext } from './problem.ts';
import { listEntries } from '../references.ts';
import { spanOfName } from '../reportFields.ts';
import type { KnownField } from '../serverFacts.ts';
import * as l10n from '../../../l10n/l10n.ts';

/** Fields that the report type does not have, and a missing report type. */
export function reportProblems(context: ProblemContext): Problem[] {
  return context.kind.name === 'report'
    ? [...unknownReportType(context), ...unknownFields(context), ...unknownNames(context)]
    : [];
}

function unknownReportType({ document, facts, server }: ProblemContext): Problem[] {
  const node = fieldNode(document.root, 'ReportType');
  const name = textAt(node);
  const { reportTypes } = facts;
  if (!node || !reportTypes || name === '' || reportTypes.includes(name)) return [];
  return [
    {
      code: 'unknownValue',
      severity: 'warning',
      offset: node.offset,
      length: node.length,
      message: l10n.t('{1} has no report type "{0}" that you can use.', name, server),
      fixes: nearest(name, reportTypes, (type) => type).map((type) => ({
        title: l10n.t('Change to {0}', type),
        changes: [replacement(node, type)],
      })),
    },
  ];
}

function unknownFields({ document, facts }: ProblemContext): Problem[] {
  const { reportFields } = facts;
  if (!reportFields) return [];
  const known = new Set(reportFields.map(({ tableAlias, column }) => keyOf(tableAlias, column)));
  return listEntries(document, 'FieldList').flatMap((entry): Problem[] => {
    const column = fieldNode(entry, 'DbFieldName');
    const name = textAt(column);
    // A formula needs no column, but one that is named must exist.
    if (!column || name === '') return [];
    if (known.has(keyOf(textAt(fieldNode(entry, 'DbTableAlias')), name))) return [];
    const shown = textAt(fieldNode(entry, 'ReportFieldName')) || name;
    return [
      {
        code: 'unknownField',
        severity: 'warning',
        offset: column.offset,
        length: column.length,
        message: l10n.t(
          'The report type has no field {0}.{1}: it was removed or renamed. The report may fail.',
          textAt(fieldNode(entry, 'DbTableAlias')),
          name,
        ),
        fixes: [
          ...nearest(shown, reportFields, (field) => field.name).map((field) => ({
            title: l10n.t('Use {0}', field.folder === '' ? field.name : `${field.folder} › ${field.name}`),
            changes: fieldChanges(entry, field),
          })),
          { title: l10n.t('Remove this field from the report'), changes: [removal(document, entry)] },
        ],
      },
    ];
  });
}

/**
 * Names in formulas that do not refer to a field: labels in brackets or quotes, mostly of renamed fields, and columns
 * of the report type's tables that are no longer fields.
 */
function unknownNames({ document, facts }: ProblemContext): Problem[] {
  const { reportFields } = facts;
  if (!reportFields) return [];
  const entries = listEntries(document, 'FieldList');
  const own = entries.map((entry) => textAt(fieldNode(entry, 'DisplayFieldName')));
  // Databases quote their own columns the same way.
  const labels = new Set(
    [...reportFields.flatMap(({ name, column }) => [name, column]), ...own].map((name) => name.trim().toLowerCase()),
  );
  const columns = new Set(reportFields.map(({ tableAlias, column }) => keyOf(tableAlias, column)));
  const isKnown = ({ label, table, isQuoted }: FormulaName) => {
    if (table !== undefined) return columns.has(keyOf(table, label));
    return !isQuoted || labels.has(label.trim().toLowerCase());
  };
  return entries.flatMap((entry): Problem[] => {
    const node = fieldNode(entry, 'Formula');
    const written = node && stringNodeText(document, node);
    if (!node || !written) return [];
    return namesInFormula(written.text)
      .filter((name) => !isKnown(name))
      .map((name) => unknownName(node, written, name, reportFields));
  });
}

function unknownName(
  node: Node,
  written: WrittenText,
  { label, table, ...place }: FormulaName,
  reportFields: readonly KnownField[],
): Problem {
  const near =
    table === undefined
      ? nearest(label, reportFields, (field) => field.name)
      : nearest(label, reportFields, (field) => field.column);
  const isIt = (name: FormulaName) => name.table === table && name.label === label;
  return {
    code: 'unknownField',
    severity: 'warning',
    ...spanOfName(written, { label, ...place }),
    message:
      table === undefined
        ? l10n.t('The formula uses [{0}], which is not a field of the report type. It was removed or renamed.', label)
        : l10n.t('The formula uses {0}.{1}, which is not a field of the report type. It was removed.', table, label),
    fixes: near.map((field) => ({
      title: l10n.t('Use {0}', field.folder === '' ? field.name : `${field.folder} › ${field.name}`),
      changes: [
        replacement(
          node,
          withNames(written.text, (name) => (isIt(name) ? columnReference(field) : undefined)),
        ),
      ],
    })),
  };
}

function keyOf(tableAlias: string, column: string): string {
  return JSON.stringify([tableAlias.toLowerCase(), column.toLowerCase()]);
}

/** Edits that make an entry of a report's field list refer to another field; keeps the heading. */
export function fieldChanges(entry: Node, field: KnownField): TextChange[] {
  const values = {
    DbFieldName: field.column,
    DbTableAlias: field.tableAlias,
    DbParentTableAlias: field.parentAlias,
    ReportFieldName: field.name,
    Fieldtype: field.fieldType,
  };
  return Object.entries(values).flatMap(([name, value]) => {
    const node = fieldNode(entry, name);
    return node ? [replacement(node, value)] : [];
  });
}
