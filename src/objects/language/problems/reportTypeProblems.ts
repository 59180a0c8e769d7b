import type { Node } from 'jsonc-parser';
import { fieldNode, propertyOf, replacement, textAt, type JsonText } from '../jsonText.ts';
import { nearest, type Problem, type ProblemContext } from './problem.ts';
import { listEntries } from '../references.ts';
import { fieldType, folderType, removedFields, renamedFields } from '../reportTypeChanges.ts';
import type { TableColumn } from '../serverFacts.ts';
import * as l10n from '../../../l10n/l10n.ts';

/**
 * Problems that break a report type: tables that share an alias, fields without a table, columns and tables missing in
 * the database, duplicate names of fields and report types, and removed fields that reports use.
 */
export function reportTypeProblems(context: ProblemContext): Problem[] {
  if (context.kind.name !== 'reporttype') return [];
  return [
    ...sharedAliases(context),
    ...missingTables(context),
    ...fieldProblems(context),
    ...duplicateFields(context),
    ...takenName(context),
    ...removedFields(context),
    ...renamedFields(context),
  ];
}

function sharedAliases({ document }: ProblemContext): Problem[] {
  const tables = listEntries(document, 'SQLTables');
  const all = new Set(tables.map((table) => aliasKey(textAt(fieldNode(table, 'tablealias')))));
  const taken = new Set<string>();
  return tables.flatMap((table): Problem[] => {
    const alias = fieldNode(table, 'tablealias');
    const name = textAt(alias);
    if (!alias || name === '') return [];
    const isTaken = taken.has(aliasKey(name));
    taken.add(aliasKey(name));
    if (!isTaken) return [];
    let number = 2;
    while (all.has(aliasKey(`${name}${number}`))) number++;
    const free = `${name}${number}`;
    return [
      {
        code: 'duplicateEntry',
        severity: 'error',
        ...spanOf(alias),
        message: l10n.t('Another table has the alias {0}. Fields cannot distinguish them.', name),
        fixes: [{ title: l10n.t('Change to {0}', free), changes: [replacement(alias, free)] }],
      },
    ];
  });
}

/** Aliases are compared ignoring case. */
function aliasKey(alias: string): string {
  return alias.toLowerCase();
}

/** A table without columns in the database. */
function missingTables({ document, facts, server }: ProblemContext): Problem[] {
  return listEntries(document, 'SQLTables').flatMap((table): Problem[] => {
    const node = fieldNode(table, 'tablename');
    const name = textAt(node);
    const columns = facts.tableColumns?.(textAt(fieldNode(table, 'tableowner')), name);
    if (!node || name === '' || columns?.length !== 0) return [];
    return [
      {
        code: 'unknownColumn',
        severity: 'warning',
        ...spanOf(node),
        message: l10n.t('{0} finds no table {1} in the database. It was removed or renamed.', server, name),
        fixes: [],
      },
    ];
  });
}

/** Tables of a report type by lower-case alias. */
export function tablesByAlias(document: JsonText): Map<string, { alias: string; name: string; owner: string }> {
  return new Map(
    listEntries(document, 'SQLTables').flatMap((table) => {
      const name = textAt(fieldNode(table, 'tablename'));
      const alias = textAt(fieldNode(table, 'tablealias')) || name;
      return alias === '' ? [] : [[aliasKey(alias), { alias, name, owner: textAt(fieldNode(table, 'tableowner')) }]];
    }),
  );
}

/** Fields without a table, and with columns that their table does not have. */
function fieldProblems({ document, facts }: ProblemContext): Problem[] {
  // Without the list, tables are unknown; an empty list means no tables.
  if (!propertyOf(document.root, 'SQLTables')) return [];
  const tables = tablesByAlias(document);
  return listEntries(document, 'FieldTree').flatMap((entry): Problem[] => {
    const alias = fieldNode(entry, 'tablealias');
    if (textAt(fieldNode(entry, 'nodetype')) === folderType) return [];
    const name = textAt(alias);
    const table = tables.get(aliasKey(name));
    if (table) return unknownColumn(entry, facts.tableColumns?.(table.owner, table.name), table.name);
    return [
      {
        code: 'unknownTable',
        severity: 'warning',
        ...spanOf(alias ?? entry),
        message:
          name === ''
            ? l10n.t('The field refers to no table of this report type.')
            : l10n.t('No table of this report type has the alias {0}.', name),
        fixes: !alias
          ? []
          : nearest(name, tables.values(), (other) => other.alias).map((other) => ({
              title: l10n.t('Change to {0}', other.alias),
              changes: [replacement(alias, other.alias)],
            })),
      },
    ];
  });
}

function unknownColumn(entry: Node, columns: readonly TableColumn[] | undefined, table: string): Problem[] {
  const node = fieldNode(entry, 'sqlfieldname');
  const name = textAt(node);
  if (name === '' && textAt(fieldNode(entry, 'nodetype')) === fieldType) {
    const message = l10n.t('The field refers to no column of {0}.', table);
    return [{ code: 'unknownColumn', severity: 'warning', ...spanOf(node ?? entry), message, fixes: [] }];
  }
  // A table without columns is reported at the table.
  if (!node || name === '' || !columns || columns.length === 0) return [];
  if (columns.some((column) => column.name.toLowerCase() === name.toLowerCase())) return [];
  return [
    {
      code: 'unknownColumn',
      severity: 'warning',
      ...spanOf(node),
      message: l10n.t('The table {0} has no column {1}: it was removed or renamed.', table, name),
      fixes: nearest(name, columns, (column) => column.name).map((column) => ({
        title: l10n.t('Change to {0}', column.name),
        changes: [replacement(node, column.name)],
      })),
    },
  ];
}

/**
 * Fields with the same name: in one folder, report authors cannot distinguish them; in different folders, formulas
 * cannot, because they refer to fields by label.
 */
function duplicateFields({ document }: ProblemContext): Problem[] {
  const fields = labelledFields(document);
  const keyOf = (folder: readonly string[], name: string) =>
    JSON.stringify([...folder, name].map((part) => part.trim().toLowerCase()));
  const taken = new Set(fields.map(({ folder, name }) => keyOf(folder, name)));
  const seen = new Set<string>();
  const first = new Map<string, LabelledField>();
  return fields.flatMap((field): Problem[] => {
    const { node, name, folder } = field;
    const other = first.get(keyOf([], name));
    const isInFolder = seen.has(keyOf(folder, name));
    seen.add(keyOf(folder, name));
    first.set(keyOf([], name), other ?? field);
    if (!other) return [];
    const above = folder.at(-1) ?? '';
    let free = isInFolder || above === '' ? name : `${above} ${name}`;
    for (let number = 2; taken.has(keyOf(folder, free)); number++) free = `${name} ${number}`;
    return [
      {
        code: 'duplicateField',
        severity: isInFolder ? 'warning' : 'information',
        ...spanOf(node),
        message: isInFolder
          ? l10n.t('Another field in this folder is also named {0}. Report authors cannot distinguish them.', name)
          : l10n.t('A field in another folder is also named {0}. Formulas cannot distinguish them by this name.', name),
        fixes: [{ title: l10n.t('Rename to {0}', free), changes: [replacement(node, free)] }],
      },
    ];
  });
}

/** A field of a report type with the names of its parent folders. */
interface LabelledField {
  node: Node;
  name: string;
  folder: readonly string[];
}

function labelledFields(document: JsonText): LabelledField[] {
  const open: { depth: number; name: string }[] = [];
  return listEntries(document, 'FieldTree').flatMap((entry): LabelledField[] => {
    const node = fieldNode(entry, 'fname');
    const name = textAt(node);
    const depth = Number.parseInt(textAt(fieldNode(entry, 'flevel')), 10) || 0;
    while ((open.at(-1)?.depth ?? -1) >= depth) open.pop();
    const folder = open.map((above) => above.name);
    if (textAt(fieldNode(entry, 'nodetype')) === folderType) {
      open.push({ depth, name });
      return [];
    }
    return node && name.trim() !== '' ? [{ node, name, folder }] : [];
  });
}

/** Another report type of the application with the same name, by which reports refer to it. */
function takenName({ document, id, facts, server }: ProblemContext): Problem[] {
  const node = fieldNode(document.root, 'RepTypeName');
  const name = textAt(node);
  const wanted = name.trim().toLowerCase();
  const others = (facts.reportTypesBeside ?? []).filter(({ documentId }) => documentId !== id);
  if (!node || wanted === '' || !others.some((other) => other.name.trim().toLowerCase() === wanted)) return [];
  const taken = new Set(others.map((other) => other.name.trim().toLowerCase()));
  let free = name;
  for (let number = 2; taken.has(free.trim().toLowerCase()); number++) free = `${name} ${number}`;
  return [
    {
      code: 'duplicateName',
      severity: 'warning',
      ...spanOf(node),
      message: l10n.t(
        'Another report type of this application on {0} is named {1}. Reports refer to it by that name.',
        server,
        name,
      ),
      fixes: [{ title: l10n.t('Rename to {0}', free), changes: [replacement(node, free)] }],
    },
  ];
}

function spanOf({ offset, length }: Node) {
  return { offset, length };
}
