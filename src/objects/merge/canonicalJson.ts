import { fieldOf, identifierText, isJsonObject, type Json } from '../json.ts';
import { shapeOf, type FieldShape } from '../kinds/objectShape.ts';

/**
 * The same text for all spellings of a value: keys sorted, lists of identified entries sorted by identity, no white
 * space. Numbers keep their digits; null and empty text differ. Undefined, a missing field, is empty text.
 */
export function canonicalJson(value: Json | undefined, shape: FieldShape = {}): string {
  if (value === undefined) return '';
  if (Array.isArray(value)) {
    const { key, ...entryShape } = shape;
    const entries = value.map((entry) => ({
      key: key === undefined || !isJsonObject(entry) ? '' : (identifierText(fieldOf(entry, key)) ?? ''),
      text: canonicalJson(entry, entryShape),
    }));
    if (key !== undefined) entries.sort((a, b) => compare(a.key, b.key) || compare(a.text, b.text));
    return `[${entries.map(({ text }) => text).join(',')}]`;
  }
  if (!isJsonObject(value)) return JSON.stringify(value);
  const fields = Object.entries(value)
    .sort(([a], [b]) => compare(a, b))
    .map(([name, field]) => `${JSON.stringify(name)}:${canonicalJson(field, shapeOf(shape, name))}`);
  return `{${fields.join(',')}}`;
}

/** Whether two values have the same {@link canonicalJson}. */
export function isSameJson(a: Json | undefined, b: Json | undefined, shape?: FieldShape): boolean {
  return a === b || canonicalJson(a, shape) === canonicalJson(b, shape);
}

/** By code unit, so that the order does not depend on the locale. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
