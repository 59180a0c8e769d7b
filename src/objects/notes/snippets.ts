import { sayListed } from '../../l10n/l10n.ts';

/** A body offered where an object or an entry is to be written; `${1:text}` marks what to fill in, as in VS Code. */
export interface Snippet {
  readonly label: string;
  readonly description: string;
  readonly body: object;
}

const comparison = { Index: 1, Field: '', Op: '${1:=}', Value1: '${2}', Value2: '', Logical: 'AND', Nested: false };

/** Bodies by kind and path; the empty path is the whole document. @l10n label, description */
const snippets: Readonly<Record<string, Readonly<Record<string, readonly Snippet[]>>>> = {
  policy: {
    '': [
      {
        label: 'New policy',
        description: 'Restricts the rows that groups and users see',
        body: {
          Name: '${1:Name}',
          Description: '${2}',
          Constraints: [],
          Groups: [{ GroupId: '${3}' }],
          Users: [],
          isActive: false,
        },
      },
    ],
    Groups: [{ label: 'Group', description: 'Restricts the members of a group', body: { GroupId: '${1}' } }],
    Users: [{ label: 'User', description: 'Restricts one user', body: { ID: '${1}' } }],
  },
  tag: {
    '': [
      {
        label: 'New data tag',
        description: 'A value per group or user that policies compare with',
        body: {
          Label: '${1:label}',
          DefaultValue: '${2}',
          isGroup: true,
          isUser: true,
          isActive: true,
          SecurityGroups: [],
          Contacts: [],
        },
      },
    ],
    SecurityGroups: [
      { label: 'Value of a group', description: 'For its members', body: { RightID: '${1}', Option1: '${2}' } },
    ],
    Contacts: [{ label: 'Value of a user', description: 'For this user', body: { RightID: '${1}', Option1: '${2}' } }],
  },
  group: {
    '': [
      {
        label: 'New group',
        description: 'A security group',
        body: { GroupName: '${1:Name}', GroupDescription: '${2}', GroupRoles: [], GroupStatus: 0 },
      },
    ],
  },
  user: {
    '': [
      {
        label: 'New user',
        description: 'The password is asked for when the user is saved',
        body: {
          LoginName: '${1:login.name}',
          FirstName: '${2}',
          LastName: '${3}',
          EmailAddress: '${4}',
          Company: '${5}',
          isAdmin: false,
          UserApplications: [],
        },
      },
    ],
    UserApplications: [
      {
        label: 'Seat on an application',
        description: 'Builder 5, Agent 6 or Architect 7',
        body: { ApplicationID: '${1}', ApplicationRoleID: '${2:6}' },
      },
    ],
  },
  folder: {
    '': [
      {
        label: 'New folder',
        description: 'Without permissions, All Users see it',
        body: { fname: '${1:Name}', ParentLibrary: '${2}', Permissions: [{ RightID: '${3}' }] },
      },
    ],
    Permissions: [{ label: 'Group', description: 'Opens the folder to a group', body: { RightID: '${1}' } }],
  },
  report: {
    'FieldList.Criteria': [
      {
        label: 'Condition',
        description: 'Compares the field with a value',
        body: { ...comparison, bskip: false, bprompt: false },
      },
      {
        label: 'Prompt',
        description: 'Asks for the value when the report runs',
        body: { ...comparison, bskip: true, bprompt: true, bgetvalues: true },
      },
    ],
  },
  reporttype: {
    SQLTables: [
      {
        label: 'Table',
        description: 'A table of the database',
        body: { tablename: '${1}', tableowner: '${2}', tablealias: '${3}' },
      },
    ],
    FieldTree: [
      {
        label: 'Folder',
        description: 'A heading in the field tree',
        body: { id: '^${1:1}', fname: '${2:Name}', flevel: '', nodetype: 'G', idx_order: '^${3:1}' },
      },
      {
        label: 'Field',
        description: 'A column that reports may use',
        body: {
          id: '^${1:1}',
          fname: '${2:Name}',
          flevel: '',
          nodetype: 'F',
          tablealias: '${3}',
          sqlfieldname: '${4}',
          datatype: '${5:cha}',
          idx_order: '^${6:1}',
        },
      },
    ],
  },
};

/** Bodies offered, in the language of the editor, at a path of a kind, such as `Groups`; the empty path is the whole document. */
export function snippetsOf(kind: string, path: string): readonly Snippet[] {
  return (snippets[kind]?.[path] ?? []).map((snippet) => ({
    ...snippet,
    label: sayListed(snippet.label),
    description: sayListed(snippet.description),
  }));
}
