import { describe, expect, it } from 'vitest';
import { objectKinds } from '../../../../../src/objects/kinds/kinds.ts';
import { JsonText } from '../../../../../src/objects/language/jsonText.ts';
import { noFacts, type ServerFacts } from '../../../../../src/objects/language/serverFacts.ts';
import { facts, fixed, problemsOf, type LookOptions } from '../languageFacts.ts';

const constraint = { Table: 'flights', Column: 'state', Op: '=', Value: '/#region#/' };
const policy = {
  id: '1',
  Name: 'Own States',
  Constraints: [constraint],
  Groups: [{ GroupId: '16' }],
  Users: [],
  isActive: true,
};
const field = { fieldindex: 1, DbTableAlias: 'a', DbFieldName: 'state', ReportFieldName: 'State', Fieldtype: 'cha' };
const report = { ReportType: 'Flights', OutputType: 1, folderid: 9, FieldList: [field] };

const columnsNamed = (...names: string[]) => names.map((name) => ({ name, type: '' }));

interface Case {
  code: string;
  kind: string;
  view: object;
  /** Text that is marked. */
  marks: string;
  options?: LookOptions;
  /** What the first fix makes of the view; undefined where nothing can be repaired by itself. */
  repaired?: object;
  title?: string;
  /** Part of what it says. */
  message?: string;
}

const cases: Record<string, Case> = {
  'an id of no object': {
    code: 'danglingId',
    kind: 'policy',
    view: { ...policy, Groups: [{ GroupId: '16' }, { GroupId: '99' }] },
    marks: '"99"',
    options: { id: '1' },
    repaired: policy,
    title: 'Remove this entry',
  },
  'a name in place of an id': {
    code: 'danglingId',
    kind: 'tag',
    view: { Label: 'zone', DefaultValue: 'x', SecurityGroups: [{ RightID: 'South', Option1: 'TX' }] },
    marks: '"South"',
    repaired: { Label: 'zone', DefaultValue: 'x', SecurityGroups: [{ RightID: '17', Option1: 'TX' }] },
    title: 'Use South (ID 17)',
  },
  'the same group twice': {
    code: 'duplicateEntry',
    kind: 'policy',
    view: { ...policy, Groups: [{ GroupId: '16' }, { GroupId: '17' }, { GroupId: '16' }] },
    marks: '"16"',
    options: { id: '1' },
    repaired: { ...policy, Groups: [{ GroupId: '16' }, { GroupId: '17' }] },
  },
  'a tag that does not exist': {
    code: 'unknownTag',
    kind: 'policy',
    view: { ...policy, Constraints: [{ ...constraint, Value: 'x /#reigon#/ y' }] },
    marks: '/#reigon#/',
    options: { id: '1' },
    repaired: { ...policy, Constraints: [{ ...constraint, Value: 'x /#region#/ y' }] },
    title: 'Change to /#region#/',
  },
  'a placeholder that is never closed': {
    code: 'uncertainPlaceholder',
    kind: 'policy',
    view: { ...policy, Constraints: [{ ...constraint, Value: '/#region' }] },
    marks: '"/#region"',
    options: { id: '1' },
  },
  'a placeholder that only looks like the profile’s': {
    code: 'uncertainPlaceholder',
    kind: 'policy',
    view: { ...policy, Constraints: [{ ...constraint, Value: '/#com\u200bpany#/' }] },
    marks: '"/#com\u200bpany#/"',
    options: { id: '1' },
  },
  'a field that the user has set': {
    code: 'selfSetField',
    kind: 'user',
    view: { LoginName: 'ada', Company: 'South', SelfSetFields: ['Company', 7] },
    marks: '"Company"',
    message: 'remove its name from this list',
  },
  'a placeholder on a field that a user has set': {
    code: 'selfSetPlaceholder',
    kind: 'policy',
    view: {
      ...policy,
      Constraints: [
        { ...constraint, Value: '/# COMPANY #/' },
        { ...constraint, Value: '/#email#/' },
      ],
    },
    marks: '/# COMPANY #/',
    options: { id: '1' },
    message: 'ada',
  },
  'a tag that leaves a group without a value': {
    code: 'tagWithoutValue',
    kind: 'policy',
    view: { ...policy, Groups: [{ GroupId: '17' }], Constraints: [{ ...constraint, Value: '/#state#/' }] },
    marks: '/#state#/',
    options: { id: '1' },
  },
  'a tag that leaves a user without a value, whose groups have none': {
    code: 'tagWithoutValue',
    kind: 'policy',
    view: { ...policy, Users: [{ ID: '5' }, { ID: '6' }], Constraints: [{ ...constraint, Value: '/#state#/' }] },
    marks: '/#state#/',
    options: { id: '1' },
    message: 'no value for ben:',
  },
  'a tag without default': {
    code: 'tagWithoutValue',
    kind: 'tag',
    view: { Label: 'zone', DefaultValue: '' },
    marks: '"DefaultValue"',
  },
  'an active policy of nobody': {
    code: 'unassignedPolicy',
    kind: 'policy',
    view: { ...policy, Groups: [] },
    marks: '"Groups"',
    options: { id: '1' },
    repaired: { ...policy, Groups: [], isActive: false },
  },
  'an active policy that compares nothing': {
    code: 'policyWithoutConstraints',
    kind: 'policy',
    view: { ...policy, Constraints: null },
    marks: '"Constraints"',
    options: { id: '1' },
    repaired: { ...policy, Constraints: null, isActive: false },
  },
  'a folder that All Users see': {
    code: 'folderForAllUsers',
    kind: 'folder',
    view: { id: 12, fname: 'Sales', ParentLibrary: '9', Permissions: [], isPersonalFolder: false },
    marks: '"Permissions"',
    options: { id: '12' },
    title: 'Select groups with access…',
  },
  'a name that is taken': {
    code: 'duplicateName',
    kind: 'group',
    view: { GroupId: '20', GroupName: ' north' },
    marks: '" north"',
    options: { id: '20' },
    repaired: { GroupId: '20', GroupName: ' north 2' },
  },
  'a password in text': {
    code: 'secretInText',
    kind: 'server',
    view: { DisplayName: 'W', DatabasePassword: 'hunter2', DatabaseName: 'x' },
    marks: '"hunter2"',
    repaired: { DisplayName: 'W', DatabaseName: 'x' },
  },
  'a PIN in text, as the last field': {
    code: 'secretInText',
    kind: 'user',
    view: { LoginName: 'cleo', Pin: '1234' },
    marks: '"1234"',
    repaired: { LoginName: 'cleo' },
  },
  'a password within other settings': {
    code: 'secretInText',
    kind: 'server',
    view: { additionalparams: 'ssl=1;Password=hunter2;pool=5' },
    marks: 'Password=hunter2;',
    repaired: { additionalparams: 'ssl=1;pool=5' },
  },
  'a field that the server keeps': {
    code: 'readOnlyEdit',
    kind: 'policy',
    view: { ...policy, id: '7' },
    marks: '"id"',
    options: { id: '1', base: policy },
    repaired: policy,
  },
  'a field that the server keeps and that was taken out': {
    code: 'readOnlyEdit',
    kind: 'group',
    view: { GroupName: 'East' },
    marks: '{',
    options: { id: '20', base: { GroupId: '20', GroupName: 'East' } },
    repaired: { GroupId: '20', GroupName: 'East' },
  },
  'a field that the server keeps in an entry of a list': {
    code: 'readOnlyEdit',
    kind: 'audit',
    view: { AuditTypes: [{ ID: 1, symbol: 'other', recorded: -1 }] },
    marks: '"symbol"',
    options: { id: 'audit', base: { AuditTypes: [{ ID: 1, symbol: 'login', recorded: 0 }] } },
    repaired: { AuditTypes: [{ ID: 1, symbol: 'login', recorded: -1 }] },
  },
  'another label for a tag that a policy names': {
    code: 'renamedTag',
    kind: 'tag',
    view: { Label: 'region code', DefaultValue: 'x' },
    marks: '"region code"',
    message: 'The policies Own States compare with /#State#/',
    options: { id: '3', base: { Label: 'State', DefaultValue: 'x' } },
    repaired: { Label: 'State', DefaultValue: 'x' },
    title: 'Change to State',
  },
  'a field that was taken out': {
    code: 'leftOut',
    kind: 'tag',
    view: { Label: 'zone', DefaultValue: 'x' },
    marks: '{',
    message: 'SecurityGroups is missing: saving removes it from',
    options: { id: '1', base: { Label: 'zone', DefaultValue: 'x', SecurityGroups: [] } },
    repaired: { SecurityGroups: [], Label: 'zone', DefaultValue: 'x' },
    title: 'Restore SecurityGroups',
  },
  'a value that means nothing': {
    code: 'unknownValue',
    kind: 'settings',
    view: { SSOEnabled: 'true', MaxRecords: 5 },
    marks: '"true"',
    repaired: { SSOEnabled: 'True', MaxRecords: 5 },
  },
  'an output type that does not exist': {
    code: 'unknownValue',
    kind: 'report',
    view: { ...report, OutputType: 5 },
    marks: '5',
  },
  'a report type that does not exist': {
    code: 'unknownValue',
    kind: 'report',
    view: { ...report, ReportType: 'Flihgts' },
    marks: '"Flihgts"',
    repaired: report,
  },
  'a field that the report type does not have': {
    code: 'unknownField',
    kind: 'report',
    view: { ...report, FieldList: [{ ...field, DbFieldName: 'gone', ReportFieldName: 'Delays' }] },
    marks: '"gone"',
    repaired: {
      ...report,
      FieldList: [{ ...field, DbTableAlias: 'f', DbFieldName: 'delay', ReportFieldName: 'Delay', Fieldtype: 'num' }],
    },
  },
  'a field that the report type does not have, under a formula': {
    code: 'unknownField',
    kind: 'report',
    view: { ...report, FieldList: [{ ...field, DbFieldName: 'gone', Formula: 'ROUND(?, 1)' }] },
    marks: '"gone"',
  },
  'a field without table': {
    code: 'unknownTable',
    kind: 'reporttype',
    view: {
      SQLTables: [{ tablename: 'flights', tablealias: 'f' }],
      FieldTree: [{ fname: 'Delay', nodetype: 'F', tablealias: 'g' }],
    },
    marks: '"g"',
    repaired: {
      SQLTables: [{ tablename: 'flights', tablealias: 'f' }],
      FieldTree: [{ fname: 'Delay', nodetype: 'F', tablealias: 'f' }],
    },
  },
  'a field that names no table': {
    code: 'unknownTable',
    kind: 'reporttype',
    view: {
      SQLTables: [{ tablename: 'flights', tablealias: 'f' }],
      FieldTree: [{ fname: 'Delay', nodetype: 'F', tablealias: '' }],
    },
    marks: '""',
    message: 'refers to no table',
    repaired: {
      SQLTables: [{ tablename: 'flights', tablealias: 'f' }],
      FieldTree: [{ fname: 'Delay', nodetype: 'F', tablealias: 'f' }],
    },
  },
  'a field where there is no table at all': {
    code: 'unknownTable',
    kind: 'reporttype',
    view: { SQLTables: [], FieldTree: [{ fname: 'Delay', nodetype: 'F', tablealias: 'f' }] },
    marks: '"f"',
    message: 'has the alias f',
  },
  'an alias of two tables in another case, with the next name taken': {
    code: 'duplicateEntry',
    kind: 'reporttype',
    view: { SQLTables: ['f', 'f2', 'F'].map((tablealias) => ({ tablename: 'flights', tablealias })) },
    marks: '"F"',
    repaired: { SQLTables: ['f', 'f2', 'F3'].map((tablealias) => ({ tablename: 'flights', tablealias })) },
  },
  'a column that the database lacks': {
    code: 'unknownColumn',
    kind: 'reporttype',
    view: {
      SQLTables: [{ tablename: 'flights', tablealias: 'f' }],
      FieldTree: [
        { fname: 'Delay', nodetype: 'F', tablealias: 'f', sqlfieldname: 'DELAY' },
        { fname: 'Distance', nodetype: 'F', tablealias: 'f', sqlfieldname: 'distence' },
      ],
    },
    marks: '"distence"',
    options: { facts: { ...noFacts, tableColumns: () => columnsNamed('delay', 'distance') } },
    repaired: {
      SQLTables: [{ tablename: 'flights', tablealias: 'f' }],
      FieldTree: [
        { fname: 'Delay', nodetype: 'F', tablealias: 'f', sqlfieldname: 'DELAY' },
        { fname: 'Distance', nodetype: 'F', tablealias: 'f', sqlfieldname: 'distance' },
      ],
    },
  },
  'a table that the database lacks': {
    code: 'unknownColumn',
    kind: 'reporttype',
    view: {
      SQLTables: [{ tablename: 'flughts', tablealias: 'f' }],
      FieldTree: [{ fname: 'Delay', nodetype: 'F', tablealias: 'f', sqlfieldname: 'delay' }],
    },
    marks: '"flughts"',
    message: 'no table flughts',
    options: { facts: { ...noFacts, tableColumns: () => [] } },
  },
  'two fields of a name in one folder': {
    code: 'duplicateField',
    kind: 'reporttype',
    view: {
      FieldTree: [
        { fname: 'Origin', nodetype: 'G', flevel: '0' },
        { fname: 'Town', nodetype: 'F', flevel: '1' },
        { fname: 'Destination', nodetype: 'G', flevel: '0' },
        { fname: 'City', nodetype: 'F', flevel: '1' },
        { fname: 'city', nodetype: 'F', flevel: '1' },
      ],
    },
    marks: '"city"',
    repaired: {
      FieldTree: [
        { fname: 'Origin', nodetype: 'G', flevel: '0' },
        { fname: 'Town', nodetype: 'F', flevel: '1' },
        { fname: 'Destination', nodetype: 'G', flevel: '0' },
        { fname: 'City', nodetype: 'F', flevel: '1' },
        { fname: 'city 2', nodetype: 'F', flevel: '1' },
      ],
    },
  },
  'a field taken away that reports use': {
    code: 'removedField',
    kind: 'reporttype',
    view: { RepTypeName: 'Flights', FieldTree: [{ fname: 'Delay', tablealias: 'f', sqlfieldname: 'delay' }] },
    marks: '"FieldTree"',
    message: 'State was removed, but 2 reports use it: Airports, Hubs',
    options: {
      id: '1.2.3',
      base: {
        RepTypeName: 'Flights',
        FieldTree: [
          { fname: 'Delay', tablealias: 'F', sqlfieldname: 'delay' },
          { fname: 'State', tablealias: 'a', sqlfieldname: 'state' },
        ],
      },
      facts: {
        ...noFacts,
        reportsUsing: ({ tableAlias, column }) => (tableAlias + column === 'astate' ? ['Airports', 'Hubs'] : undefined),
      },
    },
  },
  'a field with a new label that formulas call by the old one': {
    code: 'renamedField',
    kind: 'reporttype',
    view: {
      RepTypeName: 'Flights',
      FieldTree: [
        { fname: 'Lateness', tablealias: 'f', sqlfieldname: 'delay' },
        { fname: 'Home', tablealias: 'a', sqlfieldname: 'state' },
      ],
    },
    marks: '"Lateness"',
    title: 'Use f.DELAY in the formulas of these reports',
    message: 'reports use [Delay] in formulas: Airports, Hubs. They fail',
    options: {
      id: '1.2.3',
      base: {
        RepTypeName: 'Flights',
        FieldTree: [
          { fname: 'Delay', tablealias: 'f', sqlfieldname: 'DELAY' },
          { fname: 'State', tablealias: 'a', sqlfieldname: 'state' },
        ],
      },
      facts: {
        ...noFacts,
        formulasCalling: ({ name }) =>
          name === 'Delay'
            ? [
                { id: '4', name: 'Airports' },
                { id: '5', name: 'Hubs' },
              ]
            : [],
      },
    },
  },
  'a formula that names a field by a label that is gone': {
    code: 'unknownField',
    kind: 'report',
    view: { FieldList: [{ DisplayFieldName: 'Own', Formula: "[Dela] + [own] + 'x [Dela]' + [delay]" }] },
    marks: '[Dela]',
    title: 'Use Delay',
    message: 'uses [Dela]',
    repaired: { FieldList: [{ DisplayFieldName: 'Own', Formula: "f.delay + [own] + 'x [Dela]' + [delay]" }] },
    options: {
      facts: {
        ...noFacts,
        reportFields: [
          { name: 'Delay', folder: '', tableAlias: 'f', parentAlias: '', column: 'delay', fieldType: 'num' },
        ],
      },
    },
  },
  'a formula that names a removed field by its column': {
    code: 'unknownField',
    kind: 'report',
    view: { FieldList: [{ Formula: '"Delay" +\n\tf.dealy * F.DELAY' }] },
    marks: 'f.dealy',
    title: 'Use Delay',
    message: 'uses f.dealy',
    repaired: { FieldList: [{ Formula: '"Delay" +\n\tf.delay * F.DELAY' }] },
    options: {
      facts: {
        ...noFacts,
        reportFields: [
          { name: 'Delay', folder: '', tableAlias: 'f', parentAlias: '', column: 'delay', fieldType: 'num' },
        ],
      },
    },
  },
  'a link to a field that the linked report calls by another name now': {
    code: 'unknownField',
    kind: 'report',
    view: {
      FieldList: [{ RenamedField: 'state' }],
      linkreports: [
        {
          ReportID: '30',
          Name: 'Airports',
          Links: ['Sate', 'STATE_CODE', 'Home', 'Delay', ''].map((TargetField) => ({ Field: 'state', TargetField })),
        },
        { ReportID: '31', Links: [{ Field: 'state', TargetField: 'Sate' }] },
      ],
    },
    marks: '"Sate"',
    title: 'Use State',
    message: 'The report "Airports" has no field "Sate"',
    repaired: {
      FieldList: [{ RenamedField: 'state' }],
      linkreports: [
        {
          ReportID: '30',
          Name: 'Airports',
          Links: ['st', 'STATE_CODE', 'Home', 'Delay', ''].map((TargetField) => ({ Field: 'state', TargetField })),
        },
        { ReportID: '31', Links: [{ Field: 'state', TargetField: 'Sate' }] },
      ],
    },
    options: {
      facts: {
        ...noFacts,
        linkTarget: (id) =>
          id === '30'
            ? {
                name: 'Airports',
                fields: [
                  { alias: 'home', header: 'Home airport' },
                  { alias: 'state code', header: 'Code' },
                  { alias: 'st', header: 'State' },
                ],
                labels: ['Delay'],
              }
            : undefined,
      },
    },
  },
  'a link that hands over a column by a header that it has no more': {
    code: 'unknownField',
    kind: 'report',
    view: {
      FieldList: [{ RenamedField: 'Origin State', DisplayFieldName: 'From' }, { DisplayFieldName: 'Late' }],
      linkreports: [{ ReportID: '1', Links: ['origin_state', 'late', '', 'Form'].map((Field) => ({ Field })) }],
    },
    marks: '"Form"',
    title: 'Use From',
    message: 'no column "Form"',
    repaired: {
      FieldList: [{ RenamedField: 'Origin State', DisplayFieldName: 'From' }, { DisplayFieldName: 'Late' }],
      linkreports: [{ ReportID: '1', Links: ['origin_state', 'late', '', 'From'].map((Field) => ({ Field })) }],
    },
    options: { facts: noFacts },
  },
  'a field without a column': {
    code: 'unknownColumn',
    kind: 'reporttype',
    view: {
      SQLTables: [{ tablename: 'flights', tablealias: 'f' }],
      FieldTree: [{ nodetype: 'F', tablealias: 'f' }],
    },
    marks: `{
      "nodetype": "F",
      "tablealias": "f"
    }`,
    message: 'refers to no column of flights',
  },
  'a field whose label another folder has, too': {
    code: 'duplicateField',
    kind: 'reporttype',
    view: {
      FieldTree: [
        { fname: 'City', nodetype: 'F', flevel: '0' },
        { fname: 'Destination', nodetype: 'G', flevel: '0' },
        { fname: 'city ', nodetype: 'F', flevel: '1' },
      ],
    },
    marks: '"city "',
    message: 'Formulas cannot distinguish them',
    repaired: {
      FieldTree: [
        { fname: 'City', nodetype: 'F', flevel: '0' },
        { fname: 'Destination', nodetype: 'G', flevel: '0' },
        { fname: 'Destination city ', nodetype: 'F', flevel: '1' },
      ],
    },
  },
  'a report type whose name another one of the application has': {
    code: 'duplicateName',
    kind: 'reporttype',
    view: { RepTypeName: 'flights' },
    marks: '"flights"',
    title: 'Rename to flights 2',
    message: 'Another report type of this application on Test Server',
    repaired: { RepTypeName: 'flights 2' },
    options: {
      id: '1.2.4',
      facts: {
        ...noFacts,
        reportTypesBeside: [
          { name: 'Flights', documentId: '1.2.3' },
          { name: 'flights', documentId: '1.2.4' },
        ],
      },
    },
  },
  'an alias of two tables': {
    code: 'duplicateEntry',
    kind: 'reporttype',
    view: {
      SQLTables: [
        { tablename: 'flights', tablealias: 'f' },
        { tablename: 'fares', tablealias: 'f' },
      ],
    },
    marks: '"f"',
    repaired: {
      SQLTables: [
        { tablename: 'flights', tablealias: 'f' },
        { tablename: 'fares', tablealias: 'f2' },
      ],
    },
  },
};

/** How bad what a rule finds is, where it is no warning. */
const severities: Readonly<Record<string, string>> = {
  unknownTag: 'error',
  uncertainPlaceholder: 'error',
  selfSetField: 'information',
  secretInText: 'error',
  readOnlyEdit: 'error',
  tagWithoutValue: 'information',
  folderForAllUsers: 'information',
};

/** Codes that are found in a document, in the order of its text. */
const codesOf = (kind: string, view: string | object, options?: LookOptions) =>
  problemsOf(kind, view, options).map(({ code }) => code);

describe('problems of documents', () => {
  it.each(Object.entries(cases))('find %s', (_name, { code, kind, view, marks, options, repaired, title, message }) => {
    const text = JSON.stringify(view, undefined, 2);
    const found = problemsOf(kind, text, options);
    const problem = found.find((candidate) => candidate.code === code);
    expect(problem, found.map((other) => other.message).join()).toBeDefined();
    if (!problem) return;
    expect(text.slice(problem.offset, problem.offset + problem.length)).toBe(marks);
    if (kind !== 'reporttype') expect(problem.severity).toBe(severities[code] ?? 'warning');
    expect(found.filter((candidate) => candidate.code === code)).toHaveLength(1);
    expect(problem.message).toMatch(/[.?]$/);
    expect(problem.message).not.toMatch(/\{\d\}|undefined/);
    expect(problem.message).toContain(message ?? '');
    if (title !== undefined) expect(problem.fixes[0]?.title).toBe(title);
    if (!repaired) return;
    const after = fixed(text, problem.fixes[0]);
    expect(JSON.parse(after)).toEqual(repaired);
    expect(problemsOf(kind, after, options).filter((other) => other.code === code)).toEqual([]);
  });

  it('stand in the order of the text, and are no more than anybody reads', () => {
    const groups = Array.from({ length: 1_200 }, (_, at) => ({ GroupId: `${at + 100}` }));
    const found = problemsOf(
      'policy',
      { ...policy, Constraints: [{ Value: '/#gone#/' }], Groups: groups },
      { id: '1' },
    );
    expect(found).toHaveLength(1_000);
    expect(found.map(({ offset }) => offset)).toEqual(found.map(({ offset }) => offset).toSorted((a, b) => a - b));
    expect(found[0]?.code).toBe('unknownTag');
  });

  it('find placeholders in text that JSON escapes, and repair them there', () => {
    const value = String.raw`\"\u00e9\" \/\u0023 reigon #/ y`;
    const text = `{"Name":"p","Constraints":[{"Value":"${value}"}]}`;
    const [found] = problemsOf('policy', text, { id: '1' }).filter(({ code }) => code === 'unknownTag');
    if (!found) throw new Error('It is not found');
    expect(text.slice(found.offset, found.offset + found.length)).toBe(String.raw`\/\u0023 reigon #/`);
    const repaired = String.raw`{"Name":"p","Constraints":[{"Value":"\"\u00e9\" /#region#/ y"}]}`;
    expect(fixed(text, found.fixes[0])).toBe(repaired);
  });

  it('put an id in place of a name however it is written, as a number where ids are numbers', () => {
    const fixesOf = (kind: string, view: object, known?: ServerFacts) =>
      problemsOf(kind, view, known && { facts: known }).find(({ code }) => code === 'danglingId')?.fixes ?? [];
    const tag = { Label: 'zone', DefaultValue: 'x', SecurityGroups: [{ RightID: 'south' }] };
    expect(fixesOf('tag', tag)[0]).toMatchObject({ title: 'Use South (ID 17)', isPreferred: true });
    const [folder] = fixesOf('report', { ...report, folderid: 'fligh' });
    expect(folder?.changes[0]?.text).toBe('9');
    const groups = new Map(['North', 'Northwest'].map((name, id) => [`${id}`, { id: `${id}`, name, detail: '' }]));
    const two: ServerFacts = { ...facts, objects: (kind) => (kind === 'group' ? groups : undefined) };
    const named = { ...tag, SecurityGroups: [{ RightID: 'Nor' }] };
    expect(fixesOf('tag', named, two).map(({ isPreferred }) => isPreferred ?? false)).toEqual([false, false, false]);
    // What the server keeps is not to be taken out.
    expect(fixesOf('user', { SecurityGroups: [{ GroupId: '99' }] })).toEqual([]);
    expect(fixesOf('profile', { SecurityGroups: [{ GroupId: '99' }] })).toEqual([]);
    expect(codesOf('profile', { SecurityGroups: [{ GroupId: '99' }] })).toEqual(['danglingId']);
  });

  it('are ids of no object wherever a document names one, but not where 0 means none', () => {
    const gone = (kind: string, view: object) => codesOf(kind, view).filter((code) => code === 'danglingId').length;
    const folder = { id: 12, fname: 'Sales', Permissions: [{ RightID: '16' }] };
    expect([
      gone('folder', { ...folder, ParentLibrary: '0' }),
      gone('folder', { ...folder, ParentLibrary: '4' }),
    ]).toEqual([0, 1]);
    const asks = (vrpt: number) => ({ ...report, FieldList: [{ ...field, Criteria: [{ vrpt }] }] });
    expect([0, 30, 31].map((vrpt) => gone('report', asks(vrpt)))).toEqual([0, 0, 1]);
    expect([0, 9, 10].map((folderid) => gone('report', { ...report, folderid }))).toEqual([0, 0, 1]);
    const link = { ReportID: '30', Links: [] };
    expect(codesOf('report', { ...report, linkreports: [link, link] })).toEqual([]);
    const constraints = { ...policy, Constraints: [constraint, constraint].map((one) => ({ ...one, ModuleID: '2' })) };
    expect(codesOf('policy', constraints, { id: '1' })).toEqual([]);
  });

  it('name five of those who see no row, and say that there are more', () => {
    const users = Array.from({ length: 7 }, (_, at) => ({
      id: `${at}`,
      name: `user${at}`,
      detail: '',
      user: { isLocked: false, isAdmin: false, groups: [], selfSetFields: [] },
    }));
    const known: ServerFacts = {
      ...facts,
      objects: (kind) => (kind === 'user' ? new Map(users.map((user) => [user.id, user])) : facts.objects(kind)),
    };
    const view = { ...policy, Users: users.map(({ id }) => ({ ID: id })), Constraints: [{ Value: '/#state#/' }] };
    const [found] = problemsOf('policy', view, { id: '1', facts: known });
    expect(found?.message).toContain('no value for user0, user1, user2, user3, user4 …: they');
  });

  it('tell fields of report types apart as databases do', () => {
    const tables = [{ tablename: 'flights', tableowner: 'air' }];
    const tree = [{ fname: 'Delay', nodetype: 'F', tablealias: 'flights', sqlfieldname: 'delay' }];
    // A table without an alias goes by its name; folders are of no table.
    expect(
      codesOf('reporttype', {
        SQLTables: tables,
        FieldTree: [{ fname: 'All', nodetype: 'G', tablealias: '' }, ...tree],
      }),
    ).toEqual([]);
    const owned: ServerFacts = {
      ...noFacts,
      tableColumns: (owner) => columnsNamed(owner === 'air' ? 'delay' : 'other'),
    };
    expect(codesOf('reporttype', { SQLTables: tables, FieldTree: tree }, { facts: owned })).toEqual([]);
    const entry = (fname: string, nodetype: string, flevel: string) => ({ fname, nodetype, flevel });
    const folders = { FieldTree: [entry('A', 'G', '0'), entry('City', 'F', '1'), entry('City', 'F', '0')] };
    expect(problemsOf('reporttype', folders).map(({ severity }) => severity)).toEqual(['information']);
    const same = { FieldTree: [entry('City', 'F', '0'), entry('City', 'F', '0')] };
    expect(problemsOf('reporttype', same).map(({ severity }) => severity)).toEqual(['warning']);
    const aliases = { SQLTables: ['f', 'f'].map((tablealias) => ({ tablename: 'flights', tablealias })) };
    expect(problemsOf('reporttype', aliases).map(({ severity }) => severity)).toEqual(['error']);
  });

  it('say of a field taken away or renamed which reports suffer, five by name, once the text is whole', () => {
    const base = {
      RepTypeName: 'Flights',
      FieldTree: ['Delay', 'Lateness'].map((fname) => ({ fname, tablealias: 'f', sqlfieldname: 'delay' })),
    };
    const reports = [1, 2, 3, 4, 5, 6].map((id) => ({ id: `${id}`, name: `R${id}` }));
    const known = { ...noFacts, reportsUsing: () => reports.map(({ name }) => name), formulasCalling: () => reports };
    const options: LookOptions = { id: '1.2.3', base, facts: known };
    const message = (view: object) => problemsOf('reporttype', view, options)[0]?.message;
    expect(message({ RepTypeName: 'Flights', FieldTree: [] })).toContain(
      '6 reports use it: R1, R2, R3, R4, R5 …. They',
    );
    const renamed = (...names: string[]) => ({
      RepTypeName: 'Flights',
      FieldTree: names.map((fname) => ({ fname, tablealias: 'f', sqlfieldname: 'delay' })),
    });
    // The one that is new is the one that was renamed, wherever it stands.
    expect(message(renamed('Delay', 'Minutes'))).toContain('Lateness is now named Minutes');
    expect(message(renamed('Minutes', 'Delay'))).toContain('Lateness is now named Minutes');
    for (const view of [renamed('Minutes'), { ...base, FieldTree: [] }]) {
      expect(codesOf('reporttype', JSON.stringify(view).slice(0, -1), options)).toEqual([]);
    }
  });

  it('of a report are none where it names nothing yet, or nobody knows what it names', () => {
    expect(codesOf('report', { ...report, ReportType: '' })).toEqual([]);
    expect(codesOf('report', { ...report, FieldList: [{ ...field, DbTableAlias: 'x', DbFieldName: '' }] })).toEqual([]);
    expect(
      codesOf('report', { ...report, FieldList: [{ ...field, DbTableAlias: 'A', DbFieldName: 'STATE' }] }),
    ).toEqual([]);
    const link = { ReportID: '30', Links: [{ Field: 'profit', TargetField: 'Sate' }] };
    const linked = { ...report, linkreports: [link], AdHocFields: [{ type: 'calc' }] };
    const target = { name: 'Airports', fields: [{ alias: 'state', header: 'State' }] };
    expect(codesOf('report', linked, { facts: { ...facts, linkTarget: () => target } })).toEqual([]);
    const known = { ...facts, linkTarget: () => ({ ...target, labels: [] }) };
    expect(codesOf('report', linked, { facts: known })).toEqual(['unknownField']);
  });

  it('offer in a formula the columns most like the one that it names, not the labels', () => {
    const near = [
      { name: 'dealy', folder: '', tableAlias: 'f', parentAlias: '', column: 'minutes', fieldType: 'num' },
      { name: 'Late', folder: '', tableAlias: 'f', parentAlias: '', column: 'delay', fieldType: 'num' },
    ];
    const view = { FieldList: [{ Formula: 'f.dealy' }] };
    const [found] = problemsOf('report', view, { facts: { ...noFacts, reportFields: near } });
    expect(found?.fixes.map(({ title }) => title)).toEqual(['Use Late', 'Use dealy']);
  });

  it('offer first what begins with the word that is there', () => {
    const [found] = problemsOf(
      'report',
      { ...report, ReportType: 'Bir' },
      { facts: { ...facts, reportTypes: ['Air', 'Bird Strikes'] } },
    );
    expect(found?.fixes.map(({ title }) => title)).toEqual(['Change to Bird Strikes', 'Change to Air']);
  });

  it('are not made of what means the same', () => {
    expect(codesOf('policy', { ...policy, Groups: [], Users: [{ ID: '5' }] }, { id: '1' })).toEqual([]);
    const tag = { Label: 'STATE', DefaultValue: 'x' };
    expect(codesOf('tag', tag, { id: '3', base: { Label: 'State', DefaultValue: 'x' } })).toEqual([]);
    expect(
      codesOf('policy', { ...policy, Constraints: [{ ...constraint, Value: '/#REGION#/' }] }, { id: '1' }),
    ).toEqual([]);
    const tags = new Map([['4', { id: '4', name: 'Region', detail: '' }]]);
    const capital: ServerFacts = { objects: (kind) => (kind === 'tag' ? tags : undefined) };
    expect(codesOf('policy', policy, { id: '1', facts: capital })).toEqual([]);
    expect(codesOf('server', { DisplayName: 'W', DatabasePassword: '' })).toEqual([]);
    // What the server keeps is told once where it was taken out.
    const base = { GroupId: '20', GroupName: 'East' };
    expect(codesOf('group', { GroupName: 'East' }, { id: '20', base })).toEqual(['readOnlyEdit']);
    const types = [1, 2].map((ID) => ({ ID, symbol: `s${ID}`, recorded: 0 }));
    const turned = { AuditTypes: types.toReversed() };
    expect(codesOf('audit', turned, { id: 'audit', base: { AuditTypes: types } })).toEqual([]);
  });

  it('offer a name that is free whatever its case', () => {
    const groups = ['North', 'NORTH 2'].map((name, at) => ({ id: `${at}`, name, detail: '' }));
    const known: ServerFacts = { objects: () => new Map(groups.map((group) => [group.id, group])) };
    const [found] = problemsOf('group', { GroupId: '20', GroupName: 'north' }, { id: '20', facts: known });
    expect(found?.fixes[0]?.title).toBe('Rename to north 3');
  });

  it('point to settings that are on although the server says that it does not act on them', () => {
    const InactiveSettings = ['mfa_enabled', 'SSOHeader', 'bulkemail_enabled', 'SchedulerMode', 'missing', 7];
    const view = {
      mfa_enabled: 'True',
      SSOHeader: 'X-User',
      bulkemail_enabled: 'False',
      SchedulerMode: 1,
      SSOEnabled: 'True',
    };
    const marked = (text: string) =>
      problemsOf('settings', text)
        .filter(({ code }) => code === 'inactiveField')
        .map(({ offset, length }) => text.slice(offset, offset + length));
    expect(marked(JSON.stringify({ ...view, InactiveSettings }))).toEqual(['"mfa_enabled"', '"SSOHeader"']);
    // Of a server that does not say so, nothing is claimed.
    expect(marked(JSON.stringify(view))).toEqual([]);
    expect(marked(JSON.stringify({ ...view, InactiveSettings: 'mfa_enabled' }))).toEqual([]);
  });

  it('warn of no row only those who have no value, and of tags that are switched off', () => {
    const view = { ...policy, Groups: [{ GroupId: '17' }], Constraints: [{ ...constraint, Value: '/#state#/' }] };
    const state = { isActive: true, defaultValue: '', groupValues: new Map<string, string>(), userValues: new Map() };
    const codes = (tag: typeof state) => {
      const tags = new Map([['3', { id: '3', name: 'state', detail: '', tag }]]);
      const known: ServerFacts = { ...facts, objects: (kind) => (kind === 'tag' ? tags : facts.objects(kind)) };
      return problemsOf('policy', view, { id: '1', facts: known }).map(({ code }) => code);
    };
    expect(codes(state)).toEqual(['tagWithoutValue']);
    // The only member of South has a value of his own.
    expect(codes({ ...state, userValues: new Map([['6', 'TX']]) })).toEqual([]);
    expect(codes({ ...state, defaultValue: 'TX', isActive: false })).toEqual(['inactiveTag']);
  });

  it('lead to the command where the text is not what has to change, once there is an object', () => {
    const commandsOf = (kind: string, view: object, id?: string) =>
      problemsOf(kind, JSON.stringify(view), id === undefined ? undefined : { id })
        .filter(({ code }) => code === 'unassignedPolicy' || code === 'tagWithoutValue' || code === 'folderForAllUsers')
        .flatMap(({ fixes }) => fixes.flatMap(({ command }) => command ?? []));
    expect(commandsOf('policy', { ...policy, Groups: [] }, '1')).toEqual(['analytics.policy.assign']);
    expect(commandsOf('policy', { ...policy, Groups: [] })).toEqual([]);
    expect(commandsOf('tag', { Label: 'zone', DefaultValue: '' }, '1')).toEqual(['analytics.tag.editValues']);
    expect(commandsOf('tag', { Label: 'zone', DefaultValue: '' })).toEqual([]);
    const folder = { id: 12, fname: 'Sales', ParentLibrary: '9', Permissions: [] };
    expect(commandsOf('folder', folder, '12')).toEqual(['analytics.folder.setPermissions']);
    expect(commandsOf('folder', folder)).toEqual([]);
  });

  it.each([
    [{ isRestricted: true }, 'Only super-admins'],
    [{ InheritPermissions: true }, 'everyone who sees the parent folder'],
    [{ InheritPermissions: false, isRestricted: false }, 'All Users see it'],
  ])('tell who sees a folder that names no group: %o', (flags, words) => {
    const view = { id: 12, fname: 'Sales', ParentLibrary: '9', Permissions: [], isPersonalFolder: false, ...flags };
    const found = problemsOf('folder', JSON.stringify(view));
    expect(found.find(({ code }) => code === 'folderForAllUsers')?.message).toContain(words);
  });

  it('say of a folder with groups that it does not inherit now', () => {
    const view = { id: 12, fname: 'Sales', ParentLibrary: '9', InheritPermissions: true, isPersonalFolder: false };
    const codes = (Permissions: object[]) =>
      problemsOf('folder', JSON.stringify({ ...view, Permissions })).map(({ code }) => code);
    expect(codes([{ RightID: '16' }])).toContain('unusedInheritance');
    expect(codes([])).not.toContain('unusedInheritance');
  });

  it('find a field of a report type whose entry has no alias at all', () => {
    const view = {
      SQLTables: [{ tablename: 'flights', tablealias: 'f' }],
      FieldTree: [{ fname: 'Delay', nodetype: 'F', sqlfieldname: 'delay' }],
    };
    const found = problemsOf('reporttype', JSON.stringify(view)).find(({ code }) => code === 'unknownTable');
    expect(found?.message).toContain('refers to no table');
  });

  it('name a field by its column in the reports whose formulas a new label would break', () => {
    const renamed = cases['a field with a new label that formulas call by the old one'];
    const found = problemsOf('reporttype', JSON.stringify(renamed?.view), renamed?.options);
    const { reports, changes } = found.find(({ code }) => code === 'renamedField')?.fixes[0]?.inReports ?? {};
    expect(reports?.map(({ id }) => id)).toEqual(['4', '5']);
    const report = { FieldList: [{ Formula: 'ABS([Delay])' }, { Formula: 'f.delay' }, { Formula: null }] };
    const text = JSON.stringify(report);
    const made = changes?.(new JsonText(text)) ?? [];
    const after = made.reduceRight((all, { offset, length, text: put }) => {
      return all.slice(0, offset) + put + all.slice(offset + length);
    }, text);
    expect(JSON.parse(after)).toEqual({
      FieldList: [{ Formula: 'ABS(f.DELAY)' }, { Formula: 'f.delay' }, { Formula: null }],
    });
  });

  it('leave fields alone that write the alias of their table in another case', () => {
    const view = {
      SQLTables: [{ tablename: 'flights', tablealias: 'F' }],
      FieldTree: [{ fname: 'Delay', nodetype: 'F', tablealias: 'f', sqlfieldname: 'delay' }],
    };
    expect(problemsOf('reporttype', view)).toEqual([]);
  });

  it('leave time zones of halves and quarters of an hour alone, and ask the server which there are', () => {
    for (const timezone of [0, 5.5, 5.75]) expect(problemsOf('user', { LoginName: 'cleo', timezone })).toEqual([]);
    const [problem] = problemsOf('user', { LoginName: 'cleo', timezone: 5.25 });
    expect(problem?.message).toBe('No time zone has a UTC offset of 5.25 hours.');
    expect(problem?.fixes.map(({ title }) => title)).toContain('Change to 5.5 ((UTC+05:30) Asia/Kolkata)');
    expect(problemsOf('server', { DisplayName: 'x', TimeZone: 7 }).map(({ code }) => code)).toContain('unknownValue');
    const whole = { facts: { ...noFacts, timeZones: [{ name: '(UTC+05:30) Asia/Kolkata', code: '', offset: 5 }] } };
    expect(problemsOf('user', { timezone: 5.5 }, whole)).toEqual([]);
    expect(problemsOf('user', { timezone: 6.5 }, whole)).toHaveLength(1);
    const offline = { facts: noFacts };
    for (const timezone of [-3.5, 12.75]) expect(problemsOf('user', { timezone }, offline)).toEqual([]);
    for (const timezone of [5.1, 15]) expect(problemsOf('user', { timezone }, offline)).toHaveLength(1);
  });

  it('are none where all is well', () => {
    expect(problemsOf('policy', policy, { id: '1', base: policy })).toEqual([]);
    expect(problemsOf('report', report)).toEqual([]);
    expect(problemsOf('settings', { SSOEnabled: 'False', enforcestrongpassword: 'True', mfa_clientid: 'x' })).toEqual(
      [],
    );
    expect(problemsOf('user', { LoginName: 'cleo', bforcepasschange: true, timezone: 5.5 })).toEqual([]);
  });

  it('claim nothing of what is not known: a file on disk has no server', () => {
    const view = { ...policy, Groups: [{ GroupId: '99' }], Constraints: [{ Value: '/#nowhere#/' }] };
    expect(problemsOf('policy', view, { facts: noFacts })).toEqual([]);
    expect(problemsOf('report', { ...report, ReportType: 'x', folderid: 4 }, { facts: noFacts })).toEqual([]);
  });

  it('of inactive policies, personal folders and roots of the library are none', () => {
    expect(problemsOf('policy', { ...policy, Groups: [], Constraints: [], isActive: false }, { id: '1' })).toEqual([]);
    const folder = { id: 12, fname: 'Mine', ParentLibrary: '9', Permissions: [], isPersonalFolder: true };
    expect(problemsOf('folder', folder)).toEqual([]);
    expect(problemsOf('folder', { ...folder, ParentLibrary: null, isPersonalFolder: false })).toEqual([]);
  });

  it('leave the profile’s own placeholders alone, whatever their case', () => {
    const view = { ...policy, Constraints: [{ ...constraint, Value: '/#Login#/ /#tag1#/' }] };
    expect(problemsOf('policy', view, { id: '1' })).toEqual([]);
  });

  it.each(['', '{', '[1, 2]', '"text"', '{"Name": }', '{"Groups": [{"GroupId": "99"', '['.repeat(200_000)])(
    'never throw for %.20s',
    (text) => {
      for (const { name } of objectKinds) expect(() => problemsOf(name, text)).not.toThrow();
    },
  );
});
