import { describe, expect, it } from 'vitest';
import { embeddedConstraint } from '../../../../../src/objects/language/constraintForm.ts';
import { noFacts, type ServerFacts } from '../../../../../src/objects/language/serverFacts.ts';
import { fixed, problemsOf } from '../languageFacts.ts';

/* What documents say where the type of a column disagrees with a policy or a report type. */

const columns = [
  { name: 'Released', type: 'VARCHAR(40)' },
  { name: 'made', type: 'INTEGER' },
  { name: 'aired', type: 'DATE' },
  { name: 'poster', type: 'BLOB' },
];
const embedded: ServerFacts = {
  ...noFacts,
  constraintFields: embeddedConstraint,
  platform: 'sqlite',
  tableColumns: (_owner, table) => (table === 'films' ? columns : undefined),
  describedTables: ({ moduleId, owner, name }) =>
    moduleId === '7' && owner === 'main' && name === 'films'
      ? [
          { server: 'Archive', platform: 'sqlite', columns: [] },
          { server: 'Films', platform: 'sqlite', columns },
        ]
      : [],
};

function constraint(fields: Readonly<Record<string, string>>): object {
  return { ...embeddedConstraint, ModuleID: '7', TableName: 'main.films', ...fields };
}

function uncertain(fields: Readonly<Record<string, string>>, facts = embedded) {
  const view = { Name: 'Own films', Constraints: [constraint(fields)], Groups: [], Users: [], isActive: false };
  return problemsOf('policy', view, { facts }).filter(({ code }) => code === 'uncertainComparison');
}

describe('a constraint', () => {
  it.each([
    [{ ColumnName: 'released', Operator: '<=', Value: '[Today]' }, '"<="', 'cannot compare text by order'],
    [{ ColumnName: 'RELEASED', Operator: '<>', Value: '[Yesterday]' }, '"[Yesterday]"', 'in many formats'],
    [{ ColumnName: 'released', Operator: 'not in', Value: 'x, 2026-03-18' }, '"x, 2026-03-18"', 'in many formats'],
    [{ ColumnName: 'aired', Operator: 'between', Value: '[Today]', Value2: 'soon' }, '"[Today]"', 'not a date or time'],
    [{ ColumnName: 'made', Operator: 'like', Value: '5%' }, '"like"', 'Patterns apply to text only'],
    [{ ColumnName: 'made', Operator: '>', Value: 'many' }, '"many"', 'not a number with at most 18 digits'],
    [{ ColumnName: 'poster', Value: 'x' }, '"poster"', 'casts this one'],
    [{ ColumnName: 'aired', Value: '[Today]', ColumnType: 'unixTime' }, '"aired"', 'casts this one'],
  ])('that would show no row says why: %o', (fields, marks, advice) => {
    const [problem, ...others] = uncertain(fields);
    expect(others).toEqual([]);
    expect(problem?.message).toMatch(/^\S+ is \S+ in the database of Films: the policy shows no rows\. /);
    expect(problem?.message).toContain(advice);
    const view = { Name: 'Own films', Constraints: [constraint(fields)], Groups: [], Users: [], isActive: false };
    const text = JSON.stringify(view, undefined, 2);
    expect(text.slice(problem?.offset, (problem?.offset ?? 0) + (problem?.length ?? 0))).toBe(marks);
  });

  it('of seconds is repaired by saying so', () => {
    const [problem] = uncertain({ ColumnName: 'made', Operator: '<=', Value: '[Today]' });
    expect(problem?.message).toContain('set ColumnType of the constraint to unixTime');
    expect(problem?.fixes.map(({ title }) => title)).toEqual(['Compare as seconds since 1970']);
    expect(uncertain({ ColumnName: 'made', Operator: '<=', Value: '[Today]', ColumnType: 'unixTime' })).toEqual([]);
  });

  it.each<Record<string, string>>([
    { ColumnName: 'released', Value: '/#company#/' },
    { ColumnName: 'released', Operator: 'in', Value: "'2026-03-18', x" },
    { ColumnName: 'made', Operator: '>', Value: '/#level#/' },
    { ColumnName: 'aired', Operator: '<=', Value: '[Today]' },
    { ColumnName: 'missing', Operator: '<', Value: 'x' },
    { ModuleID: '8', ColumnName: 'released', Operator: '<', Value: 'x' },
    { TableOwner: 'other', ColumnName: 'released', Operator: '<', Value: 'x' },
  ])('that compares for certain, or of which nothing is known, is left alone: %o', (fields) => {
    expect(uncertain(fields)).toEqual([]);
  });

  it('of a server that may compare in another way is left alone', () => {
    const other = { ...embedded, constraintFields: undefined };
    expect(uncertain({ ColumnName: 'released', Operator: '<=', Value: '[Today]' }, other)).toEqual([]);
  });
});

describe('a field of a report type', () => {
  const view = (sqlfieldname: string, datatype: string) => ({
    SQLTables: [{ tablename: 'films', tablealias: 'F' }],
    FieldTree: [{ fname: 'A', nodetype: 'F', tablealias: 'f', sqlfieldname, datatype }],
  });
  const problems = (column: string, type: string, facts = embedded) =>
    problemsOf('reporttype', view(column, type), { facts }).filter(({ code }) => code === 'otherType');

  it.each([
    ['released', 'doz', 'cha'],
    ['made', 'dtz', 'num'],
    ['aired', 'udt', 'doz'],
  ])('%s registered as %s is marked, and repaired as %s', (column, registered, usual) => {
    const [problem] = problems(column, registered);
    expect(problem?.message).toContain(
      `which does not match ${registered}. A policy that compares the column shows no rows`,
    );
    const text = JSON.stringify(view(column, registered), undefined, 2);
    expect(JSON.parse(fixed(text, problem?.fixes[0]))).toEqual(view(column, usual));
  });

  it.each([
    ['released', 'cha'],
    ['released', 'lnk'],
    ['made', 'udt'],
    ['aired', 'dtz'],
    ['poster', 'num'],
    ['missing', 'num'],
    ['made', ''],
  ])('%s registered as "%s" is left alone', (column, registered) => {
    expect(problems(column, registered)).toEqual([]);
  });

  it('of a server that may compare in another way is left alone', () => {
    expect(problems('released', 'doz', { ...embedded, constraintFields: undefined })).toEqual([]);
    expect(problems('released', 'doz', { ...embedded, platform: undefined })).toEqual([]);
  });
});
