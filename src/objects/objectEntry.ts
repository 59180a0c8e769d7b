import { fieldOf, identifierText, type JsonObject } from './json.ts';

/** One object of a list: enough to choose it, and to show its name where another object holds its id. */
export interface ObjectEntry {
  readonly id: string;
  readonly name: string;
  /** What tells it from others of the same name; may be empty. */
  readonly detail: string;
}

/** Text of a field; empty where there is none. */
export function textField(object: JsonObject, name: string): string {
  const value = fieldOf(object, name);
  return typeof value === 'string' ? value : (identifierText(value) ?? '');
}

/** Entries of a list of objects by their fields; those without an id are left out. */
export function entriesOf(
  objects: readonly JsonObject[],
  fields: { id: string; name: string; detail?: string },
): ObjectEntry[] {
  return objects.flatMap((object) => {
    const id = identifierText(fieldOf(object, fields.id));
    if (id === undefined) return [];
    const detail = fields.detail === undefined ? '' : textField(object, fields.detail);
    return [{ id, name: textField(object, fields.name) || id, detail }];
  });
}
