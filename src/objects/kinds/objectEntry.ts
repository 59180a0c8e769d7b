import { fieldOf, identifierText, type JsonObject } from '../json.ts';

/** List entry of an object: enough to choose it, and to show its name where another object references its id. */
export interface ObjectEntry {
  readonly id: string;
  readonly name: string;
  /** Distinguishes objects with the same name; may be empty. */
  readonly detail: string;
  /** Whether the server reported that it could not read the object, so that its name is unknown. */
  readonly isUnreadable?: boolean;
}

/** Text of a field; empty if missing. */
export function textField(object: JsonObject, name: string): string {
  const value = fieldOf(object, name);
  return typeof value === 'string' ? value : (identifierText(value) ?? '');
}
