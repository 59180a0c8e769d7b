import type { Node } from 'jsonc-parser';
import { noteOf } from '../notes/notesOf.ts';
import { fieldNode, nodesAt, textAt, type JsonText, type Span } from './jsonText.ts';
import type { ReferenceKind } from './knownObjects.ts';
import { placeholdersIn, referencesIn } from './references.ts';
import { tagOf, type ServerFacts } from './serverFacts.ts';

/** A name shown after an id or a number. */
interface NameHint {
  /** Offset right after the value. */
  readonly offset: number;
  readonly text: string;
  readonly target?: ObjectLink;
}

/** A link from a position in a document to an object. */
export interface ObjectLink {
  readonly kind: ReferenceKind;
  readonly id: string;
  readonly name: string;
}

/** Fields with codes that need an explanation, by kind. */
const codedFields: Readonly<Record<string, readonly string[]>> = {
  report: ['OutputType'],
  user: ['UserApplications.ApplicationRoleID', 'SecurityGroups.GroupRoles.RoleId'],
  audit: ['AuditTypes.recorded'],
};

/** Names after ids within a range of the text; omitted where the name is in the text anyway. */
export function nameHints(document: JsonText, kind: string, facts: ServerFacts, { offset, length }: Span): NameHint[] {
  const isInside = (at: number) => at >= offset && at <= offset + length;
  const names = referencesIn(document, kind)
    .filter(({ node }) => isInside(node.offset))
    .flatMap(({ row, id, node }): NameHint[] => {
      const object = facts.objects(row.to)?.get(id);
      const written = row.nameField === undefined ? '' : textAt(fieldNode(node.parent?.parent, row.nameField));
      if (!object || written === object.name) return [];
      return [
        { offset: node.offset + node.length, text: object.name, target: { kind: row.to, id, name: object.name } },
      ];
    });
  const meanings = (codedFields[kind] ?? []).flatMap((path) =>
    nodesAt(document.root, path)
      .filter((node) => isInside(node.offset))
      .flatMap((node): NameHint[] => {
        const choice = noteOf(kind, path)?.choices?.find(({ value }) => String(value) === String(node.value));
        const text = choice?.meaning.split(/[:(]/)[0]?.trim();
        return text ? [{ offset: node.offset + node.length, text }] : [];
      }),
  );
  return [...names, ...meanings];
}

/** Links to other objects. */
export function objectLinks(document: JsonText, kind: string, facts: ServerFacts): (Span & { target: ObjectLink })[] {
  const ids = referencesIn(document, kind).map(({ row, id, offset, length, node }) => {
    // The link excludes the quotation marks.
    const inner = node.type === 'string' ? { offset: offset + 1, length: length - 2 } : { offset, length };
    return { ...inner, target: { kind: row.to, id, name: facts.objects(row.to)?.get(id)?.name ?? id } };
  });
  const tags = placeholdersIn(document, kind).flatMap(({ label, offset, length }) => {
    const tag = tagOf(facts, label);
    return tag ? [{ offset, length, target: { kind: 'tag' as const, id: tag.id, name: tag.name } }] : [];
  });
  // Applications have no document.
  return [...ids, ...tags].filter(({ target }) => target.kind !== 'application');
}

/** This many fields of a kind identify a text as that kind, regardless of other fields. */
const telling = 3;

/**
 * Whether a file on disk contains an object of a kind, by its fields: at least half of them, or three, must belong to
 * the kind. `$schema` is ignored, since any program may use it. Other programs also use names such as
 * `dev.settings.json` and `mocha.report.json`. Text without fields may become anything.
 */
export function guessKind(kind: string, root: Node | undefined): boolean {
  if (root?.type !== 'object') return true;
  const names = (root.children ?? [])
    .map(({ children }) => String(children?.[0]?.value))
    .filter((name) => name !== '$schema');
  const known = names.filter((name) => noteOf(kind, name) !== undefined).length;
  return known >= Math.min(telling, Math.ceil(names.length / 2));
}
