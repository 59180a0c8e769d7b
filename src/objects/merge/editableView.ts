import { fieldOf, identifierText, isJsonObject, type Json, type JsonObject } from '../json.ts';
import { isHidden, isReadOnly, shapeOf, type FieldShape, type ObjectShape } from '../kinds/objectShape.ts';

/**
 * The part of a full object that the user sees and edits. Keeps spelling, and order except for the object's own
 * read-only fields, which come last.
 */
export function editableView(full: JsonObject, shape: ObjectShape): JsonObject {
  const { kept = [], edited = [] } = Object.groupBy(Object.entries(visibleFields(full, shape)), ([name]) =>
    isReadOnly(shape, name) ? 'kept' : 'edited',
  );
  return Object.fromEntries([...edited, ...kept]);
}

function visibleFields(full: JsonObject, shape: ObjectShape): JsonObject {
  return Object.fromEntries(
    Object.entries(full)
      .filter(([name]) => !isHidden(shape, name))
      .map(([name, value]) => [name, viewOfField(value, shapeOf(shape, name))]),
  );
}

function viewOfField(value: Json, shape: FieldShape | undefined): Json {
  if (!shape) return value;
  if (Array.isArray(value)) {
    if (shape.key === undefined) return value;
    return value.map((entry) => (isJsonObject(entry) ? visibleFields(entry, shape) : entry));
  }
  return isJsonObject(value) ? visibleFields(value, shape) : value;
}

/**
 * A view of the server to compare with the user's own: fields that the server maintains, such as the time of the last
 * change, have the values of `mine`, which differ after every save and cannot be edited.
 */
export function comparableView(theirs: JsonObject, mine: JsonObject, shape: ObjectShape): JsonObject {
  return Object.fromEntries(
    Object.entries(theirs).flatMap(([name, value]): [string, Json][] => {
      const own = fieldOf(mine, name);
      if (isReadOnly(shape, name)) return own === undefined ? [] : [[name, own]];
      const inner = shapeOf(shape, name);
      return [[name, inner && isJsonObject(value) && isJsonObject(own) ? comparableView(value, own, inner) : value]];
    }),
  );
}

/**
 * Applies a view to its full object: keeps hidden fields, replaces visible ones. With the unchanged view of `full` the
 * result equals `full` byte for byte.
 */
export function withView(full: JsonObject, view: JsonObject, shape: ObjectShape): JsonObject {
  const kept = Object.entries(full).flatMap(([name, value]): [string, Json][] => {
    if (isHidden(shape, name)) return [[name, value]];
    const shown = fieldOf(view, name);
    return shown === undefined ? [] : [[name, fieldWithView(value, shown, shapeOf(shape, name))]];
  });
  const added = Object.entries(view)
    .filter(([name]) => !Object.hasOwn(full, name))
    .map(([name, value]): [string, Json] => [name, fieldWithView(undefined, value, shapeOf(shape, name))]);
  return Object.fromEntries([...kept, ...added]);
}

function fieldWithView(full: Json | undefined, shown: Json, shape: FieldShape | undefined): Json {
  if (!shape) return shown;
  if (Array.isArray(shown)) {
    return shape.key === undefined ? shown : listWithView(Array.isArray(full) ? full : [], shown, shape.key, shape);
  }
  return isJsonObject(full) && isJsonObject(shown) ? withView(full, shown, shape) : shown;
}

/** Matches entries to their full ones by identity, those with the same identity in order. */
function listWithView(full: readonly Json[], shown: readonly Json[], key: string, shape: FieldShape): Json[] {
  const identity = (entry: JsonObject) => identifierText(fieldOf(entry, key)) ?? '';
  const waiting = Map.groupBy(full.filter(isJsonObject), identity);
  return shown.map((entry) => {
    if (!isJsonObject(entry)) return entry;
    const known = waiting.get(identity(entry))?.shift();
    return known ? withView(known, entry, shape) : { ...shape.newEntry, ...entry };
  });
}
