import { fieldOf, identifierText, isJsonObject, type JsonObject } from './json.ts';
import { findKind } from './kinds/kinds.ts';
import { textField } from './kinds/objectEntry.ts';
import type { ObjectServer } from './objectServer.ts';

/** Reads an object, given the name of its kind. @throws {ClientError} when it cannot be read. */
export async function readObject(server: ObjectServer, kind: string, id: string): Promise<JsonObject> {
  const found = findKind(kind);
  if (!found) throw new Error(`There is no kind ${kind}.`);
  return found.read(server, id);
}

/** The objects in a list field; empty if there is no such list. */
export function objectsIn(object: JsonObject, field: string): JsonObject[] {
  const list = fieldOf(object, field);
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}

/** Whether an entry of a list field has this id. */
export function holdsId(object: JsonObject, field: string, idField: string, id: string): boolean {
  return objectsIn(object, field).some((entry) => identifierText(fieldOf(entry, idField)) === id);
}

/** One text field of each object. */
export function namesOf(objects: readonly JsonObject[], field: string): string[] {
  return objects.map((object) => textField(object, field));
}
