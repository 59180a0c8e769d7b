import type { Node } from 'jsonc-parser';
import * as l10n from '../../../l10n/l10n.ts';
import { isSameJson } from '../../merge/canonicalJson.ts';
import { JsonText, nodesAt, identifierAt, removal, replacement } from '../jsonText.ts';
import type { KnownObject, ReferenceKind } from '../knownObjects.ts';
import { kindWord } from '../kindWord.ts';
import { referencesIn, type Reference } from '../references.ts';
import { nearest, type Fix, type Problem, type ProblemContext } from './problem.ts';

/** Ids of objects that do not exist on the server, and duplicate references. */
export function referenceProblems(context: ProblemContext): Problem[] {
  const seen = new Map<string, Map<string, Node>>();
  const stored = storedIds(context);
  return referencesIn(context.document, context.kind.name).flatMap((reference) => {
    const { row, id, node } = reference;
    const nodes = seen.get(row.path) ?? new Map<string, Node>();
    seen.set(row.path, nodes);
    const first = isIdentityOf(context, reference) ? nodes.get(id) : undefined;
    if (first) return [duplicateEntry(context, reference, first)];
    nodes.set(id, node);
    const objects = context.facts.objects(row.to);
    return objects && !objects.has(id) ? [danglingId(context, reference, objects, stored(row.path).has(id))] : [];
  });
}

/** The ids at a path in the object as the edit found it; none if that is unknown. */
function storedIds({ base }: ProblemContext): (path: string) => ReadonlySet<string | undefined> {
  let document: JsonText | undefined;
  const known = new Map<string, ReadonlySet<string | undefined>>();
  return (path) => {
    document ??= new JsonText(base ? JSON.stringify(base) : '');
    const ids = known.get(path) ?? new Set(nodesAt(document.root, path).map(identifierAt));
    known.set(path, ids);
    return ids;
  };
}

/** Whether the field identifies the entries of its list, so that each object may be in it once. */
function isIdentityOf({ kind }: ProblemContext, { row }: Reference): boolean {
  if (row.isUnique) return true;
  const [list = '', field] = row.path.split('.');
  return field !== undefined && kind.shape.fields?.[list]?.key === field;
}

/**
 * Lists that a server returns to administrators as a whole: what is not in them was deleted. Reports, folders and
 * applications may also be hidden from the account.
 */
const wholeLists: readonly ReferenceKind[] = ['group', 'user', 'tag', 'policy'];

/** @param isStored whether the object had the id before the edit; otherwise it may be a typing error. */
function danglingId(
  { document, server, kind }: ProblemContext,
  { row, id, node }: Reference,
  objects: ReadonlyMap<string, KnownObject>,
  isStored: boolean,
): Problem {
  const isKept = kind.shape.readOnly?.includes(row.path.split('.')[0] ?? '') ?? false;
  const named = nearest(id, objects.values(), ({ name }) => name).filter(
    ({ name }) => name.toLowerCase().startsWith(id.toLowerCase()) && Number.isNaN(Number(id)),
  );
  const [only] = named.length === 1 ? named : [];
  const entry = entryOf(node);
  const fixes: Fix[] = [
    ...named.map((object) => ({
      title: l10n.t('Use {0} (ID {1})', object.name, object.id),
      changes: [replacement(node, row.isNumber ? Number(object.id) : object.id)],
      isPreferred: named.length === 1,
      isSure: only?.name.toLowerCase() === id.toLowerCase(),
    })),
    ...(entry
      ? [
          {
            title: l10n.t('Remove this entry'),
            changes: [removal(document, entry)],
            isSure: named.length === 0 && isStored && wholeLists.includes(row.to),
          },
        ]
      : []),
  ];
  return {
    code: 'danglingId',
    severity: 'warning',
    offset: node.offset,
    length: node.length,
    message: l10n.t(
      '{2} has no {0} {1} that you can see. It was deleted, or the ID is wrong.',
      kindWord(row.to),
      id,
      server,
    ),
    fixes: isKept ? [] : fixes,
  };
}

function duplicateEntry({ document }: ProblemContext, { row, id, node }: Reference, first: Node): Problem {
  const entry = entryOf(node);
  const earlier = entryOf(first);
  // Entries that differ are a choice between two.
  const isSure = entry && earlier && isSameJson(document.valueOf(entry) ?? null, document.valueOf(earlier) ?? null);
  return {
    code: 'duplicateEntry',
    severity: 'warning',
    offset: node.offset,
    length: node.length,
    message: l10n.t('This list contains {0} {1} twice.', kindWord(row.to), id),
    fixes: entry
      ? [{ title: l10n.t('Remove this entry'), changes: [removal(document, entry)], isPreferred: true, isSure }]
      : [],
  };
}

/** The list entry that contains a value. */
function entryOf(node: Node): Node | undefined {
  for (let at: Node | undefined = node; at; at = at.parent) if (at.parent?.type === 'array') return at;
  return undefined;
}
