import { describe, expect, it } from 'vitest';
import { embeddedConstraint } from '../../../../src/objects/language/constraintForm.ts';
import { JsonText } from '../../../../src/objects/language/jsonText.ts';
import { noFacts, type ServerFacts } from '../../../../src/objects/language/serverFacts.ts';
import { neededAt, suggest } from '../../../../src/objects/language/suggest.ts';
import type { Suggestion } from '../../../../src/objects/language/suggestion.ts';
import { facts, fixed } from './languageFacts.ts';

/** What is suggested at the `|` of a text, and the text without it. */
function at(kind: string, marked: string, known: ServerFacts = facts) {
  const offset = marked.indexOf('|');
  const text = marked.replace('|', '');
  const document = new JsonText(text);
  const found = suggest({ document, kind, offset, facts: known });
  const take = (label: string): string => {
    const suggestion = found.find((candidate) => candidate.label === label);
    expect(found.map((candidate) => candidate.label)).toContain(label);
    const changes = [...(suggestion?.alsoChanges ?? []), { ...spanOf(suggestion), text: plain(suggestion) }];
    return fixed(text, { title: '', changes });
  };
  return { found, take, labels: found.map(({ label }) => label), needed: neededAt(document, kind, offset) };
}

function spanOf(suggestion: Suggestion | undefined) {
  return suggestion?.span ?? { offset: 0, length: 0 };
}

/** A snippet with what its stops say. */
function plain(suggestion: Suggestion | undefined): string {
  const text = suggestion?.insert ?? '';
  if (!suggestion?.isSnippet) return text;
  const parts = /\\([\\$}])|\$\{\d+\|([^,|]*)[^|]*\|\}|\$\{\d+:((?:[^}\\]|\\.)*)\}|\$\d/g;
  return text.replace(parts, (_all, escaped?: string, choice?: string, words?: string) => {
    return escaped ?? choice ?? words ?? '';
  });
}

/** As the embedded server states them when it refuses another one. */
const constraintOperators = ['=', '<>', '<', '<=', '>', '>=', 'in', 'not in', 'like', 'between'];

describe('suggestions', () => {
  it('give time zones as the server names them, offset and name together', () => {
    const text = '{ "timezone": |0, "timezonename": "" }';
    expect(JSON.parse(at('user', text).take('(UTC+05:30) Asia/Kolkata'))).toEqual({
      timezone: 5.5,
      timezonename: '(UTC+05:30) Asia/Kolkata',
    });
    const named = '{ "timezone": 0, "timezonename": "|" }';
    expect(JSON.parse(at('profile', named).take('(UTC+05:45) Asia/Katmandu'))).toMatchObject({ timezone: 5.75 });
    expect(at('server', '{ "TimeZone": | }').take('(UTC+00:00) UTC')).toBe('{ "TimeZone": 0 }');
  });

  it('give ids by name, as the text has them: in quotes, as a number, or where a value is missing', () => {
    const { take, needed } = at('policy', '{ "Groups": [{ "GroupId": "|" }] }');
    expect(take('South')).toBe('{ "Groups": [{ "GroupId": "17" }] }');
    expect(needed.objects).toEqual(['group']);
    expect(at('policy', '{ "Groups": [{ "GroupId": 1|6 }] }').take('South')).toBe('{ "Groups": [{ "GroupId": 17 }] }');
    expect(at('tag', '{ "Contacts": [{ "RightID": | }] }').take('ada')).toBe('{ "Contacts": [{ "RightID": "5" }] }');
    expect(at('report', '{ "folderid": | }').take('Flights')).toBe('{ "folderid": 9 }');
  });

  it('give whole entries of a list, without those it has, with the commas they need', () => {
    const { take, labels } = at('policy', '{ "Groups": [{ "GroupId": "16" } |] }');
    expect(labels).toEqual(['South']);
    expect(JSON.parse(take('South'))).toEqual({ Groups: [{ GroupId: '16' }, { GroupId: '17' }] });
    const users = at('policy', '{ "Users": [| { "ID": "5" }] }').take('ben');
    expect(JSON.parse(users)).toEqual({ Users: [{ ID: '6', LoginName: 'ben', FullName: '' }, { ID: '5' }] });
    const seat = at('user', '{ "UserApplications": [|] }').take('Flight Operations');
    expect(JSON.parse(seat)).toEqual({
      UserApplications: [{ ApplicationID: '2', ApplicationName: 'Flight Operations', ApplicationRoleID: '5' }],
    });
    const value = at('tag', '{ "SecurityGroups": [{ "RightID": "16", "Option1": "CA" }, |] }').take('South');
    expect(JSON.parse(value)).toMatchObject({ SecurityGroups: [{}, { RightID: '17', Option1: 'value' }] });
  });

  it('give placeholders within a constraint, in place of one that is half typed', () => {
    const text = (value: string) => `{ "Constraints": [{ "Value": "${value}" }] }`;
    expect(at('policy', text('|')).take('/#state#/')).toBe(text('/#state#/'));
    expect(at('policy', text('a /#st|')).take('/#state#/')).toBe(text('a /#state#/'));
    expect(at('policy', text('/#re|gion#/ b')).take('/#state#/')).toBe(text('/#state#/ b'));
    expect(at('policy', text('/|')).take('/#login#/')).toBe(text('/#login#/'));
    expect(at('policy', text('|')).needed).toEqual({ objects: ['policy', 'tag'], columns: false });
  });

  it('learn the form of constraints from the policies of the server', () => {
    const added = JSON.parse(at('policy', '{ "Constraints": [|] }').take('New constraint')) as object;
    expect(added).toEqual({ Constraints: [{ Table: '', Column: '', Op: '=', Value: '' }] });
    expect(at('policy', '{ "Constraints": [{ "Table": "x", | }] }').labels).toEqual(['Column', 'Op', 'Value']);
    expect(at('policy', '{ "Constraints": [|] }', noFacts).labels).toEqual([]);
    const embedded = { ...facts, constraintFields: embeddedConstraint };
    expect(at('policy', '{ "Constraints": [{ | }] }', embedded).labels).toEqual(Object.keys(embeddedConstraint));
  });

  it('give columns of the constraint’s own table, tables, operators, and what other policies compare', () => {
    const { take, labels, needed } = at('policy', '{ "Constraints": [{ "Table": "flights", "Column": "|" }] }');
    expect(labels).toEqual(['origin_state', 'state']);
    expect(needed.columns).toBe(true);
    expect(take('origin_state')).toContain('"Column": "origin_state"');
    expect(at('policy', '{ "Constraints": [{ "Table": "|" }] }').labels).toEqual(['flights', 'airports']);
    const operators = at('policy', '{ "Constraints": [{ "Op": "|" }] }').labels;
    // The embedded server refuses all others.
    expect(operators.toSorted()).toEqual(constraintOperators.toSorted());
  });

  it.each([
    ['Table', 'fl', 'flights'],
    ['Table', '', 'airports'],
    ['Op', '', 'not in'],
    ['Value', '', '/#state#/'],
    ['ModuleID', 'Fli', 'Flight Operations'],
  ])('stay between the quotes of %s, where the tab stop of a snippet is: %j', (field, typed, label) => {
    const start = `{ "Constraints": [{ "${field}": "`;
    const { found } = at('policy', `${start}${typed}|", "Last": "" }] }`);
    const suggestion = found.find((candidate) => candidate.label === label);
    expect(suggestion?.span).toEqual({ offset: start.length, length: typed.length });
    expect(suggestion?.insert).not.toContain('"');
    // The editor offers only what begins like the replaced text.
    expect(suggestion?.filter.toLowerCase().startsWith(typed.toLowerCase())).toBe(true);
  });

  it('replace the quotes too before them, and where the last is missing', () => {
    expect(at('policy', '{ "Constraints": [{ "Table": |"x" }] }').take('flights')).toContain('"Table": "flights" }');
    expect(at('policy', '{ "Constraints": [{ "Table": "fl|').take('flights')).toContain('"Table": "flights"');
  });

  it('escape what they put between quotes', () => {
    const columns = [{ owner: '', table: 'a"b', column: 'c', label: '' }];
    const { take } = at('policy', '{ "Constraints": [{ "Table": "|" }] }', { ...facts, columns });
    expect(JSON.parse(take('a"b'))).toEqual({ Constraints: [{ Table: 'a"b' }] });
  });

  it('give what belongs to the constraint’s table on a server whose constraints name its owner first', () => {
    const rows = ['FLIGHTS', 'airports'].map((table) => ({ owner: 'air', table, column: `${table}_id`, label: '' }));
    const embedded: ServerFacts = { ...noFacts, constraintFields: embeddedConstraint, columns: rows };
    const within = (fields: string) => at('policy', `{ "Constraints": [{ ${fields} }] }`, embedded).labels;
    expect(within('"TableOwner": "air", "TableName": "flights", "ColumnName": "|"')).toEqual(['FLIGHTS_id']);
    expect(within('"TableOwner": "air", "TableName": "", "ColumnName": "|"')).toEqual(['FLIGHTS_id', 'airports_id']);
    expect(within('"TableOwner": "|", "TableName": "flights"')).toEqual(['air']);
    expect(within('"TableOwner": "air", "TableName": "|"')).toEqual(['FLIGHTS', 'airports']);
  });

  it('give what other policies say, the most common first, and no more than anybody reads', () => {
    const constraints = (values: readonly string[]) => values.map((Value) => ({ Table: 'flights', Value }));
    const policies = (list: readonly unknown[]): ServerFacts => ({
      objects: (kind) => {
        const facts = { isActive: true, tagLabels: [], groupIds: [], userIds: [], constraints: list };
        return kind === 'policy' ? new Map([['1', { id: '1', name: 'P', detail: '', policy: facts }]]) : undefined;
      },
    });
    const value = (list: readonly unknown[]) =>
      at('policy', '{ "Constraints": [{ "Value": "|" }] }', policies(list)).labels.filter(
        (label) => !label.startsWith('/#'),
      );
    expect(value(constraints(['rare', 'usual', 'usual']))).toEqual(['usual', 'rare']);
    expect(value(constraints(Array.from({ length: 60 }, (_, count) => `v${count}`)))).toHaveLength(50);
    // The form that most constraints have.
    const forms = [{ Odd: '' }, ...constraints(['a', 'b'])];
    expect(at('policy', '{ "Constraints": [{ | }] }', policies(forms)).labels).toEqual(['Table', 'Value']);
  });

  it('are found by the id as well as by the name, within the quotes that stand there', () => {
    const filters = (text: string) => at('policy', text).found.map(({ filter }) => filter);
    expect(filters('{ "Groups": [{ "GroupId": "|" }] }')).toEqual(['North 16', 'South 17']);
    expect(filters('{ "Groups": [{ "GroupId": | }] }')).toEqual(['North', 'South']);
  });

  it('give a report’s fields, with all that goes with them', () => {
    const entry = '{ "DbTableAlias": "f", "DbFieldName": "|", "ReportFieldName": "", "Fieldtype": "num" }';
    const taken = JSON.parse(at('report', `{ "FieldList": [${entry}] }`).take('State')) as object;
    expect(taken).toEqual({
      FieldList: [{ DbTableAlias: 'a', DbFieldName: 'state', ReportFieldName: 'State', Fieldtype: 'cha' }],
    });
    const list = '{ "FieldList": [{ "fieldindex": 4, "RenamedField": "Delay" }, |] }';
    expect(JSON.parse(at('report', list).take('Delay'))).toMatchObject({
      FieldList: [
        {},
        { fieldindex: 5, DbTableAlias: 'f', DbFieldName: 'delay', RenamedField: 'Delay_2', Criteria: [] },
      ],
    });
    const hidden = '{ "FieldList": [{ "fieldindex": -7, "RenamedField": "delay" }, { "RenamedField": "DELAY_2" }, |] }';
    expect(JSON.parse(at('report', hidden).take('Delay'))).toMatchObject({
      FieldList: [{}, {}, { fieldindex: 8, RenamedField: 'Delay_3' }],
    });
    expect(at('report', '{ "ReportType": "|" }').take('Bird Strikes')).toBe('{ "ReportType": "Bird Strikes" }');
  });

  it('give functions with their templates, and fields, in formulas', () => {
    const formula = (value: string) => `{ "FieldList": [{ "DisplayFieldName": "Late", "Formula": "${value}" }] }`;
    expect(at('report', formula('1 + ro|')).take('ROUND')).toBe(formula('1 + ROUND(?, 2)'));
    const odd = '{ "FieldList": [{ "DbTableAlias": "f", "DbFieldName": "a}b", "Formula": "ro|" }] }';
    expect(at('report', odd).found.find(({ label }) => label === 'ROUND')?.insert).toBe('ROUND(${1:f.[a\\}b]}, 2)');
    // Formulas know the report type's labels, not what the report calls its own columns.
    expect(at('report', formula('[La|')).labels).not.toContain('[Late]');
    expect(at('report', formula('de|')).take('[Delay]')).toBe(formula('[Delay]'));
  });

  it('take labels of several words as a whole, and tell fields of one label apart by their columns', () => {
    const formula = (value: string) => `{ "FieldList": [{ "Formula": ${JSON.stringify(value)} }] }`;
    const field = { folder: 'Orders', tableAlias: 'o', parentAlias: '', fieldType: 'num' };
    const reportFields = [
      { ...field, name: 'Unit Price', column: 'unit price' },
      { ...field, name: 'Net [€] "x"', column: 'net' },
      { ...field, name: 'ID', column: 'id' },
      { ...field, name: 'id', tableAlias: 'c', column: 'id', folder: 'Customers' },
    ];
    const taken = (value: string, label: string) =>
      at('report', formula(value), { ...facts, reportFields }).take(label);
    for (const begun of ['2 * Unit Pr|', '2 * [Unit Pr|', '2 * [Unit P|rice]', '2 * "Unit Pr|', '2 * Pri|ce'])
      expect(taken(begun, '[Unit Price]'), begun).toBe(formula('2 * [Unit Price]'));
    expect(taken('"a" +\n\t\\ o.ne|', 'o.net')).toBe(formula('"a" +\n\t\\ o.net'));
    expect(taken('i|', 'o.id')).toBe(formula('o.id'));
    expect(taken('i|', 'c.id')).toBe(formula('c.id'));
    expect(at('report', formula("'Unit Pr|'")).labels).toEqual([]);
  });

  it('never put markup of a snippet into text: what it holds is taken as it is', () => {
    const hostile = '$1 ${2:x} } \\ "quoted"';
    const objects: ServerFacts = {
      objects: (kind) => (kind === 'user' ? new Map([['7', { id: '7', name: hostile, detail: hostile }]]) : undefined),
    };
    const taken = JSON.parse(at('policy', '{ "Users": [|] }', objects).take(hostile)) as object;
    expect(taken).toEqual({ Users: [{ ID: '7', LoginName: hostile, FullName: hostile }] });
  });

  it('are none where the schema alone knows', () => {
    expect(at('settings', '{ "SSOEnabled": "|" }').found).toEqual([]);
    expect(at('policy', '{ | }').found).toEqual([]);
    expect(at('policy', '|').found).toEqual([]);
  });
});
