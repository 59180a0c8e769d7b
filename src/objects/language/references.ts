import type { Node } from 'jsonc-parser';
import { placeholdersOf, type Placeholder } from '../../contract/placeholders.ts';
import { entriesOf, fieldNode, identifierAt, nodesAt, type JsonText, type Span } from './jsonText.ts';
import type { ReferenceKind } from './knownObjects.ts';

/** A field with the id of another object. */
export interface ReferenceRow {
  /** Path of the field. */
  readonly path: string;
  readonly to: ReferenceKind;
  /** Ids that mean none. */
  readonly none?: readonly string[];
  /** Field next to the id that repeats the object's name for readers. */
  readonly nameField?: string;
  /** Whether the id is a number. */
  readonly isNumber?: boolean;
  /** Whether the list may name each object only once although its order counts, so that it has no key. */
  readonly isUnique?: boolean;
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
  dashboard: [
    { path: 'folderid', to: 'folder', none: ['0'], isNumber: true },
    { path: 'reports.ReportID', to: 'report', isUnique: true },
  ],
  reporttype: [{ path: 'Moduleid', to: 'application', none: ['0'], isNumber: true }],
};

/** Fields of a kind with ids of other objects. */
export function referenceRows(kind: string): readonly ReferenceRow[] {
  return rows[kind === 'profile' ? 'user' : kind] ?? [];
}

/** A reference by id to another object in a document. */
export interface Reference extends Span {
  readonly row: ReferenceRow;
  readonly id: string;
  readonly node: Node;
}

/** References to other objects in a document, in the order of {@link referenceRows}. */
export function referencesIn({ root }: JsonText, kind: string): Reference[] {
  return referenceRows(kind).flatMap((row) =>
    nodesAt(root, row.path).flatMap((node) => {
      const id = identifierAt(node);
      if (id === undefined || row.none?.includes(id)) return [];
      return [{ row, id, node, offset: node.offset, length: node.length }];
    }),
  );
}

/** A placeholder such as `/#state#/` in a constraint, with its position in the document. */
export type PlacedPlaceholder = Span & Pick<Placeholder, 'written' | 'label'>;

/** Placeholders in the constraints of a policy. */
export function placeholdersIn(document: JsonText, kind: string): PlacedPlaceholder[] {
  return constraintTexts(document, kind).flatMap((node) => placeholdersAt(document, node));
}

/** Texts in the constraints of a policy. */
export function constraintTexts({ root }: JsonText, kind: string): Node[] {
  const constraints = kind === 'policy' ? fieldNode(root, 'Constraints') : undefined;
  return constraints ? [...textNodes(constraints)] : [];
}

/** Placeholders within one text. */
export function placeholdersAt({ text }: JsonText, node: Node): PlacedPlaceholder[] {
  const value: unknown = node.value;
  if (typeof value !== 'string') return [];
  const offsets = unitOffsets(text.slice(node.offset + 1, node.offset + node.length));
  return placeholdersOf(value).map(({ written, label, offset: from, text: { length } }) => {
    const [start = 0, end = start] = [offsets[from], offsets[from + length]];
    return { written, label, offset: node.offset + 1 + start, length: end - start };
  });
}

/** Start of each character of a JSON string literal, in which some are escaped, and the end of the last one. */
function unitOffsets(quoted: string): number[] {
  return [...quoted.matchAll(/\\u[\da-f]{4}|\\.|[^]/gi)].map(({ index }) => index);
}

/** All text values at or below a node; iterative, because text may be nested to any depth. */
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

/** Entries of a list of a document. */
export function listEntries({ root }: JsonText, field: string): readonly Node[] {
  const list = fieldNode(root, field);
  return list?.type === 'array' ? entriesOf(list) : [];
}
