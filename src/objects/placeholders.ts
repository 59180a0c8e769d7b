import { isJsonObject, type Json } from './json.ts';

/** Placeholders that name a field of the reader's own profile. API description, Shield policy. */
export const profilePlaceholders: readonly string[] = [
  ...['tag1', 'tag2', 'tag3', 'tag4'],
  ...['login', 'firstname', 'lastname', 'email', 'company'],
];

/** A data tag's placeholder in a constraint, with its label. */
export const placeholderPattern = /\/#([^#/]+)#\//g;

/** Labels of all placeholders anywhere in a value, as they are written. */
export function placeholdersOf(value: Json | undefined): string[] {
  if (typeof value === 'string') return [...value.matchAll(placeholderPattern)].flatMap((match) => match[1] ?? []);
  if (Array.isArray(value)) return value.flatMap(placeholdersOf);
  return isJsonObject(value) ? Object.values(value).flatMap(placeholdersOf) : [];
}

/** Whether a value names the tag of this label; servers compare labels whatever their case. */
export function usesPlaceholder(value: Json | undefined, label: string): boolean {
  return placeholdersOf(value).some((name) => name.toLowerCase() === label.toLowerCase());
}

/** Whether a placeholder means the reader's profile, not a data tag. */
export function isProfilePlaceholder(label: string): boolean {
  return profilePlaceholders.includes(label.toLowerCase());
}
