import { placeholdersOf, readLabel, type Placeholder } from '../contract/placeholders.ts';
import { isJsonObject, type Json } from './json.ts';

/** All placeholders in a value, at any depth. */
export function placeholdersWithin(value: Json | undefined): Placeholder[] {
  if (typeof value === 'string') return placeholdersOf(value);
  if (Array.isArray(value)) return value.flatMap(placeholdersWithin);
  return isJsonObject(value) ? Object.values(value).flatMap(placeholdersWithin) : [];
}

/** Whether a value refers to the tag with this label. */
export function usesPlaceholder(value: Json | undefined, label: string): boolean {
  return placeholdersWithin(value).some((placeholder) => isSameLabel(placeholder.written, label));
}

/** Whether two labels refer to the same tag or field; a label without a normal form only equals itself. */
export function isSameLabel(one: string, other: string): boolean {
  return labelKey(one) === labelKey(other);
}

/** Key for comparing labels. */
export function labelKey(label: string): string {
  return readLabel(label).normal ?? label;
}
