import type { Node } from 'jsonc-parser';
import { placeholderPattern } from '../placeholders.ts';
import { entriesOf, fieldNode, identifierAt, nodesAt, type JsonText, type Span } from './jsonText.ts';
import type { ReferenceKind } from './knownObjects.ts';

/** A field that holds the id of another object. */
export interface ReferenceRow {
  /** Path of the field. */
  readonly path: string;
  readonly to: ReferenceKind;
  /** Ids that mean none. */
  readonly none?: readonly string[];
  /** Field beside the id that repeats the object's name for the reader. */
  readonly nameField?: string;
  /** Whether the id is written as a number. */
  readonly isNumber?: boolean;
}

const rows: Readonly<Record<string, readonly ReferenceRow[]>> = {
  policy: [
    { path: 'Groups.GroupId', to: 'group', nameField: 'GroupName' },
    { path: 'Users.ID', to: 'user', nameField: 'LoginName' },
    { path: 'Constraints.ModuleID', to: 'application' },
  ],
  tag: [
    { path: 'SecurityGroups.RightID', to: 'group' },
    { path: 'Contacts.RightID', to: 'user' },
  ],
  folder: [
    { path: 'Permissions.RightID', to: 'group' },
    { path: 'ParentLibrary', to: 'folder', none: ['0'] },
  ],
  user: [
    { path: 'SecurityGroups.GroupId', to: 'group', nameField: 'GroupName' },
    { path: 'UserApplications.ApplicationID', to: 'application', nameField: 'ApplicationName' },
  ],
  report: [
    { path: 'folderid', to: 'folder', none: ['0'], isNumber: true },
    { path: 'FieldList.Criteria.vrpt', to: 'report', none: ['0'] },
    { path: 'linkreports.ReportID', to: 'report', nameField: 'Name' },
  ],
  reporttype: [{ path: 'Moduleid', to: 'application', none: ['0'], isNumber: true }],
};

/** Fields of a kind that hold ids of other objects. */
export function referenceRows(kind: string): readonly ReferenceRow[] {
  return rows[kind === 'profile' ? 'user' : kind] ?? [];
}

/** A place in a document that names another object by id. */
export interface Reference extends Span {
  readonly row: ReferenceRow;
  readonly id: string;
  readonly node: Node;
}

/** Ids of other objects in a document, in the order of {@link referenceRows}. */
export function referencesIn({ root }: JsonText, kind: string): Reference[] {
  return referenceRows(kind).flatMap((row) =>
    nodesAt(root, row.path).flatMap((node) => {
      const id = identifierAt(node);
      if (id === undefined || row.none?.includes(id)) return [];
      return [{ row, id, node, offset: node.offset, length: node.length }];
    }),
  );
}

/** A placeholder such as `/#state#/` in a constraint. */
export interface Placeholder extends Span {
  /** Label as it is written between the signs. */
  readonly label: string;
  readonly node: Node;
}

/** Placeholders in the constraints of a policy. */
export function placeholdersIn(document: JsonText, kind: string): Placeholder[] {
  if (kind !== 'policy') return [];
  const constraints = fieldNode(document.root, 'Constraints');
  return constraints ? [...textNodes(constraints)].flatMap((node) => placeholdersAt(document, node)) : [];
}

/** Placeholders within one text. */
export function placeholdersAt({ text }: JsonText, node: Node): Placeholder[] {
  const written = text.slice(node.offset, node.offset + node.length);
  return [...written.matchAll(placeholderPattern)].map((match) => ({
    label: match[1] ?? '',
    node,
    offset: node.offset + match.index,
    length: match[0].length,
  }));
}

/** Every text value at or below a node; a loop, because text may be nested to any depth. */
function* textNodes(start: Node): Generator<Node> {
  const waiting = [start];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (node.type === 'string') yield node;
    else if (node.type === 'property') {
      const value = node.children?.[1];
      if (value) waiting.push(value);
    } else waiting.push(...[...(node.children ?? [])].reverse());
  }
}

/** Entries of a list that a document holds. */
export function listEntries({ root }: JsonText, field: string): readonly Node[] {
  const list = fieldNode(root, field);
  return list?.type === 'array' ? entriesOf(list) : [];
}
