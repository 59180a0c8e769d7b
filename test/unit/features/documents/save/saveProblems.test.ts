import { afterEach, beforeEach, expect, it } from 'vitest';
import type * as vscode from 'vscode';
import { SaveProblems } from '../../../../../src/features/documents/save/saveProblems.ts';
import { languages } from '../../../../support/vscode/languages.ts';
import { Uri } from '../../../../support/vscode/uri.ts';

const uri = Uri.parse('analytics:/Own states.policy.json');
const text = JSON.stringify(
  {
    Name: 'Own states',
    Constraints: [
      { TableName: 'flights', Operator: 'in', Value: '/#state#/' },
      { TableName: 'airports', Operator: 'not like', Value: '/#stat' },
    ],
  },
  undefined,
  2,
);
let problems: SaveProblems;

beforeEach(() => (problems = new SaveProblems()));
afterEach(() => problems.dispose());

/** The text that a refusal of the server marks. */
function marked(message: string): string {
  problems.show(uri as unknown as vscode.Uri, text, new Error(message));
  const [mark] = languages.getDiagnostics(uri);
  const lines = text.split('\n');
  const { start, end } = mark?.range ?? {};
  const place = lines.slice(start?.line, (end?.line ?? 0) + 1);
  return place.join('\n').trim();
}

it.each([
  ['Constraint 2: Operator: Invalid option: expected one of "="|"<>".', '"Operator": "not like",'],
  ['Constraint 2: "/#stat": a placeholder in it is incomplete: enter /#label#/.', '"Value": "/#stat"'],
  ['Constraint 1: there is no application with the id 9.', '"TableName": "flights"'],
  ['Constraint 7: there is no application with the id 9.', '{'],
  ['Name is empty.', '"Name": "Own states",'],
])('marks what the refusal is about: %s', (message, expected) => {
  expect(marked(message)).toContain(expected);
});

it('marks only the constraint that is refused', () => {
  expect(marked('Constraint 1: there is no application with the id 9.')).not.toContain('airports');
});
