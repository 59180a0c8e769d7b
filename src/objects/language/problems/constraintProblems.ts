import type { Node } from 'jsonc-parser';
import { isPolicyOperator, policyOperators } from '../../../contract/operators.ts';
import * as l10n from '../../../l10n/l10n.ts';
import { fieldNode, replacement, textAt } from '../jsonText.ts';
import { listEntries } from '../references.ts';
import type { ServerFacts } from '../serverFacts.ts';
import { constraintTable } from './columnTypeProblems.ts';
import { nearest, type Fix, type Problem, type ProblemContext } from './problem.ts';

/**
 * Constraints of a policy with a blank or unknown table, column or operator: they restrict nothing, hide every row or
 * are refused. Only of the embedded server, whose form of constraints is known.
 */
export function constraintProblems({ document, kind, facts }: ProblemContext): Problem[] {
  if (kind.name !== 'policy' || !facts.constraintFields) return [];
  return listEntries(document, 'Constraints').flatMap((constraint) => [
    ...blankProblems(constraint),
    ...operatorProblems(constraint),
    ...placeProblems(constraint, facts),
  ]);
}

/** The server refuses constraints without a table or column. */
function blankProblems(constraint: Node): Problem[] {
  return ['TableName', 'ColumnName'].flatMap((field): Problem[] => {
    const node = fieldNode(constraint, field);
    if (textAt(node).trim() !== '') return [];
    const message = l10n.t('Enter {0}: the server refuses a constraint without it.', field);
    return [problemAt('blankConstraint', 'error', node ?? constraint, message)];
  });
}

function operatorProblems(constraint: Node): Problem[] {
  const node = fieldNode(constraint, 'Operator');
  const operator = textAt(node);
  if (isPolicyOperator(operator)) return [];
  const message = l10n.t('"{0}" is not an operator of policies. Use {1}.', operator, policyOperators.join(', '));
  const candidates = node ? nearest(operator, policyOperators, String) : [];
  return [problemAt('unknownValue', 'error', node ?? constraint, message, node && fixesOf(node, candidates))];
}

/** Tables and columns that the databases of the constraint's application lack, as far as they were read. */
function placeProblems(constraint: Node, facts: ServerFacts): Problem[] {
  const place = constraintTable(constraint);
  const described = place.name === '' ? [] : (facts.describedTables?.(place) ?? []);
  const [first] = described;
  if (!first) return [];
  const table = fieldNode(constraint, 'TableName');
  const found = described.filter(({ columns }) => columns.length > 0);
  if (found.length === 0 && table) {
    const message = l10n.t('{0} has no table {1}: the constraint restricts nothing.', first.server, place.name);
    const tables = new Set((facts.columns ?? []).map((column) => column.table));
    return [problemAt('unknownTable', 'error', table, message, fixesOf(table, nearest(place.name, tables, String)))];
  }
  const column = fieldNode(constraint, 'ColumnName');
  const name = textAt(column).trim();
  const columns = found.flatMap((each) => each.columns.map((one) => one.name));
  const isKnown = columns.some((each) => each.toLowerCase() === name.toLowerCase().replace(/^["`[]|["`\]]$/g, ''));
  if (!column || name === '' || isKnown) return [];
  const message = l10n.t('Table {0} has no column {1}: the policy shows no rows.', place.name, name);
  return [problemAt('unknownColumn', 'error', column, message, fixesOf(column, nearest(name, columns, String)))];
}

function fixesOf(node: Node, candidates: readonly string[]): Fix[] {
  return candidates.map((name, index) => ({
    title: l10n.t('Change to {0}', name),
    changes: [replacement(node, name)],
    isPreferred: index === 0,
  }));
}

function problemAt(
  code: Problem['code'],
  severity: Problem['severity'],
  { offset, length }: Node,
  message: string,
  fixes: readonly Fix[] = [],
): Problem {
  return { code, severity, offset, length, message, fixes };
}
