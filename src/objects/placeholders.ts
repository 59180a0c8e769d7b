import { placeholdersOf, readLabel, type Placeholder } from '../contract/placeholders.ts';
import { isJsonObject, type Json } from './json.ts';

/** All placeholders anywhere in a value. */
export function placeholdersWithin(value: Json | undefined): Placeholder[] {
  if (typeof value === 'string') return placeholdersOf(value);
  if (Array.isArray(value)) return value.flatMap(placeholdersWithin);
  return isJsonObject(value) ? Object.values(value).flatMap(placeholdersWithin) : [];
}

/** Whether a value names the tag of this label. */
export function usesPlaceholder(value: Json | undefined, label: string): boolean {
  return placeholdersWithin(value).some((placeholder) => isSameLabel(placeholder.written, label));
}

/** Whether two labels name the same tag or field; a label without a normal form is the same as none but itself. */
export function isSameLabel(one: string, other: string): boolean {
  return labelKey(one) === labelKey(other);
}

/** Key that labels are compared by. */
export function labelKey(label: string): string {
  return readLabel(label).normal ?? label;
}
