import { entriesByKey } from './entryKeys.ts';
import { fieldOf, isJsonObject, type Json, type JsonObject } from '../json.ts';
import { shapeOf, type FieldShape, type ObjectShape } from '../kinds/objectShape.ts';
import { threeWayMerge } from './threeWayMerge.ts';

/** Views of an object around a write. */
export interface WrittenViews {
  /** On the server before the write. */
  readonly before: JsonObject;
  /** As sent. */
  readonly wanted: JsonObject;
  /** As read back. */
  readonly after: JsonObject;
}

/**
 * Paths of fields that were sent with a change but read back without it. Ignores changes by others and additions by the
 * server, such as the name of a group next to the id that was sent.
 */
export function lostChanges({ before, wanted, after }: WrittenViews, shape: ObjectShape): string[] {
  const asked = threeWayMerge(before, wanted, before, shape).myChanges;
  const missing = threeWayMerge(after, completed({ before, wanted, after }, shape), after, shape).myChanges;
  return missing.filter((path) => asked.some((other) => isWithin(path, other) || isWithin(other, path)));
}

function isWithin(path: string, parent: string): boolean {
  return path === parent || path.startsWith(`${parent}/`);
}

/** The sent value, completed with fields that the server added and that neither it nor the object before had. */
function completed({ before, wanted, after }: WrittenViews, shape: ObjectShape): JsonObject {
  const sent = Object.entries(wanted).map(([name, value]): [string, Json] => [
    name,
    completedValue(fieldOf(before, name), value, fieldOf(after, name), shapeOf(shape, name)),
  ]);
  const added = Object.entries(after).filter(([name]) => !Object.hasOwn(wanted, name) && !Object.hasOwn(before, name));
  return Object.fromEntries([...sent, ...added]);
}

function completedValue(
  before: Json | undefined,
  wanted: Json,
  after: Json | undefined,
  shape: FieldShape | undefined,
): Json {
  if (isJsonObject(wanted) && isJsonObject(after)) {
    return completed({ before: isJsonObject(before) ? before : {}, wanted, after }, shape ?? {});
  }
  if (!Array.isArray(wanted) || !Array.isArray(after)) return wanted;
  const { key, ...entryShape }: FieldShape = shape ?? {};
  if (key === undefined) {
    // Entries can only be matched by index.
    if (wanted.length !== after.length) return wanted;
    const known = Array.isArray(before) && before.length === wanted.length ? before : [];
    return wanted.map((entry, index) => completedValue(known[index], entry, after[index], entryShape));
  }
  const sent = entriesByKey(wanted, key);
  const there = entriesByKey(after, key);
  if (!sent || !there) return wanted;
  const known = entriesByKey(before, key);
  return [...sent].map(([id, entry]) => {
    const found = there.get(id);
    // An id sent as a number and read back as text is the same id.
    const named = found ? { ...entry, [key]: fieldOf(found, key) ?? null } : entry;
    return completedValue(known?.get(id), named, found, entryShape);
  });
}
