import type { Node } from 'jsonc-parser';
import { entriesOf, fieldNode, removal, replacement, textAt, type TextChange } from './jsonText.ts';
import { nearest, type Problem, type ProblemContext } from './problem.ts';
import { listEntries } from './references.ts';
import type { KnownField } from './serverFacts.ts';
import { say } from '../../words/say.ts';

/** Fields of a report that its report type does not have, and a report type that is not there. */
export function reportProblems(context: ProblemContext): Problem[] {
  if (context.kind.name === 'report') return [...unknownReportType(context), ...unknownFields(context)];
  return context.kind.name === 'reporttype' ? tableProblems(context) : [];
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
      message: say('There is no report type "{0}" on {1} that you may use.', name, server),
      fixes: nearest(name, reportTypes, (type) => type).map((type) => ({
        title: say('Change to {0}', type),
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
    // A formula needs no column.
    if (!column || name === '' || textAt(fieldNode(entry, 'Formula')) !== '') return [];
    if (known.has(keyOf(textAt(fieldNode(entry, 'DbTableAlias')), name))) return [];
    const shown = textAt(fieldNode(entry, 'ReportFieldName')) || name;
    return [
      {
        code: 'unknownField',
        severity: 'warning',
        offset: column.offset,
        length: column.length,
        message: say(
          'The report type has no field {0}.{1}: it was removed or renamed. The report may fail.',
          textAt(fieldNode(entry, 'DbTableAlias')),
          name,
        ),
        fixes: [
          ...nearest(shown, reportFields, (field) => field.name).map((field) => ({
            title: say('Use {0}', field.folder === '' ? field.name : `${field.folder} › ${field.name}`),
            changes: fieldChanges(entry, field),
          })),
          { title: say('Remove this field from the report'), changes: [removal(document, entry)] },
        ],
      },
    ];
  });
}

function keyOf(tableAlias: string, column: string): string {
  return JSON.stringify([tableAlias.toLowerCase(), column.toLowerCase()]);
}

/** What makes an entry of a report's field list stand for another field; its heading stays. */
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

/** Fields of a report type without a table, and aliases that two tables share. */
function tableProblems({ document }: ProblemContext): Problem[] {
  const aliases = new Map<string, Node>();
  const problems: Problem[] = [];
  for (const table of listEntries(document, 'SQLTables')) {
    const alias = fieldNode(table, 'tablealias');
    const name = textAt(alias);
    if (!alias || name === '') continue;
    if (aliases.has(name)) {
      problems.push({
        code: 'duplicateEntry',
        severity: 'error',
        offset: alias.offset,
        length: alias.length,
        message: say('Another table has the alias {0}: fields cannot tell them apart.', name),
        fixes: [{ title: say('Change to {0}', `${name}2`), changes: [replacement(alias, `${name}2`)] }],
      });
    }
    aliases.set(name, alias);
  }
  const tree = fieldNode(document.root, 'FieldTree');
  if (!tree || aliases.size === 0) return problems;
  for (const entry of entriesOf(tree)) {
    const alias = fieldNode(entry, 'tablealias');
    const name = textAt(alias);
    if (!alias || name === '' || textAt(fieldNode(entry, 'nodetype')) === 'G' || aliases.has(name)) continue;
    problems.push({
      code: 'unknownTable',
      severity: 'warning',
      offset: alias.offset,
      length: alias.length,
      message: say('No table of this report type has the alias {0}.', name),
      fixes: nearest(name, aliases.keys(), (other) => other).map((other) => ({
        title: say('Change to {0}', other),
        changes: [replacement(alias, other)],
      })),
    });
  }
  return problems;
}
