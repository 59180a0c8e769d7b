import type { Node } from 'jsonc-parser';
import { comparedAs, comparisonDoubt, type ComparisonDoubt } from '../../../contract/columnComparison.ts';
import { agrees, storedKind, type StoredKind } from '../../../contract/columnTypes.ts';
import { placeholdersOf } from '../../../contract/placeholders.ts';
import * as l10n from '../../../l10n/l10n.ts';
import { fieldNode, replacement, textAt } from '../jsonText.ts';
import type { Fix, Problem, ProblemContext } from './problem.ts';
import { listEntries } from '../references.ts';
import { tablesByAlias } from './reportTypeProblems.ts';
import type { DescribedTable } from '../serverFacts.ts';

/**
 * Compares a database's column types with the values in a policy and the field types of a report type. Only the
 * embedded server is known to return no rows if they disagree.
 */
export function columnTypeProblems(context: ProblemContext): Problem[] {
  if (!context.facts.constraintFields) return [];
  switch (context.kind.name) {
    case 'policy':
      return listEntries(context.document, 'Constraints').flatMap((constraint) =>
        constraintProblems(context, constraint),
      );
    case 'reporttype':
      return fieldTypeProblems(context);
    default:
      return [];
  }
}

function constraintProblems({ facts }: ProblemContext, constraint: Node): Problem[] {
  const text = (name: string) => textAt(fieldNode(constraint, name));
  const column = text('ColumnName').trim().toLowerCase();
  for (const table of facts.describedTables?.(constraintTable(constraint)) ?? []) {
    const type = table.columns.find(({ name }) => name.toLowerCase() === column)?.type;
    if (type === undefined) continue;
    const kind = comparedAs(storedKind(table.platform, type), text('ColumnType'));
    const doubt = comparisonDoubt(
      kind,
      text('Operator'),
      literalValues(text('Operator'), text('Value'), text('Value2')),
    );
    if (doubt !== undefined)
      return [uncertainComparison(constraint, doubt, { table, type, column: text('ColumnName') })];
  }
  return [];
}

/** The table of a constraint and its application; an empty application means any. */
export function constraintTable(constraint: Node): { moduleId: string; owner: string; name: string } {
  const text = (name: string) => textAt(fieldNode(constraint, name)).trim();
  const [name = '', owner = ''] = text('TableName').split('.').toReversed();
  return { moduleId: text('ModuleID'), owner: text('TableOwner') || owner, name };
}

/** Literal values of a constraint. Quoted items are left to the server. */
function literalValues(operator: string, value: string, second: string): string[] {
  const written = operator === 'between' ? [value, second] : [value];
  const known = written.filter((each) => placeholdersOf(each).length === 0);
  if (operator !== 'in' && operator !== 'not in') return known;
  return known.filter((each) => !/['"]/.test(each)).flatMap((each) => each.split(',').map((item) => item.trim()));
}

function uncertainComparison(
  constraint: Node,
  doubt: ComparisonDoubt,
  { table, type, column }: { table: DescribedTable; type: string; column: string },
): Problem {
  const place: Readonly<Record<ComparisonDoubt, string>> = {
    type: 'ColumnName',
    order: 'Operator',
    pattern: 'Operator',
    dateInText: 'Value',
    number: 'Value',
    date: 'Value',
    unixTime: 'Value',
  };
  const columnType = fieldNode(constraint, 'ColumnType');
  const fixes: Fix[] =
    doubt === 'unixTime' && columnType
      ? [{ title: l10n.t('Compare as seconds since 1970'), changes: [replacement(columnType, 'unixTime')] }]
      : [];
  const { offset, length } = fieldNode(constraint, place[doubt]) ?? constraint;
  return {
    code: 'uncertainComparison',
    severity: 'warning',
    offset,
    length,
    message: `${l10n.t('{0} is {1} in the database of {2}: the policy shows no rows.', column, type, table.server)} ${advice(doubt)}`,
    fixes,
  };
}

function advice(doubt: ComparisonDoubt): string {
  switch (doubt) {
    case 'type':
      return l10n.t(
        'Policies cannot compare this type reliably. Compare another column, or use a view that casts this one.',
      );
    case 'order':
      return l10n.t('Policies cannot compare text by order. Use = or in, or compare a number or a date.');
    case 'dateInText':
      return l10n.t(
        'Text can contain a date in many formats. Compare a date column, or use a view that casts this one.',
      );
    case 'pattern':
      return l10n.t('Patterns apply to text only. Use =, in or between.');
    case 'number':
      return l10n.t('The value is not a number with at most 18 digits and 10 decimals.');
    case 'date':
      return l10n.t('The value is not a date or time. Enter YYYY-MM-DD or [Today].');
    case 'unixTime':
      return l10n.t(
        'A number is not a date. If the column contains seconds since 1970, set ColumnType of the constraint to unixTime.',
      );
  }
}

const usualTypes: Readonly<Record<StoredKind, string>> = { text: 'cha', number: 'num', date: 'doz', timestamp: 'dtz' };

/** Fields whose registered type differs from their column's type. */
function fieldTypeProblems({ document, facts }: ProblemContext): Problem[] {
  const { platform = '', tableColumns } = facts;
  const tables = tablesByAlias(document);
  return listEntries(document, 'FieldTree').flatMap((entry): Problem[] => {
    const node = fieldNode(entry, 'datatype');
    const column = textAt(fieldNode(entry, 'sqlfieldname'));
    const table = tables.get(textAt(fieldNode(entry, 'tablealias')).toLowerCase());
    const columns = table && tableColumns?.(table.owner, table.name);
    const type = columns?.find(({ name }) => name.toLowerCase() === column.toLowerCase())?.type ?? '';
    const kind = storedKind(platform, type);
    const registered = textAt(node);
    if (!node || registered === '' || !kind || agrees(registered, kind)) return [];
    const usual = usualTypes[kind];
    return [
      {
        code: 'otherType',
        severity: 'information',
        offset: node.offset,
        length: node.length,
        message: l10n.t(
          'The database column {1} contains {0}, which does not match {2}. A policy that compares the column shows no rows, and the report type cannot be saved while such a policy exists.',
          type,
          column,
          registered,
        ),
        fixes: [{ title: l10n.t('Change to {0}', usual), changes: [replacement(node, usual)] }],
      },
    ];
  });
}
