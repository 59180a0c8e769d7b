import { editableView } from '../merge/editableView.ts';
import type { JsonObject } from '../json.ts';
import { lostChanges } from '../merge/lostChanges.ts';
import type { ObjectEntry } from '../kinds/objectEntry.ts';
import { nameOf, type ObjectKind } from '../kinds/objectKind.ts';
import type { ObjectServer } from '../objectServer.ts';

/** A create of unknown outcome: the data needed to find its object later. Contains no secrets. */
export interface PendingCreate {
  /** The view that was sent. */
  readonly view: JsonObject;
  /** Ids of the objects that had its name before it was sent. */
  readonly known: readonly string[];
}

/** What earlier creates left: exactly one object, with what was sent; nothing; or something that may be the object. */
export type EarlierTrace =
  | { readonly kind: 'found'; readonly id: string; readonly view: JsonObject }
  | { readonly kind: 'nothing' | 'similar' };

/** Ids of the objects of a kind that have `name`, or may have it, in `parent` if given. */
export async function idsNamed(
  server: ObjectServer,
  kind: ObjectKind,
  name: string,
  parent: string | undefined,
): Promise<string[]> {
  const isInPlace = (id: string) => parent === undefined || (kind.parentOf?.(id) ?? parent) === parent;
  const entries = (await kind.list?.(server)) ?? [];
  const mayBe = (entry: ObjectEntry) => entry.name === name || entry.isUnreadable === true;
  return entries.filter((entry) => mayBe(entry) && isInPlace(entry.id)).map(({ id }) => id);
}

/** Whether a new object has everything in `view` that differs from its template. */
export function hasAllOf(kind: ObjectKind, before: JsonObject, view: JsonObject, after: JsonObject): boolean {
  return lostChanges({ before, wanted: { ...before, ...view }, after }, kind.shape).length === 0;
}

/**
 * Looks for objects made by creates of unknown outcome: new since then, with the same name and content.
 * @param before view of the template.
 * @throws {ClientError} when the server cannot be read.
 */
export async function findPendingCreate(
  server: ObjectServer,
  kind: ObjectKind,
  earlier: readonly PendingCreate[],
  { before, parent }: { before: JsonObject; parent: string | undefined },
): Promise<EarlierTrace> {
  const added = new Set<string>();
  const alike = new Map<string, JsonObject>();
  for (const { view, known } of earlier) {
    const ids = await idsNamed(server, kind, nameOf(kind, view), parent);
    for (const id of ids.filter((candidate) => !known.includes(candidate))) {
      added.add(id);
      const after = editableView(await kind.read(server, id), kind.shape);
      if (hasAllOf(kind, before, view, after)) alike.set(id, view);
    }
  }
  const [only] = alike;
  // Several cannot be told apart.
  if (only && added.size === 1) return { kind: 'found', id: only[0], view: only[1] };
  return { kind: added.size === 0 ? 'nothing' : 'similar' };
}
