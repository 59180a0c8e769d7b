import type { Node } from 'jsonc-parser';
import { comparedAs, comparisonDoubt, type ComparisonDoubt } from '../../../contract/columnComparison.ts';
import { agrees, storedKind, type StoredKind } from '../../../contract/columnTypes.ts';
import { placeholdersOf } from '../../../contract/placeholders.ts';
import { say } from '../../../l10n/l10n.ts';
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
      ? [{ title: say('Compare seconds since 1970'), changes: [replacement(columnType, 'unixTime')] }]
      : [];
  const { offset, length } = fieldNode(constraint, place[doubt]) ?? constraint;
  return {
    code: 'uncertainComparison',
    severity: 'warning',
    offset,
    length,
    message: `${say('{0} is {1} in the database of {2}: the policy shows no row.', column, type, table.server)} ${advice(doubt)}`,
    fixes,
  };
}

function advice(doubt: ComparisonDoubt): string {
  switch (doubt) {
    case 'type':
      return say('No policy compares this type for certain. Compare another column, or a view that casts it.');
    case 'order':
      return say(
        'Texts have no order that a policy could mean. Compare it with = or in, or compare a number or a date.',
      );
    case 'dateInText':
      return say(
        'A day may be spelled in many ways in text. Compare a column of dates, or a view that casts this one.',
      );
    case 'pattern':
      return say('Only texts have patterns. Compare it with =, in or between.');
    case 'number':
      return say('The value is no number of up to 18 digits and 10 decimals.');
    case 'date':
      return say('The value is no day or moment. Write one as YYYY-MM-DD, or as [Today].');
    case 'unixTime':
      return say(
        'A number is no day. If it counts seconds since 1970, write unixTime as ColumnType of the constraint.',
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
        message: say(
          'The database holds {0} in {1}, which {2} does not fit: a policy that compares it shows no row, and the report type cannot be saved while there is one.',
          type,
          column,
          registered,
        ),
        fixes: [{ title: say('Change to {0}', usual), changes: [replacement(node, usual)] }],
      },
    ];
  });
}
