import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import type { FieldNote } from '../notes/fieldNote.ts';
import { notedPaths, noteOf } from '../notes/notesOf.ts';
import { isHidden, isReadOnly, shapeOf, type ObjectShape } from './objectShape.ts';
import type { ObjectKind } from './objectKind.ts';
import * as l10n from '../../l10n/l10n.ts';
import { objectKinds } from './kinds.ts';

/** Snippet for a new object or entry; `${1:text}` is a placeholder, as in VS Code. */
interface Snippet {
  readonly label: string;
  readonly description: string;
  readonly body: object;
}

const comparison = { Index: 1, Field: '', Op: '${1:=}', Value1: '${2}', Value2: '', Logical: 'AND', Nested: false };

/** Snippets by kind and path; the empty path is the whole document. @l10n label, description */
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
        description: 'A value per group or user for policies to compare with',
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
        description: 'You are asked for the password when you save the user',
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
  dashboard: {
    '': [
      {
        label: 'New dashboard',
        description: 'Reports side by side',
        body: { name: '${1:Name}', descr: '${2}', folderid: '^${3:0}', reports: [{ ReportID: '${4}' }] },
      },
    ],
    reports: [{ label: 'Report', description: 'Shows a report', body: { ReportID: '${1}' } }],
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
        description: 'A column that reports can use',
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

/** Localized snippets at a path of a kind, such as `Groups`; the empty path is the whole document. */
function snippetsOf(kind: string, path: string): readonly Snippet[] {
  return (snippets[kind]?.[path] ?? []).map((snippet) => ({
    ...snippet,
    label: l10n.listed(snippet.label),
    description: l10n.listed(snippet.description),
  }));
}

/** The parts of a JSON schema used here. */
interface SchemaNode {
  [key: string]: unknown;
}

/**
 * JSON schema of a kind's editable view, for completion and validation in the editor: the contract's fields without the
 * hidden ones, with descriptions and known values; fields that users cannot change are marked read-only. No field is
 * required: missing ones are reported where the text can be compared with the server's.
 */
export function objectSchema(kind: ObjectKind): SchemaNode {
  const schema: SchemaNode = {
    ...z.toJSONSchema(kind.schema, { io: 'input', unrepresentable: 'any', target: 'draft-7' }),
  };
  const view = forView(schema, { kind: kind.name, path: '', shape: kind.shape });
  return { ...view, title: kind.name, allowComments: false, allowTrailingCommas: false };
}

/** Position of a schema node in a view. */
interface Place {
  readonly kind: string;
  /** Field names down to it, joined by dots; list entries have the path of their list. */
  readonly path: string;
  readonly shape: ObjectShape;
}

function forView(schema: SchemaNode, place: Place): SchemaNode {
  const branches = schema.anyOf;
  if (Array.isArray(branches)) {
    return { ...schema, anyOf: branches.map((branch: unknown) => (isNode(branch) ? forView(branch, place) : branch)) };
  }
  if (isNode(schema.items)) return { ...schema, items: entrySchema(schema.items, place) };
  const { properties } = schema;
  if (!isNode(properties)) return schema;
  const shown = Object.entries(properties)
    .filter(([name]) => !isHidden(place.shape, name))
    .map(([name, property]) => [name, fieldSchema(name, isNode(property) ? property : {}, place)] as const);
  const { required: _required, ...rest } = schema;
  return { ...rest, ...bodies(place), properties: Object.fromEntries(shown) };
}

/** Describes fields of entries that are not in the contract by their notes. */
function entrySchema(items: SchemaNode, place: Place): SchemaNode {
  const entry = forView(items, place);
  const listed = isNode(entry.properties) ? entry.properties : {};
  const start = place.path === '' ? '' : `${place.path}.`;
  const unlisted = notedPaths(place.kind)
    .filter((path) => path.startsWith(start))
    .map((path) => path.slice(start.length))
    .filter((name) => !name.includes('.') && !Object.hasOwn(listed, name) && !isHidden(place.shape, name))
    .map((name) => [name, fieldSchema(name, {}, place)] as const);
  if (unlisted.length === 0) return { ...entry, ...bodies(place) };
  return { ...entry, ...bodies(place), properties: { ...listed, ...Object.fromEntries(unlisted) } };
}

function fieldSchema(name: string, property: SchemaNode, { kind, path, shape }: Place): SchemaNode {
  const here = path === '' ? name : `${path}.${name}`;
  const nested = forView(property, { kind, path: here, shape: shapeOf(shape, name) ?? {} });
  const note = noteOf(kind, here);
  const described = note ? withNote(nested, note) : nested;
  if (!isReadOnly(shape, name)) return described;
  const kept = l10n.t('Maintained by the server. Changes are rejected when you save.');
  return { ...described, readOnly: true, description: note ? `${note.text} ${kept}` : kept };
}

/** Known values are suggested, but others are not rejected here: a problem message explains unknown ones. */
function withNote(schema: SchemaNode, { text, choices }: FieldNote): SchemaNode {
  const described: SchemaNode = { ...schema, description: text };
  if (!choices) return described;
  const known = { enum: choices.map(({ value }) => value), enumDescriptions: choices.map(({ meaning }) => meaning) };
  const { type, anyOf, ...rest } = described;
  const open = Array.isArray(anyOf) ? (anyOf as unknown[]) : [type === undefined ? {} : { type }];
  return { ...rest, anyOf: [known, ...open] };
}

function bodies({ kind, path }: Place): SchemaNode {
  const found = snippetsOf(kind, path);
  return found.length === 0 ? {} : { defaultSnippets: found };
}

function isNode(value: unknown): value is SchemaNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Writes the JSON schema of every kind to `folder`, as `<kind>.schema.json`, in the current language. Called by the
 * build; the manifest refers to the files.
 * @param language inserted before `.schema.json` in the names, for example `de`; empty for English.
 */
export async function writeSchemas(folder: string, language?: string): Promise<void> {
  const ending = language === undefined ? 'schema.json' : `${language}.schema.json`;
  await mkdir(folder, { recursive: true });
  await Promise.all(
    objectKinds.map((kind) =>
      writeFile(path.join(folder, `${kind.name}.${ending}`), `${JSON.stringify(objectSchema(kind))}\n`),
    ),
  );
}
