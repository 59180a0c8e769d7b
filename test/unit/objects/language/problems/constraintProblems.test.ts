import { describe, expect, it } from 'vitest';
import { embeddedConstraint } from '../../../../../src/objects/language/constraintForm.ts';
import { noFacts, type ServerFacts } from '../../../../../src/objects/language/serverFacts.ts';
import { fixed, problemsOf } from '../languageFacts.ts';

/* What documents say of constraints that name what does not exist. */

const states = [
  { name: 'state', type: 'VARCHAR' },
  { name: 'name', type: 'VARCHAR' },
];
const embedded: ServerFacts = {
  ...noFacts,
  constraintFields: embeddedConstraint,
  columns: ['flights', 'birdstrikes'].map((table) => ({ table, owner: '', column: 'state', label: 'State' })),
  describedTables: ({ name }) => [
    { server: 'Flights', platform: 'duckdb', columns: name.toLowerCase() === 'birdstrikes' ? states : [] },
  ],
};
const found = ['unknownTable', 'unknownColumn', 'unknownValue', 'blankConstraint'];

function policy(fields: Readonly<Record<string, string>>) {
  const constraint = { ...embeddedConstraint, TableName: 'birdstrikes', ColumnName: 'state', Value: 'NC', ...fields };
  return { Name: 'Own states', Constraints: [constraint], Groups: [], Users: [], isActive: false };
}

function problems(fields: Readonly<Record<string, string>>, facts = embedded) {
  return problemsOf('policy', policy(fields), { facts }).filter(({ code }) => found.includes(code));
}

describe('a constraint', () => {
  it.each([
    [{ TableName: 'birdstrike' }, 'unknownTable', '"birdstrike"', 'restricts nothing', 'birdstrikes'],
    [{ ColumnName: 'stat' }, 'unknownColumn', '"stat"', 'shows no rows', 'state'],
    [{ Operator: 'not like' }, 'unknownValue', '"not like"', 'is not an operator of policies', 'not in'],
    [{ Operator: 'not between' }, 'unknownValue', '"not between"', 'is not an operator of policies', 'between'],
    [{ Operator: 'im' }, 'unknownValue', '"im"', 'is not an operator of policies', 'in'],
  ])('that names what does not exist offers what does: %o', (fields, code, marks, words, offered) => {
    const [problem, ...others] = problems(fields);
    expect(others).toEqual([]);
    expect(problem).toMatchObject({ code, severity: 'error' });
    expect(problem?.message).toContain(words);
    const text = JSON.stringify(policy(fields), undefined, 2);
    expect(text.slice(problem?.offset, (problem?.offset ?? 0) + (problem?.length ?? 0))).toBe(marks);
    const fix = problem?.fixes.find(({ title }) => title === `Change to ${offered}`);
    expect(
      problems({ ...fields, ...(fix && Object.fromEntries(Object.keys(fields).map((key) => [key, offered]))) }),
    ).toEqual([]);
    expect(fix && fixed(text, fix)).toContain(`"${offered}"`);
  });

  it.each(['TableName', 'ColumnName'])('without %s is refused', (field) => {
    expect(problems({ [field]: ' ' }).map(({ code }) => code)).toEqual(['blankConstraint']);
  });

  it.each<Record<string, string>>([
    { TableName: 'BIRDSTRIKES' },
    { TableName: 'main.birdstrikes' },
    { ColumnName: 'STATE' },
    { ColumnName: '"state"' },
  ])('that is spelled otherwise is known: %o', (fields) => {
    expect(problems(fields)).toEqual([]);
  });

  it('is not judged while the database was not read, or on a server whose constraints have another form', () => {
    expect(problems({ TableName: 'birdstrike' }, { ...embedded, describedTables: () => [] })).toEqual([]);
    expect(problems({ TableName: '', Operator: 'x' }, { ...embedded, constraintFields: undefined })).toEqual([]);
  });
});
