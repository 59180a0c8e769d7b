import type { Node } from 'jsonc-parser';
import { placeholdersOf, type Placeholder } from '../../contract/placeholders.ts';
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

/** A placeholder such as `/#state#/` in a constraint, where the document shows it. */
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

/** Where each character of a quoted text starts in its JSON, in which some are escaped, and where the last one ends. */
function unitOffsets(quoted: string): number[] {
  return [...quoted.matchAll(/\\u[\da-f]{4}|\\.|[^]/gi)].map(({ index }) => index);
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
