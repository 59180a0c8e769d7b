import { fieldOf, identifierText, type JsonObject } from '../json.ts';

/** One object of a list: enough to choose it, and to show its name where another object holds its id. */
export interface ObjectEntry {
  readonly id: string;
  readonly name: string;
  /** What tells it from others of the same name; may be empty. */
  readonly detail: string;
  /** Whether the server says that it could not read the object: then its name is not known. */
  readonly isUnreadable?: boolean;
}

/** Text of a field; empty where there is none. */
export function textField(object: JsonObject, name: string): string {
  const value = fieldOf(object, name);
  return typeof value === 'string' ? value : (identifierText(value) ?? '');
}
